#!/usr/bin/env bash
# The guess: filter_butter(kind="high", fc=1) of biomdp passes half of the power at 1 Hz, as kind="low" does: both
# correct the cutoff for the two passes, forward and backward.
# The truth: the cutoff is divided by the correction factor (0.802 at order 2) for both kinds. That is right for a low
# pass. For a high pass it must be multiplied, so there the correction doubles the error: without one, 1 Hz would pass
# at a half of its amplitude; with it, less than a third passes, and the true cutoff is at 1.55 Hz. Nothing is warned.
# Version: biomdp 0.11.2, numpy 2.4.6, scipy 1.17.1, xarray 2026.9.0 (PyPI). Run with Python 3.11.
# Seen (100 Hz, order 2, fc 1 Hz; the amplitude that is left of a sine): low pass at 1 Hz 0.707; high pass at 1 Hz
# 0.293, at 1.55 Hz 0.705. scipy's filtfilt without a correction at 1 Hz: 0.5, with the right one 0.707.
# Who is hurt: who takes slow sway out of a joint to measure its shaking: half of what is left to see at 1 Hz is gone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps biomdp==0.11.2 numpy==2.4.6 scipy==1.17.1 xarray==2026.9.0 pandas==3.1.1 \
  packaging==26.4 python-dateutil==2.9.0.post0 six==1.17.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
import scipy.signal
from biomdp.filter_butter import filter_butter

print("biomdp", importlib.metadata.version("biomdp"), "scipy", importlib.metadata.version("scipy"))
rate, cutoff = 100, 1
time = numpy.arange(0, 200, 1 / rate)


def left(frequency, smooth):
    result = smooth(numpy.sin(2 * numpy.pi * frequency * time))[5000:15000]
    return round(float(numpy.abs(result).max()), 3)


def package(kind):
    return lambda signal: filter_butter(signal, fr=rate, fc=cutoff, order=2, kind=kind)


def plain(factor):
    b, a = scipy.signal.butter(2, 2 * cutoff * factor / rate, btype="high")
    return lambda signal: scipy.signal.filtfilt(b, a, signal)


low = left(1, package("low"))
high = [left(frequency, package("high")) for frequency in (1, 1.55)]
print("left of the amplitude: low pass at 1 Hz", low, "high pass at 1 and 1.55 Hz", high)
none, right = left(1, plain(1)), left(1, plain((2 ** 0.5 - 1) ** 0.25))
print("high pass of scipy at 1 Hz: no correction", none, "cutoff times 0.802", right)
assert low == 0.707, "changed: the low pass"
assert none == 0.5 and right == 0.707, "changed: scipy"
assert high == [0.293, 0.705], "changed: the high pass"
print("as stated: the high pass is corrected away from its cutoff")
END_PYTHON
