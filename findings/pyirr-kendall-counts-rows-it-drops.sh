#!/usr/bin/env bash
# The guess: kendall of pyirr, a port of R's irr, leaves out subjects that a rater did not rate, as irr does: raters who
# agree in everything have a concordance of 1, with such subjects or without.
# The truth: it leaves them out of the sum but not of the number of subjects, which was taken before. So the coefficient
# is too small, by a quarter for one subject of seven, and the p-value is one of other degrees of freedom. The result
# says that all were rated. Nothing is raised or warned.
# Version: pyirr 0.84.1.2, numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, statsmodels 0.15.0 (PyPI). Run with Python 3.11.
# Seen (three raters who put six people in the same order, correct=True): 1; with a seventh person whom one did not
# rate: 0.75, "Subjects = 7"; with an eighth: 0.58. Rows with gaps removed before: 1.
# Who is hurt: who asks whether judges of form agree: every gap in the table looks like disagreement.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pyirr==0.84.1.2 numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 statsmodels==0.15.0 \
  patsy==1.0.3 formulaic==1.2.2 interface-meta==2.0.1 narwhals==2.29.0 typing-extensions==4.16.0 wrapt==2.5.2 \
  packaging==26.4 python-dateutil==2.9.0.post0 six==1.17.0
venv/bin/python -W ignore - <<'END_PYTHON'
import importlib.metadata
import pandas
from pyirr import kendall

print("pyirr", importlib.metadata.version("pyirr"))
rated = [[place, place, place] for place in range(1, 7)]
seventh, eighth = [7, None, 7], [8, 8, None]


def concordance(name, rows):
    result = kendall(pandas.DataFrame(rows, dtype=float), correct=True)
    print(f"{name}: {float(result.value):.3f}, subjects {result.subjects}")
    return round(float(result.value), 3), result.subjects


assert concordance("all rated", rated) == (1, 6), "changed: all rated"
assert concordance("one gap", rated + [seventh]) == (0.75, 7), "changed: one gap"
assert concordance("two gaps", rated + [seventh, eighth]) == (0.583, 8), "changed: two gaps"
without = pandas.DataFrame(rated + [seventh, eighth], dtype=float).dropna()
assert concordance("rows with gaps removed before", without) == (1, 6), "changed: gaps removed before"
print("as stated: rows that are left out are counted")
END_PYTHON
