#!/usr/bin/env bash
# The guess: f1_score(..., average="macro") of confidenceinterval gives by default the 95% interval of Takahashi's
# paper, which it names: about as wide as a bootstrap's, and 0 wide for a prediction without an error.
# The truth: in the variance, two factors of the paper's formula are added instead of multiplied, and a product in a
# denominator is a sum. So the interval is more than twice as wide as it should be, reaches beyond 1, and hardly gets
# narrower as errors vanish. The interval of a binary F1 has another formula and is a fifth too wide here.
# Version: confidenceinterval 1.0.5, numpy 2.4.6, scikit-learn 1.9.1, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (3 classes, 300 frames, 9 of 10 right, 400 draws): macro F1 spreads by 0.061 (2.5% to 97.5%), its intervals are
# 0.140 wide and all hold the true value; binary: 0.085 and 0.102. Without an error: 0.935 to 1.065.
# Who is hurt: who compares detectors by such intervals: true differences look like chance.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps confidenceinterval==1.0.5 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 \
  pandas==3.1.1 python-dateutil==2.9.0.post0 six==1.17.0 statsmodels==0.15.0 patsy==1.0.3 packaging==26.4 \
  joblib==1.6.0 loky==3.7.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 narwhals==2.29.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from confidenceinterval import f1_score

print("confidenceinterval", importlib.metadata.version("confidenceinterval"))
random = numpy.random.default_rng(0)


def draw():
    true = random.integers(0, 3, 300)
    return true, numpy.where(random.random(300) < 0.85, true, random.integers(0, 3, 300))


def widths(average):
    scores, low, high = [], [], []
    for _ in range(400):
        true, predicted = draw()
        if average == "binary":
            true, predicted = (true == 0).astype(int), (predicted == 0).astype(int)
        score, interval = f1_score(true, predicted, average=average)
        scores.append(score)
        low.append(interval[0])
        high.append(interval[1])
    spread = float(numpy.ptp(numpy.quantile(scores, [0.025, 0.975])))
    width = float(numpy.mean(numpy.subtract(high, low)))
    held = float(numpy.mean((numpy.array(low) <= 0.9) & (0.9 <= numpy.array(high))))
    print(f"{average}: F1 spreads by {spread:.3f}, an interval is {width:.3f} wide, {held:.3f} of them hold 0.9")
    return spread, width, held


spread, width, held = widths("macro")
assert 2.0 < width / spread < 3.0 and held == 1, "changed: macro"
spread, width, _ = widths("binary")
assert 1.1 < width / spread < 1.4, "changed: binary"
true, predicted = draw()
boot = f1_score(true, predicted, average="macro", method="bootstrap_percentile", n_resamples=1000, random_state=0)[1]
print("one draw: bootstrap", [round(float(value), 3) for value in boot])
score, interval = f1_score(true, true, average="macro")
print("without an error:", round(float(score), 3), [round(float(value), 3) for value in interval])
assert [round(float(value), 3) for value in interval] == [0.935, 1.065], "changed: without an error"
print("as stated: the default interval of macro F1 is more than twice as wide as F1 spreads, and reaches beyond 1")
END_PYTHON
