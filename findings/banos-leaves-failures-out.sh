#!/usr/bin/env bash
# The guess: the mean F1 that banos gives over several recordings counts one in which the detector finds nothing, or
# only false bouts, as 0; and a behavior that it never predicts has recall 0.
# The truth: F1 and overlap of such a recording are NaN and are left out of the mean, so failing altogether costs
# nothing and failing in part does. The documentation has NaN for recordings whose truth has no bout; those get 1 or 0.
# A behavior that is a column of one table only (as in one-hot tables of what was predicted) is dropped.
# Version: banos 1.0.0, numpy 2.4.6, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen: one recording perfect, one without any bout found: mean F1 1.0, mean overlap 1.0, continuity 1.0, recall 0.5;
# the second with false bouts only: F1 1.0; with one of two bouts found: F1 0.83. A behavior never predicted: all 1.0.
# Who is hurt: who ranks detectors by F1 over recordings: one that is silent when in doubt beats one that tries.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps banos==1.0.0 numpy==2.4.6 pandas==3.1.1 python-dateutil==2.9.0.post0 six==1.17.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import banos
import pandas

print("banos", importlib.metadata.version("banos"))


def table(**columns):
    return pandas.DataFrame({name: [int(letter) for letter in text] for name, text in columns.items()})


truth = table(plank="0001111000111100")
silent = table(plank="0000000000000000")


def overall(name, *pairs):
    means = banos.score({f"recording {number}": pair for number, pair in enumerate(pairs)})[1]
    means = {key: round(means[key], 2) for key in ("f1_score", "so", "ic", "precision", "recall")}
    print(f"{name}: {means}")
    return means


nothing = overall("nothing found in the second", (truth, truth), (silent, truth))
false = overall("only false bouts", (truth, truth), (table(plank="1100000110000001"), truth))
part = overall("one of two found", (truth, truth), (table(plank="0001111000000000"), truth))
assert nothing["f1_score"] == nothing["so"] == nothing["ic"] == 1 and nothing["recall"] == 0.5, "changed: nothing found"
assert false["f1_score"] == 1 and false["precision"] == 0.5, "changed: only false bouts"
assert abs(part["f1_score"] - 0.83) < 0.01, "changed: one of two found"
assert banos.score(truth, silent)["plank"]["f1_score"] == 0, "changed: no bout in the truth, some found"
assert banos.score(silent, silent)["plank"]["f1_score"] == 1, "changed: no bout in either"
both = table(plank="0001111000000000", side="0000000000111100")
never = overall("a behavior never predicted", (both[["plank"]], both))
assert set(never.values()) == {1}, "changed: a behavior in one table only counts"
print("as stated: what fails altogether is not in the mean")
END_PYTHON
