#!/usr/bin/env bash
# The guess: icc(ratings, confidence_level=0.95) gives the bounds of a 95% confidence interval of the intraclass
# correlation, that is, 2.5% are left out on either side; and its p-value is two-tailed, as documented.
# The truth: 5% are left out on either side, in all six forms, so the interval is one of 90%. To get 95%, 0.975 has to
# be asked for. The p-value is that of the upper tail of F alone.
# Version: icc 0.1.1, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (2,000 studies of 20 people and 3 raters, true value 0.6): 90% of the intervals of 95% have the true value, in
# each of three forms; of those of 97.5%, 95%. The first study, one-way: 0.467 to 0.808; by the definition, 0.426 to
# 0.830 is the interval of 95%. Its p-value is the upper tail of F.
# Who is hurt: who reports the agreement of people that label: twice as many intervals miss the true value as are said
# to.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps icc==0.1.1 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from icc import icc
from scipy.stats import f

print("icc", importlib.metadata.version("icc"))
random = numpy.random.default_rng(0)
studies, people, raters, true = 2000, 20, 3, 0.6
person = true ** 0.5 * random.normal(size=(studies, people, 1))
ratings = person + (1 - true) ** 0.5 * random.normal(size=(studies, people, raters))


def coverage(level, model, type):
    bounds = [icc(study, model=model, type=type, confidence_level=level)[-2:] for study in ratings]
    share = sum(low <= true <= high for low, high in bounds) / studies
    print(f"{model}, {type}, level {level}: {share:.3f} of the intervals have the true value")
    return share


for form in (("oneway", "agreement"), ("twoway", "agreement"), ("twoway", "consistency")):
    assert 0.885 < coverage(0.95, *form) < 0.915, f"changed: level 0.95, {form}"
assert 0.935 < coverage(0.975, "oneway", "agreement") < 0.965, "changed: level 0.975"
_, ratio, between, within, chance, *interval = icc(ratings[0], model="oneway", type="agreement", confidence_level=0.95)


def bounds(tail):
    ends = ratio / f.isf(tail, between, within), ratio * f.isf(tail, within, between)
    return [round(float((end - 1) / (end + raters - 1)), 3) for end in ends]


interval = [round(float(end), 3) for end in interval]
print("first study:", interval, "with 5% left out on either side:", bounds(0.05), "with 2.5%:", bounds(0.025))
assert interval == bounds(0.05) == [0.467, 0.808] and bounds(0.025) == [0.426, 0.83], "changed: the interval"
assert abs(chance - f.sf(ratio, between, within)) < 1e-12, "changed: the p-value"
print("as stated: an interval of 95% is one of 90%")
END_PYTHON
