#!/usr/bin/env python3
"""Writes our bodies as the libraries do that people dump poses from, one file or more per built-in map.

    python3 -m venv venv && venv/bin/pip install -r scripts/proofs/requirements-dumps.txt
    venv/bin/python scripts/proofs/library_dumps.py Tests/FuzzTests/Corpora/table [--check]

Where a library installs with pip, its own code writes: MediaPipe's protocol buffers and result classes, and
pycocotools. The others follow their documentation, which each writer names. No model runs: the numbers are those of
three frames of datasets/scripted/s01-floor. In the third frame the left wrist is missing, in the way of each format,
and in a fourth nobody was found. With --check nothing is written: files that differ are named, and it exits 1.
"""
import argparse
import contextlib
import csv
import dataclasses
import io
import json
import math
import pathlib
import sys
import tempfile

from google.protobuf import json_format
from mediapipe.framework.formats import landmark_pb2
from mediapipe.tasks.python.components.containers.landmark import Landmark, NormalizedLandmark
from mediapipe.tasks.python.vision.pose_landmarker import PoseLandmarkerResult
from pycocotools.coco import COCO

from dump_shapes import ARKIT, COCO as COCO_JOINTS, MEDIAPIPE, Recording

#: Standing, a plank, and a plank in which the left wrist is missing.
FRAMES = (15, 210, 330)
MISSING = (330, "leftWrist")
#: The frame in which nobody was found.
NOBODY = 340

#: Pixels of the image, and how many of them a meter is.
WIDTH, HEIGHT, SCALE = 1080, 1920, 500

#: https://cmu-perceptual-computing-lab.github.io/openpose/web/html/doc/md_doc_02_output.html: BODY_25.
BODY_25 = ["nose", "neck", "rightShoulder", "rightElbow", "rightWrist", "leftShoulder", "leftElbow", "leftWrist",
           "root", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle", "rightEye", "leftEye",
           "rightEar", "leftEar", "leftBigToe", "leftSmallToe", "leftHeel", "rightBigToe", "rightSmallToe",
           "rightHeel"]


def arkit_names():
    """The 91 names of ARSkeletonDefinition.defaultBody3D.jointNames, in its order.

    https://developer.apple.com/documentation/arkit/arskeletondefinition and "Rigging a Model for Motion Capture".
    """
    def of(side, *parts):
        return [f"{side}_{part}_joint" for part in parts]

    def arm(side):
        fingers = [f"hand{finger}{part}" for finger in ("Index", "Mid", "Pinky", "Ring", "Thumb")
                   for part in ("Start", "_1", "_2", "_3", "End") if (finger, part) != ("Thumb", "_3")]
        return of(side, "shoulder_1", "arm", "forearm", "hand", *fingers)

    def leg(side):
        return of(side, "upLeg", "leg", "foot", "toes", "toesEnd")

    def eye(side):
        return of(side, "eye", "eyeLowerLid", "eyeUpperLid", "eyeball")

    names = ["root", "hips_joint", *leg("left"), *leg("right"), *(f"spine_{n}_joint" for n in range(1, 8)),
             *arm("left"), *(f"neck_{n}_joint" for n in range(1, 5)), "head_joint", "jaw_joint", "chin_joint",
             *eye("left"), "nose_joint", *eye("right"), *arm("right")]
    assert len(names) == 91
    return names


class Body:
    """A frame: its time in seconds, and its pose (None for nobody) in meters from the middle of the hips."""

    def __init__(self, recording, index):
        self.time = recording.times[index]
        pose = None if index == NOBODY else recording.poses[index]
        self.absent = MISSING[1] if index == MISSING[0] else None
        self.pose = None
        if pose:
            middle = [(a + b) / 2 for a, b in zip(pose["leftHip"], pose["rightHip"])]
            self.pose = {j: [a - b for a, b in zip(p, middle)] for j, p in pose.items()}

    def landmark(self, index):
        """The joint and the place of one of MediaPipe's 33; those that we do not have are at the head."""
        joint = MEDIAPIPE.get(index, "centerHead")
        return joint, self.pose[joint]

    def visibility(self, joint):
        return 0 if joint == self.absent else 0.98


def pixels(point):
    """A place in the image from its upper left corner, with a depth that grows away from the camera."""
    return WIDTH / 2 + SCALE * point[0], HEIGHT / 2 - SCALE * point[1], -SCALE * point[2]


