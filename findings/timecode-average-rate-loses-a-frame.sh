#!/usr/bin/env bash
# The guess: Timecode(29.98, ...) of timecode takes a measured rate, as a webcam's recording has, as one of 30 frames a
# second, the nearest whole number, or refuses what is no standard rate.
# The truth: within 0.005 of a rate like 29.97 it is rounded up. Any other rate is cut: 29.98 and 29.999 are 29, 24.99
# is 24. So a minute of labels is 1:02, and the frame numbers 29 of each second don't exist. A rate of 14.99 is again
# 15, as 14.985 is near. A fraction is rounded to two digits first, so 29999/1000 is 30, but 29.999 is 29. Nothing is
# warned.
# Version: timecode 1.5.1 (PyPI). Run with Python 3.11.
# Seen, frame 1801, counted from 1, which comes after 1,800 others: at 30: 00:01:00:00; 29.97: 00:01:00;02; 29.98, 29.99
# and 29.999: 00:01:02:02; at 24.99 frame 1501: 00:01:02:12.
# Who is hurt: who numbers the frames of a webcam's or a phone's recording at the average rate that a probe reports:
# after half an hour every label is a minute late.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps timecode==1.5.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from fractions import Fraction
from timecode import Timecode

print("timecode", importlib.metadata.version("timecode"))


def number(rate, frames):
    text = str(Timecode(rate, frames=frames))
    print(rate, "frame", frames, text)
    return text


assert number(30, 1801) == "00:01:00:00", "changed: 30"
assert number(29.97, 1801) == "00:01:00;02", "changed: 29.97"
for rate in (29.98, 29.99, 29.999, "29.99"):
    assert number(rate, 1801) == "00:01:02:02", f"changed: {rate}"
assert number(24.99, 1501) == "00:01:02:12", "changed: 24.99"
assert number(14.99, 901) == "00:01:00:00", "changed: 14.99"
assert number(Fraction(29999, 1000), 1801) == "00:01:00:00", "changed: a fraction"
late = Timecode(29.99, frames=30 * 60 * 30 + 1)
print("half an hour at 30, taken as 29.99:", late)
assert str(late) == "00:31:02:02", f"changed: half an hour {late}"
print("as stated: a hair below 30 is 29")
END_PYTHON
