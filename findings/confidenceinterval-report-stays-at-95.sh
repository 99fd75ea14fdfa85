#!/usr/bin/env bash
# The guess: classification_report_with_ci(..., confidence_level=0.99) of confidenceinterval gives 99% intervals in all
# its columns and rows.
# The truth: only the column "F1-Score CI" of the single classes takes the level. Their precision and recall and all of
# the rows "micro" and "macro" have 95% intervals at every level. Nothing is warned.
# Version: confidenceinterval 1.0.5, numpy 2.4.6, scikit-learn 1.9.1, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen (two classes, 300 frames, 27 wrong), widths at 50%, 95% and 99%: F1 of class 0: 0.030, 0.086, 0.112; its
# precision 0.095 at all three levels (by itself at 99%: 0.126); micro F1 0.064 and macro F1 0.170 at all three.
# Who is hurt: who reports 99% or, for many classes, corrected levels: the intervals in the table are too narrow.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps confidenceinterval==1.0.5 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 \
  pandas==3.1.1 python-dateutil==2.9.0.post0 six==1.17.0 statsmodels==0.15.0 patsy==1.0.3 packaging==26.4 \
  joblib==1.6.0 loky==3.7.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 narwhals==2.29.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from confidenceinterval import classification_report_with_ci, precision_score

print("confidenceinterval", importlib.metadata.version("confidenceinterval"))
true = [0] * 150 + [1] * 150
predicted = [0] * 138 + [1] * 12 + [0] * 15 + [1] * 135


def widths(level):
    report = classification_report_with_ci(true, predicted, confidence_level=level).set_index("Class")
    found = {}
    for row, column in (("Class 0", "F1-Score"), ("Class 0", "Precision"), ("Class 0", "Recall"),
                        ("micro", "F1-Score"), ("macro", "F1-Score"), ("macro", "Recall")):
        low, high = report.loc[row, column + " CI"]
        found[row, column] = round(float(high - low), 3)
    print(level, found)
    return found


half, usual, strict = widths(0.5), widths(0.95), widths(0.99)
f1 = ("Class 0", "F1-Score")
assert half[f1] < usual[f1] < strict[f1], "changed: F1 of a class"
others = [key for key in usual if key != f1]
assert all(half[key] == usual[key] == strict[key] > 0 for key in others), "changed: the others take the level"
alone = precision_score([1 - value for value in true], [1 - value for value in predicted], average="binary",
                        method="wilson", confidence_level=0.99)[1]
print("precision of class 0 by itself at 0.99:", round(float(alone[1] - alone[0]), 3))
assert alone[1] - alone[0] > usual["Class 0", "Precision"] + 0.02, "changed: precision by itself"
print("as stated: one column of the single classes takes the level; all else is at 95%")
END_PYTHON
