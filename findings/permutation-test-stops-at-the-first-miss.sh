#!/usr/bin/env bash
# The guess: benjamini_hochberg_procedure of permutation-test rejects as Benjamini and Hochberg do: the largest k is
# looked for whose k-th smallest p-value is at most k / m * alpha, and the k smallest are all rejected.
# The truth: the p-values are gone through from the smallest on, and the first one above its limit ends it. Those after
# it are not looked at, however small they are against their limits. If many p-values are a little below alpha, as in
# many joints or exercises that are all a little better, none may be rejected where all should be.
# Version: permutation-test 0.18, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (alpha 0.05): p 0.01, 0.04, 0.042, 0.045, 0.05: 1 rejected, scipy's adjusted values reject 5; p 0.03, 0.04, 0.04,
# 0.04, 0.045: 0 and 5; p 0.001, 0.2, 0.3: 1 and 1.
# Who is hurt: who tests a new version on several exercises: it is better at all of them, and none counts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps permutation-test==0.18 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import scipy.stats
from permutation_test import benjamini_hochberg_procedure

print("permutation-test", importlib.metadata.version("permutation-test"))


def rejected(*chances):
    found = [bool(value) for value in benjamini_hochberg_procedure(chances, alpha=0.05)]
    usual = [bool(value) for value in scipy.stats.false_discovery_control(chances) <= 0.05]
    print(f"{chances}: {found.count(True)} rejected, by scipy's adjusted values {usual.count(True)}")
    return found.count(True), usual.count(True)


assert rejected(0.01, 0.04, 0.042, 0.045, 0.05) == (1, 5), "changed: the second one is above its limit"
assert rejected(0.03, 0.04, 0.04, 0.04, 0.045) == (0, 5), "changed: the first one is above its limit"
assert rejected(0.001, 0.2, 0.3) == (1, 1), "changed: one small value"
assert rejected(0.3, 0.001, 0.2) == (1, 1), "changed: the order of the values"
print("as stated: the first value above its limit ends the search")
END_PYTHON
