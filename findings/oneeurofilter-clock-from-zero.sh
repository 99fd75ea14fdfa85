#!/usr/bin/env bash
# The guess: OneEuroFilter with time stamps smooths by the steps between them, so adding one second to every stamp of a
# recording changes nothing; the frequency given at the start is only for calls without stamps.
# The truth: a stamp of 0 counts as no stamp. In a recording whose clock starts at 0, the first step is smoothed with
# the frequency given at the start, and the error is carried on into the frames after it.
# Version: OneEuroFilter 0.2.1 (PyPI, the authors' own package). Run with Python 3.11.
# Seen (30 Hz, told 120; a jump from 0 to 1): from 0.0 s: 0, 0.0498, 0.2143; from 1.0 s: 0, 0.1732, 0.3164.
# Who is hurt: who compares a smoothed file (clocks of files start at 0) with the same pose live (clock since boot).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps OneEuroFilter==0.2.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from OneEuroFilter import OneEuroFilter

print("OneEuroFilter", importlib.metadata.version("OneEuroFilter"))


def smooth(start, told):
    tool = OneEuroFilter(told, mincutoff=1.0)
    return [round(tool(value, start + frame / 30), 4) for frame, value in enumerate([0, 1, 1, 1, 1, 1])]


late = smooth(1, 120)
zero = smooth(0, 120)
print("clock from 1 s, told 120 Hz:", late)
print("clock from 0 s, told 120 Hz:", zero)
print("clock from 0 s, told  30 Hz:", smooth(0, 30))
assert late == smooth(1, 30) == smooth(5, 7), "changed: the told frequency counts"
assert smooth(0, 30) == late, "changed: told the true frequency, the start still matters"
assert abs(late[1] - 0.1732) < 1e-3 and abs(zero[1] - 0.0498) < 1e-3, "changed: a clock from 0 is a clock"
assert abs(zero[5] - late[5]) > 0.05, "changed: the error is gone after five frames"
print("as stated: only the clock that starts at 0 is smoothed by the frequency told")
END_PYTHON
