#!/usr/bin/env bash
# The guess: ward-metrics takes events that touch (one ends where the next starts) for one, so the same time written as
# one event or as several gives the same scores; and the lists that it is given stay as they are.
# The truth: of two that touch, one is made. But of three or more in a row, each is joined with its left neighbor as it
# was before, and then all but the first are removed: what is left is the first two, and the time of the others is gone
# from the truth. A detector that finds all of it gets false positives. This happens in the caller's list, which has
# another truth afterwards. Nothing is raised or warned.
# Version: ward-metrics 0.9.5, matplotlib 3.11.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (truth from 0 to 50 s and from 60 to 70 s, found exactly): as one and one event: TP 60, precision of events 1;
# the first as five events of 10 s: TP 30, end overfill 30. As two events of 25 s: TP 60. Found only from 30 to 50 s:
# one event of two found, recall 0.5, as one event; as five: none found, recall 0, and an insertion.
# Who is hurt: who labels repetitions or sets back to back: from the third on they don't count, and finding them is an
# error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps ward-metrics==0.9.5 matplotlib==3.11.2 numpy==2.4.6 contourpy==1.3.3 \
  cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 \
  python-dateutil==2.9.0.post0 six==1.17.0
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from wardmetrics.core_methods import eval_events, eval_segments

print("ward-metrics", importlib.metadata.version("ward-metrics"))
rest = [(60, 70)]
ways = {"one": [(0, 50)], "two": [(0, 25), (25, 50)], "five": [(start, start + 10) for start in range(0, 50, 10)]}


def frames(way, found):
    truth = ways[way] + rest
    counts = {name: value for name, value in eval_segments(truth, list(found))[2].items() if value}
    print(f"truth as {way}, found {found}: {counts}; the list is now {truth}")
    return counts, truth


whole = [(0, 50), (60, 70)]
assert frames("one", whole) == ({"TP": 60, "TN": 10}, whole), "changed: one event"
assert frames("two", whole) == ({"TP": 60, "TN": 10}, whole), "changed: two events that touch"
assert frames("five", whole) == ({"TP": 30, "TN": 10, "Oe": 30}, [(0, 20), (60, 70)]), "changed: five that touch"


def events(way, found):
    _, scores, counts, standard = eval_events(ways[way] + rest, list(found))
    print(f"truth as {way}, found {found}: {standard}, insertions {counts[chr(73) + chr(39)]}")
    return standard["precision"], standard["recall"]


late = [(30, 50)]
assert events("one", late) == (1, 0.5), "changed: part of one event is found"
assert events("five", late) == (0, 0), "changed: the third of five that touch is found"
print("as stated: from the third event that touches on, the truth is lost")
END_PYTHON
