#!/usr/bin/env bash
# The guess: set_initial_position([0, 90, 0]) and set_initial_rotation of mcp-persor move a recording so that it starts
# there: the root of the first frame has this position, or these angles.
# The truth: the position that is taken for the initial one is that of frame 100, and the rotation that of frame 1,
# counted from 0. So the recording passes through the given position 100 frames after its start. One with fewer frames
# raises an error. And both are taken from the file, so a second call moves again what has moved already.
# Version: mcp-persor 1.0.6, numpy 2.4.6, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen (30 Hz, 150 frames; the root walks 1 cm a frame from x = 5 on and turns by 1 degree a frame): initial position 0:
# frame 0 is at -100, frame 100 at 0; initial rotation 0: frame 0 is at -1 degree. Called twice: frame 0 is at -205.
# Who is hurt: who puts several recordings to one start before comparing them: how far apart they start depends on how
# they moved in the first 3.3 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps mcp-persor==1.0.6 numpy==2.4.6 pandas==3.1.1 python-dateutil==2.9.0.post0 \
  six==1.17.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from mcp_persor import BVHparser

print("mcp-persor", importlib.metadata.version("mcp-persor"))


def read(count=150):
    lines = ["HIERARCHY", "ROOT hips", "{", "OFFSET 0 0 0",
             "CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation",
             "End Site", "{", "OFFSET 0 10 0", "}", "}",
             "MOTION", f"Frames: {count}", "Frame Time: 0.033333",
             *(f"{5 + frame} 90 0 0 {frame} 0" for frame in range(count))]
    with open("walk.bvh", "w") as stream:
        stream.write("\n".join(lines) + "\n")
    return BVHparser("walk.bvh")


def column(body, name):
    values = body.get_motion_df()[f"hips_{name}"]
    return [float(values[frame]) for frame in (0, 1, 100)]


body = read()
assert column(body, "Xposition") == [5, 6, 105], "changed: as read"
body.set_initial_position([0, 90, 0])
once = column(body, "Xposition")
body.set_initial_position([0, 90, 0])
twice = column(body, "Xposition")
body.set_initial_rotation([0, 0, 0])
turned = column(body, "Yrotation")
print("frames 0, 1 and 100: x after one call", once, "after two", twice, "angle", turned)
assert once == [-100, -99, 0], "changed: the initial position"
assert twice == [-205, -204, -105], "changed: called twice"
assert turned == [-1, 0, 99], "changed: the initial rotation"
try:
    read(60).set_initial_position([0, 90, 0])
    raise SystemExit("changed: a recording of 60 frames")
except KeyError as error:
    print("60 frames: no frame", error)
print("as stated: the start is somewhere else than at the start")
END_PYTHON
