#!/usr/bin/env bash
# The guess: powersmooth_general() with weights {1: w} penalizes the first derivative and with {3: w} the third, so
# jitter goes first: what changes from frame to frame has the largest derivative of all.
# The truth: the first and third derivatives are taken by central differences, which are zero for values that alternate.
# So the fastest jitter passes whole while the movement under it is smoothed away, and more weight only flattens the
# movement. Only the second derivative sees it; together, {1: w, 3: v} is as blind.
# Version: powersmooth 0.1.1, numpy 1.26.4, scipy 1.11.4 (PyPI). Run with Python 3.11. With numpy 2 every call raises.
# Seen (amplitude left of a movement of 30 frames per cycle, and of jitter up and down every frame): {1: 100} 0.19 and
# 1.00; {1: 100, 3: 100} 0.19 and 0.94; {2: 100} 0.84 and 0.00.
# Who is hurt: who smooths poses by least speed or least jerk: the movement goes and the jitter stays.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps powersmooth==0.1.1 numpy==1.26.4 scipy==1.11.4
venv/bin/python -W ignore::DeprecationWarning - <<'END_PYTHON'
import importlib.metadata
import numpy as np
from powersmooth import powersmooth_general

print("powersmooth", importlib.metadata.version("powersmooth"))
frames = np.arange(300.0)


def left(weights):
    seen = []
    for cycle in (30, 4, 2):
        smooth = powersmooth_general(frames, np.cos(2 * np.pi * frames / cycle), weights)
        seen.append(float(np.abs(smooth[130:170]).max()))
    print(f"{weights}: {seen[0]:.3f} of 30 frames per cycle, {seen[1]:.3f} of 4, {seen[2]:.3f} of 2")
    return seen


for weights in ({1: 100}, {1: 100, 3: 100}):
    movement, fast, fastest = left(weights)
    assert movement < 0.2, "changed: the movement is not smoothed away"
    assert fast < 0.02, "changed: jitter of four frames per cycle stays"
    assert fastest > 0.9, "changed: jitter from frame to frame goes"
movement, fast, fastest = left({3: 100})
assert fast < 0.01 and fastest > 0.9, "changed: the third derivative alone"
movement, fast, fastest = left({2: 100})
assert movement > 0.8 and fast < 0.01 and fastest < 0.01, "changed: the second derivative does not see jitter"
print("as stated: the first and third derivatives do not see what alternates")
END_PYTHON
