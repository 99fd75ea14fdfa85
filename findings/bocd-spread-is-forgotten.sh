#!/usr/bin/env bash
# The guess: StudentT of bocd learns mean and spread of the current segment from its samples. So the unit makes no
# difference if the start values are given in it: beta 0.0001 for meters, 1 for centimeters, 100 for millimeters.
# The truth: where the new beta needs the old one, it has kappa, the count of samples. With every sample all that was
# learned about the spread is thrown away, and the start value too; the spread is taken to be about 1.4, whatever the
# samples are. Where that doesn't fit, a new segment with the start value fits better, and is begun again and again.
# Version: bocd 0.1.2, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (a hip, 30 times a second: 10 s still but for 1 cm of noise, then 10 s 20 cm lower; a change expected once in 100
# frames): new segments in centimeters: 1, at the fall; in meters: 249; in millimeters: 144. The spread after 300 frames
# is 1.41 in all three.
# Who is hurt: who looks for changes of posture in meters, as ARKit gives poses, or in millimeters, as suits do.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bocd==0.1.2 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from bocd import BayesianOnlineChangePointDetection, ConstantHazard, StudentT

print("bocd", importlib.metadata.version("bocd"))
random = numpy.random.default_rng(0)
meters = numpy.concatenate([random.normal(0, 0.01, 300), random.normal(-0.2, 0.01, 300)])


def run(unit, scale):
    spread = StudentT(mu=0, kappa=1, alpha=1, beta=(0.01 * scale) ** 2)
    detector = BayesianOnlineChangePointDetection(ConstantHazard(100), spread)
    lengths = []
    for sample in meters * scale:
        detector.update(sample)
        lengths.append(int(detector.rt[0]))
    segments = int((numpy.diff(lengths) < 1).sum())
    learned = float(numpy.sqrt(spread.betaT / spread.alphaT)[300])
    print(f"{unit}: noise {0.01 * scale:g}, spread learned from 300 frames {learned:.3g}, new segments {segments}")
    assert round(learned, 2) == 1.41, "changed: the spread"
    return segments


assert run("centimeters", 100) == 1, "changed: centimeters"
assert run("meters", 1) == 249, "changed: meters"
assert run("millimeters", 1000) == 144, "changed: millimeters"
print("as stated: one fall, and hundreds of changes if it is not measured in centimeters")
END_PYTHON
