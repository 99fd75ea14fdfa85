#!/usr/bin/env bash
# The guess: with conditions, here the people, confidence-intervals draws people and then frames of each of them, as its
# documentation says; the frames of one person are drawn independently of another's.
# The truth: all draws of one resampling start from the same seed. So if everyone has as many frames, everyone's frames
# are drawn at the same places of their recordings. If all do the same exercises, so that a detector fails at the same
# moments in everyone, the errors of all people come and go together, and the interval is that of one person's frames.
# Version: confidence-intervals 0.0.3, numpy 2.4.6, scikit-learn 1.9.1, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (20 people with 100 frames each, the same 17 of them wrong in everyone; so people don't differ): interval of the
# accuracy 0.760 to 0.890. With each person's frames shuffled, which changes nothing else: 0.806 to 0.855.
# Who is hurt: who evaluates on a scripted program of exercises: intervals are more than twice too wide.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps confidence-intervals==0.0.3 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 \
  joblib==1.6.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 narwhals==2.29.0 matplotlib==3.11.2 contourpy==1.3.3 \
  cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 \
  python-dateutil==2.9.0.post0 six==1.17.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from confidence_intervals import evaluate_with_conf_int

print("confidence-intervals", importlib.metadata.version("confidence-intervals"))
random = numpy.random.default_rng(3)
people, frames = 20, 100
right = (random.random(frames) < 0.8).astype(float)
numbers = numpy.repeat(numpy.arange(people), frames)


def width(name, recordings):
    accuracy, (low, high) = evaluate_with_conf_int(
        numpy.concatenate(recordings), numpy.mean, conditions=numbers, num_bootstraps=400)
    print(f"{name}: accuracy {accuracy:.3f}, interval {low:.3f} to {high:.3f}")
    return accuracy, float(high - low)


same = width("errors at the same moments in everyone", [right] * people)
shuffled = width("errors at each person's own moments", [random.permutation(right) for _ in range(people)])
assert same[0] == shuffled[0], "changed: the accuracy"
assert same[1] > 2.5 * shuffled[1], "changed: the widths"
print("as stated: the order of the frames, of which an accuracy knows nothing, makes the interval wide")
END_PYTHON
