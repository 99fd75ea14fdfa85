#!/usr/bin/env bash
# The guess: pa_mpjpe(pred, gt) of echopose-sdk is the error per joint after the best rotation, scale and shift. So it
# is 0 for a prediction that is right or only turned, and never above the error without aligning, mpjpe.
# The truth: the rotation is put together from the wrong factors of its decomposition, and is no fit: a perfect
# prediction is turned away from itself. The error is mostly that of two skeletons that have nothing in common but their
# size, so it hardly tells good from bad, and it can be above the error without aligning.
# Version: echopose-sdk 0.2.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (500 bodies of 17 joints, each coordinate spread by 0.3): perfect: mpjpe 0, pa_mpjpe 0.46; off by 0.01 on each
# axis: 0.02 and 0.47; perfect but turned by 90 degrees: 0.53 and 0.60; another body altogether: 0.68 and 0.64.
# Who is hurt: who compares pose models by this number: a perfect one has two thirds of the error of a random one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps echopose-sdk==0.2.2 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from echopose_sdk.metrics import mpjpe, pa_mpjpe

print("echopose-sdk", importlib.metadata.version("echopose-sdk"))
random = numpy.random.default_rng(0)
true = random.normal(0, 0.3, (500, 17, 3))
turn = numpy.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])


def score(name, predicted):
    result = mpjpe(predicted, true), pa_mpjpe(predicted, true)
    print(f"{name}: mpjpe {result[0]:.3f}, pa_mpjpe {result[1]:.3f}")
    return result


perfect = score("perfect", true)
close = score("off by 0.01 on each axis", true + random.normal(0, 0.01, true.shape))
turned = score("perfect, but turned by 90 degrees", true @ turn.T)
other = score("another body", random.normal(0, 0.3, true.shape))
assert perfect[0] == 0 and 0.02 > close[0] > 0.01, "changed: mpjpe"
assert perfect[1] > 0.5 * other[1] and close[1] > 0.5 * other[1], "changed: a perfect prediction"
assert turned[1] > 0.5 * other[1], "changed: a turned prediction"
print("as stated: aligning a perfect prediction gives it most of the error of a random one")
END_PYTHON
