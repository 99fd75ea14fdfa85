#!/usr/bin/env bash
# The guess: to_velocity gives the change of position and rotation from frame to frame; where a frame or the one before
# it is missing (NaN), the change is missing, and so it is in the first frame.
# The truth: so it is for positions. A missing rotation is taken as (0.25, 0.25, 0.25, 0.25), a turn by 120 degrees.
# What should clear those frames afterwards clears a copy. So a gap begins and ends with a turn by some 100 degrees and
# stands still in between, and the first frame, and two of to_acceleration, hold the pose itself. Nothing is warned.
# Version: motion-learning-toolbox 1.0.7, pandas 2.3.3, quaternionic 1.0.18 (PyPI). Run with Python 3.11. With pandas 3
# the last step raises an error.
# Seen (a head that turns by 2 degrees a frame from 30 degrees on; frames 4 to 6 missing): turns of 30, 2, 2, 2, 101.9,
# 0, 0, 98.8, 2, 2 degrees; positions NaN, 0.1, 0.1, 0.1, NaN, NaN, NaN, NaN, 0.1, 0.1.
# Who is hurt: who learns from the speed of heads and hands: each loss of tracking is a violent turn.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps motion-learning-toolbox==1.0.7 quaternionic==1.0.18 numba==0.68.1 \
  llvmlite==0.50.0 numpy==2.4.6 scipy==1.17.1 pandas==2.3.3 python-dateutil==2.9.0.post0 six==1.17.0 pytz==2026.6 \
  tzdata==2026.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
import pandas
from motion_learning_toolbox import to_acceleration, to_velocity

print("motion-learning-toolbox", importlib.metadata.version("motion-learning-toolbox"), "pandas", pandas.__version__)
half = numpy.radians(30 + 2 * numpy.arange(10)) / 2
pose = pandas.DataFrame({f"head_pos_{axis}": 0.1 * numpy.arange(10) for axis in "xyz"})
for axis, values in zip("xyzw", (0 * half, 0 * half, numpy.sin(half), numpy.cos(half))):
    pose[f"head_rot_{axis}"] = values


def turns(table, name):
    real = table[f"{name}_rot_w"].to_numpy()
    return numpy.degrees(2 * numpy.arccos(numpy.clip(real, -1, 1))).round(1).tolist()


whole = turns(to_velocity(pose), "delta_head")
print("no gap: turns", whole)
assert whole == [30] + 9 * [2], "changed: the first frame has no turn"
faster = turns(to_acceleration(pose), "delta_delta_head")
print("no gap: acceleration", faster)
assert faster == [30, 28] + 8 * [0], "changed: the acceleration"
gap = pose.copy()
gap.loc[4:6] = numpy.nan
velocity = to_velocity(gap)
moves = velocity["delta_head_pos_x"].round(2)
print("gap in frames 4 to 6: turns", turns(velocity, "delta_head"), "moves", moves.tolist())
assert moves.isna().tolist() == [frame in (0, 4, 5, 6, 7) for frame in range(10)], "changed: positions"
assert turns(velocity, "delta_head") == [30, 2, 2, 2, 101.9, 0, 0, 98.8, 2, 2], "changed: the gap"
print("as stated: a gap is two large turns with rest between them")
END_PYTHON
