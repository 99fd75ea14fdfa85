#!/usr/bin/env bash
# The guess: encode(scores, method="median_threshold") of aeseg takes the median of a class's scores in the clip as its
# threshold, as its documentation says: half of the frames are above it if no two are equal, whatever their order.
# The truth: the threshold is the score of the frame in the middle of the clip; the scores are not sorted. So what is
# found depends on what happens just then: if the activity is going on there, its own score is the threshold.
# method="global_median_threshold" takes the mean of the middle frames of all clips.
# Version: aeseg 0.0.18, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (100 frames, all scores different, 40 of them above 0.8 in one bout, the others below 0.2; the median 0.17): bout
# at the end: 49 frames found; in the middle, rising: 19; in the middle, falling: 20; the bout's highest score at frame
# 50: none. With the median it is 50 each time. Over these four clips together: 40 in each.
# Who is hurt: who lets the clip choose its threshold: a plank that is held in the middle of the clip is cut in half or
# not found at all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps aeseg==0.0.18 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from aeseg.Encoder import Encoder

print("aeseg", importlib.metadata.version("aeseg"))
low = numpy.linspace(0.02, 0.199, 60)
high = numpy.linspace(0.81, 0.99, 40)
peak = numpy.concatenate([high[0:39:2], high[::-2]])
clips = {
    "end": numpy.concatenate([low, high]),
    "middle, rising": numpy.concatenate([low[:30], high, low[30:]]),
    "middle, falling": numpy.concatenate([low[:30], high[::-1], low[30:]]),
    "middle, highest in the center": numpy.concatenate([low[:30], peak, low[30:]]),
}


def positive(scores, method, **options):
    encoder = Encoder(classes=["plank"], temporal_precision=100, clip_length=10, minimal_segment_step=100)
    segments = encoder.encode(numpy.array(scores)[:, :, None], method=method, **options)
    return [sum(int(count) for value, count in clip[0] if value == 1) for clip in segments]


assert all(sorted(scores) == sorted(clips["end"]) for scores in clips.values())
median = float(numpy.median(clips["end"]))
found = []
for name, scores in clips.items():
    found += positive([scores], "median_threshold")
    right = positive([scores], "threshold", threshold=median)
    print(name, "found", found[-1], "of", len(scores), "with the median", round(median, 3), right)
    assert right == [50], "changed: threshold"
together = positive(list(clips.values()), "global_median_threshold")
print("global_median_threshold", together)
assert found == [49, 19, 20, 0], f"changed: {found}"
assert together == [40, 40, 40, 40], f"changed: globally {together}"
print("as stated: the middle frame decides, not the median")
END_PYTHON
