#!/usr/bin/env bash
# The guess: two intervals of the package textgrid are equal if their times and labels are, and two with other times can
# be compared. A tier of points may hold two marks at one time.
# The truth: equality looks at times alone, so an interval is "in" a tier whatever its label. Overlapping intervals with
# other times raise ValueError when they are compared for order, and a second point at one time is refused, whatever
# its mark.
# Version: TextGrid 1.6.1 (PyPI). Run with Python 3.11.
# Seen: Interval(0, 2, "none") == Interval(0, 2, "high") is True; it is in a tier that only says "high"; of two annotators
# who agree on one label of four, 4 of 4 intervals are equal.
# Who is hurt: who measures agreement of annotators, or tests an importer, by comparing intervals: any labels agree.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps TextGrid==1.6.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from textgrid import Interval, IntervalTier, PointTier

print("TextGrid", importlib.metadata.version("TextGrid"))


def tier(labels):
    result = IntervalTier("plank", 0, 2 * len(labels))
    for number, label in enumerate(labels):
        result.add(2 * number, 2 * number + 2, label)
    return result


first, second = tier(["none", "high", "none", "high"]), tier(["none", "forearm", "high", "none"])
equal = sum(one == other for one, other in zip(first, second))
print(equal, "of 4 equal;", Interval(0, 2, "side") in first)
assert equal == 4 and Interval(0, 2, "side") in first, "changed: equality"
try:
    Interval(0, 2, "none") < Interval(1, 3, "high")
    raise SystemExit("changed: overlapping intervals are ordered")
except ValueError as error:
    print("ValueError", error)
points = PointTier("beeps", 0, 4)
points.add(1, "left")
try:
    points.add(1, "right")
    raise SystemExit("changed: two points have one time")
except ValueError as error:
    print("ValueError", error)
print("as stated: annotators who share one label of four agree everywhere")
END_PYTHON
