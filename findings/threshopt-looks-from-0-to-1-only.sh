#!/usr/bin/env bash
# The guess: optimize_threshold of threshopt finds, as documented, the threshold of a model with predict_proba or
# decision_function that is best for a metric; optimize_threshold_cv finds one that can be used with the same scores.
# The truth: thresholds from 0 to 1 are tried, whatever the scores are. Those of a decision_function are distances, of
# both signs and any size, so the best threshold is found only if it happens to be there. optimize_threshold_cv first
# maps the scores of each fold to 0 to 1, its least and greatest score, so its threshold is on a scale that the model's
# scores are not on. Nothing is warned.
# Version: threshopt 1.1.1, scikit-learn 1.9.1, numpy 2.4.6, scipy 1.17.1, plotly 7.1.0, matplotlib 3.11.2 (PyPI). Run
# with Python 3.11.
# Seen (distances of a linear SVM, a tenth of 1,000 frames is plank, balanced accuracy; the scores are between -2.3 and
# 0.7): the best threshold is -0.685 with 0.809. optimize_threshold: 0, the end of its range, with 0.601.
# optimize_threshold_cv: 0.565, said to have 0.828; with the scores of the model, 0.505.
# Who is hurt: who tunes a detector with scores that are no probabilities, as angles or distances: a bound of the search
# is taken for the optimum.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps --no-compile threshopt==1.1.1 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 \
  joblib==1.6.0 threadpoolctl==3.8.0 narwhals==2.29.0 cloudpickle==3.1.3 plotly==7.1.0 matplotlib==3.11.2 \
  contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 \
  python-dateutil==2.9.0.post0 six==1.17.0
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from sklearn.metrics import balanced_accuracy_score
from sklearn.svm import LinearSVC
from threshopt import optimize_threshold
from threshopt.cv import optimize_threshold_cv

print("threshopt", importlib.metadata.version("threshopt"))
random = numpy.random.default_rng(0)
plank = numpy.repeat([0, 1], [900, 100])
frames = random.normal(size=(1000, 2)) + 1.2 * plank[:, None]
model = LinearSVC(random_state=0).fit(frames, plank)
scores = model.decision_function(frames)
print(f"scores from {scores.min():.3f} to {scores.max():.3f}")


def seen(name, threshold, stated):
    actual = balanced_accuracy_score(plank, scores >= threshold)
    result = tuple(round(float(value), 3) for value in (threshold, stated, actual))
    print(f"{name}: threshold %.3f, stated %.3f, with the scores %.3f" % result)
    return result


best = max(numpy.unique(scores), key=lambda threshold: balanced_accuracy_score(plank, scores >= threshold))
best = seen("best", best, balanced_accuracy_score(plank, scores >= best))
data = model, frames, plank, balanced_accuracy_score
found = seen("optimize_threshold", *optimize_threshold(*data, plot=False, cm=False))
folds = seen("optimize_threshold_cv", *optimize_threshold_cv(*data, random_state=0))
assert -0.75 < best[0] < -0.6 and best[1] > 0.8, f"changed: the best threshold {best}"
assert found[0] == 0 and found[1] == found[2] < 0.62, f"changed: optimize_threshold {found}"
assert folds[0] > 0.5 and folds[1] > 0.8 and folds[2] < 0.53, f"changed: optimize_threshold_cv {folds}"
print("as stated: thresholds of scores that are no probabilities are not found")
END_PYTHON
