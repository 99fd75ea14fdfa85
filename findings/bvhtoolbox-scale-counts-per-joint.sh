#!/usr/bin/env bash
# The guess: the scale of bvhtoolbox's table of positions (bvh2csv --scale, write_joint_positions(scale=...)) changes
# the unit: with 0.01 a file in centimeters gives the same positions in meters.
# The truth: every joint's position is scaled after it was added to its parent's, which was scaled before. So the root
# is scaled once, its child twice, and so on down the chain: at 0.01 all joints are near the origin, at 10 the hand is
# far away from the arm. Scale 1, the default, and the root are right. Nothing is raised or warned.
# Version: bvhtoolbox 0.1.3, transforms3d 0.4.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (hips 90 cm high, spine 30 above, neck 40 above that, head 20 above that): scale 1: 90, 120, 160, 180; scale
# 0.01: 0.9, 0.309, 0.40309, 0.20403; scale 10: 900, 9300, 93400, 934200.
# Who is hurt: who converts to meters for a model: the head of a person who stands is below the hips.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bvhtoolbox==0.1.3 transforms3d==0.4.2 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from bvhtoolbox import BvhTree
from bvhtoolbox.convert.bvh2csv import write_joint_positions

print("bvhtoolbox", importlib.metadata.version("bvhtoolbox"))
joints = dict(hips=0, spine=30, neck=40, head=20)
lines = ["HIERARCHY"]
for depth, (name, offset) in enumerate(joints.items()):
    indent = "  " * depth
    kind = "JOINT" if depth else "ROOT"
    channels = "3 Zrotation Xrotation Yrotation"
    if depth == 0:
        channels = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    lines += [f"{indent}{kind} {name}", indent + "{"]
    lines += [f"{indent}  OFFSET 0 {offset} 0", f"{indent}  CHANNELS {channels}"]
lines += ["        End Site", "        {", "          OFFSET 0 0 0", "        }"]
lines += ["  " * depth + "}" for depth in reversed(range(len(joints)))]
lines += ["MOTION", "Frames: 1", "Frame Time: 0.033333", "0 90 0" + " 0" * 12]


def heights(scale):
    assert write_joint_positions(BvhTree("\n".join(lines) + "\n"), "positions.csv", scale=scale)
    with open("positions.csv") as stream:
        header, row = [line.strip().split(",") for line in stream]
    result = [round(float(row[header.index(f"{name}.y")]), 5) for name in joints]
    print("scale", scale, dict(zip(joints, result)))
    return result


assert heights(1.0) == [90, 120, 160, 180], "changed: scale 1"
assert heights(0.01) == [0.9, 0.309, 0.40309, 0.20403], "changed: scale 0.01"
assert heights(10.0) == [900, 9300, 93400, 934200], "changed: scale 10"
print("as stated: each joint scales all that is above it once more")
END_PYTHON
