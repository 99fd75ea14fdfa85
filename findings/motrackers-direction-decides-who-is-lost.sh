#!/usr/bin/env bash
# The guess: CentroidKF_Tracker of motrackers follows a person at a steady pace as well in one direction as in another:
# its Kalman filter takes x and y each for itself.
# The truth: the filter's covariance at the start is a matrix of ones, so x, y, both speeds and both accelerations are
# taken to be wholly correlated. The first step to the right moves the prediction down nearly as much. Down and to the
# right (or up and to the left) that fits; sideways, or up and to the right, the prediction is farther beside the person
# than is allowed, and a new track starts, again and again. Nothing is raised or warned.
# Version: motrackers 0.1.1, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11. OpenCV and ipyfilechooser, which it
# imports for drawing and for notebooks, are replaced by empty modules here.
# Seen (20 frames of a person who is found in each; tracks): 10 pixels to the right per frame 1, 20 to the right 5; 18
# right and 18 down 1, 18 right and 18 up 10. The same filters with a diagonal covariance: 1 in all four. Predicted y of
# 10 to the right, starting at 200: 200, 209, 200, 192, 194.
# Who is hurt: who counts people, or takes a track for a person: who walks in from one side is ten people.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps motrackers==0.1.1 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import sys
import types
sys.modules["cv2"] = types.ModuleType("cv2")
sys.modules["ipyfilechooser"] = types.ModuleType("ipyfilechooser")
sys.modules["ipyfilechooser"].FileChooser = None
import numpy
from motrackers import CentroidKF_Tracker
from motrackers.kalman_tracker import KFTracker2D, KFTrackerConstantAcceleration

print("motrackers", importlib.metadata.version("motrackers"))
steps = {"10 right": (10, 0), "20 right": (20, 0), "18 right, 18 down": (18, 18), "18 right, 18 up": (18, -18)}


def tracks():
    counts = {}
    for name, step in steps.items():
        tracker = CentroidKF_Tracker()
        numbers = set()
        for frame in range(20):
            box = numpy.array([[100.0 + step[0] * frame, 500.0 + step[1] * frame, 40, 80]])
            numbers |= {track[1] for track in tracker.update(box, numpy.array([0.9]), numpy.array([0]))}
        counts[name] = len(numbers)
    return counts


def heights():
    person = KFTracker2D(numpy.array([100.0, 200.0]))
    predicted = []
    for frame in range(1, 6):
        predicted.append(round(float(person.predict()[3])))
        person.update(numpy.array([100.0 + 10 * frame, 200.0]))
    return predicted


counts, predicted = tracks(), heights()
print("tracks:", counts, "predicted y:", predicted)
assert list(counts.values()) == [1, 5, 1, 10], "changed: the tracks of one person"
assert predicted == [200, 209, 200, 192, 194], "changed: the predicted y"
assert numpy.array_equal(KFTracker2D().prediction_covariance, numpy.ones((6, 6))), "changed: the covariance"

begin = KFTrackerConstantAcceleration.__init__


def begin_diagonal(self, *arguments, **options):
    begin(self, *arguments, **options)
    self.prediction_covariance = numpy.eye(len(self.prediction_covariance))


KFTrackerConstantAcceleration.__init__ = begin_diagonal
counts, predicted = tracks(), heights()
print("with a diagonal covariance:", counts, "predicted y:", predicted)
assert list(counts.values()) == [1, 1, 1, 1] and predicted == [200] * 5, "changed: a diagonal covariance"
print("as stated: the direction decides whether a person is lost")
END_PYTHON
