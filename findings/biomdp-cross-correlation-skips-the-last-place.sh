#!/usr/bin/env bash
# The guess: cross_correl_xr of biomdp, "simple and slow but exact", tries every place at which the short recording fits
# in the long one, so where a cutting was taken from is always found, with a correlation of 1.
# The truth: the last place, where both end together, is not tried. A cutting of the end is found elsewhere, and the
# correlation there may be high. With two recordings of one length, which fit at one place, there is no result at all:
# an empty array. Nothing is raised or warned.
# Version: biomdp 0.11.2, numpy 2.4.6, polars 2.1.0, xarray 2026.9.0 (PyPI). Run with Python 3.11.
# Seen (10 s of slow push-ups with noise, 30 Hz): cut at 3 s: 3.0 s, correlation 1.0; at 5.97 s: 5.967 s, 1.0; the last
# 4 s, from 6 s on: 2.0 s, 0.99, one push-up too early. Both 10 s: no places.
# Who is hurt: who finds the offset of two devices: if both stop together, the offset is one repetition off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps biomdp==0.11.2 numpy==2.4.6 scipy==1.17.1 xarray==2026.9.0 pandas==3.1.1 \
  packaging==26.4 python-dateutil==2.9.0.post0 six==1.17.0 polars==2.1.0 polars-runtime-32==2.1.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
import xarray
from biomdp.cross_correlation import cross_correl_xr

print("biomdp", importlib.metadata.version("biomdp"))
rate = 30
time = numpy.arange(300) / rate
signal = numpy.sin(2 * numpy.pi * time / 4) + numpy.random.default_rng(0).normal(0, 0.07, 300)


def table(values):
    return xarray.DataArray([values], dims=("ID", "time"), coords={"ID": ["take"]})


def found(first, count):
    result = cross_correl_xr(table(signal[first:first + count]), table(signal))[0].values
    if result.size == 0:
        print(f"{count / rate:.3f} s from {first / rate:.3f} s on: no places")
        return None
    place = int(result.argmax())
    print(f"{count / rate:.3f} s from {first / rate:.3f} s on: {result.size} places, best at {place / rate:.3f} s, "
          f"correlation {result[place]:.3f}")
    return result.size, place, round(float(result[place]), 2)


assert found(90, 120) == (180, 90, 1), "changed: a cutting of the middle"
assert found(179, 120) == (180, 179, 1), "changed: a cutting that ends one frame before the end"
size, place, correlation = found(180, 120)
assert size == 180 and place != 180 and correlation > 0.9, "changed: a cutting of the end"
assert found(0, 300) is None, "changed: two recordings of one length"
print("as stated: the place where both end together is not tried")
END_PYTHON
