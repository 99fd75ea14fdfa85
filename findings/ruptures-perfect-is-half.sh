#!/usr/bin/env bash
# The guess: precision_recall of ruptures matches each found boundary to one true boundary within the margin, so a
# segmentation compared with itself has precision and recall 1, whatever the margin.
# The truth: a true boundary uses up all found boundaries within the margin and counts once. The next true boundary,
# close by, then has none left. A pause shorter than the margin (10 samples if not said) counts as one hit and one miss
# even if both its ends are found to the sample. And a boundary off by exactly the margin is a miss.
# Version: ruptures 1.1.10, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen: boundaries 100 and 105 against themselves: 0.5, 0.5; three such pairs: 0.5, 0.5; with margin 5: 1, 1. Only 100
# found: 1, 0.5. Off by 10 at margin 10: 0, 0.
# Who is hurt: who scores boundaries of poses with a margin of half a second: short pauses count as errors, and a
# detector that leaves them out has the higher precision.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps ruptures==1.1.10 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from ruptures.metrics import precision_recall

print("ruptures", importlib.metadata.version("ruptures"))


def score(true, found, **margin):
    result = tuple(float(value) for value in precision_recall([*true, 300], [*found, 300], **margin))
    print("true", true, "found", found, margin or "margin not said", "precision, recall:", result)
    return result


pauses = [100, 105, 150, 155, 200, 205]
assert score([100, 150], [100, 150]) == (1, 1), "changed: boundaries far apart"
assert score([100, 105], [100, 105]) == (0.5, 0.5), "changed: close boundaries match themselves"
assert score([100, 105], [100]) == (1, 0.5), "changed: one of two found"
assert score(pauses, pauses) == (0.5, 0.5), "changed: three short pauses match themselves"
assert score([100, 105], [100, 105], margin=5) == (1, 1), "changed: a margin of their distance"
assert score([100], [110]) == (0, 0) and score([100], [109]) == (1, 1), "changed: the margin's own end counts"
print("as stated: a perfect answer scores a half, and leaving a boundary out raises the precision to 1")
END_PYTHON
