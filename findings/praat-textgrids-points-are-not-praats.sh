#!/usr/bin/env bash
# The guess: praat-textgrids reads the files that Praat writes, in its three formats, and Praat reads what it writes.
# The truth: a tier of points has the class TextTier in Praat's files. The package reads that as points in the long
# format and the binary one, but writes a class PointTier, which Praat doesn't know: after one trip Praat reads nothing
# of the file, its intervals neither. In the short format a tier of points is taken for one of intervals, and its labels
# for times. And in the binary format the grid's own start and end become those of the last interval, or raw bytes.
# Version: praat-textgrids 1.4.0, praat-parselmouth 0.4.7 (Praat 6.1.38), numpy 1.26.4 (PyPI). Run with Python 3.11.
# Seen (intervals "side" from 2 to 4.5 s; points "beep" at 5 and 7 s): long: read, and refused by Praat after writing,
# in all three formats. Short: ValueError, "beep" is no number. Binary: xmin is b"\x00\x00\x00\x00\x00\x00\x00\x00".
# Who is hurt: who has start beeps or repetitions as points beside the bouts, and edits the labels in a script.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps praat-textgrids==1.4.0 praat-parselmouth==0.4.7 numpy==1.26.4
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import parselmouth
import textgrids
from parselmouth.praat import call

versions = (f"{name} {importlib.metadata.version(name)}" for name in ("praat-textgrids", "praat-parselmouth"))
print(*versions, "Praat", parselmouth.PRAAT_VERSION)
grid = call("Create TextGrid", 0, 10, "form cue", "cue")
call(grid, "Insert boundary", 1, 2.0)
call(grid, "Insert boundary", 1, 4.5)
call(grid, "Set interval text", 1, 2, "side")
call(grid, "Insert point", 2, 5.0, "beep")
call(grid, "Insert point", 2, 7.0, "beep")
call(grid, "Save as text file", "long.TextGrid")
call(grid, "Save as short text file", "short.TextGrid")
call(grid, "Save as binary file", "binary.TextGrid")

read = textgrids.TextGrid("long.TextGrid")
points = [(point.text, point.xpos) for point in read["cue"]]
print("long: read", points)
assert points == [("beep", 5), ("beep", 7)], "changed: the long format"
for form in (textgrids.TEXT_LONG, textgrids.TEXT_SHORT, textgrids.BINARY):
    read.write("again.TextGrid", form)
    try:
        parselmouth.read("again.TextGrid")
    except parselmouth.PraatError as error:
        print("written as format", form, "and read by Praat:", str(error).splitlines()[0])
        assert "PointTier" in str(error), "changed: what Praat says"
    else:
        raise SystemExit("changed: Praat reads what was written")
del read["cue"]
read.write("again.TextGrid")
print("without the points Praat reads", parselmouth.read("again.TextGrid").class_name)
try:
    textgrids.TextGrid("short.TextGrid")
except ValueError as error:
    print("short: ValueError", error)
else:
    raise SystemExit("changed: the short format")
binary = textgrids.TextGrid("binary.TextGrid")
print("binary: from", binary.xmin, "to", binary.xmax)
assert isinstance(binary.xmin, bytes), "changed: the start in the binary format"
print("as stated: one trip through the package, and Praat refuses the file")
END_PYTHON
