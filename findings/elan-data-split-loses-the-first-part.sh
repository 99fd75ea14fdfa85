#!/usr/bin/env bash
# The guess: split_segment([4000], ...) of elan-data makes of an annotation from 0 to 10 s two, 0 to 4 s and 4 to 10 s:
# together they cover what was there before.
# The truth: every part but the last one starts and ends at its split, so it has no length. The time before the first
# split, and between splits, belongs to no annotation any more; only the last part is right. Nothing is raised or
# warned, and the file that is saved says the same.
# Version: elan-data 1.7.3, numpy 2.4.6, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen: 0 to 10 s, split at 4 s: 4 to 4 and 4 to 10. 12 to 20 s, split at 15 and 17 s: 15 to 15, 17 to 17, 17 to 20. Of
# 18 s of plank 9 are left.
# Who is hurt: who refines labels, as a hold into its steady and its shaking part: the steady part is gone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps elan-data==1.7.3 numpy==2.4.6 pandas==3.1.1 python-dateutil==2.9.0.post0 \
  six==1.17.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import warnings
from elan_data import ELAN_Data

warnings.filterwarnings("ignore", category=DeprecationWarning)
print("elan-data", importlib.metadata.version("elan-data"))


def segments(labels):
    table = labels.init_dataframe()
    return sorted((int(start), int(stop)) for start, stop in zip(table.START, table.STOP))


labels = ELAN_Data.create_eaf("labels.eaf", None, ["hold"], remove_default=True)
labels.add_segment("hold", 0, 10_000, "plank")
labels.add_segment("hold", 12_000, 20_000, "plank")
before = segments(labels)
print("before:", before)
assert before == [(0, 10_000), (12_000, 20_000)], "changed: the segments as added"
labels.split_segment([4_000], "a1")
labels.split_segment([15_000, 17_000], "a2")
labels.save_ELAN()
after = segments(ELAN_Data.from_file("labels.eaf"))
print("split at 4 s, and at 15 and 17 s, saved and read:", after)
assert after == [(4_000, 4_000), (4_000, 10_000), (15_000, 15_000), (17_000, 17_000), (17_000, 20_000)], \
    "changed: the parts"
left = sum(stop - start for start, stop in after)
print("seconds of plank: before 18, after", left / 1000)
assert left == 9_000, "changed: what is left"
print("as stated: only the last part of a split has a length")
END_PYTHON
