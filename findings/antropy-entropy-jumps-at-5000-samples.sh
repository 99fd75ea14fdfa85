#!/usr/bin/env bash
# The guess: sample entropy hardly depends on the length of a recording; antropy's documentation says that its code for
# fewer than 5,000 samples and the one for more should give equivalent results.
# The truth: below 5,000 samples two values are alike if they differ by less than the tolerance, from 5,000 on also if
# they differ by exactly the tolerance. Between whole pixels or millimeters with a whole tolerance that is frequent, so
# one more sample divides the result by three. With a tolerance between two whole numbers there is no jump.
# Version: antropy 0.2.3, numba 0.68.1, numpy 2.4.6, scikit-learn 1.9.1 (PyPI). Run with Python 3.11.
# Seen (a sway of 3 pixels with noise of 1, rounded to pixels, tolerance 1): 4,999 samples 1.49, 5,000 samples 0.52;
# tolerance 1.5: 0.52 and 0.52, tolerance 0.5: 1.49 and 1.49.
# Who is hurt: who compares the jitter of recordings: at 30 Hz all that last 2:47 or longer look far more regular.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps antropy==0.2.3 numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 scipy==1.17.1 \
  scikit-learn==1.9.1 joblib==1.6.0 loky==3.7.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 narwhals==2.29.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import antropy
import numpy

print("antropy", importlib.metadata.version("antropy"))
random = numpy.random.default_rng(0)
height = numpy.round(100 + 3 * numpy.sin(numpy.arange(5000) / 10) + random.normal(0, 1, 5000))


def entropy(tolerance):
    result = [round(float(antropy.sample_entropy(height[:count], tolerance=tolerance)), 2) for count in (4999, 5000)]
    print("tolerance", tolerance, "of 4,999 samples", result[0], "of 5,000 samples", result[1])
    return result


assert entropy(1) == [1.49, 0.52], "changed: a difference of exactly the tolerance"
assert entropy(1.5) == [0.52, 0.52] and entropy(0.5) == [1.49, 1.49], "changed: between whole numbers"
print("as stated: the 5,000th sample changes the entropy to a third")
END_PYTHON
