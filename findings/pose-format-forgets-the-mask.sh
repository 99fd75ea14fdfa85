#!/usr/bin/env bash
# The guess: what is masked in a pose body is missing, so it is missing again after writing and reading a .pose file.
# The truth: the file has no mask. Reading makes one from the confidence: missing is what has confidence 0. A joint that
# was masked by hand (another person, an outlier) comes back with the coordinates below the mask and counts as seen.
# Version: pose-format 0.15.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (4 frames of 1 joint; frame 1 masked, frame 2 of confidence 0): masked before [no, yes, yes, no], after [no, no,
# yes, no]; frame 1 is read as 999, 999 with confidence 0.9.
# Who is hurt: who cleans poses by masking, and saves; the file holds what was thrown out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pose-format==0.15.0 numpy==2.4.6 tqdm==4.70.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from pose_format import Pose
from pose_format.numpy import NumPyPoseBody
from pose_format.pose_header import PoseHeader, PoseHeaderComponent, PoseHeaderDimensions

print("pose-format", importlib.metadata.version("pose-format"))
points = numpy.full((4, 1, 1, 2), 100.0, numpy.float32)
points[1] = 999
mask = numpy.zeros(points.shape, bool)
mask[1] = True
confidence = numpy.full((4, 1, 1), 0.9, numpy.float32)
confidence[2] = 0
body = NumPyPoseBody(30, numpy.ma.masked_array(points, mask), confidence)
before = body.data.mask[:, 0, 0, 0].tolist()
component = PoseHeaderComponent("body", ["hip"], [], [(0, 0, 0)], "XYC")
with open("body.pose", "wb") as stream:
    Pose(PoseHeader(0.2, PoseHeaderDimensions(1920, 1080, 1), [component]), body).write(stream)
with open("body.pose", "rb") as stream:
    again = Pose.read(stream.read()).body
after = again.data.mask[:, 0, 0, 0].tolist()
print("masked before:", before, "after:", after)
print("frame 1 is now", again.data[1, 0, 0].tolist(), "with confidence", round(float(again.confidence[1, 0, 0]), 2))
assert before == [False, True, True, False], "changed: the body's own mask"
assert after == [False, False, True, False], "changed: the mask is kept"
assert again.data[1, 0, 0].tolist() == [999, 999], "changed: what is below the mask is not written"
print("as stated: the mask is made anew from the confidence")
END_PYTHON
