#!/usr/bin/env bash
# The guess: pcm gives the "pcm area measure" of two curves: the area between them after normalization. More points on
# the same curves refine it, and a difference at the start weighs as much as one at the end.
# The truth: each distance is multiplied by the length from the start to that point, not by the length of its piece. So
# the sum grows with the number of points, a difference late in the curve weighs far more than one early in it, and
# curves that run backwards give another value.
# Version: similaritymeasures 1.5.0, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (two straight lines, 0.1 apart everywhere, so the area is about 0.1): 31 points 1.55, 61 points 3.05, 121 points
# 6.05; the Frechet distance stays 0.1. A wedge between two lines, open at the start 2.39, open at the end 4.75.
# Who is hurt: who searches for the movement that is most like a template: the same pair is half as far apart at 30 Hz
# as at 60 Hz, short clips win, and the start of the movement hardly counts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps similaritymeasures==1.5.0 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
import similaritymeasures

print("similaritymeasures", importlib.metadata.version("similaritymeasures"))


def curve(points):
    time = numpy.linspace(0, 1, points)
    return numpy.stack([time, time], axis=1)


growth = []
for points in (31, 61, 121):
    first = curve(points)
    second = first + [0, 0.1]
    growth.append(similaritymeasures.pcm(first, second))
    apart = similaritymeasures.frechet_dist(first, second)
    print(f"{points} points: pcm {growth[-1]:.3f}, Frechet {apart:.3f}")
assert numpy.allclose(growth, [1.55, 3.05, 6.05]), "changed: pcm does not grow with the points"

# A straight line turned about one of its ends keeps its length, and the area between is the same for both ends.
first = curve(101)
cosine, sine = numpy.cos(0.1), numpy.sin(0.1)
sides = []
for end in (first[-1], first[0]):
    second = (first - end) @ [[cosine, sine], [-sine, cosine]] + end
    sides.append(round(similaritymeasures.pcm(first, second), 2))
print("the same wedge between the lines, open at the start:", sides[0], "open at the end:", sides[1])
second = (first - first[-1]) @ [[cosine, sine], [-sine, cosine]] + first[-1]
backwards = round(similaritymeasures.pcm(first[::-1], second[::-1]), 2)
print("open at the start, both curves backwards:", backwards)
assert sides == [2.39, 4.75], "changed: both ends weigh the same"
assert backwards == 4.75, "changed: the direction makes no difference"
print("as stated: pcm grows with the points, and the end weighs more than the start")
END_PYTHON
