#!/usr/bin/env bash
# The guess: spearman_corr of permute gives Spearman's correlation, as scipy does, and its chance under permutations.
# The truth: in place of the ranks it correlates numpy's argsort, which lists where the smallest value is, where the
# next one is, and so on. That equals the ranks only by accident. Values in the same order still give 1, so a try looks
# right; everything else is noise, the reverse order too, and even the sign may be wrong. Equal values get different
# numbers. And plus1=False is not passed on. Nothing is raised or warned.
# Version: permute 0.2, cryptorandom 0.4, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (30 people, a score and the same score with as much noise): scipy 0.51 (p 0.004), permute -0.11 (p 0.70). The
# same order: both 1. The reverse order: scipy -1, permute -0.11.
# Who is hurt: who asks whether a detector's confidence goes with how well people hold: it does, and the test says no.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps permute==0.2 cryptorandom==0.4 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
import scipy.stats
from permute.core import spearman_corr

print("permute", importlib.metadata.version("permute"))
random = numpy.random.default_rng(0)
score = random.normal(size=30)
noisy = score + random.normal(size=30)


def both(name, left, right):
    found, chance, _ = spearman_corr(left, right, reps=1000, seed=1)
    usual = scipy.stats.spearmanr(left, right)
    print(f"{name}: permute {found:.2f} (p {chance:.2f}), scipy {usual.statistic:.2f} (p {usual.pvalue:.3f})")
    return round(float(found), 2), float(chance), round(float(usual.statistic), 2), float(usual.pvalue)


assert both("same order", score, numpy.exp(score))[::2] == (1, 1), "changed: the same order"
assert both("reverse", score, -score)[::2] == (-0.11, -1), "changed: the reverse order"
found, chance, usual, usual_chance = both("with noise", score, noisy)
assert (usual, found) == (0.51, -0.11), "changed: with noise"
assert usual_chance < 0.01 and 0.6 < chance < 0.8, "changed: the chance"
ranks = scipy.stats.rankdata(score), scipy.stats.rankdata(noisy)
places = numpy.argsort(score), numpy.argsort(noisy)
assert round(float(numpy.corrcoef(*ranks)[0, 1]), 2) == usual, "changed: scipy's ranks"
assert round(float(numpy.corrcoef(*places)[0, 1]), 2) == found, "changed: places in place of ranks"
print("as stated: places are correlated, not ranks")
END_PYTHON
