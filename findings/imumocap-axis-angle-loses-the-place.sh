#!/usr/bin/env bash
# The guess: Matrix(x=, y=, z=) of imumocap sets the position, whichever of its arguments sets the rotation: a rotation
# matrix, a quaternion, an axis with an angle, or three angles.
# The truth: with an axis and an angle the position is dropped, whether it is given as x, y and z or as xyz: the pose is
# at the origin. With all the others it is kept. Nothing is raised or warned.
# Version: imumocap 1.3.1, numpy 2.4.6, matplotlib 3.11.2 (PyPI). Run with Python 3.11. Version 1.4.0, which needs 3.12,
# has the same lines.
# Seen (a turn by 90 degrees about z, at 0.1, 0.2, 1.4): rotation, quaternion, rot_z: 0.1, 0.2, 1.4; axis_angle: 0, 0,
# 0, with the same rotation.
# Who is hurt: who sets up links of a body, or the root of a pose: the link has no length, or the hips are on the floor.
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
import numpy
from imumocap import Matrix

print("imumocap", importlib.metadata.version("imumocap"))
place = [0.1, 0.2, 1.4]
turn = numpy.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
ways = {
    "rotation": {"rotation": turn},
    "quaternion": {"quaternion": numpy.array([numpy.sqrt(0.5), 0, 0, numpy.sqrt(0.5)])},
    "rot_z": {"rot_z": 90},
    "axis_angle": {"axis_angle": (numpy.array([0, 0, 1]), 90)},
}
for name, rotation in ways.items():
    for pose in (Matrix(xyz=place, **rotation), Matrix(x=0.1, y=0.2, z=1.4, **rotation)):
        assert numpy.allclose(pose.rotation, turn), "changed: the rotation by " + name
        print(f"{name}: at {pose.xyz.tolist()}")
        assert pose.xyz.tolist() == ([0, 0, 0] if name == "axis_angle" else place), "changed: the position, " + name
print("as stated: with an axis and an angle, the position is lost")
END_PYTHON
