#!/usr/bin/env bash
# The guess: p_value() of brad's permutation_test is the chance of a difference as large as the one seen, if labels mean
# nothing; so it is 1 if there is no difference and no more than 5% of tests without a difference are below 0.05.
# The truth: it is the share of permutations with a difference larger than the one seen. Those that are as large, as the
# one seen is itself, don't count. So the value can be 0, and it is 0 if all permutations are alike: two detectors that
# both get everything right differ "with certainty", in either direction. Counts have many ties, so with them the test
# finds differences where none are.
# Version: brad 0.2.0a0, numpy 1.26.4, scipy 1.13.1, scikit-learn 1.5.2 (PyPI). Run with Python 3.11.
# Seen (two detectors, 10 people each): all right: p = 0 for both tails. Each person right with a chance of 0.9 under
# both: below 0.05 in 142 of 400 tests. brad takes no seed, so the script gives numpy's draws one; without it the count
# differs by a few from run to run.
# Who is hurt: who compares detectors by the number of people or bouts that they get right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps brad==0.2.0a0 numpy==1.26.4 scipy==1.13.1 scikit-learn==1.5.2 joblib==1.4.2 \
  threadpoolctl==3.5.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import brad
import numpy

print("brad", importlib.metadata.version("brad"))
detector = numpy.repeat([0, 1], 10)
random, draws = numpy.random.default_rng(0), numpy.random.default_rng(1)
numpy.random.default_rng = lambda: draws  # brad asks for a generator without a seed in each test


def test(right, permutations):
    def difference(scores, labels):
        return float(scores[labels == 1].sum() - scores[labels == 0].sum())

    result = brad.permutation_test(right, detector, permutations, statistic=difference)
    return float(result.p_value()), float(result.p_value(lower_tail=True))


alike = test(numpy.ones(20), 1000)
print("all 20 right: p", alike)
assert alike == (0, 0), "changed: no difference at all"
values = [test(random.binomial(1, 0.9, 20), 200)[0] for _ in range(400)]
below = sum(value < 0.05 for value in values)
print(f"no difference but chance: {below} of {len(values)} tests are below 0.05")
assert below == 142, "changed: ties"
print("as stated: no difference has a p of 0")
END_PYTHON
