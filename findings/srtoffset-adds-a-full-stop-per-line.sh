#!/usr/bin/env bash
# The guess: srtoffset, which applies, as documented, a time offset to each subtitle, leaves the text of subtitles as it
# is; and with --rewind, what would start before 0 is refused, dropped or starts at 0.
# The truth: the lines of a text are joined by a full stop and a new line, so each line of a text but the last one ends
# in one more full stop after each run. With --rewind, a time before 0 is counted down from the hour before: only the
# hour is negative. Nothing is raised or warned.
# Version: srtoffset 0.1.2 (PyPI). Run with Python 3.11.
# Seen: the label of two lines, "plank" and "elbows", moved by 1 s and back: "plank.." and "elbows". 2 s moved back by
# 2.5 s: -1:59:59,500.
# Who is hurt: who corrects the clock of labels: "plank" and "plank." are two classes, and a label that begins before
# 0 has no time of the format any more.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps srtoffset==0.1.2
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import subprocess

print("srtoffset", importlib.metadata.version("srtoffset"))
with open("labels.srt", "w") as file:
    file.write("1\n00:00:02,000 --> 00:00:09,000\nplank\nelbows\n\n2\n00:00:10,000 --> 00:00:12,000\nrest\n")


def moved(*options):
    subprocess.run(["venv/bin/srtoffset", "labels.srt", *options, "--inplace"], check=True)
    text = open("labels.srt").read()
    print(options, repr(text))
    return text.split("\n")


assert moved("00:00:01,000")[:4] == ["1", "00:00:03,000 --> 00:00:10,000", "plank.", "elbows"], "changed: 1 s later"
back = moved("00:00:01,000", "--rewind")
assert back[:4] == ["1", "00:00:02,000 --> 00:00:09,000", "plank..", "elbows"], "changed: 1 s later and back"
assert back[-1] == "rest", "changed: a text of one line"
early = moved("00:00:02,500", "--rewind")
assert early[1] == "-1:59:59,500 --> 00:00:06,500", "changed: half a second before 0"
print("as stated: each run adds a full stop, and half a second before 0 is -1:59:59,500")
END_PYTHON
