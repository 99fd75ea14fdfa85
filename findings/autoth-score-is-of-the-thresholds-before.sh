#!/usr/bin/env bash
# The guess: do_optimize of autoth returns the thresholds with the best score seen, or at least thresholds and their
# score; and from a start that is too high it goes down as it goes up from one that is too low.
# The truth: it returns the thresholds after the last step and the score before it, whatever was seen on the way. And
# the slope is looked for upwards only, in at most ten steps of 0.01: where the score is the same up to 0.1 above the
# start, the thresholds never move, even if 0.01 below is better. Nothing is warned.
# Version: autoth 0.0.1, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (100 frames, scores to 0.3 in the rest and 0.2 to 0.49 in the plank, F1; best: 0.2 with 0.855): start 0.2: ends
# at 0.195 with 0.847. Start 0.48: the same. Start 0.5: stays at 0.5 with 0. With 10 steps of a rate of 0.1 from 0.1:
# threshold 0.263, said to have 0.765; it has 0.821. With 20 from 0.4: threshold -0.232, everything is plank.
# Who is hurt: who tunes thresholds: what is reported is not what is used, and a start above all scores stays the
# answer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps autoth==0.0.1 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import contextlib
import importlib.metadata
import io
import numpy
from autoth.core import HyperParamsOptimizer

print("autoth", importlib.metadata.version("autoth"))
plank = numpy.repeat([0, 1], 50)
scores = numpy.concatenate([numpy.linspace(0, 0.3, 50), numpy.linspace(0.2, 0.49, 50)])


def f1(thresholds):
    found = scores >= thresholds[0]
    return float(2 * (found & (plank == 1)).sum() / (found.sum() + plank.sum()))


def tuned(start, **options):
    with contextlib.redirect_stdout(io.StringIO()):
        score, thresholds = HyperParamsOptimizer(f1, **options).do_optimize([start])
    result = tuple(round(float(value), 3) for value in (thresholds[0], score, f1(thresholds)))
    print(f"start {start} (F1 {f1([start]):.3f}), {options}: threshold %.3f, F1 returned %.3f, F1 of it %.3f" % result)
    return result


best = max(f1([count / 1000]) for count in range(1000))
assert round(best, 3) == round(f1([0.2]), 3) == 0.855, "changed: the best threshold"
assert tuned(0.2) == (0.195, 0.847, 0.847), "changed: from the best threshold"
assert tuned(0.48) == (0.195, 0.847, 0.847), "changed: from below the highest score"
assert tuned(0.5) == (0.5, 0, 0), "changed: from above the highest score"
assert tuned(0.1, learning_rate=0.1, epochs=10) == (0.263, 0.765, 0.821), "changed: the score that is returned"
assert tuned(0.4, learning_rate=0.1, epochs=20) == (-0.232, 0.667, 0.667), "changed: from 0.4"
print("as stated: the score is of the thresholds before, and a start above all scores stays")
END_PYTHON
