#!/usr/bin/env bash
# The guess: calc_heading of traja gives where a path heads in x and y, from -180 to 180 degrees; in a table with a z
# column too, as its calc_displacement "supports both 2D and 3D".
# The truth: the angle is the arc cosine of the step in x by the length of the step, and with a z column that length is
# the one in 3D. So whoever goes straight ahead along x while z changes is said to head up to 90 degrees to the left,
# and calc_turn_angle gives a turn to the left and one back to the right. Without the z column all is right. Nothing is
# raised or warned.
# Version: traja 25.0.1, numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, scikit-learn 1.9.1, matplotlib 3.11.2 (PyPI). Run with
# Python 3.11.
# Seen (steps of 1 along x, z rises by 1 in two of five steps): heading 0, 0, 45, 45, 0 and turns 0, 45, 0, -45; without
# z: 0 everywhere. If z rises by 10 per step: 84.3.
# Who is hurt: who takes hips or heads from a 3D tracker: standing up and going down are turns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps traja==25.0.1 numpy==2.4.6 pandas==3.1.1 scikit-learn==1.9.1 scipy==1.17.1 \
  joblib==1.6.0 threadpoolctl==3.8.0 narwhals==2.29.0 cloudpickle==3.1.3 matplotlib==3.11.2 \
  contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 \
  pyparsing==3.3.3 python-dateutil==2.9.0.post0 six==1.17.0
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python -W ignore - <<'END_PYTHON'
import importlib.metadata
import traja

print("traja", importlib.metadata.version("traja"))


def path(name, **height):
    table = {"x": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "y": [0.0] * 6, **height}
    headings = [round(float(value), 1) for value in traja.calc_heading(traja.TrajaDataFrame(table))[1:]]
    turns = [round(float(value), 1) for value in traja.calc_turn_angle(traja.TrajaDataFrame(table))[2:]]
    print(f"{name}: headings {headings}, turns {turns}")
    return headings, turns


assert path("x and y") == ([0] * 5, [0] * 4), "changed: without z"
assert path("level", z=[1.0] * 6) == ([0] * 5, [0] * 4), "changed: z that stays"
assert path("rises in two steps", z=[0.0, 0, 0, 1, 2, 2]) == ([0, 0, 45, 45, 0], [0, 45, 0, -45]), "changed: z rises"
assert path("rises by 10", z=[0.0, 10, 20, 30, 40, 50]) == ([84.3] * 5, [0] * 4), "changed: z rises by 10"
print("as stated: a change of height is a turn")
END_PYTHON
