#!/usr/bin/env bash
# The guess: tgt writes a tier of points to ELAN's format as annotations of no length or refuses it, and times are
# rounded to the format's milliseconds, so 1.001 s is 1001 and comes back as 1.001 s.
# The truth: every point becomes an annotation of 40 ms. Times are cut, not rounded, and 1.001 * 1000 is a little less
# than 1001 in binary, so some times that are whole numbers of milliseconds are written one too low. Reading the file
# back gives a tier of intervals.
# Version: tgt 1.5 (PyPI), numpy 2.4.6. Run with Python 3.11.
# Seen: the point at 1.25 s is the annotation 1250 to 1290; 1.001 s is 1000, 1.003 s is 1002. Of 5,000 segments that
# start at whole milliseconds below 10 s, 47 starts come out wrong.
# Who is hurt: who converts Praat's labels for ELAN: instants gain a length, and segments move by a millisecond per
# trip.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps tgt==1.5 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import re
import tgt

print("tgt", importlib.metadata.version("tgt"))
grid = tgt.TextGrid()
points = tgt.PointTier(0, 10, "beep")
points.add_point(tgt.Point(1.25, "start"))
segments = tgt.IntervalTier(0, 10, "form")
for count in range(1, 10_000, 2):
    segments.add_interval(tgt.Interval(count / 1000, (count + 1) / 1000, "x"))
grid.add_tiers([points, segments])
tgt.write_to_file(grid, "labels.eaf", format="eaf")
slots = [int(value) for value in re.findall(r'TIME_VALUE="(\d+)"', open("labels.eaf").read())]
again = tgt.read_eaf("labels.eaf")
beep = again.get_tier_by_name("beep")
print("point at 1.25 s:", slots[:2], type(beep).__name__, [(x.start_time, x.end_time) for x in beep])
assert slots[:2] == [1250, 1290] and isinstance(beep, tgt.IntervalTier), "changed: a point is not 40 ms long"
lost = sorted({round(a.start_time * 1000) for a in segments} - set(slots[2:]))
print(f"{len(lost)} of 5,000 starts in whole milliseconds are not in the file: {lost[:5]} ...")
assert 1001 in lost and 1000 in slots, "changed: 1.001 s is 1001 ms"
print("as stated: a point is 40 ms long, and 1.001 s is written as 1000 ms")
END_PYTHON
