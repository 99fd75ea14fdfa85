#!/usr/bin/env bash
# The guess: fill_gaps() interpolates gaps of up to max_gap_frames frames and leaves longer ones as NaN, as its
# documentation says. A gap at the start or the end, with nothing to interpolate to, is held or left.
# The truth: with the default method the cubic spline of the frames after (or before) is prolonged into it. Jitter of
# half a percent of the picture is enough to send a joint more than ten pictures away within ten frames, and the report
# counts a filled gap. A longer gap keeps the coordinates it had, such as 0, 0 with a visibility of 0.
# Version: myogait 0.9.2, numpy 2.4.6, scipy 1.17.1, pandas 2.3.3 (PyPI). Run with Python 3.11.
# Seen (x of a wrist between 0.4 and 0.6 of the picture's width): the first ten frames missing: -12.8 in frame 0; the
# last ten: 13.7; the last three: -0.197; ten in the middle: 0.42 to 0.47. By method="linear" ends are held.
# Who is hurt: who fills gaps as people walk into the picture or out of it: the first and last frames have joints far
# outside, and lengths, speeds and filters take them for measured.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps myogait==0.9.2 numpy==2.4.6 scipy==1.17.1 pandas==2.3.3 \
  opencv-python-headless==4.11.0.86 matplotlib==3.11.2 contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 \
  kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 six==1.17.0 \
  pytz==2025.2 tzdata==2025.2
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import math
from myogait.normalize import fill_gaps

print("myogait", importlib.metadata.version("myogait"))


def fill(missing, place=math.nan, **options):
    frames = []
    for frame in range(60):
        x = 0.5 + 0.1 * math.sin(2 * math.pi * frame / 30) + (0.004 if frame % 2 else -0.004)
        joint = dict(x=x, y=0.6, visibility=0.9)
        if frame in missing:
            joint = dict(x=place, y=place, visibility=0.0)
        frames.append(dict(frame_idx=frame, landmarks=dict(LEFT_WRIST=joint)))
    data = fill_gaps(dict(frames=frames), report=True, **options)
    seen = [round(data["frames"][frame]["landmarks"]["LEFT_WRIST"]["x"], 3) for frame in missing]
    print(f"frames {missing[0]} to {missing[-1]} {options}: {seen}")
    return seen, data["gap_fill_report"]["total_gaps_filled"]


seen, filled = fill(range(10))
assert filled == 1 and seen[0] < -12, "changed: a gap at the start"
seen, filled = fill(range(50, 60))
assert filled == 1 and seen[-1] > 13, "changed: a gap at the end"
assert fill(range(57, 60))[0][-1] < 0, "changed: a short gap at the end"
seen, filled = fill(range(20, 30))
assert filled == 1 and all(0.4 < x < 0.5 for x in seen), "changed: a gap in the middle"
assert len(set(fill(range(10), method="linear")[0])) == 1, "changed: the linear method does not hold the ends"
assert set(fill(range(20, 40), place=0.0)[0]) == {0}, "changed: a longer gap is NaN"
print("as stated: a gap at an end is filled from outside the picture")
END_PYTHON
