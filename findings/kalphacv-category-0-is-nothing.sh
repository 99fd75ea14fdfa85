#!/usr/bin/env bash
# The guess: calculate_iaa_from_annotations of kalphacv gives two raters the same agreement whichever number a category
# has in their COCO file; a box that only one of them drew lowers it.
# The truth: for a box that a rater did not draw, the table of categories gets a 0. So a box of category 0 that only one
# rater drew is agreed upon, and if there are no other categories, agreement is 1 without looking: for boxes in other
# places, and for one rater who drew none. Names as categories, and numbers from 1, are fine. Nothing is warned.
# Version: kalphacv 1.5.2, krippendorff 0.9.0, scipy 1.17.1, shapely 2.1.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen, "person" as category 1 and as category 0: one rater drew a box, the other none: 0 and 1; each drew one in
# another corner: -0.5 and 1; both drew the same box: 1 and 1; of two boxes one is shared, and each has one alone: -0.25
# and 1.
# Who is hurt: who has labels from YOLO's tools, whose first category is 0: raters who share no box agree fully.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --no-deps kalphacv==1.5.2 krippendorff==0.9.0 numpy==2.4.6 scipy==1.17.1 \
  shapely==2.1.2 pillow==13.0.0 tqdm==4.67.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import json
from kalphacv import calculate_iaa_from_annotations

print("kalphacv", importlib.metadata.version("kalphacv"))
here, there, between = [10, 10, 40, 40], [200, 200, 40, 40], [100, 100, 40, 40]


def agreement(name, first, second):
    found = []
    for category in (1, 0):
        boxes = [(rater, box) for rater, drawn in (("a", first), ("b", second)) for box in drawn]
        file = {
            "images": [{"id": 1, "file_name": "frame.png", "width": 320, "height": 320, "raters": ["a", "b"]}],
            "categories": [{"id": category, "name": "person"}],
            "annotations": [{"id": number, "image_id": 1, "category_id": category, "bbox": box, "rater": rater}
                            for number, (rater, box) in enumerate(boxes, start=1)]}
        with open("boxes.json", "w") as stream:
            json.dump(file, stream)
        found.append(round(float(calculate_iaa_from_annotations(
            "bbox", "boxes.json", images_rater_key="raters", annotations_rater_key="rater", silent=True)[0.5]), 3))
    print(name, "as category 1", found[0], "as category 0", found[1])
    return found


assert agreement("one drew a box:", [here], []) == [0, 1], "changed: one box"
assert agreement("boxes elsewhere:", [here], [there]) == [-0.5, 1], "changed: boxes elsewhere"
assert agreement("the same box:", [here], [here]) == [1, 1], "changed: the same box"
assert agreement("one shared:", [here, there], [here, between]) == [-0.25, 1], "changed: one shared"
print("as stated: category 0 is the same as no box")
END_PYTHON
