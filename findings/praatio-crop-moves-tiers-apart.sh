#!/usr/bin/env bash
# The guess: Textgrid.crop(2, 6, "lax", rebaseToZero=True) of praatio keeps labels that reach over the cut whole, and
# moves all tiers by the same 2 s, as with "truncated" and as documented.
# The truth: a tier of points is moved by 2 s, but a tier of segments by its own first kept segment's start, if that
# lies before the cut. So every tier has a clock of its own. Nothing is warned; only if a segment now ends after the
# clip, a line is printed that ends differ.
# Version: praatio 6.2.2, typing-extensions 4.16.0 (PyPI). Run with Python 3.11.
# Seen (a beep at 5 s, where "side" and "down" of two tiers end): after the crop "side" ends at 4, "down" at 3.5 and the
# beep is at 3; with "truncated" all three are at 3.
# Who is hurt: who cuts annotated sessions into clips: truth and prediction in two tiers, or labels and start beeps,
# are no longer aligned with each other or with the video.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps praatio==6.2.2 typing-extensions==4.16.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from praatio import textgrid

print("praatio", importlib.metadata.version("praatio"))
grid = textgrid.Textgrid()
grid.addTier(textgrid.IntervalTier("form", [(1, 5, "side")], 0, 10))
grid.addTier(textgrid.IntervalTier("head", [(1.5, 5, "down")], 0, 10))
grid.addTier(textgrid.PointTier("beep", [(5, "stop")], 0, 10))


def cut(mode):
    grid.crop(2, 6, mode, rebaseToZero=True).save("clip.TextGrid", "long_textgrid", includeBlankSpaces=True)
    clip = textgrid.openTextgrid("clip.TextGrid", includeEmptyIntervals=False)
    tiers = {name: [tuple(entry) for entry in clip.getTier(name).entries] for name in clip.tierNames}
    print(mode, tiers)
    return tiers["form"][0][1], tiers["head"][0][1], tiers["beep"][0][0]


assert cut("truncated") == (3, 3, 3), "changed: truncated"
assert cut("lax") == (4, 3.5, 3), "changed: lax moves all tiers alike, or otherwise"
print("as stated: one instant of the session is at 4, 3.5 and 3 s in the clip")
END_PYTHON
