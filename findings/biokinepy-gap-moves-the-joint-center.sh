#!/usr/bin/env bash
# The guess: gamage() finds the centre of a ball joint from markers that turn about it. It leaves out frames where a
# marker is missing (NaN), so on exact data a gap changes nothing, as if those frames had not been recorded.
# The truth: it leaves them out of the sums and of all the means but one, which is divided by the count of all frames.
# So the centre moves, the more the further the joint is from the origin of the laboratory; with the joint at the origin
# nothing shows. A few frames are enough. Nothing is raised or warned.
# Version: biokinepy 0.1.2, numpy 1.26.4, scipy 1.11.4, numpy-quaternion 2023.0.3, lazy 1.6 (PyPI). Run with Python
# 3.11. The package does not load with scipy 1.14 or later.
# Seen (four markers on a thigh, exact, 400 frames, a hip at 0.1, 0.9, 0.2 m): no gap 0.1, 0.9, 0.2, as with 20 frames
# cut out; with one marker missing in those 20, which is 5 % of its frames, the hip is 1.29 m away, below the floor.
# Who is hurt: who finds hips or shoulders from markers with gaps, and all angles and lengths made from them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps biokinepy==0.1.2 numpy==1.26.4 scipy==1.11.4 numpy-quaternion==2023.0.3 lazy==1.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy as np
from biokinepy.joint_center import gamage
from scipy.spatial.transform import Rotation

print("biokinepy", importlib.metadata.version("biokinepy"))
hip = np.array([0.1, 0.9, 0.2])
thigh = np.array([[0.05, -0.3, 0.05], [-0.05, -0.3, 0.05], [0.05, -0.4, 0], [0, -0.35, -0.06]])
time = np.linspace(0, 2 * np.pi, 400)
angles = np.stack([40 * np.sin(4 * time), 25 * np.sin(3 * time + 0.5), 10 * np.sin(2.5 * time)], axis=1)
turns = Rotation.from_euler("xyz", angles, degrees=True)
markers = np.stack([hip + turns.apply(marker) for marker in thigh])
gap = slice(100, 120)


def centre(name, seen):
    place = gamage(seen).ravel()
    away = float(np.linalg.norm(place - hip))
    print(f"{name}: {np.round(place, 3)}, {away:.3f} m away")
    return place, away


one, all_of_them = markers.copy(), markers.copy()
one[0, gap] = np.nan
all_of_them[:, gap] = np.nan
assert centre("no gap", markers)[1] < 1e-6, "changed: the centre without a gap"
assert centre("20 frames cut out", np.delete(markers, gap, axis=1))[1] < 1e-6, "changed: the centre from fewer frames"
place, away = centre("one marker missing in 20 frames", one)
assert away > 1.2 and place[1] < 0, "changed: a gap of one marker"
assert centre("all markers missing in 20 frames", all_of_them)[1] > 1, "changed: a gap of all markers"
shifted = float(np.linalg.norm(gamage(one - hip)))
print(f"one marker missing in 20 frames, with the hip at the origin: {shifted:.3f} m away")
assert shifted < 1e-6, "changed: the place of the origin does not matter"
print("as stated: a gap moves the centre of the joint")
END_PYTHON