def rounded(values, decimals=4):
    return [round(v, decimals) for v in values]


def world(point):
    """A world landmark: meters from the middle of the hips, y down, z away from the camera."""
    return rounded([point[0], -point[1], -point[2]])


def mediapipe(bodies):
    """`dataclasses.asdict` of MediaPipe's own results, each with the timestamp of its live stream."""
    results = []
    for body in bodies:
        marks, images = [], []
        for joint, point in (body.landmark(i) for i in range(33)) if body.pose else ():
            x, y, z = pixels(point)
            sure = {"visibility": body.visibility(joint), "presence": 0.99}
            marks.append(Landmark(**dict(zip("xyz", world(point))), **sure))
            images.append(NormalizedLandmark(
                **dict(zip("xyz", rounded([x / WIDTH, y / HEIGHT, z / WIDTH]))), **sure))
        result = PoseLandmarkerResult(
            pose_landmarks=[images] if images else [], pose_world_landmarks=[marks] if marks else [])
        results.append({"timestamp_ms": round(body.time * 1000), **dataclasses.asdict(result)})
    return {"mediapipe.json": line(results)}


def solutions(bodies):
    """The older Solutions: a LandmarkList by protobuf's own JSON, or null; a line per frame."""
    lines = []
    for body in bodies:
        found = landmark_pb2.LandmarkList()
        for joint, point in (body.landmark(i) for i in range(33)) if body.pose else ():
            x, y, z = world(point)
            found.landmark.add(x=x, y=y, z=z, visibility=body.visibility(joint))
        text = json_format.MessageToDict(found, preserving_proto_field_name=True) if body.pose else None
        lines.append(line({"timestamp_ms": round(body.time * 1000), "pose_world_landmarks": text}))
    return {"mediapipe_solutions.jsonl": "".join(lines)}


def world_landmarks(bodies, time):
    """`worldLandmarks` as JavaScript and Swift have them: a list per person of {x, y, z, visibility}.

    https://ai.google.dev/edge/api/mediapipe/js/tasks-vision.poselandmarkerresult
    https://ai.google.dev/edge/api/mediapipe/swift/vision/Classes/PoseLandmarkerResult
    """
    return "".join(line({
        time: round(body.time * 1000),
        "worldLandmarks": [[{**dict(zip("xyz", world(point))), "visibility": body.visibility(joint)}
                            for joint, point in map(body.landmark, range(33))]] if body.pose else []})
        for body in bodies)


def web(bodies):
    """The timestamp is the one that detectForVideo was given, in milliseconds."""
    return {"mediapipe_web.jsonl": world_landmarks(bodies, "timestamp")}


def ios(bodies):
    """MPPTaskResult has the time as timestampInMilliseconds."""
    return {"mediapipe_ios.jsonl": world_landmarks(bodies, "timestampInMilliseconds")}


