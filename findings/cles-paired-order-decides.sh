#!/usr/bin/env bash
# The guess: CLES_2paired(data1, data2) of CLES gives the common language effect size of pairs "(50 - 100)": 100 if all
# differences have one sign, whichever sample is named first, and 50 if there is no difference.
# The truth: each difference is compared with zeros, of which one is left out (there are n - 1), but the sum is divided
# by n * n. So the share of rises is too low by a factor of (n - 1) / n; as the result is its distance from one half,
# rises count too little and falls too much, and no difference at all counts as one.
# Version: CLES 0.1.3, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen, ten pairs: all rise: 90; all fall (the same data, named the other way): 100; all equal: 55; five rise and five
# fall: 55. Five pairs: 80, 100, 60. CLES_2independent and CLES_1samp give 100 and 50 where these are due.
# Who is hurt: who compares two detectors on the same people: with few people the effect is another if the names are
# swapped, and there is one where none is.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps CLES==0.1.3 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
import CLES

print("CLES", importlib.metadata.version("CLES"))


def paired(count):
    first = numpy.arange(count, dtype=float)
    mixed = first + numpy.where(first % 2 == 0, 1, -1)
    found = [round(float(CLES.CLES_2paired(*pair)), 6) for pair in (
        (first, first + 1), (first + 1, first), (first, first), (first, mixed))]
    print(count, "pairs: all rise {}, all fall {}, all equal {}, half and half {}".format(*found))
    return found


assert paired(10) == [90, 100, 55, 55], "changed: ten pairs"
assert paired(5)[:3] == [80, 100, 60], "changed: five pairs"
assert paired(100) == [99, 100, 50.5, 50.5], "changed: a hundred pairs"
low, high = numpy.arange(10.0), numpy.arange(10.0) + 1000
others = [float(value) for value in (
    CLES.CLES_2independent(low, high), CLES.CLES_2independent(high, low), CLES.CLES_2independent(low, low),
    CLES.CLES_1samp(low + 1), CLES.CLES_1samp(-low - 1), CLES.CLES_1samp(low * 0))]
print("two independent samples and one sample:", others)
assert others == [100, 100, 50, 100, 100, 50], "changed: the other two"
print("as stated: the order of the names decides, and no difference is one")
END_PYTHON
