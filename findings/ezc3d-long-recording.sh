#!/usr/bin/env bash
# The guess: a C3D file holds more than 65,535 frames if the writer is modern, or else the writer refuses.
# The truth: ezc3d writes all frames of a longer recording, but both 16-bit counts of them say 65,535 and no other count
# is written. So ezc3d itself reads 65,535 of them without a word, and py-c3d none at all, with a warning and no error,
# though the bytes of all frames are in the file.
# Version: ezc3d 1.7.2, c3d (py-c3d) 0.6.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (one marker, 16 bytes a frame): 65,534 frames: 65,534 and 65,534 read. 70,000 frames: a file of 1,121,792 bytes,
# which is room for all; ezc3d reads 65,535, py-c3d 0.
# Who is hurt: who exports whole sessions: 36 minutes at 30 Hz, 11 at 100 Hz.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps ezc3d==1.7.2 c3d==0.6.0 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import os
import warnings
import c3d
import ezc3d
import numpy

warnings.simplefilter("ignore")
print("ezc3d", importlib.metadata.version("ezc3d"), "c3d", importlib.metadata.version("c3d"))


def trip(frames):
    points = numpy.ones((4, 1, frames))
    points[0, 0] = numpy.arange(frames)
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [30.0]
    file["parameters"]["POINT"]["LABELS"]["value"] = ["hip"]
    file["data"]["points"] = points
    file.write("session.c3d")
    own = ezc3d.c3d("session.c3d")["data"]["points"].shape[2]
    with open("session.c3d", "rb") as stream:
        other = sum(1 for _ in c3d.Reader(stream).read_frames())
    size = os.path.getsize("session.c3d")
    print(f"{frames} frames written, {size} bytes; ezc3d reads {own}, py-c3d {other}")
    return own, other, size


assert trip(65_534)[:2] == (65_534, 65_534), "changed: a shorter recording does not survive"
own, other, size = trip(70_000)
assert own == 65_535 and size > 70_000 * 16, "changed: the frames are not cut by the count"
assert other == 0, "changed: py-c3d reads frames"
print("as stated: the bytes are there, the frames are not")
END_PYTHON
