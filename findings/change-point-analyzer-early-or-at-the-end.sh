#!/usr/bin/env bash
# The guess: detect_changepoints of change-point-analyzer gives the first sample of the new level or the last one of the
# old, with either of its two estimators, and whether the level rises or drops.
# The truth: the default one (MSE) searches from the fourth sample on and forgets two of the three that it left out, so
# every change is given two samples before the old level's last one. CUSUM takes the largest sum where Taylor's method
# takes the one farthest from 0. That is the change if the level drops; if it rises, the largest sum is that of the last
# sample, 0, so the change is said to be at the end of the recording. Nothing is warned.
# Version: change-point-analyzer 0.0.5, numpy 1.26.4 (PyPI, its own bound is below 2). Run with Python 3.11.
# Seen (100 samples, the level changes after the first 40, samples 0 to 39, without much noise): MSE 37 for a rise and a
# drop; CUSUM 39 for a drop, 99 for a rise from 0 to 5.
# Who is hurt: who takes the start of a hold from it: at 10 Hz it is 0.3 s early, or a person who rises at 4 s does so
# when the recording ends, after 10 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps change-point-analyzer==0.0.5 numpy==1.26.4 matplotlib==3.9.4 contourpy==1.3.3 \
  cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 \
  python-dateutil==2.9.0.post0 six==1.17.0
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from change_point_analyzer.main import ChangePointAnalyzer, Estimator

print("change-point-analyzer", importlib.metadata.version("change-point-analyzer"))


def change(before, after, *estimator):
    random = numpy.random.default_rng(0)
    signal = numpy.concatenate([random.normal(before, 0.1, 40), random.normal(after, 0.1, 60)])
    numpy.random.seed(0)
    found = ChangePointAnalyzer(signal).detect_changepoints(*estimator, recursive=False)
    places = [int(place) for place, _ in found]
    print(f"from {before} to {after}, {estimator[0].name if estimator else 'default'}: {places}")
    return places


for levels in ((0, 5), (5, 0)):
    assert change(*levels) == change(*levels, Estimator.MSE) == [37], "changed: the default"
assert change(5, 0, Estimator.CUSUM) == [39], "changed: CUSUM, a drop"
assert change(0, 5, Estimator.CUSUM) == [99], "changed: CUSUM, a rise"
print("as stated: the default is early, and CUSUM finds a rise at the end")
END_PYTHON
