#!/usr/bin/env bash
# The guess: pysubs2 reads the text of a WebVTT cue as its text; identifiers and comments, which are part of the format,
# are kept elsewhere or left out.
# The truth: the reader is that of SubRip, where only a number stands between two cues. The identifier of the next cue
# and comments between cues become further lines of the text before them. A text whose last line is a number loses that
# line, as if it were the next cue's number. Nothing is warned; the documentation names only styles and alignment as not
# supported. The package webvtt-py reads the same file right.
# Version: pysubs2 1.8.1, webvtt-py 0.6.0 (PyPI). Run with Python 3.11.
# Seen: cues named side-1, side-2 and side-3 with a comment between: the texts are "side plank", "", "side-2"; "side
# plank", "", "NOTE ...", "", "side-3"; and "hold" without its second line "30".
# Who is hurt: who takes labels from a caption file: every label has another name, and counts below the text are gone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pysubs2==1.8.1 webvtt-py==0.6.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import pysubs2
import webvtt

print("pysubs2", importlib.metadata.version("pysubs2"), "webvtt-py", importlib.metadata.version("webvtt-py"))
captions = """WEBVTT

side-1
00:01.000 --> 00:05.000
side plank

side-2
00:06.000 --> 00:09.000
side plank

NOTE the camera was moved here

side-3
00:10.000 --> 00:12.000
hold
30
"""
right = [(cue.identifier, cue.text) for cue in webvtt.from_string(captions)]
print("webvtt-py", right)
assert right == [("side-1", "side plank"), ("side-2", "side plank"), ("side-3", "hold\n30")], "changed: webvtt-py"
texts = [event.text for event in pysubs2.SSAFile.from_string(captions)]
print("pysubs2", texts)
assert texts == [
    r"side plank\N\Nside-2", r"side plank\N\NNOTE the camera was moved here\N\Nside-3", "hold"
], "changed: what belongs to a cue"
print("as stated: names and comments are in the labels before them, and a last line of digits is lost")
END_PYTHON
