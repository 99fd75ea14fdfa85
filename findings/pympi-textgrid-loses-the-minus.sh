#!/usr/bin/env bash
# The guess: pympi's TextGrid reads the times that stand in a TextGrid file; Praat's times may be negative ("Shift times
# to" puts an event at 0), and very short ones stand with an exponent.
# The truth: of each number only the digits and points at the end of its line are taken. So -2 is read as 2, and 2.2e-05
# as 5. Order and length of the segments are then nonsense, but nothing is raised or warned. The package textgrid reads
# the same file right.
# Version: pympi-ling 1.71, TextGrid 1.6.1 (PyPI). Run with Python 3.11.
# Seen (plank from 0.000022 s on, after ready from -2 and down from -0.5): ready 2 to 0.5, down 0.5 to 5, plank 5 to 3.
# Who is hurt: who annotates around an event at time 0, such as a start beep: what was before it is read as after it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pympi-ling==1.71 TextGrid==1.6.1
cat >beep.TextGrid <<'END'
File type = "ooTextFile"
Object class = "TextGrid"

xmin = -2 
xmax = 3 
tiers? <exists> 
size = 1 
item []: 
    item [1]:
        class = "IntervalTier" 
        name = "form" 
        xmin = -2 
        xmax = 3 
        intervals: size = 3 
        intervals [1]:
            xmin = -2 
            xmax = -0.5 
            text = "ready" 
        intervals [2]:
            xmin = -0.5 
            xmax = 2.2e-05 
            text = "down" 
        intervals [3]:
            xmin = 2.2e-05 
            xmax = 3 
            text = "plank" 
END
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import pympi.Praat
import textgrid

print("pympi-ling", importlib.metadata.version("pympi-ling"), "TextGrid", importlib.metadata.version("TextGrid"))
other = [(float(label.minTime), float(label.maxTime), label.mark)
         for label in textgrid.TextGrid.fromFile("beep.TextGrid").getFirst("form")]
print("textgrid", other)
assert [label[0] for label in other[:2]] == [-2, -0.5] and 0 < other[2][0] < 0.0001, "changed: the other reader"
grid = pympi.Praat.TextGrid("beep.TextGrid")
labels = list(grid.get_tier("form").get_intervals())
print("pympi", labels, "from", grid.xmin, "to", grid.xmax)
assert labels == [(2, 0.5, "ready"), (0.5, 5, "down"), (5, 3, "plank")], "changed: signs or exponents are read"
assert (grid.xmin, grid.xmax) == (2, 3), "changed: the file's own start"
print("as stated: the sign is dropped, and of an exponent only the exponent is left")
END_PYTHON
