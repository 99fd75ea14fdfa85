#!/usr/bin/env bash
# The guess: ac2 of iaa-kit is Gwet's AC2, which with two categories is his AC1, and which does not fall when nearly all
# labels are of one kind, as kappa does; alpha_value(scale="ordinal") is Krippendorff's ordinal alpha.
# The truth: ac2 returns the weighted kappa, so it has the very fall that it should be without; only ac1 is Gwet's. The
# ordinal alpha is the interval one: it counts the distances of the numbers, not how many ratings lie between. And
# prevalence_index, by its name how much one label outweighs the other, counts agreements against disagreements.
# Version: iaa-kit 0.1.2, krippendorff 0.9.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (100 frames, 95 plank for both raters, 1 pause for both, 2 and 2 where they differ): ac1 0.958, ac2 0.313, kappa
# 0.313. Ratings 1 to 3 and an outlier of 9: ordinal and interval 0.979; krippendorff: ordinal 0.832, interval 0.979.
# Labels half plank and half pause, all agreed: prevalence index 1 instead of 0.
# Who is hurt: who reports AC2 since kappa is known to fail on rare labels, and gets kappa.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps iaa-kit==0.1.2 krippendorff==0.9.0 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import krippendorff
from iaa_kit.cohen import cohen_kappa
from iaa_kit.gwet import ac1, ac2
from iaa_kit.krippendorff import alpha_value
from iaa_kit.prevalence import prevalence_index

print("iaa-kit", importlib.metadata.version("iaa-kit"), "krippendorff", importlib.metadata.version("krippendorff"))
first = [1] * 95 + [1, 1, 0, 0, 0]
second = [1] * 95 + [0, 0, 1, 1, 0]
values = [round(statistic(first, second), 3) for statistic in (ac1, ac2, cohen_kappa)]
print("95 of 100 frames plank for both: ac1, ac2 and kappa", values)
assert values == [0.958, 0.313, 0.313], "changed: ac2"
items = [[1, 1], [1, 2], [2, 2], [3, 3], [3, 2], [9, 9]]
raters = [list(ratings) for ratings in zip(*items)]
alphas = {scale: (round(alpha_value(items, scale), 3),
                  round(krippendorff.alpha(reliability_data=raters, level_of_measurement=scale), 3))
          for scale in ("ordinal", "interval")}
print("alphas of iaa-kit and krippendorff:", alphas)
assert alphas["interval"][0] == alphas["interval"][1] == alphas["ordinal"][0], "changed: ordinal is not interval"
assert alphas["ordinal"][1] < 0.95, "changed: the other package's ordinal alpha"
balanced = [0, 1] * 20
print("prevalence index of balanced labels, all agreed:", prevalence_index(balanced, balanced))
assert prevalence_index(balanced, balanced) == 1, "changed: the prevalence index"
print("as stated: ac2 is kappa, ordinal is interval, prevalence is agreement")
END_PYTHON
