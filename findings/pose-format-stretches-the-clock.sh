#!/usr/bin/env bash
# The guess: body.interpolate(new_fps=60) of a recording at 30 Hz puts a frame between every two; frame 2n stays frame
# n.
# The truth: it makes frames * 60 / 30 of them and spreads them from the first frame to the last, so their true distance
# is not 1/60 s, while fps says 60. An event stands where it was only at the start; the shorter the clip, the larger the
# error. And a gap of confidence 0 is filled, with confidence 1, so nothing tells that it was one.
# Version: pose-format 0.15.0, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (a joint whose x is its time in ms, 6 frames): at 60 Hz, frame 11 says 183 ms and holds 167; at 15 Hz, frame 2
# says 133 ms and holds 167.
# Who is hurt: who cuts clips, brings them to one rate and labels by frame number: up to a frame early or late at the
# end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pose-format==0.15.0 numpy==2.4.6 tqdm==4.70.1 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from pose_format.numpy import NumPyPoseBody

print("pose-format", importlib.metadata.version("pose-format"))
clock = numpy.arange(6) * 1000 / 30
points = numpy.ma.masked_array(numpy.stack([clock, clock], axis=-1)[:, None, None].astype(numpy.float32))
confidence = numpy.array([1, 1, 0, 0, 1, 1], numpy.float32)[:, None, None]
points[2:4] = numpy.ma.masked
body = NumPyPoseBody(30, points, confidence)
last = {}
for rate in (60, 15):
    result = body.interpolate(new_fps=rate)
    frame = len(result.data) - 1
    last[rate] = frame, frame * 1000 / rate, float(result.data[-1, 0, 0, 0])
    print("at %d Hz, frame %d says %.0f ms and holds %.0f ms" % (rate, *last[rate]))
    if rate == 60:
        scores, missing = result.confidence[:, 0, 0], numpy.ma.getmaskarray(result.data)
        print("least confidence %.2f, missing frames %d of 2" % (scores.min(), missing[:, 0, 0, 0].sum()))
        assert not missing.any() and scores.min() > 0.99, "changed: the gap stays a gap"
assert last[60][0] == 11 and abs(last[60][2] - 1000 / 6) < 1, "changed: the frames at 60 Hz"
assert last[15][0] == 2 and abs(last[15][2] - 1000 / 6) < 1, "changed: the frames at 15 Hz"
print("as stated: frames are spread from end to end, whatever the rate says")
END_PYTHON
