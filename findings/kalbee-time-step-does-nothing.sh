#!/usr/bin/env bash
# The guess: predict(dt) of kalbee's filters moves the state by dt, "the time step since the last update" as documented,
# so a pause of the camera is one call with a larger dt. filter_dataframe() and filter_sequence() hand theirs on.
# The truth: KalmanFilter takes dt and does nothing with it. State and uncertainty move by the one step that was built
# into the matrices, whatever dt is; no warning. ExtendedKalmanFilter and others hand dt to the transition function, so
# the same calls give other results there.
# Version: kalbee 1.0.0, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (a joint at 0 with speed 1 per second, matrices for 1 second): predict(dt) for a thirtieth of a second, 1 and 10
# seconds: 1 each time, with the same uncertainty. Extended filter with the same motion: 0.033, 1 and 10.
# Who is hurt: who filters poses with dropped frames or a changing frame rate: after a pause of ten frames a moving
# joint is nine frames behind, and too certain to be put right at once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps kalbee==1.0.0 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy as np
from kalbee import ExtendedKalmanFilter, KalmanFilter
from kalbee.models.motion import constant_velocity
from kalbee.modules.filters.base import BaseFilter

print("kalbee", importlib.metadata.version("kalbee"))
assert "Time step since the last update" in BaseFilter.predict.__doc__, "changed: what dt is documented to be"
motion, doubt = constant_velocity(dt=1.0, process_var=1e-3)
start, see, noise = np.array([[0.0], [1.0]]), np.array([[1.0, 0.0]]), np.eye(1)


def move(state, step):
    return np.array([[1.0, step], [0.0, 1.0]]) @ state


def plain():
    return KalmanFilter(start, np.eye(2), motion, doubt, see, noise)


def extended():
    return ExtendedKalmanFilter(
        start, np.eye(2), doubt, noise, transition_function=move,
        transition_jacobian=lambda state, step: np.array([[1.0, step], [0.0, 1.0]]),
        measurement_function=lambda state: see @ state, measurement_jacobian=lambda state: see)


def predict(make):
    seen = []
    for step in (1 / 30, 1.0, 10.0):
        tool = make()
        tool.predict(dt=step)
        seen.append((round(float(tool.x[0, 0]), 3), round(float(tool.P[0, 0]), 3)))
    print(f"{type(tool).__name__}, place and variance for 1/30, 1 and 10 seconds: {seen}")
    return [place for place, _ in seen], len(set(seen))


assert predict(plain) == ([1, 1, 1], 1), "changed: KalmanFilter uses dt"
assert predict(extended)[0] == [0.033, 1, 10], "changed: ExtendedKalmanFilter does not use dt"
places = np.arange(1.0, 11)
fine, coarse = (plain().filter_sequence(places, dt=step)[0] for step in (1 / 30, 10.0))
assert np.array_equal(fine, coarse), "changed: filter_sequence uses dt"
print("as stated: the time step does nothing")
END_PYTHON
