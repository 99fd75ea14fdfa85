#!/usr/bin/env bash
# The guess: TwoSample of ocpdet finds, with statistic="Lepage" (which it takes unless told otherwise), a change in
# location or scale, and with "Mood" a change in scale, as documented; and a signal that does not change has none.
# The truth: for "Lepage", Wilcoxon's rank sum is taken, that is the part of Lepage's statistic for location alone. A
# change in scale is not found, however large. Mood's test is undefined for two frames and gives NaN there; NaN is not
# below the threshold, so it counts as a change, and the search starts anew. So with "Mood" every signal changes every
# second frame. Nothing is raised.
# Version: ocpdet 0.0.6, scipy 1.17.1, numpy 2.4.6 (PyPI). Run with Python 3.11. Its file is loaded alone, since the
# package's other detectors need TensorFlow.
# Seen (80 frames, the sway ten times as large from frame 40 on; threshold 3.1): Lepage: no change, at most 2.25, as
# Wilcoxon's rank sum has; Lepage's statistic at frame 40 is 67, where 14 is one in a thousand. The level higher from
# frame 40 on: found at 44. Mood: 39 changes with the larger sway, and the same 39 if nothing changes.
# Who is hurt: who looks for the moment where a hold begins to shake: the level stays, so nothing is found.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps ocpdet==0.0.6 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W ignore - <<'END_PYTHON'
import importlib.metadata
import importlib.util
import numpy
from scipy.stats import ansari, norm, ranksums

print("ocpdet", importlib.metadata.version("ocpdet"))
path = next(file for file in importlib.metadata.files("ocpdet") if file.name == "TwoSample.py").locate()
spec = importlib.util.spec_from_file_location("two_sample", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
frame = numpy.arange(80)
sway = numpy.sin(2.4 * frame)
signals = {"steady": sway, "more sway": sway * numpy.where(frame < 40, 1, 10), "higher": sway + 3 * (frame >= 40)}


def changes(name, **options):
    detector = module.TwoSample(**options)
    detector.process(signals[name])
    found = [int(frame) for frame in detector.changepoints]
    print(f"{name}, {options or 'Lepage'}: {len(found)} changes, {found[:3]}; largest {numpy.max(detector.D):.2f}")
    return found, detector.D


calm, shaking = signals["more sway"][:40], signals["more sway"][40:]
lepage = ranksums(calm, shaking).statistic ** 2 + norm.isf(ansari(calm, shaking).pvalue / 2) ** 2
print(f"Lepage's statistic at frame 40: {lepage:.0f}")
assert lepage > 60, "changed: Lepage's statistic"
found, statistics = changes("more sway")
assert found == [] and max(statistics) < 2.3, "changed: Lepage, more sway"
start = signals["more sway"][:70]
wilcoxon = max(abs(ranksums(start[:split], start[split:]).statistic) for split in range(1, 70))
assert abs(statistics[69] - wilcoxon) < 1e-12, "changed: Lepage is Wilcoxon's rank sum"
assert changes("steady")[0] == [], "changed: Lepage, steady"
assert changes("higher")[0] == [44], "changed: Lepage, a higher level"
for name in ("more sway", "steady"):
    assert changes(name, statistic="Mood")[0] == list(range(2, 80, 2)), f"changed: Mood, {name}"
print("as stated: a change in scale is not found with Lepage, and is everywhere with Mood")
END_PYTHON
