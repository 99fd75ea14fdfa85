#!/usr/bin/env bash
# The guess: labels written by save_csv and read again by load_file have their joints in the same order, so the arrays
# of numpy() are equal.
# The truth: it depends on the layout. Reading "sleap" and "instances" gives the joints sorted by name, so column 0 of
# numpy() is another joint. "points" keeps the order. "frames", which writes a prefix per person, comes back with one
# joint more, named after the prefix, all NaN, and first. Nothing is warned.
# Version: sleap-io 0.9.5, numpy 2.4.6, pandas 3.1.1 (PyPI). Run with Python 3.11.
# Seen (nose, left_hip, right_hip): sleap and instances: left_hip, nose, right_hip; frames: inst0, left_hip, nose,
# right_hip; points: as written.
# Who is hurt: who indexes joints by place after a trip through a table: the hip is taken for the nose.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps sleap-io==0.9.5 numpy==2.4.6 pandas==3.1.1 attrs==26.1.0 \
  python-dateutil==2.9.0.post0 six==1.17.0 h5py==3.16.0 imageio==2.38.1 lazy-loader==0.6 packaging==26.4 \
  pillow==13.0.0 pyyaml==6.0.4 simplejson==4.3.0 tqdm==4.70.1
venv/bin/python -W error - <<'END_PYTHON'
import numpy
import sleap_io

print("sleap-io", sleap_io.__version__)
joints = ["nose", "left_hip", "right_hip"]
person = sleap_io.PredictedInstance.from_numpy(
    numpy.array([[10.0, 20], [30, 40], [50, 60]]), skeleton=sleap_io.Skeleton(list(joints)),
    point_scores=numpy.array([0.9, 0.8, 0.7]), score=0.8)
video = sleap_io.Video(filename="clip.mp4", open_backend=False)
labels = sleap_io.Labels([sleap_io.LabeledFrame(video=video, frame_idx=0, instances=[person])])
seen = {}
for layout in ("points", "sleap", "instances", "frames"):
    sleap_io.save_csv(labels, f"{layout}.csv", format=layout)
    again = sleap_io.load_file(f"{layout}.csv")
    seen[layout] = again.skeletons[0].node_names
    print(f"{layout}: {seen[layout]}, column 0 of numpy() is {again.numpy()[0, 0, 0].tolist()}")
assert seen["points"] == joints, "changed: points"
assert seen["sleap"] == seen["instances"] == sorted(joints), "changed: sleap or instances keep the order"
assert seen["frames"] == ["inst0", *sorted(joints)], "changed: the prefix is no joint"
print("as stated: the layout decides which joint is first, and how many there are")
END_PYTHON
