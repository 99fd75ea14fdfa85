#!/usr/bin/env bash
# The guess: a + b of srtmanager puts the subtitles of two files into one, and moves those of b only, as documented, if
# they overlap a, "just enough to eliminate the overlap". What fits into a gap of a stays where it is.
# The truth: b is moved as a whole so that it starts after the end of the last subtitle of a, unless it is behind it
# already. Whether anything overlaps is not looked at. So a + b and b + a have other times for the same labels, and
# whoever comes second is wrong. Nothing is raised or warned.
# Version: srtmanager 0.2.0, srt 3.5.3 (PyPI). Run with Python 3.11.
# Seen (planks from 0 to 10 and 40 to 50 s in one file, a rest from 20 to 30 s in the other): planks + rest: the rest is
# from 50 to 60 s. rest + planks: the planks are from 30 to 40 and 70 to 80 s.
# Who is hurt: who labels each exercise in a file of its own and joins them: all labels of the second file are shifted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps srtmanager==0.2.0 srt==3.5.3
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from srtmanager import SRTManager

print("srtmanager", importlib.metadata.version("srtmanager"))


def labels(name, *spans):
    lines = [f"{index}\n00:00:{start},000 --> 00:00:{end},000\n{name}\n" for index, (start, end) in enumerate(spans, 1)]
    return SRTManager.from_string("\n".join(lines))


def spans(name, manager):
    result = [(line.start.total_seconds(), line.end.total_seconds(), line.content) for line in manager]
    print(f"{name}:", result)
    return result


planks = labels("plank", ("00", "10"), ("40", "50"))
rest = labels("rest", ("20", "30"))
assert spans("planks", planks) == [(0, 10, "plank"), (40, 50, "plank")], "changed: the planks"
assert spans("rest", rest) == [(20, 30, "rest")], "changed: the rest"
assert spans("planks + rest", planks + rest) == [(0, 10, "plank"), (40, 50, "plank"), (50, 60, "rest")], \
    "changed: planks + rest"
assert spans("rest + planks", rest + planks) == [(20, 30, "rest"), (30, 40, "plank"), (70, 80, "plank")], \
    "changed: rest + planks"
print("as stated: what fits between the labels of the first file is moved behind them")
END_PYTHON
