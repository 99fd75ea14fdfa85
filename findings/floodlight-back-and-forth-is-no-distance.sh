#!/usr/bin/env bash
# The guess: distance_covered of floodlight is the length of the path from frame to frame, and along one axis the length
# of the path on that axis.
# The truth: by default it is half the step over two frames (a central difference), in which a movement back and forth
# cancels. Along one axis it keeps its sign, so the cumulative distance is where one is, and a round trip is 0.
# Version: floodlight 1.2.0, numpy 2.2.6, pandas 2.3.3 (PyPI). Run with Python 3.11.
# Seen: a point at 0, 1, 0, 1, 0 m covers 2 of 4 m; with difference="backward" 4 m. A walk 0, 1, 2, 1, 0 m covers 4 m,
# and with axis="x" 0 m, backward as well.
# Who is hurt: who measures how much a joint shakes: jitter that alternates from frame to frame disappears.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet floodlight==1.2.0 numpy==2.2.6 pandas==2.3.3
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from floodlight import XY
from floodlight.models.kinematics import DistanceModel

print("floodlight", importlib.metadata.version("floodlight"))


def distance(places, **options):
    model = DistanceModel()
    model.fit(XY(numpy.array([[place, 0.0] for place in places]), framerate=1), **options)
    return float(model.cumulative_distance_covered().property[-1, 0])


shake, walk = [0, 1, 0, 1, 0], [0, 1, 2, 1, 0]
seen = [distance(shake), distance(shake, difference="backward"), distance(walk),
        distance(walk, axis="x"), distance(walk, axis="x", difference="backward")]
print(seen)
assert seen == [2, 4, 4, 0, 0], "changed"
print("as stated: four steps of 1 m cover 2 m, and there and back along x covers nothing")
END_PYTHON
