#!/usr/bin/env bash
# The guess: gamma_segments(..., GammaConfig(chance_correction=True)) of opt-gamma has no unit: labels in seconds and
# the same labels in frames have the same agreement, but for the randomness of the draws, 50 if not set.
# The truth: the labels of the draws are spread over the length of the text, which is the last label's end, but at least
# 1,000 units. Labels of a session of 90 s, in seconds, are thrown into 1,000 s. They hardly ever meet there, so chance
# agreement vanishes and the correction corrects next to nothing. The length of the session can't be given.
# Version: opt-gamma 0.4.1, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (five labels of two annotators in 90 s, 400 draws, the default seed): disorder by chance 0.985 in seconds, 0.763
# in frames at 30 Hz, 0.764 in milliseconds; gamma 0.585, 0.464 and 0.465. Without the correction: 0.592 in any unit.
# Who is hurt: who reports the agreement of labels: the unit of a file decides whether it is fair or good.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps opt-gamma==0.4.1 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from opt_gamma import GammaConfig, gamma_segments, units_from_records

print("opt-gamma", importlib.metadata.version("opt-gamma"))
first = [(0, 10, "side"), (20, 30, "down"), (40, 50, "side"), (60, 70, "down"), (80, 90, "side")]
second = [(1, 12, "side"), (22, 30, "down"), (46, 53, "side"), (60, 75, "side"), (83, 90, "side")]


def agree(unit, scale):
    labels = [
        units_from_records([(start * scale, end * scale, form) for start, end, form in annotator])
        for annotator in (first, second)]
    plain = gamma_segments(*labels, config=GammaConfig()).gamma
    corrected = gamma_segments(*labels, config=GammaConfig(chance_correction=True, n_iter=400))
    print(f"{unit}: gamma without correction {plain:.3f}, by chance {corrected.D_e:.3f}, gamma {corrected.gamma:.3f}")
    return round(plain, 3), round(corrected.D_e, 3), round(corrected.gamma, 3)


assert agree("seconds", 1) == (0.592, 0.985, 0.585), "changed: seconds"
assert agree("frames", 30) == (0.592, 0.763, 0.464), "changed: frames"
assert agree("milliseconds", 1000) == (0.592, 0.764, 0.465), "changed: milliseconds"
print("as stated: the same labels agree better in seconds")
END_PYTHON
