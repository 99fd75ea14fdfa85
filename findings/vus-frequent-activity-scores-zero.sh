#!/usr/bin/env bash
# The guess: metric_new of vus's basic_metricor gives precision, recall and F of scores between 0 and 1, and
# Precision@k: the share of true frames among the k with the highest scores. A score that is right everywhere has 1.
# The truth: a frame counts as found if its score is more than three standard deviations above the mean of all scores.
# Where more than a tenth of the frames are positive, no score can be, so all of precision, recall, F and their range
# versions are 0 for a perfect score. Precision@k is the recall: not the scores but those found frames are compared with
# its threshold. No threshold can be given. The AUC is right; nothing is warned.
# Version: vus 0.0.6, scikit-learn 1.9.1, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (1,000 frames, score 0.9 in the plank and 0.1 else): plank of 90 frames: all 1; of 200 frames: AUC 1, precision,
# recall, F, range F and Precision@k 0. Plank of 50 frames, half of them with a score of 0.3, so that the 50 highest
# are just those: recall 0.5, Precision@k 0.5.
# Who is hurt: who scores activities with metrics of anomalies: whatever is not rare looks undetected.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps vus==0.0.6 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 joblib==1.6.0 \
  threadpoolctl==3.8.0 narwhals==2.29.0 cloudpickle==3.1.3
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy
from vus.basic_metrics import basic_metricor

print("vus", importlib.metadata.version("vus"))
names = ["AUC", "precision", "recall", "F", "range recall", "existence", "overlap", "range precision", "range F",
         "precision at k"]


def scores(length, unsure=0):
    truth = numpy.zeros(1000)
    truth[100:100 + length] = 1
    score = 0.1 + 0.8 * truth
    score[100:100 + unsure] = 0.3
    values = basic_metricor().metric_new(truth, score)
    result = {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}
    print(f"a plank of {length} of 1,000 frames, {unsure} with 0.3: {result}")
    return result


assert set(scores(90).values()) == {1}, "changed: a rare activity"
frequent = scores(200)
assert frequent.pop("AUC") == 1 and set(frequent.values()) == {0}, "changed: a frequent activity"
unsure = scores(50, 25)
assert unsure["AUC"] == 1 and unsure["recall"] == unsure["precision at k"] == 0.5, "changed: Precision@k"
print("as stated: a perfect score of a frequent activity gets 0")
END_PYTHON
