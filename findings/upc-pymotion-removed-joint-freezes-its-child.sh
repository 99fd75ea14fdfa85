#!/usr/bin/env bash
# The guess: BVH.remove_joints() takes a joint out and gives its rotation to its children, so the children stay where
# they were in every frame; what save() writes shows the same movement with fewer joints.
# The truth: the child's place now moves about its new parent, and data["positions"] says so. But the child keeps its
# three channels of rotation, so save() writes no positions, and forward kinematics takes the OFFSET, which is computed
# from frame 0 alone. The child is frozen where it was in frame 0.
# Version: upc-pymotion 0.3.4, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (an arm 30 long is raised by 0, 45 and 90 degrees; the arm's joint is removed): the hand's height 150, 171.2, 180
# before; in data["positions"] of the hand 50, 71.2, 80 above the hips; by forward kinematics, and in the file that was
# saved, 150, 150, 150.
# Who is hurt: who brings skeletons to one list of joints, as for training: the hand no longer moves, and an arm that
# starts raised stays raised.
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


def heights(bvh):
    rotations, local, parents, offsets, _, _ = bvh.get_data()
    places, _ = fk(rotations, local[:, 0], offsets, parents)
    return places[:, -1, 1].round(1).tolist()


def read(name):
    bvh = BVH()
    bvh.load(name)
    return bvh


rotations = "Zrotation Xrotation Yrotation"
lines = ["HIERARCHY", "ROOT hips", "{", "\tOFFSET 0 0 0", f"\tCHANNELS 6 Xposition Yposition Zposition {rotations}",
         "\tJOINT arm", "\t{", "\t\tOFFSET 0 50 0", f"\t\tCHANNELS 3 {rotations}",
         "\t\tJOINT hand", "\t\t{", "\t\t\tOFFSET 30 0 0", f"\t\t\tCHANNELS 3 {rotations}",
         "\t\t\tEnd Site", "\t\t\t{", "\t\t\t\tOFFSET 10 0 0", "\t\t\t}", "\t\t}", "\t}", "}",
         "MOTION", "Frames: 3", "Frame Time: 0.0333333"]
lines += [f"0 100 0 0 0 0 {angle} 0 0 0 0 0" for angle in (0, 45, 90)]
pathlib.Path("in.bvh").write_text("\n".join(lines) + "\n")
bvh = read("in.bvh")
before = heights(bvh)
bvh.remove_joints([1])
held = bvh.data["positions"][:, 1, 1].round(1).tolist()
computed = heights(bvh)
bvh.save("out.bvh")
again = read("out.bvh")
print("joints left:", bvh.data["names"].tolist())
print("height of the hand before:", before, "in data after, above the hips:", held)
print("by forward kinematics after:", computed, "from the file that was saved:", heights(again))
assert before == [150, 171.2, 180], "changed: what was read"
assert held == [50, 71.2, 80], "changed: the positions do not move"
assert again.data["names"].tolist() == ["hips", "hand"], "changed: the joints"
assert computed == heights(again) == [150, 150, 150], "changed: the hand moves"
print("as stated: the movement of the removed joint is lost to its child's place")
END_PYTHON
