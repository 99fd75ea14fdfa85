#!/usr/bin/env bash
# The guess: ia_c of pyagree is the information agreement "extended by continuity" to tables in which a rater used one
# class only: there it has the value that nearby tables tend to. So raters who are independent have about 0.
# The truth: where the number of classes in use is needed, the classes not in use are counted (count_nonnull_rows adds
# up the rows that are all 0). If one rater has one class and the other all of them, the agreement is 1, the best there
# is; if both have the same single class it is 1/n, less the more classes there are, instead of (n - 1) / n.
# Version: pyagree 0.0.4, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (100 frames): one rater always "plank", the other half of the time: 1.0, with a frame moved 0.125, with 1e-9
# added to every count 0.000; Cohen's kappa 0. Both always "plank" of three classes: 0.333; with 1e-250 added 0.664.
# Who is hurt: who compares a detector that is stuck on one label with a rater: it has full agreement; two raters who
# agree throughout have little.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pyagree==0.0.4 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from pyagree import cohen_kappa, ia_c

print("pyagree", importlib.metadata.version("pyagree"))


def agreement(rows, added=0.0):
    value = round(float(ia_c(numpy.array(rows, dtype=float) + added)), 3)
    print(rows, "with", added, "added to each:", value)
    return value


stuck, moved = [[50, 0], [50, 0]], [[50, 0], [49, 1]]
always = [[100, 0, 0], [0, 0, 0], [0, 0, 0]]
print("Cohen's kappa", float(cohen_kappa(numpy.array(stuck))))
assert cohen_kappa(numpy.array(stuck)) == 0, "changed: kappa"
assert agreement(stuck) == 1, "changed: stuck on one label"
assert agreement(moved) == 0.125, "changed: with a frame moved"
assert agreement(stuck, 1e-3) == 0 and agreement(stuck, 1e-9) == 0, "changed: nearby tables"
assert agreement([[34, 0, 0], [33, 0, 0], [33, 0, 0]]) == 1, "changed: three classes"
assert agreement(always) == 0.333, "changed: both always the same"
assert agreement(always, 1e-250) == 0.664, "changed: near both always the same"
print("as stated: a rater who is stuck agrees fully, two who say the same agree little")
END_PYTHON
