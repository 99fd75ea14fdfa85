#!/usr/bin/env bash
# The guess: with the package timecode, 00:00:02:00 minus 00:00:01:00 is 00:00:01:00, 00:00:00:00 plus itself is itself,
# start_seconds=1 is 00:00:01:00, and the attribute float is the time in seconds.
# The truth: a Timecode counts frames from 1, so 00:00:00:00 holds one frame. Arithmetic works on these counts: every
# difference is a frame short, every sum a frame long, and a time from seconds is a frame early. float is a frame late.
# Version: timecode 1.5.1 (PyPI). Run with Python 3.11.
# Seen (25 frames per second): 2 s - 1 s = 00:00:00:24, 0 + 0 = 00:00:00:01, start_seconds=1 is 00:00:00:24, and float of
# 00:00:01:00 is 1.04. The documentation says that frames begin at 1, not that differences are short.
# Who is hurt: who turns the marks of a video editor into durations of holds: each is 1/25 s short, and boundaries that
# are shifted by an offset move by a frame per addition.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps timecode==1.5.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from timecode import Timecode

print("timecode", importlib.metadata.version("timecode"))
zero, one, two = (Timecode("25", f"00:00:0{second}:00") for second in range(3))
seen = {
    "2 s - 1 s": str(two - one), "1 s + 1 s": str(one + one), "0 s + 0 s": str(zero + zero),
    "start_seconds=1": str(Timecode("25", start_seconds=1)), "float of 1 s": round(one.float, 6),
}
print(seen)
assert seen == {
    "2 s - 1 s": "00:00:00:24", "1 s + 1 s": "00:00:02:01", "0 s + 0 s": "00:00:00:01",
    "start_seconds=1": "00:00:00:24", "float of 1 s": 1.04,
}, "changed"
print("as stated: two seconds minus one second is 24 frames of 25")
END_PYTHON
