#!/usr/bin/env bash
# The guess: a metric that pycm cannot define is None or NaN; a macro mean leaves such a class out, is NaN, or counts 0;
# and a matrix has the classes that occur.
# The truth: an undefined metric is the text "None", which is neither None nor a number and counts as true. A class that
# is never predicted makes the macro precision that text, while its F1 is 0 and counts in the macro F1. If only one class
# occurs, a second class, "~other~", is added, and the macro F1 of perfect answers is "None".
# Version: pycm 4.6, numpy 2.2.6, art 6.5 (PyPI). Run with Python 3.11.
# Seen (truth high, high, aligned, sag; answers high, high, aligned, high): precision of sag "None", PPV_Macro "None",
# F1_Macro 0.6, TPR_Macro 0.667. Truth and answers high only: classes high and ~other~, accuracy 1, F1_Macro "None".
# Who is hurt: who writes metrics to a table or tests them with "is None": an undefined precision passes the test, and
# the best possible session has no score.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pycm==4.6 numpy==2.2.6 art==6.5
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from pycm import ConfusionMatrix

print("pycm", importlib.metadata.version("pycm"))
some = ConfusionMatrix(["high", "high", "aligned", "sag"], ["high", "high", "aligned", "high"])
print(some.PPV, some.PPV_Macro, some.F1_Macro, some.TPR_Macro)
assert some.PPV["sag"] == "None" and some.PPV_Macro == "None", "changed: undefined precision"
assert round(some.F1_Macro, 3) == 0.6 and round(some.TPR_Macro, 3) == 0.667, "changed: macro means"
alone = ConfusionMatrix(["high"] * 3, ["high"] * 3)
print(alone.classes, alone.Overall_ACC, alone.F1, alone.F1_Macro)
assert alone.classes == ["high", "~other~"] and alone.Overall_ACC == 1, "changed: classes"
assert alone.F1_Macro == "None", "changed: macro F1"
print("as stated: perfect answers of one class have an accuracy of 1 and a macro F1 of the text None")
END_PYTHON
