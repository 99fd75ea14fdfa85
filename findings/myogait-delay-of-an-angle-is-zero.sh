#!/usr/bin/env bash
# The guess: cross_correlation_lag() finds the delay between two curves from the normalized cross-correlation, and
# align_signals() shifts them by it. A constant added to both curves, such as another zero of a joint angle, is no delay
# and changes nothing.
# The truth: the mean is not taken off, and every lag is divided by the same number. So the constant is most of the
# correlation, and it is largest where the curves overlap most: without a shift. A bend on a high level has no delay.
# Version: myogait 0.9.2, numpy 2.4.6, scipy 1.17.1, pandas 2.3.3 (PyPI). Run with Python 3.11.
# Seen (an elbow that bends once from 170 to 90 degrees, and again 10, 20 or 40 frames later, 200 frames): lag 0 for all
# three, with a correlation of 0.985 to 0.994. As flexion from 0, which is 170 less the angle: lag 10, 20 and 40.
# Who is hurt: who puts recordings of two cameras on one clock, or compares left and right, by an angle: they are called
# aligned, and the correlation says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps myogait==0.9.2 numpy==2.4.6 scipy==1.17.1 pandas==2.3.3 \
  opencv-python-headless==4.11.0.86 matplotlib==3.11.2 contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 \
  kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 six==1.17.0 \
  pytz==2025.2 tzdata==2025.2
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy as np
from myogait.normalize import align_signals, cross_correlation_lag

print("myogait", importlib.metadata.version("myogait"))


def elbow(frame):
    return 170 - 80 * np.exp(-((np.arange(200) - frame) / 10) ** 2)


for delay in (10, 20, 40):
    first, second = elbow(80), elbow(80 + delay)
    seen = cross_correlation_lag(first, second)
    flexion = cross_correlation_lag(170 - first, 170 - second)
    print(f"{delay} frames later: as an angle lag {seen['optimal_lag']}, correlation {seen['max_correlation']:.3f};",
          f"as flexion lag {flexion['optimal_lag']}, correlation {flexion['max_correlation']:.3f}")
    assert seen["optimal_lag"] == 0 and seen["max_correlation"] > 0.98, "changed: the delay of an angle"
    assert flexion["optimal_lag"] == delay, "changed: the delay of a flexion"
    aligned = align_signals(first, second)
    lowest = int(np.argmin(aligned["aligned_a"])), int(np.argmin(aligned["aligned_b"]))
    assert lowest == (80, 80 + delay), "changed: align_signals shifts the angle"
print("as stated: the level of the angle decides, not the bend")
END_PYTHON
