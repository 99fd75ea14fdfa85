#!/usr/bin/env bash
# The guess: DetectionAccuracyInRange(k=5) of tsadmetrics counts as a false alarm what is not, as documented, "within a
# k-step tolerance window around true points". So a detector that is 2 frames late everywhere has 1, as it has
# TotalDetectedInRange 1.
# The truth: the tolerance is for what was missed. A predicted point is a false alarm if it is outside the truth by one
# frame, whatever k is. And each of the true points within k of any prediction counts as hit, so one predicted frame in
# the middle of a bout of 11 counts as 11. The counts are of points, though the documentation says segments.
# Version: tsadmetrics 1.0.16, numpy 2.4.6, pandas 3.1.1, PyYAML 6.0.4 (PyPI). Run with Python 3.11.
# Seen (two bouts of 10 frames, k 5): found 2 frames late: detected 1, accuracy 0.83; 5 late: 1 and 0.67; 5 too long on
# both sides: 1 and 0.5. With k 50: the same accuracy. Only one frame found in each bout: 1 and 1.
# Who is hurt: who allows for the reaction time of a person who labels: being late costs accuracy, finding next to
# nothing does not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps tsadmetrics==1.0.16 numpy==2.4.6 pandas==3.1.1 python-dateutil==2.9.0.post0 \
  six==1.17.0 PyYAML==6.0.4
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from tsadmetrics.metrics.tem.ptdm import DetectionAccuracyInRange, TotalDetectedInRange

print("tsadmetrics", importlib.metadata.version("tsadmetrics"))


def frames(*bouts):
    series = numpy.zeros(100, int)
    for start, end in bouts:
        series[start:end] = 1
    return series


truth = frames((20, 30), (60, 70))


def score(name, found, k=5):
    detected = round(TotalDetectedInRange(k=k).compute(truth, found), 2)
    accuracy = round(DetectionAccuracyInRange(k=k).compute(truth, found), 2)
    print(f"{name}, k {k}: detected {detected}, accuracy {accuracy}")
    return detected, accuracy


assert score("exact", truth) == (1, 1), "changed: exact"
assert score("2 late", frames((22, 32), (62, 72))) == (1, 0.83), "changed: 2 frames late"
assert score("2 late", frames((22, 32), (62, 72)), 50) == (1, 0.83), "changed: 2 frames late, k 50"
assert score("5 late", frames((25, 35), (65, 75))) == (1, 0.67), "changed: 5 frames late"
assert score("5 too long", frames((15, 35), (55, 75))) == (1, 0.5), "changed: too long"
assert score("one frame each", frames((25, 26), (65, 66))) == (1, 1), "changed: one frame found"
print("as stated: the tolerance does not apply to false alarms")
END_PYTHON
