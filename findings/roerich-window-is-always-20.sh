#!/usr/bin/env bash
# The guess: precision_score, recall_score, true_positive_rate and false_positive_rate of roerich count a change point
# as found if it is at most `window` frames away, as documented, and so agree with precision_recall_scores of the same
# window.
# The truth: they take the parameter and use 20. Only precision_recall_scores, and what is built on it, follows it. And
# false_positive_rate is one minus the precision, so it is not a share of the frames without a change.
# Version: roerich 0.6.0, numpy 2.4.6, pandas 3.1.1, scipy 1.17.1 (PyPI). Run with Python 3.11. The file of its metrics
# is loaded alone: the rest of the package needs Matplotlib or PyTorch.
# Seen (changes at 100, 300 and 500, each found 15 frames late): window 5: recall 1 and precision 1;
# precision_recall_scores: 0 and 0. Each found 40 frames late: window 50: 0 and 0; precision_recall_scores: 1 and 1.
# Who is hurt: who sets a tolerance of a fraction of a second at 30 frames per second: the score is of two thirds of a
# second, whatever is asked.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps --no-compile roerich==0.6.0 numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 \
  python-dateutil==2.9.0.post0 six==1.17.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import importlib.util

print("roerich", importlib.metadata.version("roerich"))
path = next(file for file in importlib.metadata.files("roerich") if file.name == "pr.py").locate()
spec = importlib.util.spec_from_file_location("metrics", path)
metrics = importlib.util.module_from_spec(spec)
spec.loader.exec_module(metrics)
changes = [100, 300, 500]


def scores(late, window):
    found = [frame + late for frame in changes]
    single = {name: float(getattr(metrics, name)(changes, found, window=window))
              for name in ("precision_score", "recall_score", "true_positive_rate", "false_positive_rate")}
    together = tuple(map(float, metrics.precision_recall_scores(changes, found, window=window)))
    print(f"{late} frames late, window {window}: {single}, precision_recall_scores {together}")
    return list(single.values()), together


assert scores(0, 5) == ([1, 1, 1, 0], (1, 1)), "changed: exact"
assert scores(15, 5) == ([1, 1, 1, 0], (0, 0)), "changed: 15 frames late, window 5"
assert scores(40, 50) == ([0, 0, 0, 1], (1, 1)), "changed: 40 frames late, window 50"
assert scores(20, 20) == ([1, 1, 1, 0], (1, 1)), "changed: 20 frames late"
assert scores(21, 20) == ([0, 0, 0, 1], (0, 0)), "changed: 21 frames late"
print("as stated: the window is 20")
END_PYTHON
