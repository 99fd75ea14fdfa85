#!/usr/bin/env bash
# The guess: AlphaPose_to_OpenPose writes one file per image, named by the image's number; images in which AlphaPose
# found nobody, which its results leave out, have no file or one without people.
# The truth: a file is written when the next image's row is met, and is named by that row's number less one. So the last
# pose before a gap stands in the last frame of the gap, and its own frame has no file. Rows of the same numbers without
# a gap are right. Nothing is warned.
# Version: pose2sim 0.10.49 (PyPI). Run with Python 3.11.
# Seen (rows of images 0, 1, 2, 60, 61): files 0, 1, 59, 60, 61; file 59 holds the pose of image 2.
# Who is hurt: who converts a session in which the person leaves the picture: at 30 Hz the pose is 1.9 s late, and what
# fills gaps between files draws it through all of the absence.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pose2sim==0.10.49
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import json
import pathlib
from Pose2Sim.Utilities import AlphaPose_to_OpenPose

print("pose2sim", importlib.metadata.version("pose2sim"))


def convert(images):
    rows = [dict(image_id=f"{image}.jpg", category_id=1, keypoints=[float(image), 0.0, 0.9] * 17, score=2.5)
            for image in images]
    pathlib.Path("alphapose.json").write_text(json.dumps(rows))
    folder = f"openpose-{len(images)}"
    AlphaPose_to_OpenPose.AlphaPose_to_OpenPose_func("alphapose.json", folder)
    held = {}
    for file in sorted(pathlib.Path(folder).iterdir()):
        [person] = json.loads(file.read_text())["people"]
        held[int(file.stem)] = int(person["pose_keypoints_2d"][0])
    print("images", images, "-> file: image in it", held)
    return held


assert convert([0, 1, 2, 3]) == {0: 0, 1: 1, 2: 2, 3: 3}, "changed: images without a gap"
held = convert([0, 1, 2, 60, 61])
assert held == {0: 0, 1: 1, 59: 2, 60: 60, 61: 61}, "changed: the pose before the gap keeps its frame"
print("as stated: the last pose before the gap stands at its end")
END_PYTHON
