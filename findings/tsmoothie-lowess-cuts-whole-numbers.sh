#!/usr/bin/env bash
# The guess: tsmoothie's LowessSmoother, as its other smoothers, gives the same for whole numbers as for the same values
# as floats: smoothed values have decimals.
# The truth: it writes into an array of the type of the data, so every value is cut toward zero, half a unit on average.
# So are the weights of the robust iterations, which become 1 or 0: more iterations change next to nothing. Nothing is
# warned. PolynomialSmoother, ConvolutionSmoother and SpectralSmoother give floats.
# Version: tsmoothie 1.0.5, simdkalman 1.0.4, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (a hip that moves by 3 pixels to both sides of the center, whole pixels, 120 frames): as floats 120 values, as
# whole numbers 7: -3 to 3; on average 0.48 nearer to the center. Iterations 1 and 3 differ for floats only.
# Who is hurt: who smooths pixels, millimeters or degrees that are whole numbers: small movements become steps, and
# whatever is less than one unit is gone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps tsmoothie==1.0.5 simdkalman==1.0.4 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from tsmoothie.smoother import ConvolutionSmoother, LowessSmoother, PolynomialSmoother, SpectralSmoother

print("tsmoothie", importlib.metadata.version("tsmoothie"))
random = numpy.random.default_rng(0)
hip = numpy.round(3 * numpy.sin(numpy.arange(120) / 10) + random.normal(size=120) / 2).astype(int)


def both(make):
    whole, floats = (make().smooth(values).smooth_data[0] for values in (hip, hip.astype(float)))
    print(f"{type(make()).__name__}: {whole.dtype}, {len(set(whole))} values; floats: {len(set(floats))} values; "
          f"nearer to 0 by {numpy.abs(floats).mean() - numpy.abs(whole).mean():.2f}")
    return whole, floats


whole, floats = both(lambda: LowessSmoother(smooth_fraction=0.1))
assert whole.dtype == int and numpy.array_equal(whole, numpy.trunc(floats)), "changed: whole numbers are cut"
assert set(whole) == set(range(-3, 4)) and len(set(floats)) == 120, "changed: the number of values"
assert round(numpy.abs(floats).mean() - numpy.abs(whole).mean(), 2) == 0.48, "changed: nearer to the center"
again, floats_again = both(lambda: LowessSmoother(smooth_fraction=0.1, iterations=3))
assert numpy.array_equal(again, whole) and not numpy.allclose(floats, floats_again), "changed: iterations"
for make in (lambda: PolynomialSmoother(5), lambda: ConvolutionSmoother(5, "ones"), lambda: SpectralSmoother(0.2, 10)):
    whole, floats = both(make)
    assert whole.dtype == float and numpy.allclose(whole, floats), "changed: another smoother"
print("as stated: whole numbers are cut")
END_PYTHON
