#!/usr/bin/env bash
# The guess: event_inactivity() of dcase_util gives the times at which no event is going on, and merging events of one
# label, process_events(minimum_event_gap=...), ends the merged event where the last of them ends.
# The truth: events are sorted by start, and each one that is merged sets the end, even to an earlier one. So a short
# event inside a long one ends the long one. event_inactivity() merges all labels this way first, and stats() takes its
# activity from that. The container is made for events that overlap. Nothing is raised or warned.
# Version: dcase_util 0.2.20, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (100 s; a plank from 0 to 60 s, sagging from 10 to 12 s): inactive from 12 to 100 s, active 12 s; without the
# sagging inactive from 60 to 100 s, active 60 s. Two planks, 0 to 60 s and 10 to 12 s, merge to 0 to 12 s.
# Who is hurt: who counts active time, or joins fragments or several raters' labels: a note inside a hold cuts it off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps dcase_util==0.2.20 cffi==2.1.1 future==1.0.0 lazy-loader==0.6 librosa==0.11.0 \
  numpy==2.4.6 PyYAML==6.0.4 scipy==1.17.1 six==1.17.0 soundfile==0.14.0 typing_extensions==4.16.0 validators==0.36.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from dcase_util.containers import MetaDataContainer

print("dcase_util", importlib.metadata.version("dcase_util"))
lengths = {"session.wav": 100.0}


def events(*labels):
    return MetaDataContainer([
        {"filename": "session.wav", "event_label": name, "onset": start, "offset": end} for name, start, end in labels])


def times(container):
    return [(item.event_label, float(item.onset), float(item.offset)) for item in container]


def activity(*labels):
    container = events(*labels)
    inactive = times(container.event_inactivity(duration_list=lengths))
    stats = container.stats(calculate_event_activity=True, duration_list=lengths)["events"]
    active = float(stats["overall_event_flatten_active_length"])
    print(labels, "inactive", inactive, "active", active)
    return inactive, active


plank, sag = ("plank", 0.0, 60.0), ("sag", 10.0, 12.0)
assert activity(plank) == ([("inactivity", 60, 100)], 60), "changed: one event"
assert activity(plank, sag) == ([("inactivity", 12, 100)], 12), "changed: an event inside another"
merged = times(events(plank, ("plank", 10.0, 12.0)).process_events(minimum_event_gap=0.5))
print("merged", merged)
assert merged == [("plank", 0, 12)], "changed: merging"
print("as stated: 2 s inside a hold of 60 s leave 12 s of it")
END_PYTHON
