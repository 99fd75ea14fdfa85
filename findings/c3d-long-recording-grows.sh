#!/usr/bin/env bash
# The guess: py-c3d can write more than 65,535 frames, so ezc3d reads as many as were written.
# The truth: ezc3d takes such a file's length from its size. The last block of 512 bytes is padded with zeros, and the
# padding is read as frames: up to one block's worth of poses at 0, 0, 0 that count as seen (residual 0). Shorter files,
# padded the same way, are read right. py-c3d reads its own file right.
# Version: c3d (py-c3d) 0.6.0, ezc3d 1.7.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (one marker at 7, 7, 7): 1,000 frames: 1,000. 70,000 frames: 70,016, the last 16 at the origin.
# Who is hurt: who ends a session with a label: the last half second at 30 Hz is a body in one point.
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
print("c3d", importlib.metadata.version("c3d"), "ezc3d", importlib.metadata.version("ezc3d"))


def trip(frames):
    writer = c3d.Writer(point_rate=30.0)
    writer.set_point_labels(["hip"])
    pose = numpy.array([[7, 7, 7, 0, 0]], numpy.float32)
    writer.add_frames([(pose, numpy.zeros((0, 0)))] * frames)
    with open("session.c3d", "wb") as stream:
        writer.write(stream)
    with open("session.c3d", "rb") as stream:
        own = sum(1 for _ in c3d.Reader(stream).read_frames())
    data = ezc3d.c3d("session.c3d")["data"]
    print(f"{frames} frames written; py-c3d reads {own}, ezc3d {data['points'].shape[2]}")
    return own, data["points"][:3, 0], data["meta_points"]["residuals"][0, 0]


assert trip(1_000)[1].shape[1] == 1_000, "changed: a short recording is not read as written"
own, points, residuals = trip(70_000)
assert own == 70_000, "changed: py-c3d does not read its own file"
assert points.shape[1] == 70_016, "changed: the padding is no frames"
assert (points[:, :70_000] == 7).all() and (points[:, 70_000:] == 0).all(), "changed: the last frames are not zeros"
print("residuals of the frames that nobody wrote:", sorted(set(residuals[70_000:].tolist())))
assert (residuals[70_000:] >= 0).all(), "changed: they count as missing"
print("as stated: 16 frames more than were written, all at the origin")
END_PYTHON
