#!/usr/bin/env bash
# The guess: get_rotation_matrices, get_quaternions and get_affines of bvhtoolbox give, without further arguments, the
# rotations of the usual BVH file, whose channels are Zrotation Xrotation Yrotation.
# The truth: the default for the order of axes is "rzxz". Angles are picked as z, x and y for it, and then turned about
# z, x and z: the angle about y becomes a second turn about z. Without a turn about y, all is right. With the order of
# the channels, "rzxy", all is right. Nothing is raised or warned.
# Version: bvhtoolbox 0.1.3, transforms3d 0.4.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (an arm that points along x; turned by 90 degrees about y it points along -z): by default it points along y, as
# after 90 degrees about z; with "rzxy" along -z. Turned about z or x alone: the same by default and with "rzxy".
# Who is hurt: who computes positions or angles of joints: whoever turns left or right in the room tips over instead.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bvhtoolbox==0.1.3 transforms3d==0.4.2 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from bvhtoolbox import BvhTree
from bvhtoolbox import bvhtransforms
from transforms3d.quaternions import quat2mat

print("bvhtoolbox", importlib.metadata.version("bvhtoolbox"))


def arm(z, x, y, *axes):
    lines = ["HIERARCHY", "ROOT hips", "{", "  OFFSET 0 0 0",
             "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
             "  End Site", "  {", "    OFFSET 1 0 0", "  }", "}",
             "MOTION", "Frames: 1", "Frame Time: 0.033333", f"0 0 0 {z} {x} {y}"]
    body = BvhTree("\n".join(lines) + "\n")
    matrix = bvhtransforms.get_rotation_matrices(body, "hips", *axes)[0]
    same = [quat2mat(bvhtransforms.get_quaternions(body, "hips", *axes)[0]),
            bvhtransforms.get_affines(body, "hips", *axes)[0][:3, :3]]
    assert all(numpy.allclose(matrix, other) for other in same), "changed: the three functions differ"
    return (matrix @ [1, 0, 0]).round(3).tolist()


by_default, in_order = arm(0, 0, 90), arm(0, 0, 90, "rzxy")
print("90 degrees about y, the arm points to: by default", by_default, "in the order of the channels", in_order)
assert in_order == [0, 0, -1], "changed: the order of the channels"
assert by_default == [0, 1, 0], "changed: the default"
for angles in ((90, 0, 0), (0, 90, 0), (30, 60, 0)):
    assert arm(*angles) == arm(*angles, "rzxy"), "changed: no turn about y"
print("without a turn about y both are the same")
print("as stated: by default, what turns about y turns about z")
END_PYTHON
