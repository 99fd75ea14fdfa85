#!/usr/bin/env bash
# The guess: bs_1sample(x, func, size) of ezbootstrap draws, as documented, `size` bootstrap replicates of the
# statistic, each from as many values as x has; more replicates make the interval smoother, not narrower. bs_2sample
# does so with two samples.
# The truth: each replicate is drawn from `size` values as well. With 10 people and 5,000 replicates the spread is that
# of a study with 5,000 people, so an interval is too narrow by the square root of 500, and gets narrower with each
# replicate asked for. bs_pairs, of the same package, draws as many as there are. Nothing is warned.
# Version: ezbootstrap 0.0.3, numba 0.68.1, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (10 people, standard error of their mean 0.026): a replicate of 5,000 has 5,000 values, one of bs_pairs 10. The
# spread of the mean is 0.008 with 100 replicates and 0.001 with 5,000. Two samples whose means differ by 0.02, with a
# standard error of 0.036: the 95% interval of 5,000 replicates is 0.017 to 0.023.
# Who is hurt: who compares detectors over a few people: with enough replicates, any difference is certain.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps ezbootstrap==0.0.3 numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
import ezbootstrap

print("ezbootstrap", importlib.metadata.version("ezbootstrap"))
people = numpy.array([0.71, 0.74, 0.78, 0.80, 0.83, 0.85, 0.88, 0.90, 0.93, 0.98])
others = people[::-1] - 0.02
error = people.std() / people.size ** 0.5
print(f"standard error of the mean of 10 people: {error:.4f}")

def count(values):
    return values.size


def mean(values):
    return values.mean()


def difference(first, second):
    return first.mean() - second.mean()


def pairs(first, second):
    return first.size


seen = {}
for size in (100, 5000):
    counts = set(ezbootstrap.bs_1sample(people, count, size=size))
    paired = set(ezbootstrap.bs_pairs(people, others, pairs, size=size))
    spread = ezbootstrap.bs_1sample(people, mean, size=size).std()
    interval = numpy.quantile(ezbootstrap.bs_2sample(people, others, difference, size=size), [0.025, 0.975])
    print(f"{size} replicates: values in each {counts}, of pairs {paired}; spread {spread:.4f}, interval {interval}")
    assert counts == {size} and paired == {10}, "changed: how many values a replicate has"
    seen[size] = spread, interval
assert 0.7 < seen[100][0] / error * 10 ** 0.5 < 1.3, "changed: the spread of 100 replicates"
assert 0.9 < seen[5000][0] / error * 500 ** 0.5 < 1.1, "changed: the spread of 5,000 replicates"
low, high = seen[5000][1]
assert 0.015 < low < 0.018 and 0.022 < high < 0.025, "changed: the interval of 5,000 replicates"
print("as stated: the more replicates, the smaller the error")
END_PYTHON
