#!/usr/bin/env bash
# The guess: Delong_test of MLstatkit gives p near 1 for two models that rank all samples alike, as then their AUC is
# the same; at worst NaN, since DeLong's variance of the difference is 0.
# The truth: with a variance of 0 it turns to a bootstrap, as documented. There p is twice the smaller one of the shares
# of differences "<= 0" and "> 0". All differences are 0, so the second share is 0, and so is p, with z = 0. Nothing is
# warned; only the last of seven results says that a bootstrap was used.
# Version: MLstatkit 0.1.91, numpy 2.4.6, scikit-learn 1.9.1 (PyPI). Run with Python 3.11.
# Seen (200 frames): a model against itself: z 0, p 0; against its own scores through a sigmoid: z 0, p 0; against a
# copy in which two neighbors in rank changed places: z 0.71, p 0.48.
# Who is hurt: who tests whether calibrating scores or another unit changed the ranking: the difference, which is none,
# is reported as significant at any level.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --no-deps MLstatkit==0.1.91 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 \
  joblib==1.6.0 loky==3.7.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 narwhals==2.29.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from MLstatkit import Delong_test

print("MLstatkit", importlib.metadata.version("MLstatkit"))
true = numpy.repeat([0, 1], 100)
scores = numpy.random.default_rng(0).normal(size=200) + true
first, second = numpy.argsort(scores)[100:102]
swapped = scores.copy()
swapped[[first, second]] = swapped[[second, first]]


def compare(name, other):
    z, p, _, _, auc, other_auc, info = Delong_test(true, scores, other, random_state=0)
    print(name, "z", round(z, 2), "p", round(p, 2), "AUC", round(auc, 4), round(other_auc, 4), info["method"])
    return round(z, 2), round(p, 2), auc == other_auc


assert compare("itself", scores) == (0, 0, True), "changed: a model against itself"
assert compare("through a sigmoid", 1 / (1 + numpy.exp(-scores))) == (0, 0, True), "changed: another unit"
assert compare("two neighbors swapped", swapped) == (0.71, 0.48, False), "changed: two neighbors swapped"
assert Delong_test(true, scores, scores, return_ci=False, return_auc=False) == (0, 0), "changed: z and p alone"
print("as stated: no difference at all has p = 0")
END_PYTHON
