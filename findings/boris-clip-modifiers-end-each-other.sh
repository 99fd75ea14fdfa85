#!/usr/bin/env bash
# The guess: boris-clip reads from a BORIS project the bouts that were coded there. If a behavior has modifiers, a start
# and a stop belong together if their modifiers are the same, as in BORIS, where "fault: hips" and "fault: knees" can go
# on at the same time.
# The truth: modifiers are not looked at, and in a project starts and stops are not marked, so they just alternate. The
# start of the second modifier ends the first one's bout, and the stops of both make a bout of their own, in which there
# was only one of them. Nothing is warned. In a table of events, where starts are marked, the first bout is lost with a
# warning that it is closed implicitly.
# Version: boris-clip 0.2.0, pandas 3.1.1, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (hips from 10 to 30 s, knees from 20 to 40 s): from the project bouts from 10 to 20 and 30 to 40; from the table
# one from 20 to 30. With hips also from 45 to 60 s and knees from 15 to 50: 10 to 15, 30 to 45, 50 to 60.
# Who is hurt: who cuts clips for training by several errors of form: the time in which there are two is cut out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps boris-clip==0.2.0 pandas==3.1.1 numpy==2.4.6 python-dateutil==2.9.0.post0 \
  six==1.17.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import json
from boris_clip.parse import parse_boris_file

print("boris-clip", importlib.metadata.version("boris-clip"))


def bouts(path):
    return [(bout.start, bout.stop) for bout in parse_boris_file(path)[0].bouts]


def read(faults):
    events = sorted(
        (time, place, state) for place, start, stop in faults for time, state in ((start, "START"), (stop, "STOP")))
    project = {
        "behaviors_conf": {"0": {"code": "fault", "type": "State event", "modifiers": {}}},
        "observations": {"session": {
            "file": {"1": ["session.mp4"]},
            "events": [[time, "P", "fault", place, ""] for time, place, _ in events]}}}
    with open("study.boris", "w") as stream:
        json.dump(project, stream)
    with open("events.csv", "w") as stream:
        stream.write("Time,Subject,Behavior,Modifier #1,Status\n")
        stream.writelines(f"{time},P,fault,{place},{state}\n" for time, place, state in events)
    result = bouts("study.boris"), bouts("events.csv")
    print("coded", faults, "read from the project", result[0], "from the table", result[1])
    return result


assert read([("hips", 10.0, 20.0), ("knees", 30.0, 40.0)]) == ([(10, 20), (30, 40)],) * 2, "changed: one by one"
project, table = read([("hips", 10.0, 30.0), ("knees", 20.0, 40.0)])
assert project == [(10, 20), (30, 40)], "changed: the project"
assert table == [(20, 30)], "changed: the table"
project, _ = read([("hips", 10.0, 30.0), ("knees", 15.0, 50.0), ("hips", 45.0, 60.0)])
assert project == [(10, 15), (30, 45), (50, 60)], "changed: three bouts"
print("as stated: a second fault ends the first one")
END_PYTHON
