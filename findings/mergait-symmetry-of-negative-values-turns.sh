#!/usr/bin/env bash
# The guess: append_symmetry_index(df, method="usi") of mergait gives the universal symmetry index of the paper that it
# names, (left - right) / sqrt(left^2 + right^2), "which does allow negative values": above 0 if left is larger.
# The truth: it is computed from the angle of left / right, and a quotient does not know which of its parts was
# negative. Where the right value is negative the sign of the index is turned, as if both values were. That holds for
# "wusi", the default, as well, and "si" and "sa" are the same for (1, -2) and (-1, 2). Nothing is warned.
# Version: mergait 0.0.8, numpy 2.4.6, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen, usi of left and right 2, 1: 0.447; -2, -1: 0.447 (the formula: -0.447); 1, -1: -1.414 (1.414); -1, 1: -1.414.
# wusi of 1, -1 and -1, 1 in one table: the same value below 0 for both.
# Who is hurt: who compares sides by angles or accelerations around 0: a hip that sags left and one that sags right have
# the same index, and their mean over a session is far from 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --no-deps mergait==0.0.8 numpy==2.4.6 pandas==3.1.1 \
  python-dateutil==2.9.0.post0 six==1.17.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
import pandas
from mergait.symmetry import append_symmetry_index

print("mergait", importlib.metadata.version("mergait"))
left = numpy.array([2.0, -2.0, 1.0, -1.0, 1.0, 2.0])
right = numpy.array([1.0, -1.0, -1.0, 1.0, 2.0, 2.0])
table = pandas.DataFrame(dict(angle_left=left, angle_right=right))
usi = append_symmetry_index(table, method="usi")["angle_usi"].to_numpy().round(3)
wusi = append_symmetry_index(table)["angle_wusi"].to_numpy().round(3)
formula = ((left - right) / numpy.sqrt(left ** 2 + right ** 2)).round(3)
for row in zip(left, right, usi, formula, wusi):
    print("left {}, right {}: usi {}, the formula {}, wusi {}".format(*(float(value) for value in row)))
turned = right < 0
assert (abs(usi[~turned] - formula[~turned]) < 0.002).all(), "changed: right not negative"
assert (abs(usi[turned] + formula[turned]) < 0.002).all(), "changed: right negative"
assert usi[2] == usi[3] == -1.414 and formula[2] == -formula[3] == 1.414, "changed: opposite sides"
assert wusi[2] == wusi[3] < -0.1, "changed: wusi of opposite sides"
for method in ("si", "sa"):
    pair = pandas.DataFrame(dict(angle_left=[1.0, -1.0], angle_right=[-2.0, 2.0]))
    values = append_symmetry_index(pair, method=method)["angle_" + method].to_numpy().round(6)
    print(method, "of 1, -2 and of -1, 2:", [float(value) for value in values])
    assert values[0] == values[1], f"changed: {method}"
print("as stated: which side is larger is lost where values are negative")
END_PYTHON
