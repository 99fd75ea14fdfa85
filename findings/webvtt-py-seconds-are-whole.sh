#!/usr/bin/env bash
# The guess: start_in_seconds and end_in_seconds of webvtt-py are the times of a caption in seconds, so that their
# difference is its duration.
# The truth: both drop the fraction of a second, toward 0, and so does the total length of the file. The milliseconds
# are only in the text of start and end, and in start_time and end_time.
# Version: webvtt-py 0.6.0 (PyPI). Run with Python 3.11.
# Seen: a caption from 00:00:01.500 to 00:00:01.950 starts and ends at 1; one from 1.999 to 3.001 lasts 2 s; total_length
# is 1. start_time has the 500 milliseconds.
# Who is hurt: who labels poses in captions: short mistakes of form vanish, and every boundary is up to a second early.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps webvtt-py==0.6.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import webvtt

print("webvtt-py", importlib.metadata.version("webvtt-py"))
captions = webvtt.from_string(
    "WEBVTT\n\n00:00:01.500 --> 00:00:01.950\nsag\n\n00:00:01.999 --> 00:00:03.001\npike\n")
seen = [(caption.start, caption.start_in_seconds, caption.end_in_seconds) for caption in captions]
print(seen, "total", captions.total_length, captions[0].start_time)
assert seen == [("00:00:01.500", 1, 1), ("00:00:01.999", 1, 3)], "changed: seconds"
assert captions.total_length == 2, f"changed: total length {captions.total_length}"
assert captions[0].start_time.milliseconds == 500, "changed: start_time"
print("as stated: a caption of 0.45 s starts and ends in the same second")
END_PYTHON
