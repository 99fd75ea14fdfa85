#!/usr/bin/env python3
"""Writes our bodies through the serializers of the libraries that people dump poses from.

    python3 -m venv venv && venv/bin/pip install -r scripts/proofs/requirements-dumps.txt
    venv/bin/python scripts/proofs/library_dumps.py Bench/Tests/FuzzTests/Corpora/table [--frames 3]

`mediapipe.json` is a list of `dataclasses.asdict` of MediaPipe's own `PoseLandmarkerResult`, each with the
timestamp that its live stream mode reports. `coco_results.json` is what pycocotools accepts as results and keeps.
No model runs: the numbers are those of datasets/scripted.
"""
import argparse
import contextlib
import dataclasses
import io
import json
import pathlib
import tempfile

from mediapipe.tasks.python.components.containers.landmark import Landmark, NormalizedLandmark
from mediapipe.tasks.python.vision.pose_landmarker import PoseLandmarkerResult
from pycocotools.coco import COCO

from dump_shapes import COCO as COCO_JOINTS, MEDIAPIPE, Recording


def landmarks(pose):
    """The world and the image landmarks of a pose, in MediaPipe's axes: y down, z away."""
    points = [pose.get(MEDIAPIPE.get(i, "centerHead")) for i in range(33)]
    world = [Landmark(x=p[0], y=-p[1], z=-p[2], visibility=0.98, presence=0.99) for p in points]
    image = [NormalizedLandmark(x=0.5 + p[0] / 4, y=0.5 - p[1] / 4, z=-p[2] / 4, visibility=0.98, presence=0.99)
             for p in points]
    return world, image


def mediapipe(recording):
    results = []
    for time, pose in recording:
        world, image = landmarks(pose) if pose else ([], [])
        result = PoseLandmarkerResult(
            pose_landmarks=[image] if pose else [], pose_world_landmarks=[world] if pose else [])
        results.append({"timestamp_ms": round(time * 1000), **dataclasses.asdict(result)})
    return results


def coco(recording):
    images = [{"id": i, "width": 1080, "height": 1920} for i in range(len(recording))]
    detections = [{"image_id": i, "category_id": 1, "score": 0.9, "keypoints": [
        round(v, 2) for j in COCO_JOINTS
        for v in ((540 + 500 * pose[j][0], 960 - 500 * pose[j][1], 0.9) if pose and pose.get(j) else (0, 0, 0))]}
        for i, (_, pose) in enumerate(recording)]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        truth = pathlib.Path(folder) / "truth.json"
        truth.write_text(json.dumps({"images": images, "annotations": [], "categories": [{"id": 1}], "info": {}}))
        loaded = COCO(str(truth)).loadRes(detections)
    keep = ("image_id", "category_id", "score", "keypoints")
    return [{key: one[key] for key in keep} for one in loaded.loadAnns(loaded.getAnnIds())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--frames", type=int, default=3)
    options = parser.parse_args()
    whole = list(Recording("s01-floor").frames())
    found = [frame for frame in whole if frame[1] and all(frame[1].values())][:options.frames]
    found = [(t, {j: [round(v, 3) for v in p] for j, p in pose.items()}) for t, pose in found]
    for name, value in [("mediapipe.json", mediapipe(found)), ("coco_results.json", coco(found))]:
        (options.folder / name).write_text(json.dumps(value) + "\n")


if __name__ == "__main__":
    main()
