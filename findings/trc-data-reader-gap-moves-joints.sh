#!/usr/bin/env bash
# The guess: TRCData reads back what its own save() wrote; a joint that is missing in a frame is missing there again.
# The truth: save() leaves the three cells of a missing joint empty, between tabs, as TRC files have it. load() splits
# lines at any white space, so the empty cells vanish and every joint after the gap moves one place to the left: the
# next joint's position is given under the missing joint's name, and the last joint is the one that is missing. Nothing
# is raised, warned or logged, whatever `verbose` says. Only a gap of the last joint is read right.
# Version: trc-data-reader 0.4.1, c3d 0.6.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (nose at 1, left hip at 2, right hip at 3; left hip missing in frame 2): left hip 2, 3, 2; right hip 3, NaN, 3.
# Who is hurt: who carries markers with gaps in a TRC file: for one frame left is right, and the gap is elsewhere.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps trc-data-reader==0.4.1 c3d==0.6.0 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import math
from trc import TRCData

print("trc-data-reader", importlib.metadata.version("trc-data-reader"))
joints = ["nose", "left_hip", "right_hip"]


def trip(missing):
    out = TRCData(
        PathFileType=4, DataFormat="(X/Y/Z)", FileName="gap.trc", DataRate=30.0, CameraRate=30.0, NumFrames=3,
        NumMarkers=3, Units="m", OrigDataRate=30.0, OrigDataStartFrame=1, OrigNumFrames=3, Markers=joints)
    out["Frame#"] = [1, 2, 3]
    for frame in out["Frame#"]:
        gone = {missing} if frame == 2 else set()
        out[frame] = frame / 30, [[math.nan if name in gone else place + 1.0] * 3 for place, name in enumerate(joints)]
    out.save("gap.trc")
    again = TRCData()
    again.load("gap.trc", verbose=True)
    return {name: [position[0] for position in again[name]] for name in joints}


seen = trip("left_hip")
with open("gap.trc") as stream:
    row = stream.read().splitlines()[7]
print("the row of frame 2 as written:", repr(row))
print("left hip missing, read:", seen)
print("right hip missing, read:", trip("right_hip"))
assert row.split("\t")[5:8] == ["", "", ""], "changed: the gap is not written as empty cells"
assert seen["nose"] == [1, 1, 1] and seen["left_hip"] == [2, 3, 2], "changed: the next joint does not take the name"
assert str(seen["right_hip"]) == "[3.0, nan, 3.0]", "changed: the last joint is not the one that is missing"
assert str(trip("right_hip")) == str(dict(nose=[1.0] * 3, left_hip=[2.0] * 3, right_hip=[3.0, math.nan, 3.0])), \
    "changed: a gap of the last joint"
print("as stated: the right hip is read as the left one, and the right one is missing")
END_PYTHON
