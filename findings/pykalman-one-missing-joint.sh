#!/usr/bin/env bash
# The guess: with a masked array, KalmanFilter of pykalman uses the numbers that are there and skips the masked ones;
# and a NaN is either masked or raises.
# The truth: one masked number of a frame throws the whole frame away: the joints that were seen are predicted as if
# they had not been. A NaN that is not masked raises nothing and makes that frame and all after it NaN, for all joints.
# Version: pykalman 0.11.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (two joints that do not depend on each other, 0 to 4): with the second joint masked in frame 2, the first one
# stays at 0.916 there instead of 1.909; with NaN in its place both joints are NaN from frame 2 on.
# Who is hurt: who smooths all joints of a body in one state: a wrist hidden for a second freezes hips that were seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet pykalman==0.11.2 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from pykalman import KalmanFilter

print("pykalman", importlib.metadata.version("pykalman"))
two = numpy.eye(2)
tool = KalmanFilter(
    transition_matrices=two, observation_matrices=two, transition_covariance=two, observation_covariance=two / 10,
    initial_state_mean=[0, 0], initial_state_covariance=two)
seen = numpy.repeat(numpy.arange(5.0), 2).reshape(5, 2)
full = tool.filter(seen)[0]
masked = numpy.ma.array(seen)
masked[2, 1] = numpy.ma.masked
part = tool.filter(masked)[0]
holes = seen.copy()
holes[2, 1] = numpy.nan
broken = tool.filter(holes)[0]
for name, result in (("all seen", full), ("joint 2 masked in frame 2", part), ("NaN in its place", broken)):
    print(f"{name}: joint 1 is", result[:, 0].round(3).tolist())
assert abs(full[2, 0] - 1.909) < 0.01, "changed: the filter itself"
assert part[2, 0] == part[1, 0], "changed: the joint that was seen in frame 2 is used"
assert numpy.isfinite(broken[:2]).all() and numpy.isnan(broken[2:]).all(), "changed: a NaN does not spread to the end"
print("as stated: one masked number drops the frame, one NaN drops the rest")
END_PYTHON
