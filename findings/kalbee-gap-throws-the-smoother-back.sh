#!/usr/bin/env bash
# The guess: FixedLagSmoother stands in for the filter it wraps. Frames without a measurement are predicted only, as
# kalbee's own filter_sequence() does, and each update() returns the place L frames ago.
# The truth: predictions and updates are kept in two lists that are taken to be in step. After a frame that was
# only predicted they are not, and each place is corrected by the prediction of another frame until the gap has left the
# window. So the places jump back after a gap, on exact data too. And the first L updates return the place of
# their own frame, so update L + 1 starts over at frame 1.
# Version: kalbee 1.0.0, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (lag 5, a joint that is at 1 in frame 1, 2 in frame 2 and so on, as the model has it): without a gap 1, 2, 3, 4,
# 5, 1, 2, 3 ...; frames 15 to 17 missing: ... 7, 8, 9, then 0.119, 4.218, 8.425, 11.327, 14, then right again.
# Who is hurt: who smooths live poses: after each short loss of the person the body is where it was long before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps kalbee==1.0.0 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy as np
from kalbee import KalmanFilter
from kalbee.models.motion import constant_velocity
from kalbee.modules.smoothers.fixed_lag_smoother import FixedLagSmoother

print("kalbee", importlib.metadata.version("kalbee"))


def tool():
    motion, doubt = constant_velocity(dt=1.0, process_var=1e-3)
    return KalmanFilter(np.array([[0.0], [1.0]]), np.eye(2), motion, doubt, np.array([[1.0, 0.0]]), np.eye(1))


def smooth(missing):
    smoother, places = FixedLagSmoother(tool(), lag=5), []
    for frame in range(1, 31):
        smoother.predict()
        if frame not in missing:
            places.append(round(float(smoother.update(np.array([[float(frame)]]))[0, 0]), 3))
    print(f"missing {list(missing)}: {places}")
    return places


measured = np.arange(1.0, 31)
measured[14:17] = np.nan
plain = tool().filter_sequence(measured, missing=np.nan)[0][:, 0, 0]
print("the filter alone, the same gap:", [round(float(place), 3) for place in plain])
assert np.abs(plain - np.arange(1, 31)).max() < 1e-6, "changed: the filter alone"
assert smooth([]) == [1, 2, 3, 4, 5] + list(range(1, 26)), "changed: the start, or a recording without a gap"
seen = smooth([15, 16, 17])
assert seen[:14] == [1, 2, 3, 4, 5] + list(range(1, 10)), "changed: before the gap"
assert seen[14:19] == [0.119, 4.218, 8.425, 11.327, 14], "changed: after a gap of three frames"
assert seen[19:] == list(range(18, 26)), "changed: once the gap has left the window"
assert smooth([15])[14] == 6.23, "changed: after a gap of one frame"
print("as stated: after a gap the places jump back")
END_PYTHON
