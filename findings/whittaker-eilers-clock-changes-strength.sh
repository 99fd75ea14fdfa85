#!/usr/bin/env bash
# The guess: WhittakerSmoother takes times (x_input) for samples that are not evenly spaced. For evenly spaced ones they
# change nothing, so one lmbda serves frame numbers, seconds and milliseconds.
# The truth: lmbda is in units of the times, to the power of twice the order, and divided by the order's factorial
# squared. Frame numbers 0, 1, 2 ... at order 2 are smoothed with a quarter of lmbda, at order 3 with a 36th; seconds at
# 30 Hz with 202,500 times as much, milliseconds with a five-millionth. Order 1 with frame numbers is as without times.
# Version: whittaker-eilers 0.2.0 (PyPI). Run with Python 3.11.
# Seen (30 Hz, order 2, lmbda 100; what is left of a movement of one per second, and of noise from frame to frame): no
# times 0.840 and 0.001; frame numbers 0.954 and 0.002; seconds 0.025 and 0.003; milliseconds 1.000 and 1.000.
# Who is hurt: who smooths poses with their time stamps and a lmbda found without: the body freezes or nothing is done.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps whittaker-eilers==0.2.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import math
from whittaker_eilers import WhittakerSmoother

print("whittaker-eilers", importlib.metadata.version("whittaker-eilers"))
frames = 300
movement = [math.sin(2 * math.pi * frame / 30) for frame in range(frames)]
noise = [(-1.0) ** frame for frame in range(frames)]


def smooth(values, step, lmbda=100.0, order=2):
    times = None if step is None else [frame * step for frame in range(frames)]
    return WhittakerSmoother(lmbda=lmbda, order=order, data_length=frames, x_input=times).smooth(values)


def differ(one, two):
    return max(abs(a - b) for a, b in zip(one, two))


left = {}
for clock, step in (("no times", None), ("frame numbers", 1.0), ("seconds", 1 / 30), ("milliseconds", 1000 / 30)):
    left[clock] = [max(map(abs, smooth(values, step)[100:200])) / max(values) for values in (movement, noise)]
    print(f"{clock}: {left[clock][0]:.3f} of the movement, {left[clock][1]:.3f} of the noise")
assert abs(left["no times"][0] - 0.840) < 0.01 and left["no times"][1] < 0.002, "changed: without times"
assert left["frame numbers"][0] > 0.94, "changed: frame numbers are as no times"
assert left["seconds"][0] < 0.05, "changed: seconds keep the movement"
assert left["milliseconds"][1] > 0.99, "changed: milliseconds remove the noise"
for order in (1, 2, 3):
    plain = smooth(movement, None, order=order)
    factor = math.factorial(order) ** 2
    assert differ(plain, smooth(movement, 1.0, 100.0 * factor, order)) < 1e-6, "changed: the factorial"
    same = smooth(movement, 1 / 30, 100.0 * factor / 30 ** (2 * order), order)
    assert differ(plain, same) < 1e-6, "changed: the unit"
print("as stated: the clock's unit and the order's factorial are in lmbda")
END_PYTHON
