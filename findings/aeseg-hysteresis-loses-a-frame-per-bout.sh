#!/usr/bin/env bash
# The guess: encode(scores, method="hysteresis") of aeseg gives segments as (value, number of frames) that together have
# as many frames as the scores, so parse() writes the bouts at their times, as method="threshold" does.
# The truth: the frame with which a bout ends is counted nowhere, and the first frame of the clip is counted twice. So
# each bout moves the next ones one frame forward: the first one is a frame late, the second right, all others too
# early. Lengths of bouts are right. The thresholds don't matter: it's so for scores of only 0 and 1. Nothing is warned.
# Version: aeseg 0.0.18, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (10 s at 10 frames a second, ten bouts of 0.5 s, at 0.5, 1.5, ... 9.5): threshold: these starts, 100 frames;
# hysteresis: 0.6, 1.5, 2.4, ... 7.8, 8.7; 92 frames.
# Who is hurt: who smooths a detector's scores with two thresholds: in a session with 30 bouts the last ones are off by
# 28 frames, beyond the collar of event metrics, so the steadier decision scores worse than the plain one.
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
starts = [0.5 + bout for bout in range(10)]
scores = numpy.zeros((1, 100, 1))
for start in starts:
    first = round(start * 10)
    scores[0, first:first + 5, 0] = 1


def encode(method, **options):
    encoder = Encoder(classes=["plank"], temporal_precision=100, clip_length=10, minimal_segment_step=100)
    segments = encoder.encode(scores.copy(), method=method, **options)
    rows = [row.split("\t") for row in encoder.parse(segments, ["clip"]).splitlines()]
    found = [round(float(row[1]), 3) for row in rows]
    lengths = {round(float(row[2]) - float(row[1]), 3) for row in rows}
    frames = sum(int(count) for _, count in segments[0][0])
    print(method, "starts", found, "lengths", lengths, "frames", frames)
    return found, lengths, frames


assert encode("threshold", threshold=0.5) == (starts, {0.5}, 100), "changed: threshold"
found, lengths, frames = encode("hysteresis", low=0.4, high=0.6)
assert found == [round(0.6 + 0.9 * bout, 3) for bout in range(10)], f"changed: hysteresis {found}"
assert lengths == {0.5} and frames == 92, f"changed: hysteresis {lengths} {frames}"
print("as stated: each bout that ends takes a frame out of the clip's clock")
END_PYTHON
