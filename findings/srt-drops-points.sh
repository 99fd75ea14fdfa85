#!/usr/bin/env bash
# The guess: srt.compose writes every event it is given; an event of no length, as a click or a beep, is odd but kept.
# The truth: events that end where they start are left out, as are those that start before 0 and those without text, and
# the rest is numbered anew so that no number is missing. Nothing is raised or warned; there is a log line at level
# INFO. Only compose(..., strict=False, reindex=False) keeps them, and srt.parse then reads them back.
# Version: srt 3.5.3 (PyPI). Run with Python 3.11.
# Seen: four events given (a label, a beep of no length, a label that begins 0.1 s early, a label); two written, 1 and
# 2.
# Who is hurt: who carries labels through subtitles to look at them in a player; start beeps and labels moved by an
# offset below 0 vanish, and a count of labels before and after differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet srt==3.5.3
venv/bin/python - <<'END_PYTHON'
import warnings
from datetime import timedelta
import importlib.metadata
import srt

warnings.simplefilter("error")
print("srt", importlib.metadata.version("srt"))
events = [("early", -0.1, 4.0), ("side plank", 5.0, 20.0), ("beep", 21.0, 21.0), ("forearm plank", 22.0, 40.0)]
labels = [
    srt.Subtitle(number, timedelta(seconds=start), timedelta(seconds=end), text)
    for number, (text, start, end) in enumerate(events, start=1)
]
text = srt.compose(labels)
print(text)
written = [(label.index, label.content) for label in srt.parse(text)]
assert written == [(1, "side plank"), (2, "forearm plank")], f"changed: {written}"
kept = list(srt.parse(srt.compose([labels[2]], strict=False, reindex=False)))
assert [label.content for label in kept] == ["beep"], "changed: no way keeps a point"
print("as stated: four events in, two out, numbered 1 and 2; without numbering anew the point is kept")
END_PYTHON
