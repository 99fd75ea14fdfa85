#!/usr/bin/env bash
# The guess: loadRes copies keypoint results, and the boxes by which the evaluation sorts people into sizes are either
# each result's own or none.
# The truth: the first result decides for all. Without `bbox` in it, every result gets the box of its points, over any
# box that it has; joints written as 0, 0, 0 for "not seen" count, so one of them stretches the box to the corner of the
# image and a person of medium size is large. The list that was given is changed: box, area, and another id.
# Version: pycocotools 2.0.11, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (a right and a surer false person of medium size): AP medium 0.5; with one joint of the false one not seen, which
# is no better a detection, 1.0; with the boxes given in both, 0.5 again.
# Who is hurt: who compares pose models by AP medium and large: it depends on how missing joints are written.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pycocotools==2.0.11 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import contextlib
import importlib.metadata
import io
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval


def person(x, y, unseen=(), **more):
    points = [[0, 0, 0] if joint in unseen else [x + 15 * (joint % 4), y + 15 * (joint // 4), 2] for joint in range(17)]
    return dict(image_id=1, category_id=1, keypoints=[float(n) for point in points for n in point], **more)


def medium(*results):
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = dict(
            info={}, images=[dict(id=1, width=640, height=480)],
            categories=[dict(id=1, name="person", keypoints=[str(joint) for joint in range(17)], skeleton=[])],
            annotations=[person(100, 100, id=1, num_keypoints=17, area=3600.0, bbox=[100, 100, 45, 60], iscrowd=0)])
        truth.createIndex()
        judge = COCOeval(truth, truth.loadRes(list(results)), "keypoints")
        judge.evaluate(), judge.accumulate(), judge.summarize()
    return round(float(judge.stats[3]), 3)


print("pycocotools", importlib.metadata.version("pycocotools"))
box, own = [500, 350, 45, 60], [100, 100, 45, 60]
false = person(500, 350, [3], score=0.9, id=77)
right = person(100, 100, score=0.5, bbox=[1, 2, 3, 4])
scores = (medium(person(500, 350, score=0.9), person(100, 100, score=0.5)), medium(false, right),
          medium(person(500, 350, [3], score=0.9, bbox=box), person(100, 100, score=0.5, bbox=own)))
print("AP medium: all seen %s, a joint of the false one not seen %s, boxes given %s" % scores)
corner, over = ([float(n) for n in result["bbox"]] for result in (false, right))
print("given and changed: id", false["id"], "box", corner, "and", over)
assert scores == (0.5, 1.0, 0.5), "changed: unseen joints do not count in the box, or boxes are not believed"
assert false["id"] == 1 and corner[:2] == [0, 0] and over == own, "changed: results are copied"
print("as stated: one joint less of a false person doubles AP medium, and the results given are changed")
END_PYTHON
