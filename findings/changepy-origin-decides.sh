#!/usr/bin/env bash
# The guess: pelt with the cost normal_mean of changepy finds changes of the mean, so adding a number to all samples
# changes nothing, and neither does another unit, if the variance is given in it.
# The truth: where the cost needs the sum of squares it has the sum of absolute values, divided by the length of the
# segment. What remains is roughly a penalty of the segment's distance from 0, as large as the one that was asked for or
# much larger. So far from the origin changes are not found. The given variance is squared once more, so it acts as one
# only if it is 1: in other units, with the variance in them, nothing or noise is found.
# Version: changepy 0.4.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (100 samples around 0, 100 around 5, 100 around 0, noise of 1): as it is, changes at 100 and 200 (and two false);
# plus 20 or 50, 100 and 200; plus 100 or 1,000, or minus 100, none. Ten times as large, variance 100 instead of 1: 100
# and 200; 100 times, variance 10,000: none.
# Who is hurt: who segments coordinates in pixels or millimeters: a hip that drops by five times the noise at pixel
# 1,000 did not move.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps changepy==0.4.0 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from changepy import pelt
from changepy.costs import normal_mean

print("changepy", importlib.metadata.version("changepy"))
random = numpy.random.default_rng(0)
height = numpy.concatenate([random.normal(level, 1, 100) for level in (0, 5, 0)])


def changes(name, signal, variance):
    result = [int(place) for place in pelt(normal_mean(signal, variance), len(signal)) if place]
    print(f"{name}: {result}")
    return result


assert {100, 200} <= set(changes("as it is", height, 1)), "changed: around 0"
for offset in (20, 50):
    assert changes(f"plus {offset}", height + offset, 1) == [100, 200], "changed: near the origin"
for offset in (100, 1000, -100):
    assert changes(f"plus {offset}", height + offset, 1) == [], "changed: far from the origin"
assert changes("10 times, variance 100", 10 * height, 100) == [100, 200], "changed: 10 times as large"
assert changes("100 times, variance 10,000", 100 * height, 10_000) == [], "changed: 100 times as large"
print("as stated: whether there is a change depends on where 0 is, and on the unit")
END_PYTHON
