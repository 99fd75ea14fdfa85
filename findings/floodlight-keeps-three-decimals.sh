#!/usr/bin/env bash
# The guess: XY.translate, scale and rotate of floodlight compute with floats, so scaling by 0.001 and by 1000 after
# that, or moving by nothing, gives the positions that were there.
# The truth: each of them rounds the result to three decimals, whatever the unit is. In meters that is a millimeter; in
# the unit that pose trackers give, from 0 to 1 across the picture, it is a pixel or two; millimeters scaled to meters
# have no tenths any more. The documentation tells of a cast from whole numbers, not of rounding. Nothing is warned.
# Version: floodlight 1.2.0, numpy 2.4.6, pandas 2.3.3, matplotlib 3.11.2 (PyPI). Run with Python 3.11.
# Seen: 0.5124 moved by 0 or turned by 360 degrees: 0.512; 123.4 scaled by 0.001 and by 1000: 123. A sway of 0.0004 to
# both sides, scaled by 1: stands still.
# Who is hurt: who brings poses into one frame before measuring sway or speed: small movements are gone, others come in
# steps.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps floodlight==1.2.0 numpy==2.4.6 pandas==2.3.3 matplotlib==3.11.2 \
  contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 \
  pyparsing==3.3.3 python-dateutil==2.9.0.post0 pytz==2025.2 six==1.17.0 tzdata==2025.3
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python -W ignore - <<'END_PYTHON'
import importlib.metadata
import numpy
from floodlight import XY

print("floodlight", importlib.metadata.version("floodlight"))


def after(values, *changes):
    positions = XY(xy=numpy.column_stack([values, values]))
    for method, value in changes:
        getattr(positions, method)(value)
    print(f"{values} after {changes}: {positions.x.ravel().tolist()}")
    return positions.x.ravel().tolist()


assert after([0.5124, 0.5126], ("translate", (0, 0))) == [0.512, 0.513], "changed: translate"
assert after([0.5124, 0.5126], ("rotate", 360)) == [0.512, 0.513], "changed: rotate"
assert after([123.4, 123.6], ("scale", 0.001), ("scale", 1000)) == [123, 124], "changed: scale and back"
assert after([0.25, 0.2504, 0.25, 0.2496, 0.25], ("scale", 1)) == [0.25] * 5, "changed: a small sway"
print("as stated: three decimals are left")
END_PYTHON
