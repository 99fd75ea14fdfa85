#!/usr/bin/env bash
# The guess: downSample(30) of bvhsdk makes of 10 s at 120 Hz, the example of its documentation, 300 frames at 30 Hz,
# and of any other rate as many as last 10 s again.
# The truth: frames are taken out at equal steps, and the step is rounded to a whole number. It fits if one frame in n
# goes. If more than two thirds go, the step is 1 and all frames but the first are taken out. If some two or three
# fifths go, half of the frames stay, but the frame time is that of the target, so the movement gets slower or faster.
# True is returned, nothing is warned.
# Version: bvhsdk 0.2.1, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (10 s, frames and what they last): 120 to 60 Hz 600, 10 s; 120 to 30 Hz 1; 100 to 30 Hz 1; 60 to 25 Hz 300, 12 s;
# 30 to 10 Hz 150, 15 s; 50 to 30 Hz 250, 8.33 s.
# Who is hurt: who brings recordings to one rate: holds last longer than they did, labels no longer fit, or there is one
# pose left.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bvhsdk==0.2.1 numpy==2.4.6 matplotlib==3.11.2 contourpy==1.3.3 cycler==0.12.1 \
  fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 \
  six==1.17.0
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import contextlib
import importlib.metadata
import io
import bvhsdk

print("bvhsdk", importlib.metadata.version("bvhsdk"))


def down(rate, target):
    lines = ["HIERARCHY", "ROOT hips", "{", "\tOFFSET 0 0 0",
             "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
             "\tJOINT head", "\t{", "\t\tOFFSET 0 60 0", "\t\tCHANNELS 3 Zrotation Xrotation Yrotation",
             "\t\tEnd Site", "\t\t{", "\t\t\tOFFSET 0 10 0", "\t\t}", "\t}", "}",
             "MOTION", f"Frames: {10 * rate}", f"Frame Time: {1 / rate:.8f}",
             *(f"{frame / rate} 0 0 0 0 0 0 0 0" for frame in range(10 * rate))]
    with open("body.bvh", "w") as stream:
        stream.write("\n".join(lines) + "\n")
    body = bvhsdk.ReadFile("body.bvh")
    with contextlib.redirect_stdout(io.StringIO()):
        assert body.downSample(target) is True
    lasts = round(body.frames * body.frametime, 2)
    print(f"10 s, {rate} to {target} Hz: {body.frames} frames that last {lasts} s; the last one was at "
          f"{body.root.translation[-1, 0]:.2f} s")
    return body.frames, lasts


assert down(120, 60) == (600, 10) and down(60, 30) == (300, 10) and down(30, 25) == (250, 10), "changed: one in n goes"
assert down(120, 30)[0] == 1 and down(100, 30)[0] == 1, "changed: more than two thirds go"
assert down(60, 25) == (300, 12), "changed: 60 to 25 Hz"
assert down(30, 10) == (150, 15), "changed: 30 to 10 Hz"
assert down(50, 30) == (250, 8.33), "changed: 50 to 30 Hz"
print("as stated: most rates give another length, or one frame")
END_PYTHON
