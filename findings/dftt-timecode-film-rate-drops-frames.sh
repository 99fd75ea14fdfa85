#!/usr/bin/env bash
# The guess: at 23.976 frames per second DfttTimecode numbers every frame, since drop_frame=False is the default, the
# documentation has drop frames for 29.97 and its multiples only, and at 24 numbers a second none are to be dropped.
# The truth: at 23.976 drop frame is on whatever the argument says. 1.6 numbers are dropped each minute but the tenth, a
# count that no standard has. So frame numbers run ahead of the usual ones. A usual time code as text, with ":" before
# the frames, is refused if its format is to be found out, and is another frame if "smpte" is named. Nothing is warned.
# Version: dftt-timecode 1.0.0 (PyPI). Run with Python 3.11.
# Seen (23.976, drop_frame=False): frame 1,439 is 00:00:59;23, frame 1,440 is 00:01:00;01, frame 86,400 is 01:00:03;14;
# 01:00:00:00 is frame 86,314. At 24: 00:00:59:23, 00:01:00:00, 01:00:00:00 and 86,400.
# Who is hurt: who joins labels by time code with other programs: an hour into the session they are 3.6 s off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps dftt-timecode==1.0.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from dftt_timecode import DfttTimecode
from dftt_timecode.error import DFTTTimecodeInitializationError

print("dftt-timecode", importlib.metadata.version("dftt-timecode"))


def texts(rate):
    codes = [DfttTimecode(frame, "frame", fps=rate, drop_frame=False) for frame in (1439, 1440, 86_400)]
    back = DfttTimecode("01:00:00:00", "smpte", fps=rate, drop_frame=False).framecount
    result = [code.smpte for code in codes]
    print(rate, "frames per second, drop frame", codes[0].is_drop_frame, result, "01:00:00:00 is frame", back)
    return codes[0].is_drop_frame, result, back


assert texts(24) == (False, ["00:00:59:23", "00:01:00:00", "01:00:00:00"], 86_400), "changed: 24"
assert texts(23.976) == (True, ["00:00:59;23", "00:01:00;01", "01:00:03;14"], 86_314), "changed: 23.976"
try:
    DfttTimecode("01:00:00:00", fps=23.976, drop_frame=False)
    raise SystemExit("changed: the usual time code is read")
except DFTTTimecodeInitializationError:
    print("01:00:00:00 without a named format is refused")
assert not DfttTimecode(0, "frame", fps=29.97, drop_frame=False).is_drop_frame, "changed: 29.97"
print("as stated: at 23.976 numbers are dropped though they should not be")
END_PYTHON
