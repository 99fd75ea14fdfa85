#!/usr/bin/env bash
# The guess: fp_rate and fn_rate of armetrics are the usual ones: false positives among the frames that are negative in
# the truth, false negatives among those that are positive; so both lie between 0 and 1.
# The truth: they are divided the other way round: false positives by the positive frames, false negatives by the
# negative ones. So fp_rate may be 3, and fn_rate gets smaller the longer the recording goes on after the activity. And
# what is too long or too short at the very end of a recording counts as too early (oa, ua) instead of too late (oz,
# uz). Nothing is warned.
# Version: armetrics 0.1.14, numpy 2.4.6, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen (100 frames, 10 of them a plank): found 30 frames too early: fp_rate 3.0 (usual 0.33). Half of the plank missed:
# fn_rate 0.056 (usual 0.5), in 1,000 frames 0.005. A plank of frames 40 to 59, found until frame 98: 39 frames too
# late; found until frame 99, the last one: 40 frames too early.
# Who is hurt: who reports miss rates of rare activities: half of the plank missed looks like 1 frame in 18.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps armetrics==0.1.14 numpy==2.4.6 pandas==3.1.1 python-dateutil==2.9.0.post0 \
  six==1.17.0 matplotlib==3.11.2 contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 \
  pillow==13.0.0 pyparsing==3.3.3
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from armetrics.utils import get_scores

print("armetrics", importlib.metadata.version("armetrics"))


def frames(count, start, end):
    result = numpy.zeros(count, int)
    result[start:end] = 1
    return result


def score(name, truth, found):
    summary = get_scores(truth, found)["frames_summary"]
    chosen = {key: round(float(summary[key]), 3) for key in ("fp", "fn", "fp_rate", "fn_rate", "oa", "oz", "ua", "uz")}
    print(f"{name}: {chosen}")
    return chosen


early = score("30 frames too early", frames(100, 90, 100), frames(100, 60, 100))
assert early["fp"] == 30 and early["fp_rate"] == 3, "changed: fp_rate is not per positive frame"
half = score("half missed", frames(100, 50, 60), frames(100, 50, 55))
assert half["fn"] == 5 and half["fn_rate"] == 0.056, "changed: fn_rate is not per negative frame"
longer = score("half missed, 1,000 frames", frames(1000, 50, 60), frames(1000, 50, 55))
assert longer["fn_rate"] == 0.005, "changed: fn_rate does not shrink as the recording goes on"
late = score("found until frame 98", frames(100, 40, 60), frames(100, 40, 99))
assert (late["oa"], late["oz"]) == (0, 39), "changed: too late inside the recording"
last = score("found until frame 99", frames(100, 40, 60), frames(100, 40, 100))
assert (last["oa"], last["oz"]) == (40, 0), "changed: too late at its end"
short = score("truth until frame 99, found until 69", frames(100, 40, 100), frames(100, 40, 70))
assert (short["ua"], short["uz"]) == (30, 0), "changed: too short at its end"
print("as stated: each rate has the other one's denominator, and late at the end is early")
END_PYTHON
