#!/usr/bin/env bash
# The guess: with tracking, PoseTracker gives people in the order of their tracks, however the detector orders its
# boxes: row 0 is the same person in every frame. When a person leaves, the others keep their tracks.
# The truth: the numbers of tracks are used as indices into the new detections. For two people whose boxes swap, that
# comes out right. For three whose boxes move on by one place, it gives a third order. When a number is too large for an
# index (the first of two has left), the frame ends early. Then boxes are not kept, so whoever stays gets a new track in
# every frame. The counter for det_frequency stands still, so the detector runs on every frame. Nothing is warned.
# Version: rtmlib 0.0.16, numpy 2.4.6, opencv-python-headless 5.0.0.93 (PyPI). Run with Python 3.11.
# Seen (people stand still at x = 200, 600 and 1000, the detector finds them in the order 600, 1000, 200): rows 1000,
# 200, 600. Two people, det_frequency 5, the first leaves after frame 4: the other is track 1, 2, 3 ... 15, and 15
# frames take 15 detections, not 3.
# Who is hurt: who takes row 0 for one person: poses of several people are mixed in one series. And who relies on the
# speed that det_frequency gives.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps rtmlib==0.0.16 numpy==2.4.6 opencv-python-headless==5.0.0.93 tqdm==4.70.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from rtmlib import PoseTracker

print("rtmlib", importlib.metadata.version("rtmlib"))


class Detector:
    """Finds everyone, in the order in which they are listed."""
    det_mode = "human"
    calls, people = 0, []

    def __call__(self, image):
        self.calls += 1
        return numpy.array([[x - 50.0, 100, x + 50, 300] for x in self.people])


def estimate(image, bboxes):
    """Four joints, 80 wide and 160 high, in the middle of each box; they give a box of 100 x 200 for the next frame."""
    middles = numpy.array([[(left + right) / 2, (top + bottom) / 2] for left, top, right, bottom in bboxes])
    joints = numpy.array([[-40, -80], [40, -80], [-40, 80], [40, 80]])
    return middles[:, None] + joints, numpy.full((len(bboxes), 4), 0.9)


class Solution:
    def __init__(self, **_):
        self.det_model, self.pose_model = Detector(), estimate


def run(frames, **options):
    tracker = PoseTracker(Solution, **options)
    rows, names = [], []
    for people in frames:
        tracker.det_model.people = people
        keypoints, _ = tracker(None)
        rows.append([round(float(pose[:, 0].mean())) for pose in keypoints])
        names.append(list(tracker.track_ids_last_frame))
    return rows, names, tracker.det_model.calls


rows, names, _ = run([[200, 600], [600, 200]])
print("two boxes swap:", rows)
assert rows == [[200, 600], [200, 600]], "changed: two people"
rows, names, _ = run([[200, 600, 1000], [600, 1000, 200]])
print("three move on by one place:", rows, "tracks of the detections", names)
assert names == [[0, 1, 2], [1, 2, 0]], "changed: the tracks"
assert rows == [[200, 600, 1000], [1000, 200, 600]], "changed: three people keep their rows"
_, names, calls = run(20 * [[200, 600]], det_frequency=5)
print("both stay for 20 frames: detections", calls, "last tracks", names[-1])
assert calls == 4 and names[-1] == [0, 1], "changed: nobody leaves"
rows, names, calls = run(5 * [[200, 600]] + 15 * [[600]], det_frequency=5)
print("one leaves after 5 frames: detections", calls, "tracks", names[5:])
assert calls == 1 + 15, "changed: det_frequency counts on"
assert names[5:] == [[name] for name in range(1, 16)], "changed: the one who stays keeps the track"
print("as stated: numbers of tracks are taken for indices")
END_PYTHON