def rows(bodies):
    """A row per landmark, in the order of the Pose Landmarker; no row where nobody is found."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["timestamp_ms", "landmark", "x", "y", "z", "visibility"])
    for body in bodies:
        for index in range(33) if body.pose else ():
            joint, point = body.landmark(index)
            table.writerow([round(body.time * 1000), index, *world(point), body.visibility(joint)])
    return {"mediapipe_rows.csv": text.getvalue()}


def mlkit(bodies):
    """PoseLandmark: getLandmarkType (0 to 32), getPosition3D in pixels with z from the hips, getInFrameLikelihood.

    https://developers.google.com/ml-kit/vision/pose-detection/android
    https://developers.google.com/ml-kit/reference/swift/mlkitposedetectioncommon/api/reference/Classes/PoseLandmark
    """
    return {"mlkit.jsonl": "".join(line({
        "timestamp": round(body.time * 1000),
        "landmarks": [{"type": index, **dict(zip("xyz", rounded(pixels(point), 2))),
                       "inFrameLikelihood": 0.2 if joint == body.absent else 0.98}
                      for index in range(33) for joint, point in [body.landmark(index)]] if body.pose else []})
        for body in bodies)}


def quickpose(bodies):
    """QuickPose.Point3d of allLandmarksForBody(): x and y in shares of the image, cameraAspectY in widths like x.

    https://docs.quickpose.ai/docs/MobileSDK/Features/Landmarks
    """
    lines = []
    for body in bodies:
        points = []
        for joint, point in map(body.landmark, range(33)) if body.pose else ():
            x, y, z = pixels(point)
            points.append({**dict(zip(("x", "y", "cameraAspectY", "z"),
                                      rounded([x / WIDTH, y / HEIGHT, y / WIDTH, z / WIDTH], 5))),
                           "visibility": body.visibility(joint), "presence": 0.99})
        lines.append(line({"timestamp": round(body.time, 4), "landmarks": points or None}))
    return {"quickpose.jsonl": "".join(lines)}


def coco(bodies):
    """What pycocotools accepts as results and keeps; an image without anybody has no entry."""
    images = [{"id": i, "width": WIDTH, "height": HEIGHT} for i in range(len(bodies))]
    detections = [{"image_id": i, "category_id": 1, "score": 0.9, "keypoints": [
        v for j in COCO_JOINTS for v in key_point(body, j)]} for i, body in enumerate(bodies) if body.pose]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        truth = pathlib.Path(folder) / "truth.json"
        truth.write_text(json.dumps({"images": images, "annotations": [], "categories": [{"id": 1}], "info": {}}))
        loaded = COCO(str(truth)).loadRes(detections)
    keep = ("image_id", "category_id", "score", "keypoints")
    return {"coco_results.json": line([{key: one[key] for key in keep}
                                       for one in loaded.loadAnns(loaded.getAnnIds())])}


def key_point(body, joint):
    """Pixels and a confidence; zeros for what is not there."""
    if joint not in body.pose or joint == body.absent:
        return 0, 0, 0
    x, y, _ = pixels(body.pose[joint])
    return round(x, 3), round(y, 3), 0.9


def openpose(bodies):
    """--write_json: a file per image with `people`, each with x, y and confidence of 25 points.

    https://cmu-perceptual-computing-lab.github.io/openpose/web/html/doc/md_doc_02_output.html
    """
    empty = {part: [] for part in (
        "face_keypoints_2d", "hand_left_keypoints_2d", "hand_right_keypoints_2d", "pose_keypoints_3d",
        "face_keypoints_3d", "hand_left_keypoints_3d", "hand_right_keypoints_3d")}
    return {f"openpose_{i:012}_keypoints.json": line({"version": 1.3, "people": [
        {"person_id": [-1], "pose_keypoints_2d": [v for j in BODY_25 for v in key_point(body, j)], **empty}
    ] if body.pose else []}) for i, body in enumerate(bodies)}


def arkit(bodies):
    """ARBodyAnchor.transform and skeleton.jointModelTransforms by name, column by column; null if not tracked.

    https://developer.apple.com/documentation/arkit/arbodyanchor
    https://developer.apple.com/documentation/arkit/arskeleton3d
    """
    c, s = math.cos(0.7), math.sin(0.7)
    # The anchor is turned about x, then moved; model transforms are in its axes.
    anchor = [1, 0, 0, 0, 0, round(c, 9), round(s, 9), 0, 0, round(-s, 9), round(c, 9), 0, 0.4, 0.1, -2.1, 1]
    joints = {name: joint for joint, name in ARKIT.items()}
    # The axes of a joint follow its bone; only its place is read.
    axes = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0]
    lines = []
    for body in bodies:
        transforms = {}
        for name in arkit_names() if body.pose else ():
            joint = joints.get(name, "root")
            x, y, z = body.pose[joint]
            place = rounded([x, c * y + s * z, c * z - s * y])
            transforms[name] = None if joint == body.absent else [*axes, *place, 1]
        lines.append(line({"timestamp": round(body.time, 4), "transform": anchor, "joints": transforms or None}))
    return {"arkit.jsonl": "".join(lines)}


def line(value):
    return json.dumps(value, separators=(",", ":")) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="write nothing, and name files that differ")
    options = parser.parse_args()
    recording = Recording("s01-floor")
    bodies = [Body(recording, index) for index in (*FRAMES, NOBODY)]
    different = []
    for writer in (mediapipe, solutions, web, ios, rows, mlkit, quickpose, coco, openpose, arkit):
        for name, text in writer(bodies).items():
            path = options.folder / name
            if not options.check:
                path.write_text(text)
            elif not path.exists() or path.read_text() != text:
                different.append(name)
    for name in different:
        print(f"{options.folder / name} is not what {pathlib.Path(__file__).name} writes", file=sys.stderr)
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
