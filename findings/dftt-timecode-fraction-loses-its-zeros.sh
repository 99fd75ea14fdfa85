#!/usr/bin/env bash
# The guess: DfttTimecode reads the time stamps of FFmpeg: 00:00:01.05 is 1.05 s. What it writes in that format it reads
# back as the same time.
# The truth: the digits after the point are made a whole number, and that is put behind "0." again. So zeros right after
# the point are lost: .05 is read as half a second, .005 too. Stamps whose first digit is not 0 are read right, so nine
# of ten are. Nothing is raised or warned, whether the format is named or found out.
# Version: dftt-timecode 1.0.0 (PyPI). Run with Python 3.11.
# Seen: 00:00:01.05 and 00:00:01.005 are 1.5 s, 00:00:01.25 is 1.25 s. Of the 30 frames of a second at 30 Hz, written
# and read back, frames 1 and 2 are 8 and 19 frames later, the others stay.
# Who is hurt: who reads labels or cuts from FFmpeg's output: one in ten is up to 0.8 s late.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps dftt-timecode==1.0.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from dftt_timecode import DfttTimecode

print("dftt-timecode", importlib.metadata.version("dftt-timecode"))


def seconds(text):
    results = {round(DfttTimecode(text, kind, fps=30).timestamp, 3) for kind in ("ffmpeg", "auto")}
    print(text, "is", results)
    assert len(results) == 1, "changed: named and found out differ"
    return results.pop()


assert seconds("00:00:01.25") == 1.25 and seconds("00:00:01.50") == 1.5, "changed: no zero after the point"
assert seconds("00:00:01.05") == 1.5 and seconds("00:00:01.005") == 1.5, "changed: zeros after the point"
later = {}
for frame in range(30):
    written = DfttTimecode(frame, "frame", fps=30).ffmpeg
    read = DfttTimecode(written, "ffmpeg", fps=30).framecount
    if read != frame:
        later[frame] = read - frame
print("frames of a second, written and read back, that are later:", later)
assert later == {1: 8, 2: 19}, "changed: the trip"
print("as stated: zeros right after the point are lost")
END_PYTHON
