#!/usr/bin/env bash
# The guess: weighted_kappa of iaa-kit, for ratings on a scale, weighs a disagreement by its distance on the scale, so
# ratings from 1 to 10 and the same ratings plus 10 have the same kappa.
# The truth: the ratings are put in the order of their text: 1, 10, 2, 3 ... 9. So 9 and 10 are eight steps apart, and 1
# and 10 are neighbors. Numbers of one length, as 11 to 20 or 1 to 9, come out right. Nothing is warned.
# Version: iaa-kit 0.1.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (two raters, 10 ratings, one of them 9 instead of 10, linear weights): 1 to 10: 0.763; 11 to 20: 0.969. One rater
# says 10 where the other says 1: 1 to 10: 0.969; 11 to 20: 0.727.
# Who is hurt: who rates exertion or form from 1 to 10: the worst disagreement counts least, and raters who nearly agree
# seem not to.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps iaa-kit==0.1.2 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from iaa_kit.cohen import weighted_kappa

print("iaa-kit", importlib.metadata.version("iaa-kit"))


def kappa(name, first, second):
    result = [round(weighted_kappa([rating + shift for rating in first], [rating + shift for rating in second]), 3)
              for shift in (0, 10)]
    print(f"{name}: as they are {result[0]}, plus 10 {result[1]}")
    return result


scale = list(range(1, 11))
assert kappa("9 for 10", scale, scale[:-1] + [9]) == [0.763, 0.969], "changed: neighbors on the scale"
assert kappa("10 for 1", scale, [10] + scale[1:]) == [0.969, 0.727], "changed: the two ends of the scale"
short = list(range(1, 10))
same = kappa("8 for 9, scale to 9", short, short[:-1] + [8])
assert same[0] == same[1], "changed: numbers of one length"
print("as stated: the scale is in the order of its text")
END_PYTHON
