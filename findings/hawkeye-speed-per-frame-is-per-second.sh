#!/usr/bin/env bash
# The guess: velocity, speed and acceleration of KalmanFilter2D are in pixels per frame and per frame squared, as
# README, docstrings and the README's example (which prints "px/frame") say.
# The truth: they are in pixels per second and per second squared, because the state is moved by dt seconds per frame.
# They are as documented only if dt is 1; the default is 1/30.
# Version: hawkeye-tracker 1.0.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (default dt; after 10 seconds at 3 and 4 pixels per frame, so 5 in all): velocity 90 and 120, speed 150. For a
# fall of 0.1 pixels per frame squared: acceleration 90.
# Who is hurt: who calls a person still below a number of pixels per frame: the limit is 30 times too strict, for
# acceleration 900 times.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps hawkeye-tracker==1.0.0 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from hawkeye import KalmanFilter2D

print("hawkeye-tracker", importlib.metadata.version("hawkeye-tracker"))
assert "pixels/frame" in KalmanFilter2D.speed.__doc__, "changed: speed is not documented per frame"
assert "pixels/frame²" in KalmanFilter2D.acceleration.__doc__, "changed: the documented unit of acceleration"


def follow(place, **options):
    tool = KalmanFilter2D(**options)
    tool.init_state(*place(0))
    for frame in range(1, 301):
        tool.predict()
        tool.update(*place(frame))
    return tool


def near(value, expected):
    return abs(value - expected) < 0.01 * abs(expected)


walk = follow(lambda frame: (3.0 * frame, 4.0 * frame))
slow = follow(lambda frame: (3.0 * frame, 4.0 * frame), dt=1.0)
fall = follow(lambda frame: (0.0, 0.1 * frame ** 2 / 2))
print(f"5 pixels per frame: velocity {walk.velocity[0]:.1f} and {walk.velocity[1]:.1f}, speed {walk.speed:.1f};",
      f"with dt=1 speed {slow.speed:.1f}")
print(f"0.1 pixels per frame squared: acceleration {fall.acceleration[1]:.1f}")
assert near(walk.velocity[0], 90) and near(walk.velocity[1], 120), "changed: the unit of velocity"
assert near(walk.speed, 150), "changed: the unit of speed"
assert near(slow.speed, 5), "changed: dt of 1"
assert near(fall.acceleration[1], 90), "changed: the unit of acceleration"
print("as stated: what is documented per frame is per second")
END_PYTHON
