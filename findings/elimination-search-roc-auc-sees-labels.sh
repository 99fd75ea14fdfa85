#!/usr/bin/env bash
# The guess: EliminationSearchCV with scoring="roc_auc" chooses by the area under the ROC curve of a model's scores, and
# its best_score_ "mirrors", as documented, the one of scikit-learn's GridSearchCV.
# The truth: the curve is drawn from the predicted labels instead of the scores. So it has one point, and the area is
# the balanced accuracy at a probability of 0.5. A model that ranks well but is below 0.5 throughout has 0.5, as if it
# guessed.
# Version: elimination-search-cv 0.0.1, scikit-learn 1.9.1, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (logistic regression, a fifth of 200 frames is plank, the same folds): C 0.0001 has an area of 0.855, C 100 of
# 0.800; GridSearchCV takes C 0.0001. EliminationSearchCV takes C 100 with a best_score_ of 0.778, the balanced
# accuracy; for C 0.0001 alone it says 0.5.
# Who is hurt: who tunes a detector first and its threshold afterwards: the better ranking loses, and the score is of
# another metric than it says.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps elimination-search-cv==0.0.1 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 \
  joblib==1.6.0 threadpoolctl==3.8.0 narwhals==2.29.0 cloudpickle==3.1.3
venv/bin/python -W ignore - <<'END_PYTHON'
import importlib.metadata
import numpy
from EliminationSearchCV import EliminationSearchCV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold

print("elimination-search-cv", importlib.metadata.version("elimination-search-cv"))
random = numpy.random.default_rng(0)
plank = numpy.repeat([0, 1], [160, 40])
frames = random.normal(size=(200, 40))
frames[:, :10] += 0.6 * plank[:, None]
folds = StratifiedKFold(5, shuffle=True, random_state=42)


def grid(scoring):
    search = GridSearchCV(LogisticRegression(), {"C": [1e-4, 100]}, scoring=scoring, cv=folds).fit(frames, plank)
    scores = [round(float(score), 3) for score in search.cv_results_["mean_test_score"]]
    print(f"GridSearchCV, {scoring}: {search.best_params_}, scores {scores}")
    return search.best_params_["C"], scores


def elimination(values):
    search = EliminationSearchCV(LogisticRegression(), {"C": values}, scoring="roc_auc").fit(frames, plank)
    print(f"EliminationSearchCV, roc_auc, C in {values}: {search.best_params_}, best_score_ {search.best_score_:.3f}")
    return search.best_params_["C"], round(float(search.best_score_), 3)


best, (ranked, other) = grid("roc_auc")
assert best == 1e-4 and ranked > 0.84 and other < 0.81, "changed: the area under the curve"
best, balanced = grid("balanced_accuracy")
assert best == 100 and balanced[0] == 0.5, "changed: the balanced accuracy"
assert elimination([1e-4, 100]) == (100, balanced[1]), "changed: the choice"
assert elimination([1e-4]) == (1e-4, 0.5), "changed: the score of the model that ranks better"
print("as stated: roc_auc is the balanced accuracy")
END_PYTHON
