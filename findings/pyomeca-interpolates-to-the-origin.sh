#!/usr/bin/env bash
# The guess: interpolating missing markers fills what lies between two frames that were seen; ends stay NaN, or take the
# nearest value.
# The truth: pyomeca's interpolate_missing_data puts 0, 0, 0 in every frame before the first and after the last one
# seen. The fourth row, of ones, is the same for missing, real and filled frames, so nothing in the result tells them
# apart, and a filter after it draws the limb towards the floor's corner and back.
# Version: pyomeca 2026.0.2, ezc3d 1.7.2, xarray 2026.9.0 (PyPI). Run with Python 3.11.
# Seen (a hip 900 mm high, missing at both ends and in the middle): middle 900, ends 0; low-passed at 6 Hz the height of
# frame 3, which was seen at 900, is 629, and 33 in frame 1.
# Who is hurt: who cleans a recording in which the person walks in and out: the body stands at the origin first and
# jumps.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet xarray==2026.9.0 pandas==3.1.1 numpy==2.4.6 scipy==1.17.1 ezc3d==1.7.2 matplotlib==3.11.2
venv/bin/pip install --quiet --no-deps pyomeca==2026.0.2
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from pyomeca import Markers

print("pyomeca", importlib.metadata.version("pyomeca"))
height = numpy.full((3, 1, 30), 900.0)
for missing in (slice(0, 3), slice(10, 13), slice(26, 30)):
    height[:, :, missing] = numpy.nan
markers = Markers(height, channels=["hip"], time=numpy.arange(30) / 30, attrs={"rate": 30.0})
filled = markers.meca.interpolate_missing_data()
hip = filled.values[2, 0]
smooth = filled.meca.low_pass(order=2, cutoff=6, freq=30).values[2, 0]
print("filled:  ", hip.astype(int).tolist())
print("filtered:", smooth.round().astype(int).tolist())
assert (hip[3:26] == 900).all(), "changed: the gap in the middle is not filled"
assert (hip[:3] == 0).all() and (hip[26:] == 0).all(), "changed: the ends are not 0"
assert (markers.values[3] == 1).all() and (filled.values[3] == 1).all(), "changed: the row of ones tells"
assert smooth[3] < 700, "changed: a seen frame keeps its height in the filter"
print("as stated: between frames 900, at both ends the origin")
END_PYTHON
