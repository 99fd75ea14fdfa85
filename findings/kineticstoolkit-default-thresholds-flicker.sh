#!/usr/bin/env bash
# The guess: detect_cycles(ts, "height") of kineticstoolkit is "based on a dual threshold approach"; its two default
# thresholds, 0 and 1, are a hysteresis: phase 1 starts above the upper one, phase 2 below the lower one, and what lies
# between changes nothing.
# The truth: the first threshold is the one to rise over, the second the one to fall below; by default 0 and 1. So every
# value between them fulfils both, and the phase changes with every frame: the band that should hold noise off makes
# flicker of a signal without noise. Hysteresis needs the upper one first, (1, 0). Nothing is warned.
# Version: kineticstoolkit 0.17.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (a height that rises from -1 to 2 in 100 frames and falls again; 30 a second): by default 35 times phase 1, all
# but one a frame long; with thresholds=(1, 0) one, 3.3 s long.
# Who is hurt: who counts repetitions: a slow push-up is many.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps kineticstoolkit==0.17.0 numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 tqdm==4.70.1 \
  ezc3d==1.7.2 limitedinteraction==1.0 scikit-learn==1.9.1 joblib==1.6.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 \
  narwhals==2.29.0 matplotlib==3.11.2 contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 \
  packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 six==1.17.0 requests==2.34.2 \
  requests-cache==1.3.3 attrs==26.1.0 cattrs==26.2.1 certifi==2026.10.19.post1 charset-normalizer==3.5.3 idna==3.20 \
  platformdirs==4.14.9 typing_extensions==4.16.0 url-normalize==3.1.0 urllib3==2.8.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import kineticstoolkit
import numpy

print("kineticstoolkit", importlib.metadata.version("kineticstoolkit"))
rise = numpy.linspace(-1, 2, 100)
series = kineticstoolkit.TimeSeries(time=numpy.arange(200) / 30).add_data("height", [*rise, *rise[::-1]])


def cycles(**thresholds):
    found = kineticstoolkit.cycles.detect_cycles(series, "height", **thresholds)
    times = {name: [round(float(event.time), 3) for event in found.events if event.name == name]
             for name in ("phase1", "phase2")}
    lengths = [round(end - start, 3) for start, end in zip(times["phase1"], times["phase2"])]
    print(thresholds or "by default", len(lengths), "phases 1, first", times["phase1"][:3], "lengths", lengths)
    return lengths


flicker, steady = cycles(), cycles(thresholds=(1.0, 0.0))
assert len(flicker) > 20 and sum(length < 0.04 for length in flicker) >= len(flicker) - 1, "changed: by default"
assert len(steady) == 1 and 3 < steady[0] < 4, "changed: the upper one first"
print("as stated: by default the two thresholds make flicker of a slow movement")
END_PYTHON
