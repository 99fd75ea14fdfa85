#!/usr/bin/env bash
# The guess: smooth_optimal finds the lmbda that suits the samples it is given, and its default against correlated noise
# (break_serial_correlation) can only keep lmbda from getting too small.
# The truth: by default lmbda is chosen as for a recording of every fifth sample, and then used on all of them. At order
# 2 the same smoothing takes 5 to the power of 4 = 625 times as much there. With noise that is not correlated, which the
# default need not hurt, lmbda is some hundred times too small and twice the error stays.
# Version: whittaker-eilers 0.2.0 (PyPI). Run with Python 3.11.
# Seen (a sine of amplitude 10, noise of 1, 300 frames, seeds 0 to 4): default lmbda 1 to 3.2, error 0.43 to 0.55;
# without the default 316 to 1,000, error 0.20 to 0.33; the default's lmbda times 625 is nearly as good.
# Who is hurt: who lets the package choose the smoothing of joints: the jitter stays, and "optimal" is in the report.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps whittaker-eilers==0.2.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import math
import random
from whittaker_eilers import WhittakerSmoother

print("whittaker-eilers", importlib.metadata.version("whittaker-eilers"))
truth = [10 * math.sin(frame / 15) for frame in range(300)]


def tool(values, lmbda=1.0):
    return WhittakerSmoother(lmbda=lmbda, order=2, data_length=len(values))


def error(values):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(values, truth)) / len(truth))


for seed in range(5):
    noise = random.Random(seed)
    seen = [value + noise.gauss(0, 1) for value in truth]
    default = tool(seen).smooth_optimal(seen).get_optimal()
    whole = tool(seen).smooth_optimal(seen, break_serial_correlation=False).get_optimal()
    fifth = tool(seen[::5]).smooth_optimal(seen[::5], break_serial_correlation=False).get_optimal()
    lmbda = default.get_lambda()
    errors = [error(default.get_smoothed()), error(whole.get_smoothed()), error(tool(seen, lmbda * 625).smooth(seen))]
    print(f"seed {seed}: default {lmbda:.1f}, of every fifth sample {fifth.get_lambda():.1f}, of all",
          f"{whole.get_lambda():.0f}; errors {errors[0]:.2f}, all {errors[1]:.2f}, default * 625 {errors[2]:.2f}")
    assert math.isclose(lmbda, fifth.get_lambda(), rel_tol=1e-6), "changed: not the lmbda of every fifth sample"
    assert whole.get_lambda() > 90 * lmbda, "changed: lmbda of all samples is near it"
    assert errors[0] > 1.4 * errors[1], "changed: the default is as good"
    assert errors[2] < 0.75 * errors[0], "changed: 625 times the lmbda is no better"
print("as stated: chosen for every fifth sample, used on all")
END_PYTHON
