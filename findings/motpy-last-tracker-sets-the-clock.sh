#!/usr/bin/env bash
# The guess: MultiObjectTracker(dt=1 / 30) of motpy keeps its own time between frames; a second tracker, of a camera
# with 5 frames a second, has nothing to do with it.
# The truth: both write dt into the default model, a dictionary of the whole module, and new people are tracked with
# what stands there then. So everyone who comes in after the second tracker was made is tracked with the second one's
# clock, in the first one too. Speeds are in other seconds, and a longer step lets more of the boxes' jitter through.
# Version: motpy 0.0.10, filterpy 2.0.0, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (a person walks 90 pixels a second, seen 30 times a second with a noise of 2 pixels): alone, the first tracker
# has a speed of 90 and a noise of 0.68. Made before one with dt 1/5: a speed of 19 and a noise of 1.48.
# Who is hurt: who tracks people in two videos at once: the order in which trackers are made decides how steady boxes
# are.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps motpy==0.0.10 filterpy==2.0.0 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from motpy import Detection, MultiObjectTracker

print("motpy", importlib.metadata.version("motpy"))


def walk(name, second_step):
    tracker = MultiObjectTracker(dt=1 / 30)
    if second_step:
        MultiObjectTracker(dt=second_step)
    random = numpy.random.default_rng(0)
    errors = []
    for frame in range(60):
        true = numpy.array([100.0, 100, 150, 300]) + [3 * frame, 0, 3 * frame, 0]
        (track,) = tracker.step([Detection(box=true + numpy.tile(random.normal(0, 2, 2), 2))])
        errors.append(track.box[0] - true[0])
    speed, noise = float(tracker.trackers[0]._tracker.x[1]), float(numpy.std(errors[20:]))
    print(f"{name}: speed {speed:.1f} pixels a second, noise {noise:.2f} pixels")
    return round(speed), round(noise, 2)


alone = walk("alone", None)
with_second = walk("before a second one", 1 / 5)
assert alone == (90, 0.68), "changed: alone"
assert with_second == (19, 1.48), "changed: before a second one"
print("as stated: a tracker of another video changes this one")
END_PYTHON
