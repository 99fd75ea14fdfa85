#!/usr/bin/env bash
# The guess: loadAMC of pyacclaim gives one pose for every frame of the file.
# The truth: a pose is added to the list when the next frame's number is met. So the last frame, after which none
# follows, is dropped without a word, and a file of a single frame, as for a calibration pose, gives an empty list.
# Version: pyacclaim 0.0.1, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen: files of 5, 2 and 1 frames: 4, 1 and 0 poses, the first ones.
# Who is hurt: who joins clips of a session that was cut, or labels by frame number: each cut is one frame short, so
# after 30 clips at 30 Hz labels are a second off; a still pose is no pose.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pyacclaim==0.0.1 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import pathlib
from pyacclaim import loadAMC, loadASF

print("pyacclaim", importlib.metadata.version("pyacclaim"))
pathlib.Path("body.asf").write_text("""\
:version 1.10
:name body
:units
  mass 1.0
  length 1.0
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name arm
    direction 0 1 0
    length 10
    axis 0 0 0 XYZ
    dof rx ry rz
    limits (-180.0 180.0)
           (-180.0 180.0)
           (-180.0 180.0)
  end
:hierarchy
  begin
    root arm
  end
""")
body = loadASF("body.asf", verbose=False)


def read(count):
    lines = [":FULLY-SPECIFIED", ":DEGREES"]
    for number in range(1, count + 1):
        lines += [str(number), f"root {number} 0 0 0 0 0", f"arm 0 0 {number}"]
    pathlib.Path("body.amc").write_text("\n".join(lines) + "\n")
    frames = [int(pose["root"][0]) for pose in loadAMC(body, "body.amc")]
    print(f"{count} frames written; read: {frames}")
    return frames


assert read(5) == [1, 2, 3, 4], "changed: five frames"
assert read(2) == [1], "changed: two frames"
assert read(1) == [], "changed: a single frame"
print("as stated: the last frame is never there")
END_PYTHON
