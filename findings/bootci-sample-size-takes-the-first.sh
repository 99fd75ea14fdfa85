#!/usr/bin/env bash
# The guess: sample_size of BootCI's Bootstrap, "size of resampling sample", is how many of the samples are drawn at
# random, from all of them, for each of the resamplings.
# The truth: numbers are drawn below sample_size, and taken as places. So only the first sample_size samples are ever
# drawn, whatever the rest holds: the interval is that of the start of the data, while theta is that of all of it. Above
# the length an error is raised; left out, all samples are drawn. Nothing is warned.
# Version: BootCI 1.0.1, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (1,000 frames, detector B better than A by 0.5 in the last 900 and equal in the first 100, A minus B): all: theta
# -0.45, interval -0.48 to -0.42; sample_size 100: theta -0.45, interval 0 to 0; the same frames in another order: -0.5
# to -0.31.
# Who is hurt: who compares detectors by an accuracy over a long session and draws less to be quick: the first minute
# decides, and the interval does not hold the difference that it is for.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps BootCI==1.0.1 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from BootCI.paired_bootstrap_interval import Bootstrap

print("BootCI", importlib.metadata.version("BootCI"))
truth = numpy.ones(1000)
worse = numpy.tile([1, 0], 500)
worse[:100] = 1
better = numpy.ones(1000)


def accuracy(found, true):
    return float((found == true).mean())


def interval(name, order, **options):
    numpy.random.seed(0)
    bootstrap = Bootstrap(worse[order], better[order], truth[order], stat=accuracy, n_iter=1000, **options)
    low, high = bootstrap.get_confidence_interval(0.05, method="sampling")
    result = [round(float(value), 2) + 0 for value in (bootstrap.theta, low, high)]
    print(f"{name}: theta {result[0]}, interval {result[1]} to {result[2]}")
    return result


order = numpy.arange(1000)
everything = interval("all", order)
assert everything[0] == -0.45 and -0.5 < everything[1] < everything[2] < -0.4, "changed: all samples"
assert interval("sample_size 100", order, sample_size=100) == [-0.45, 0, 0], "changed: sample_size"
mixed = interval("sample_size 100, other order", numpy.random.default_rng(0).permutation(1000), sample_size=100)
assert mixed[0] == -0.45 and mixed[2] < -0.25, "changed: sample_size in another order"
print("as stated: only the first samples are drawn")
END_PYTHON
