#!/usr/bin/env bash
# The guess: predictions that sleap-io exports keep their confidences where the format has a place for them:
# `likelihood` in DeepLabCut's table, a `score` per person in COCO; or joints that were hardly seen get the flag v of 1
# or 0.
# The truth: the column `likelihood` is written and empty. In COCO every joint with coordinates has v = 2, "labeled and
# visible", however low its score, there is no `score`, and only NaN becomes 0, 0, 0. Nothing is warned; the package's
# own layout of points keeps all of it.
# Version: sleap-io 0.9.5, numpy 2.4.6, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen (scores 0.9, 0.01 and none): COCO 10, 20, 2, 30, 40, 2, 0, 0, 0; DeepLabCut likelihoods all NaN; points 0.9,
# 0.01.
# Who is hurt: who filters by confidence after an export: a guess counts as a label, or every joint counts as unseen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps sleap-io==0.9.5 numpy==2.4.6 pandas==3.1.1 attrs==26.1.0 \
  python-dateutil==2.9.0.post0 six==1.17.0 h5py==3.16.0 imageio==2.38.1 lazy-loader==0.6 packaging==26.4 \
  pillow==13.0.0 pyyaml==6.0.4 simplejson==4.3.0 tqdm==4.70.1
venv/bin/python -W error - <<'END_PYTHON'
import json
import numpy
import pandas
import sleap_io

print("sleap-io", sleap_io.__version__)
person = sleap_io.PredictedInstance.from_numpy(
    numpy.array([[10.0, 20], [30, 40], [numpy.nan, numpy.nan]]), score=0.7,
    skeleton=sleap_io.Skeleton(["nose", "left_hip", "right_hip"]), point_scores=numpy.array([0.9, 0.01, 0]))
video = sleap_io.Video(filename="clip.mp4", open_backend=False)
video.backend_metadata["shape"] = (1, 100, 100, 1)
labels = sleap_io.Labels([sleap_io.LabeledFrame(video=video, frame_idx=0, instances=[person])])
sleap_io.save_coco(labels, "coco.json")
with open("coco.json") as stream:
    [annotation] = json.load(stream)["annotations"]
print("COCO:", annotation["keypoints"], "fields", sorted(annotation))
assert annotation["keypoints"] == [10, 20, 2, 30, 40, 2, 0, 0, 0], "changed: v tells the score"
assert not [field for field in annotation if "score" in field], "changed: there are scores"
sleap_io.save_csv(labels, "dlc.csv", format="dlc")
table = pandas.read_csv("dlc.csv", header=[0, 1, 2], index_col=0)
likelihood = table.xs("likelihood", axis=1, level=2)
print("DeepLabCut:", likelihood.shape[1], "columns of likelihood, values", likelihood.values.tolist())
assert likelihood.shape == (1, 3) and likelihood.isna().values.all(), "changed: likelihoods are written"
sleap_io.save_csv(labels, "points.csv", format="points")
scores = pandas.read_csv("points.csv")["score"].tolist()
print("points:", scores)
assert abs(scores[0] - 0.9) < 1e-6 and abs(scores[1] - 0.01) < 1e-6, "changed: points lose scores too"
print("as stated: two formats with a place for scores get none")
END_PYTHON
