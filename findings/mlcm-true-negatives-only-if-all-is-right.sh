#!/usr/bin/env bash
# The guess: stats(conf_mat) of mlcm returns for each class the usual 2 by 2 matrix of one against the rest, [TN, FP;
# FN, TP]: its four numbers add up to all samples, and TN / (TN + FP) is the class's specificity.
# The truth: TN is only the sum of the other classes' right predictions. A sample of another class that was taken for a
# third one is none of the four. So what is confused elsewhere lowers a class's specificity and accuracy.
# Version: mlcm 0.0.1, numpy 1.23.5 (PyPI); it does not run with newer numpy. Run with Python 3.11.
# Seen (90 samples, 30 of each of plank, side, rest; all planks found, 3 of side taken for plank, 20 of side for rest
# and 20 of rest for side): plank's matrix [17, 3; 0, 30], 50 of the 90, specificity 0.85; the usual one [57, 3; 0, 30],
# 0.95. Without confusing side and rest the first is [57, 3; 0, 30] too, though plank's predictions are the same.
# Who is hurt: who compares a class's specificity between detectors that differ in other classes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps mlcm==0.0.1 numpy==1.23.5
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import warnings
import numpy
from mlcm import mlcm

warnings.simplefilter("ignore", DeprecationWarning)  # of numpy, for a name that mlcm uses
print("mlcm", importlib.metadata.version("mlcm"))


def matrix(confused):
    pairs = [(0, 0)] * 30 + [(1, 0)] * 3 + [(1, 2)] * confused + [(1, 1)] * (27 - confused)
    pairs += [(2, 1)] * confused + [(2, 2)] * (30 - confused)
    true, predicted = (numpy.eye(3, dtype=int)[[pair[side] for pair in pairs]] for side in (0, 1))
    counts, _ = mlcm.cm(true, predicted, print_note=False)
    with numpy.errstate(invalid="ignore"):
        found = mlcm.stats(counts, print_binary_mat=False)[0]
    usual = numpy.array([
        [sum(a != 0 and b != 0 for a, b in pairs), sum(a != 0 and b == 0 for a, b in pairs)],
        [sum(a == 0 and b != 0 for a, b in pairs), sum(a == 0 and b == 0 for a, b in pairs)]])
    print(confused, "confused elsewhere: plank", found.tolist(), "sum", int(found.sum()), "the usual", usual.tolist(),
          "specificity", *(round(float(table[0, 0] / table[0].sum()), 3) for table in (found, usual)))
    return found.tolist(), usual.tolist()


assert matrix(20) == ([[17, 3], [0, 30]], [[57, 3], [0, 30]]), "changed: others confused"
assert matrix(0) == ([[57, 3], [0, 30]], [[57, 3], [0, 30]]), "changed: others right"
print("as stated: true negatives are counted only where another class is right")
END_PYTHON
