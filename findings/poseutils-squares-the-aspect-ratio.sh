#!/usr/bin/env bash
# The guess: scale_bounding_area_to puts joints from a bounding box into a square "while preserving aspect ratio", as
# its documentation says: both axes get one scale, and the shorter side is centered.
# The truth: the longer side gets high / longer side. The shorter side gets that times shorter / longer once more, so
# the aspect ratio is squared: a box 2 wide and 1 high becomes 4 wide and 1 high. Only square boxes keep their shape.
# Version: poseutils 0.4.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (a person who lies in a box of 200 x 100 pixels, the trunk 45 degrees steep): the box fills 256 x 64 of the
# square of 256; the trunk is 27 degrees steep. In a box of 100 x 200 pixels the same trunk is 63 degrees steep.
# Who is hurt: who normalizes joints by the person's box: a person who lies gets flatter, one who stands gets thinner,
# and all angles depend on the box.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps poseutils==0.4.0 numpy==2.4.6 tqdm==4.70.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import math
import numpy
from poseutils.transform import scale_bounding_area_to

print("poseutils", importlib.metadata.version("poseutils"))


def scale(width, height):
    """The box's corners and two ends of a trunk at 45 degrees; gives the new width, height and angle."""
    left, top = 40.0, 30.0
    joints = numpy.array([[[left, top], [left + width, top + height], [left + 20, top + 20], [left + 70, top + 70]]])
    box = numpy.array([[left, top, left + width, top + height]])
    first, last, shoulder, hip = scale_bounding_area_to(joints, box, low=0, high=256)[0]
    angle = math.degrees(math.atan2(hip[1] - shoulder[1], hip[0] - shoulder[0]))
    seen = [*(last - first).round(3).tolist(), round(angle, 1)]
    print(f"box {width} x {height}: {seen[0]} x {seen[1]} in the square, a trunk at 45 degrees is at {seen[2]}")
    return seen


assert scale(200, 200) == [256, 256, 45], "changed: a square box"
assert scale(200, 100) == [256, 64, 26.6], "changed: a wide box"
assert scale(100, 200) == [64, 256, 63.4], "changed: a high box"
print("as stated: the aspect ratio is squared")
END_PYTHON
