#!/usr/bin/env bash
# The guess: calculate_jpe(pred, target) gives the mean per joint position error: 0 if both are the same array, and d if
# every joint but the root is d away from where it should be (after both are centered at the root).
# The truth: only the target is centered at its root; the prediction is taken as it is. So a prediction that equals the
# target has the distance of the root from the origin as its error. Then the root's own error, set to 0, is averaged in,
# so every error is 13/14 (14 joints) or 15/16 (16 joints) of the true mean. The documentation mentions neither.
# Version: poseutils 0.4.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (14 joints, the root 5 m away, in mm): prediction equal to the target 4642.9; prediction centered by hand 0;
# centered and 100 mm off in all joints but the root 92.9.
# Who is hurt: who compares detectors by this error: one that gives positions in the room is meters off, one that
# centers looks 7 % better than it is, and models with 14 and 16 joints cannot be compared.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps poseutils==0.4.0 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from poseutils.metrics import calculate_jpe

print("poseutils", importlib.metadata.version("poseutils"))
source = numpy.random.default_rng(1)


def errors(joints):
    target = source.normal(0, 300, (50, joints, 3))
    target[:, 0] = [3000, 0, 4000]
    centered = target - target[:, :1]
    off = centered.copy()
    off[:, 1:, 0] += 100
    before = target.copy()
    seen = [round(float(calculate_jpe(pred, target)[0]), 1) for pred in (target, centered, off)]
    assert (target == before).all(), "changed: the target is centered in place"
    print(f"{joints} joints: same array {seen[0]} mm, centered {seen[1]} mm, centered and 100 mm off {seen[2]} mm")
    return seen


assert errors(14) == [4642.9, 0, 92.9], "changed: 14 joints"
assert errors(16) == [4687.5, 0, 93.8], "changed: 16 joints"
print("as stated: an equal prediction has an error, and 100 mm are 92.9 or 93.8")
END_PYTHON
