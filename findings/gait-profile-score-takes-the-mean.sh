#!/usr/bin/env bash
# The guess: calculateGPS of gait-profile-score gives the Gait Profile Score "as stated in Baker et al. 2009", its
# documentation says: the root of the mean square of the nine variables' scores for a side, and of 15 for both sides, as
# the pelvis is measured once.
# The truth: it is the plain mean of the variables' scores. So it is lower than the paper's wherever they differ, and a
# single large deviation weighs as much as many small ones. For both sides it is the mean of 18: the pelvis counts
# twice.
# Version: gait-profile-score 1.0.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen: the left knee off by 36 degrees throughout, all else as the reference: "GPS Left" 4, the paper's 12; "GPS" 2,
# the paper's 9.3. All 18 off by 4: 4 in both. The three of the pelvis off by 4 on both sides: "GPS" 1.33, the paper's
# 1.79.
# Who is hurt: who compares with published scores (healthy adults about 5, a change of 1.6 matters): a patient with one
# bad joint is in the healthy range.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps gait-profile-score==1.0.2 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import sys
import types
import numpy

# Imported by gpscalculator for its tables, plots and example curves; calculateGPS uses only numpy.
for name in ("pandas", "matplotlib", "matplotlib.pyplot", "scipy", "scipy.signal"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["matplotlib"].pyplot = sys.modules["matplotlib.pyplot"]
sys.modules["scipy.signal"].resample = None
from gpscalculator import calculateGPS, exampleInputData

print("gait-profile-score", importlib.metadata.version("gait-profile-score"))
names = exampleInputData().kinematicVariables()
reference = {name: [10.0] * 51 for name in names}
assert len(names) == 18


def score(offsets):
    subject = {name: [10.0 + offsets.get(name, 0)] * 51 for name in names}
    result = calculateGPS(reference, subject).gps
    left = [result[name] for name in names if name.endswith("Left")]
    once = [result[name] for name in names if not (name.startswith("Pelvic") and name.endswith("Right"))]
    assert len(left) == 9 and len(once) == 15
    found = [round(float(value), 2) for value in (
        result["GPS Left"], numpy.sqrt(numpy.mean(numpy.square(left))),
        result["GPS"], numpy.sqrt(numpy.mean(numpy.square(once))))]
    print(len(offsets), "variables off: GPS Left {}, the paper's {}; GPS {}, the paper's {}".format(*found))
    return found


assert score({"Knee Flexion Left": 36}) == [4, 12, 2, 9.3], "changed: one knee"
assert score({name: 4 for name in names}) == [4, 4, 4, 4], "changed: all alike"
pelvis = {name: 4 for name in names if name.startswith("Pelvic")}
assert score(pelvis) == [1.33, 2.31, 1.33, 1.79], "changed: the pelvis"
print("as stated: a mean of 18, not the root of the mean square of 15")
END_PYTHON
