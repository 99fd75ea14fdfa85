#!/usr/bin/env bash
# The guess: two readers of C3D give the same names and the same gaps of one file; a gap is known by its residual of -1.
# The truth: of a file that ezc3d wrote, py-c3d gives names padded with blanks to the longest, so a look-up of "nose"
# fails. It gives a gap as 0, 0, 0 with residual -1, frames counted from 1. ezc3d gives the names bare and the gap as
# NaN with residual 0, as for a marker that was seen, although -1 is what its own writer put in the file.
# Version: ezc3d 1.7.2, c3d (py-c3d) 0.6.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen: names ["nose", "left_hip"] and ["nose    ", "left_hip"]; gap NaN, residual 0 and 0, 0, 0, residual -1.
# Who is hurt: code that looks for gaps by residual (finds none) or by NaN (finds none) after the reader is exchanged.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps ezc3d==1.7.2 c3d==0.6.0 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import warnings
import c3d
import ezc3d
import numpy

warnings.filterwarnings("ignore", message="No analog data")
print("ezc3d", importlib.metadata.version("ezc3d"), "c3d", importlib.metadata.version("c3d"))
points = numpy.full((4, 2, 3), 7.0)
points[:3, 0, 1] = numpy.nan
file = ezc3d.c3d()
file["parameters"]["POINT"]["RATE"]["value"] = [30.0]
file["parameters"]["POINT"]["LABELS"]["value"] = ["nose", "left_hip"]
file["data"]["points"] = points
file.write("gap.c3d")

one = ezc3d.c3d("gap.c3d")
names = one["parameters"]["POINT"]["LABELS"]["value"]
gap, residual = one["data"]["points"][:3, 0, 1], one["data"]["meta_points"]["residuals"][0, 0, 1]
print("ezc3d: ", names, "gap", gap.tolist(), "residual", residual)
assert names == ["nose", "left_hip"] and numpy.isnan(gap).all() and residual == 0, "changed: ezc3d"
with open("gap.c3d", "rb") as stream:
    two = c3d.Reader(stream)
    labels = [str(name) for name in two.point_labels]
    frames = [(number, pose[0].tolist()) for number, pose, _ in two.read_frames()]
print("py-c3d:", labels, "gap", frames[1])
assert labels == ["nose    ", "left_hip"], "changed: py-c3d gives bare names"
assert frames[1][0] == 2 and frames[1][1][:4] == [0, 0, 0, -1], "changed: py-c3d's gap"
print("as stated: names and gaps of one file differ by reader")
END_PYTHON
