#!/usr/bin/env bash
# The guess: filter_by_time(start, end) of fairy-subtitle gives "subtitles within the specified time interval", that is,
# all that overlap it, or only those inside; and len() of what it or find() gives is how many were found.
# The truth: a subtitle is taken if it starts or ends in the interval. One that starts before and ends after it, so that
# it fills all of it, is left out. The length is that of the whole file, whatever was found, though going through the
# result gives what was found only. Nothing is raised or warned.
# Version: fairy-subtitle 1.1.0 (PyPI). Run with Python 3.11.
# Seen (planks from 0 to 60 and 90 to 100 s, rest from 60 to 90 s): from 20 to 30 s: nothing is found, and the length is
# 3. From 20 to 65 s: the first plank and the rest. find("rest") has one subtitle, and the length 3.
# Who is hurt: who asks what someone did at a time, or counts labels: in the middle of a long hold there is no plank,
# and every exercise is as frequent as all together.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps fairy-subtitle==1.1.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from fairy_subtitle import SubtitleLoader

print("fairy-subtitle", importlib.metadata.version("fairy-subtitle"))
spans = [("00:00", "01:00", "plank"), ("01:00", "01:30", "rest"), ("01:30", "01:40", "plank")]
with open("labels.srt", "w") as file:
    blocks = [f"{index}\n00:{start},000 --> 00:{end},000\n{name}" for index, (start, end, name) in enumerate(spans, 1)]
    file.write("\n\n".join(blocks))
labels = SubtitleLoader.load("labels.srt")


def found(name, result):
    cues = [(cue.start, cue.end, cue.text) for cue in result]
    print(f"{name}: {cues}, length {len(result)}")
    return cues, len(result)


whole = [(0, 60, "plank"), (60, 90, "rest"), (90, 100, "plank")]
assert found("all", labels) == (whole, 3), "changed: what is read"
assert found("20 to 30 s", labels.filter_by_time(20, 30)) == ([], 3), "changed: within the plank"
assert found("20 to 65 s", labels.filter_by_time(20, 65)) == (whole[:2], 3), "changed: over the end of the plank"
assert found("rest", labels.find("rest")) == (whole[1:2], 3), "changed: find"
print("as stated: a label that fills the interval is not in it, and the length is that of the file")
END_PYTHON
