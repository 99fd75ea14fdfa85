#!/usr/bin/env bash
# The guess: Matrix.slerp(first, last, n) of imumocap gives n poses at equal steps of rotation between two, as slerp
# does: of a turn by 180 degrees in five poses 0, 45, 90, 135 and 180.
# The truth: the weights of slerp are taken from the whole angle of the turn, where quaternions need half of it. So the
# turn is fast at both ends and slow between. The larger the turn, the more: with 180 degrees all poses between are the
# middle one, so there are two jumps of 90 degrees. The positions are at equal steps. Nothing is raised or warned.
# Version: imumocap 1.3.1, numpy 2.4.6, matplotlib 3.11.2 (PyPI). Run with Python 3.11. Version 1.4.0, which needs 3.12,
# has the same lines.
# Seen (turns about z in five poses): 30 degrees: 0, 7.6, 15, 22.4, 30; 90: 0, 25.5, 45, 64.5, 90; 150: 0, 57.1, 75,
# 92.9, 150; 180: 0, 90, 90, 90, 180.
# Who is hurt: who fills gaps or blends poses: joint speeds that were never there at both ends, and a body that stands
# still between.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps imumocap==1.3.1 matplotlib==3.11.2 numpy==2.4.6 contourpy==1.3.3 cycler==0.12.1 \
  fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 \
  six==1.17.0
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from imumocap import Matrix

print("imumocap", importlib.metadata.version("imumocap"))


def turn(angle):
    poses = Matrix.slerp(Matrix(), Matrix(x=4, rot_z=angle), 5)
    angles = [round(float(pose.rot_xyz[2]), 1) + 0 for pose in poses]
    places = [round(float(pose.x), 1) for pose in poses]
    print(f"{angle} degrees: {angles}, at {places}")
    assert places == [0, 1, 2, 3, 4], "changed: the positions"
    return angles


assert turn(30) == [0, 7.6, 15, 22.4, 30], "changed: a turn by 30 degrees"
assert turn(90) == [0, 25.5, 45, 64.5, 90], "changed: a turn by 90 degrees"
assert turn(150) == [0, 57.1, 75, 92.9, 150], "changed: a turn by 150 degrees"
assert turn(180) == [0, 90, 90, 90, 180], "changed: a half turn"
print("as stated: the larger the turn, the more the poses between are the middle one")
END_PYTHON
