#!/usr/bin/env bash
# The guess: BVH.save() writes what BVH.load() read: every joint has its own order of rotations, so the file may mix
# orders, and a saved copy shows the same movement.
# The truth: joints with three channels keep their order. A joint with six channels (positions and rotations) is written
# with the order of the root in its CHANNELS line, while its three angles stay as they were. Whoever reads the file, the
# package too, turns the joint about the wrong axes. Nothing is warned, and files of one order are right.
# Version: upc-pymotion 0.3.4, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (root ZXY, arm XYZ with six channels, 20, 40 and 60 degrees): the hand is at 11.5, 177.7, -0.2 before and at 8.4,
# 170.8, -19.9 after; with three channels it stays.
# Who is hurt: who scales, cuts or cleans movements and saves them: the limbs turn elsewhere in the copy.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps upc-pymotion==0.3.4 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import pathlib
from pymotion.io.bvh import BVH
from pymotion.ops.skeleton_np import fk

print("upc-pymotion", importlib.metadata.version("upc-pymotion"))
positions = "Xposition Yposition Zposition"


def hand(name):
    bvh = BVH()
    bvh.load(name)
    rotations, local, parents, offsets, _, _ = bvh.get_data()
    places, _ = fk(rotations, local[:, 0], offsets, parents)
    return bvh, places[:, -1].round(1).tolist()


def trip(order, six):
    rotations = " ".join(f"{axis}rotation" for axis in order)
    channels = f"6 {positions} {rotations}" if six else f"3 {rotations}"
    lines = ["HIERARCHY", "ROOT hips", "{", "\tOFFSET 0 0 0", f"\tCHANNELS 6 {positions} Zrotation Xrotation Yrotation",
             "\tJOINT arm", "\t{", "\t\tOFFSET 0 50 0", f"\t\tCHANNELS {channels}",
             "\t\tJOINT hand", "\t\t{", "\t\t\tOFFSET 30 0 0", f"\t\t\tCHANNELS 3 {rotations}",
             "\t\t\tEnd Site", "\t\t\t{", "\t\t\t\tOFFSET 10 0 0", "\t\t\t}", "\t\t}", "\t}", "}",
             "MOTION", "Frames: 3", "Frame Time: 0.0333333"]
    for frame in range(3):
        arm = [0, 50, 0] * six + [10 * frame, 20 * frame, 30 * frame]
        lines.append(" ".join(str(value) for value in [0, 100, 0, 0, 0, 0, *arm, 0, 0, 0]))
    pathlib.Path("in.bvh").write_text("\n".join(lines) + "\n")
    bvh, before = hand("in.bvh")
    bvh.save("out.bvh")
    _, after = hand("out.bvh")
    written = [line.strip() for line in pathlib.Path("out.bvh").read_text().splitlines() if "CHANNELS" in line][1]
    print(f"arm {channels}: written {written}; hand in the last frame before {before[2]}, after {after[2]}")
    return before, after


for order, six in (("XYZ", False), ("ZXY", True)):
    before, after = trip(order, six)
    assert before == after, f"changed: {order}, six channels {six}"
before, after = trip("XYZ", True)
assert before[0] == after[0] and before[2] == [11.5, 177.7, -0.2], "changed: what was read"
assert after[2] == [8.4, 170.8, -19.9], "changed: the joint's own order is written"
print("as stated: the joint of six channels got the root's order and kept its angles")
END_PYTHON
