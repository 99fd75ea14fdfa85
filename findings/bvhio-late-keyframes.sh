#!/usr/bin/env bash
# The guess: a bvhio joint plays its keyframes: before the first one it holds the first ("the nearest keyframe"),
# between two it is "linearly interpolated", and a keyframe that removeKeyframe took out plays no more.
# The truth: before the first keyframe it holds the last one. Between keyframes a and b, frame f is taken at (a + f) / b
# of the way instead of (f - a) / (b - a). That is right only if a is 0; else the joint jumps ahead right after a, and
# past frame b - a an error is raised. A removed keyframe leaves the list, but plays and is written as before.
# Version: bvhio 1.5.4, pyglm 2.8.2, spatial-transform 1.3.3 (PyPI). Run with Python 3.11.
# Seen (x of 10 at frame 10 and of 40 at frame 40): frame 0 40, frame 10 10, frame 11 25.75, frame 25 36.25. Of 0, 10,
# 99, 30 without frame 2, frame 2 is still 99.
# Who is hurt: who joins clips, stretches time or takes out bad frames: the body starts in its last pose and jumps, and
# what was taken out is in the file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bvhio==1.5.4 pyglm==2.8.2 spatial-transform==1.3.3 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import pathlib
import bvhio

print("bvhio", importlib.metadata.version("bvhio"))


def read(values):
    lines = ["HIERARCHY", "ROOT hips", "{", "\tOFFSET 0 0 0",
             "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
             "\tEnd Site", "\t{", "\t\tOFFSET 0 10 0", "\t}", "}",
             "MOTION", f"Frames: {len(values)}", "Frame Time: 0.1", *(f"{value} 0 0 0 0 0" for value in values)]
    pathlib.Path("in.bvh").write_text("\n".join(lines) + "\n")
    return bvhio.readAsHierarchy("in.bvh")


def play(root, frames):
    return [round(root.loadPose(frame).PositionWorld.x, 3) for frame in frames]


root = read([10, 40])
keys = [key for _, key in root.Keyframes]
root.Keyframes = list(zip([0, 40], keys))
early = play(root, [0, 20, 40, 50])
print("keyframes 0 and 40, frames 0, 20, 40, 50:", early)
assert early == [10, 25, 40, 40], "changed: keyframes from 0 on"
root.Keyframes = list(zip([10, 40], keys))
late = play(root, [0, 9, 10, 11, 25, 40])
print("keyframes 10 and 40, frames 0, 9, 10, 11, 25, 40:", late)
assert late == [40, 40, 10, 25.75, 36.25, 40], "changed: keyframes from 10 on"
root = read([0, 10, 99, 30])
root.removeKeyframe(2, recursive=True)
left = [frame for frame, _ in root.Keyframes]
played = play(root, range(4))
bvhio.writeHierarchy("out.bvh", root, 0.1)
written = pathlib.Path("out.bvh").read_text().splitlines()[-2].split()[0]
print("without keyframe 2: list", left, "played", played, "written for frame 2", written)
assert left == [0, 1, 3] and played == [0, 10, 99, 30] and written == "99.0", "changed: the removed keyframe is gone"
print("as stated: late keyframes are taken elsewhere, and a removed one still plays")
END_PYTHON
