#!/usr/bin/env python3
"""Writes poses as app developers dump them, and checks that `planklab doctor` gets them in.

    scripts/proofs/dump_shapes.py [--planklab PROGRAM]
    scripts/proofs/dump_shapes.py --write NAME FILE

Each shape is a recording of datasets/scripted in the form in which some app could have saved it. The script
asks `planklab doctor`, types the commands that it prints, and compares the answer of every frame with that of
the recording itself: a shape must give the same answers at the same times, or be refused with the way out, as
its line says. Labels are the same with `planklab label import` and seconds. The shapes were written before the
importer was read: they are what comes to mind, not what is known to work.
"""
import argparse
import bisect
import collections
import csv
import dataclasses
import datetime
import gzip
import io
import json
import math
import pathlib
import random
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTED = ROOT / "datasets" / "scripted"
SDK = ["root", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle", "spine",
       "centerShoulder", "centerHead", "topHead", "leftShoulder", "leftElbow", "leftWrist", "rightShoulder",
       "rightElbow", "rightWrist"]
VISION = {name: "human_" + "".join("_" + c.lower() if c.isupper() else c for c in name) + "_3D" for name in SDK}
COCO = ["nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftShoulder", "rightShoulder", "leftElbow",
        "rightElbow", "leftWrist", "rightWrist", "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle",
        "rightAnkle"]
MEDIAPIPE = {11: "leftShoulder", 12: "rightShoulder", 13: "leftElbow", 14: "rightElbow", 15: "leftWrist",
             16: "rightWrist", 23: "leftHip", 24: "rightHip", 25: "leftKnee", 26: "rightKnee", 27: "leftAnkle",
             28: "rightAnkle"}
ARKIT = {"root": "hips_joint", "leftHip": "left_upLeg_joint", "rightHip": "right_upLeg_joint",
         "leftKnee": "left_leg_joint", "rightKnee": "right_leg_joint", "leftAnkle": "left_foot_joint",
         "rightAnkle": "right_foot_joint", "spine": "spine_4_joint", "centerHead": "head_joint",
         "leftShoulder": "left_arm_joint", "rightShoulder": "right_arm_joint", "leftElbow": "left_forearm_joint",
         "rightElbow": "right_forearm_joint", "leftWrist": "left_hand_joint", "rightWrist": "right_hand_joint"}


#: The size of images in which points are, and when recordings began.
WIDTH, HEIGHT = 1080, 1920
START = datetime.datetime(2026, 11, 3, 18, 20, 11)


class Recording:
    """A recording: times in seconds, poses by joint (None where missing), camera matrices."""

    def __init__(self, name: str) -> None:
        self.name = name
        path = next(SCRIPTED.glob(name + ".poses.jsonl*"))
        opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
        with opened as lines:
            self.header = json.loads(next(lines))
            self.rows = rows = [json.loads(line) for line in lines]
        names = self.header["joints"]
        self.times = [row["t"] for row in rows]
        self.cameras = [row.get("camera") for row in rows]
        self.poses = []
        for row in rows:
            numbers = row["p"]
            self.poses.append(None if numbers is None else {
                joint: None if numbers[3 * i] is None else numbers[3 * i:3 * i + 3]
                for i, joint in enumerate(names)})

    def frames(self, turn=lambda p: p, joints=SDK):
        """Time and pose of every frame; the pose is None, or points in the order of `joints`."""
        for time, pose in zip(self.times, self.poses):
            yield time, None if pose is None else {
                joint: None if pose.get(joint) is None else [round(v, 7) for v in turn(pose[joint])]
                for joint in joints}


def snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name)


def write(path, value, indent=None):
    path.write_text(json.dumps(value, indent=indent) + "\n")


def write_csv(path, rows, delimiter=",", before=""):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    path.write_text(before + text.getvalue())


def lines(path, frames):
    path.write_text("".join(json.dumps(frame) + "\n" for frame in frames))


# What many shapes have in common: their frames as a list, as lines, or as the rows of a table.


def listed(build, dump=write, turn=lambda q: q):
    return lambda r, path: dump(path, [build(i, t, p) for i, (t, p) in enumerate(r.frames(turn))])


def table(columns, build, turn=lambda q: q, **how):
    return lambda r, path: write_csv(
        path, [*columns, *(build(i, t, p) for i, (t, p) in enumerate(r.frames(turn)))], **how)


def with_cameras(build, dump=lines):
    """Frames with the matrix of the camera."""
    return lambda r, path: dump(path, [build(t, p, camera) for (t, p), camera in zip(r.frames(), r.cameras)])


def points(p):
    return [p[j] for j in SDK]


def numbers(p, missing=(None,) * 3):
    return [v for j in SDK for v in ((p and p[j]) or missing)]


def xyz(point):
    return point and dict(zip("xyz", point))


def matrix(point):
    """A matrix by columns with the point in its last one."""
    return point and [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *point, 1]


COLUMNS = [f"{snake(j)}_{a}" for j in SDK for a in "xyz"]
array_of_arrays = listed(lambda i, t, p: {"timestamp": t, "joints": p and points(p)})
json_lines_of_points = listed(lambda i, t, p: {"t": t, **{j: xyz(p and p[j]) for j in SDK}}, lines)
csv_wide = table([["time", *COLUMNS]], lambda i, t, p: [t, *numbers(p, [""] * 3)])


def session_with_metadata(r, path):
    frames = [{"frame": i, "timeMs": round(t * 1000, 3), "pose": p and {snake(j): xyz(p[j]) for j in SDK}}
              for i, (t, p) in enumerate(r.frames())]
    write(path, {"device": "iPhone 15 Pro", "appVersion": "1.2.0", "subject": "anna", "fps": 30,
                 "recordedAt": "2026-11-03T18:20:11Z", "frames": frames}, indent=1)


def csv_long(r, path):
    write_csv(path, [["frame", "time_ms", "joint", "x", "y", "z"]] + [
        [i, round(t * 1000, 3), j, *((p and p[j]) or [""] * 3)] for i, (t, p) in enumerate(r.frames()) for j in SDK])


def zeros_and_flat_numbers(r, path):
    lines(path, [{"jointNames": SDK, "unit": "m"}, *(
        {"timestamp": t, "positions": numbers(p, [0] * 3)} for t, p in r.frames())])


def fourteen_joints(r, path):
    joints = [j for j in SDK if j not in ("spine", "centerHead", "topHead")]
    write(path, {"data": [{"seconds": t, "keypoints": p and [
        {"name": snake(j).upper(), "position": p[j], "confidence": 0.93} for j in joints]}
        for t, p in r.frames(joints=joints)]})


def numpy_arrays(r, path):
    import numpy
    points = [[[math.nan] * 3 if not p or p[j] is None else p[j] for j in SDK] for _, p in r.frames()]
    numpy.savez(path, positions=numpy.array(points), times=numpy.array(r.times))


def lists_beside_each_other(r, path):
    frames = list(r.frames())
    write(path, {"timestamps": r.times, "joints": {j: [p and p[j] for _, p in frames] for j in SDK}})


def date(t):
    return START + datetime.timedelta(seconds=t)


def mediapipe_world(r, path):
    frames = []
    for t, p in r.frames(lambda q: [q[0], -q[1], -q[2]]):
        points = []
        for i in range(33):
            at = (p and p.get(MEDIAPIPE.get(i, "centerHead"))) or None
            points.append({"x": at[0], "y": at[1], "z": at[2], "visibility": 0.98, "presence": 0.99}
                          if at else {"x": None, "y": None, "z": None, "visibility": 0, "presence": 0})
        flat = [[{**q, "x": 0.5 + 0.2 * (q["x"] or 0), "y": 0.5 + 0.2 * (q["y"] or 0)} for q in points]]
        frames.append({"timestamp_ms": round(t * 1000, 3), "pose_landmarks": flat if p else [],
                       "pose_world_landmarks": [points if p else None]})
    write(path, frames)


def arkit(i, t, p):
    c, s = math.cos(0.7), math.sin(0.7)
    return {"timestamp": t, "isTracked": True, "transform": [c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0.4, 0.1, -2.1, 1],
            "joints": p and {ARKIT[j]: matrix(p[j]) for j in ARKIT}}


def coco_points(i, t, p):
    return {"image_id": i, "category_id": 1, "score": 0.9, "keypoints": [
        v for j in COCO for v in (
            [540 + 500 * p[j][0], 960 - 500 * p[j][1], 0.9] if p and p.get(j) else [0, 0, 0])]}


def clock(key, text):
    """Frames whose field `key` has `text(t)`; several fields if `text` gives an object."""
    return listed(lambda i, t, p: {**(text(t) if key is None else {key: text(t)}), "joints": p})


def files(build, name):
    """A file per frame; nothing where `build` gives None."""
    def write_all(r, path):
        path.mkdir()
        for i, (t, p) in enumerate(r.frames()):
            text = build(i, t, p)
            if text is not None:
                (path / name.format(i)).write_text(text if isinstance(text, str) else json.dumps(text))
    return write_all


def flat(p):
    """The points of an image in pixels, y downward, by COCO's names; the nose is where the head is."""
    at = {j: p.get("centerHead" if j == "nose" else j) for j in COCO} if p else {}
    return {j: [round(WIDTH / 2 + 500 * v[0], 3), round(HEIGHT / 2 - 500 * v[1], 3)]
            for j, v in at.items() if v}


def shares(p):
    return {j: [x / WIDTH, y / HEIGHT] for j, (x, y) in flat(p).items()}


def coco(points, score, missing=(0, 0, 0)):
    """x, y and a score of COCO's 17 in a row."""
    return [v for j in COCO for v in ([*points[j], score] if j in points else missing)]


STANDING = Recording("s01-floor").poses[15]


def bystander(i):
    """Half as large, and standing beside."""
    return {j: [round(0.5 * v[0] + 0.7 + 0.002 * math.sin(i / 3), 5), round(0.5 * v[1] - 0.3, 5),
                round(0.5 * v[2] - 0.6, 5)] for j, v in STANDING.items()}


def crowd(i, p, body):
    """Both people, in an order that changes; the person is not in every frame."""
    found = ([(4, body(p))] if p else []) + [(9, body(bystander(i)))]
    return found[::-1] if i % 7 < 3 else found


def turned(k):
    """A unit quaternion."""
    q = [math.sin(1.7 * k), math.cos(2.3 * k), math.sin(0.9 * k + 1), math.cos(1.1 * k)]
    return [round(v / math.hypot(*q), 6) for v in q]


def mirrored(p):
    """What a detector finds in the mirror image."""
    swap = lambda j: j.replace("left", "?").replace("right", "left").replace("?", "right")
    return p and {swap(j): v and [-v[0], v[1], v[2]] for j, v in p.items()}


def long_table(column, joint=lambda j: j):
    return lambda r, path: write_csv(path, [["t", column, "x", "y", "z"]] + [
        [t, joint(j), *p[j]] for t, p in r.frames() if p for j in SDK if p[j]])


def rows_of_people(r, path):
    write_csv(path, [["time", "person_id", "joint", "x", "y", "z"]] + [
        [t, track, snake(j), *body[j]] for i, (t, p) in enumerate(r.frames())
        for track, body in crowd(i, p, lambda q: q) for j in SDK if body[j]])


def annotations(r, path):
    """COCO's file of images and people in them, with the flag v behind x and y."""
    frames = list(enumerate(r.frames()))
    write(path, {"images": [{"id": 7 + i, "file_name": f"clip_{i:06}.png", "width": WIDTH, "height": HEIGHT}
                            for i, _ in frames],
                 "annotations": [{"id": 1 + i, "image_id": 7 + i, "category_id": 1, "num_keypoints": 13,
                                  "keypoints": coco(flat(p), 2)} for i, (_, p) in frames if p],
                 "categories": [{"id": 1, "name": "person", "keypoints": [snake(j) for j in COCO]}]})


def landmarks(p):
    """MediaPipe's 33 in shares of the image, with a depth in its widths, and a visibility."""
    at = [(p or {}).get(MEDIAPIPE.get(i, "centerHead")) for i in range(33)]
    return [v for q in at for v in ([0.5 + 500 * q[0] / WIDTH, 0.5 - 500 * q[1] / HEIGHT,
                                     -500 * q[2] / WIDTH, 0.9] if q else [""] * 4)]


def frame_of_pandas(columns, build):
    def frame(r):
        import pandas
        rows = [build(i, t, p) for i, (t, p) in enumerate(r.frames())]
        return pandas.DataFrame(rows, columns=pandas.MultiIndex.from_tuples(columns)
                                if isinstance(columns[0], tuple) else columns)
    return frame


BY_COLUMN = frame_of_pandas(["t", *COLUMNS],
                            lambda i, t, p: [t, *numbers(p)])
LEVELS = frame_of_pandas([("net", snake(j), a) for j in SDK for a in "xyz"], lambda i, t, p: numbers(p))
LIKELIHOOD = frame_of_pandas([("net", snake(j), a) for j in COCO for a in ("x", "y", "likelihood")],
                             lambda i, t, p: coco(flat(p), 0.97, [None] * 3))


def orient(name):
    return lambda r, path: path.write_text(BY_COLUMN(r).to_json(orient=name))


def levels(frame):
    def save(r, path):
        table = frame(r)
        table.columns = table.columns.set_names(["scorer", "bodyparts", "coords"])
        table.to_csv(path)
    return save


def array(change):
    def save(r, path):
        import numpy
        numpy.save(path, change(numpy, numpy.array([numbers(p, [math.nan] * 3) for _, p in r.frames()])
                                .reshape(-1, len(SDK), 3)))
    return save


def markers(unit, scale):
    """TRC, as motion capture has it: names above every third column, and a unit in the third line."""
    def save(r, path):
        frames = list(r.frames())
        rows = [["PathFileType", "4", "(X/Y/Z)", path.name],
                ["DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units"],
                ["30", "30", len(frames), len(SDK), unit],
                ["Frame#", "Time", *(v for j in SDK for v in (j, "", ""))],
                ["", "", *(f"{a}{1 + k}" for k in range(len(SDK)) for a in "XYZ")]]
        for i, (t, p) in enumerate(frames):
            rows.append([1 + i, t, *("" if v is None else scale * v for v in numbers(p))])
        write_csv(path, rows, delimiter="\t")
    return save


def c3d(r, path):
    """Three blocks of parameters at most; the unit is said to be mm, and is cm."""
    frames = [p for _, p in r.frames()]

    def entry(group, name, kind, sizes, data):
        body = struct.pack("<bB", kind, len(sizes)) + bytes(sizes) + data + b"\0"
        return struct.pack("<bb", len(name), group) + name + struct.pack("<H", 2 + len(body)) + body

    labels = b"".join(j.encode().ljust(16) for j in SDK)
    parameters = (b"\1P\3T" + struct.pack("<bb5sHB", 5, -1, b"POINT", 3, 0)
                  + entry(1, b"LABELS", -1, [16, len(SDK)], labels) + entry(1, b"UNITS", -1, [2, 1], b"mm")
                  + b"\0\0")
    header = struct.pack("<BB5HfHHf", 2, 80, len(SDK), 0, 1, len(frames), 0, -1.0, 5, 0, 30.0)
    data = b"".join(struct.pack("<4f", *(100 * v for v in p[j]), 0) if p and p[j] else struct.pack("<4f", 0, 0, 0, -1)
                    for p in frames for j in SDK)
    path.write_bytes(header.ljust(512, b"\0") + parameters.ljust(3 * 512, b"\0") + data)


def twice(r, path):
    write(path, [{"t": t, "joints": p} for _ in range(2) for t, p in r.frames()])


def recoded(encode):
    """A table, as other bytes."""
    def save(r, path):
        csv_wide(r, path)
        path.write_bytes(encode(path.read_text()))
    return save


def last_again(r, path):
    last, frames = None, []
    for t, p in r.frames():
        last = p or last
        frames.append({"t": t, "joints": last})
    write(path, frames)


def leaning(degrees):
    """A camera that looks down: what is up for people leans toward it."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda r, path: write(path, [{"t": t, "joints": p} for t, p in r.frames(
        lambda q: [q[0], c * q[1] + s * q[2], c * q[2] - s * q[1]])])


def filled(value):
    return listed(lambda i, t, p: {"t": t, "joints": {
        j: p[j] if p and p[j] and not (j == "topHead" and i % 3 == 0) else [value] * 3 for j in SDK}})


def by_rows(r, path):
    """Matrices as rows, under ARKit's names, without an anchor."""
    lines(path, [{"timestamp": t, "joints": p and {
        ARKIT[j]: p[j] and [1, 0, 0, p[j][0], 0, 1, 0, p[j][1], 0, 0, 1, p[j][2], 0, 0, 0, 1] for j in ARKIT}}
        for t, p in r.frames()])


PARENTS = {"Hip": "root", "Knee": "Hip", "Ankle": "Knee", "Shoulder": "centerShoulder", "Elbow": "Shoulder",
           "Wrist": "Elbow", "spine": "root", "centerShoulder": "spine", "centerHead": "centerShoulder",
           "topHead": "centerHead", "root": "root"}


def from_parent(p, joint):
    """The way from the parent joint."""
    side = next((side for side in ("left", "right") if joint.startswith(side)), "")
    parent = PARENTS[joint[len(side):]]
    parent = parent if parent in SDK else side + parent
    return p[joint] and p[parent] and [a - b for a, b in zip(p[joint], p[parent])]


def motive(r, path):
    """OptiTrack's export of bones: a quaternion and a position of each in mm, under five rows of names."""
    rows = [["Format Version", "1.23", "Export Frame Rate", "30.000000", "Length Units", "Millimeters"], [],
            ["", "Type"] + ["Bone"] * 7 * len(SDK), ["", "Name"] + [f"anna:{j}" for j in SDK for _ in range(7)],
            ["", "ID"] + [k for k, _ in enumerate(SDK) for _ in range(7)],
            ["", ""] + (["Rotation"] * 4 + ["Position"] * 3) * len(SDK),
            ["Frame", "Time (Seconds)"] + ["X", "Y", "Z", "W", "X", "Y", "Z"] * len(SDK)]
    for i, (t, p) in enumerate(r.frames()):
        rows.append([i, t, *(v for k, j in enumerate(SDK) for v in (
            turned(i + k) + [1000 * w for w in p[j]] if p and p[j] else [""] * 7))])
    write_csv(path, rows)


def qualisys(r, path):
    """Names in a line of their own, and rows of numbers alone; nobody is 0."""
    rows = [["NO_OF_FRAMES", len(r.times)], ["NO_OF_MARKERS", len(SDK)], ["FREQUENCY", 30], ["DATA_INCLUDED", "3D"],
            ["MARKER_NAMES", *SDK]]
    write_csv(path, rows + [[1000 * v for v in numbers(p, [0] * 3)] for _, p in r.frames()], delimiter="\t")


def body_25b(p):
    at = flat(p)
    return [v for j in COCO + ["neck", "top"] + ["toe"] * 6 for v in ([*at[j], 0.8] if j in at else [0, 0, 0])]


def milliseconds(t):
    whole = round(1000 * t)
    return f"{whole // 3600000:02}:{whole // 60000 % 60:02}:{whole // 1000 % 60:02}.{whole % 1000:03}"


@dataclasses.dataclass
class Shape:
    """How a recording is written, and what has to become of it."""
    name: str
    write: Callable
    source: str = "s01-floor"
    ending: str = "json"        # empty for a folder
    refused: str = ""           # words of the refusal
    says: str = ""              # words of what is said beside the import; where least is 0, as unsure
    doctor: str = ""            # options of doctor
    flat: bool = False          # points of an image
    sparse: bool = False        # frames without anybody are not in it
    recordings: int = 1         # how many it becomes, all alike
    least: float = 1            # the share of frames with the same answers


SIZE = f"--image-size {WIDTH}x{HEIGHT}"


def image(name, write_shape, ending="json", **more):
    """A shape of points in an image."""
    return Shape(name, write_shape, ending=ending, flat=True, **{"doctor": SIZE, "least": 0.98, **more})


SHAPES = [
    Shape("array_of_arrays", array_of_arrays), Shape("dict_by_joint", listed(lambda i, t, p: {
        "time": t, "joints": p}), "s03-fast"),
    Shape("json_lines_of_points", json_lines_of_points, ending="jsonl"),
    Shape("session_with_metadata", session_with_metadata), Shape("csv_wide", csv_wide, ending="csv"),
    Shape("csv_long", csv_long, "s05-clip", "csv"),
    Shape("centimeters_by_vision_keys", listed(lambda i, t, p: {
        "ts": t, "joints": p and {VISION[j]: v for j, v in p.items()}}, lines, lambda q: [100 * v for v in q]),
        ending="jsonl"),
    Shape("zeros_and_flat_numbers", zeros_and_flat_numbers, "s03-fast", "jsonl"),
    Shape("fourteen_joints", fourteen_joints),
    Shape("vision_matrices", with_cameras(lambda t, p, camera: {
        "presentationTime": t, "bodyHeight": 1.5, "cameraOriginMatrix": camera,
        "joints": p and {VISION[j]: matrix(v) for j, v in p.items()}}), "s04-pelvis", "jsonl"),
    Shape("vision_without_matrix", listed(lambda i, t, p: {
        "timestamp": t, "joints": p and {VISION[j]: v for j, v in p.items()}}), "s04-pelvis",
        refused="cameraOriginMatrix"),
    Shape("numpy_arrays", numpy_arrays, ending="npz"),
    Shape("epoch_and_image_axes", listed(lambda i, t, p: {
        "joints": p, "timestamp": round(1764100000000 + t * 1000, 3)}, lines, lambda q: [q[0], -q[1], -q[2]]),
        ending="jsonl"),
    Shape("quarter_turn", listed(lambda i, t, p: {"timestamp": t, "pose": p}, turn=lambda q: [q[1], -q[0], q[2]])),
    Shape("blender_millimeters", table(
        [["frame", "t", *(f"{j}.{a}" for j in SDK for a in "XYZ")]], lambda i, t, p: [i, t, *numbers(p, ["nan"] * 3)],
        lambda q: [1000 * q[0], -1000 * q[2], 1000 * q[1]], delimiter=";",
        before="# exported from a scene, mm, z up\n"), "s05-clip", "csv"),
    Shape("lists_beside_each_other", lists_beside_each_other, "s03-fast"),
    Shape("keyed_by_time", lambda r, path: write(path, {
        "session": "demo", "poses": {f"{t:.6f}": p or {} for t, p in r.frames()}})),
    Shape("unity", listed(lambda i, t, p: {"Time": t, "Bones": [
        {"Joint": j[0].upper() + j[1:], "Pos": xyz(p[j])} for j in SDK] if p else []}, lines,
        lambda q: [q[0], q[1], -q[2]]), ending="jsonl"),
    # Whole microseconds: a clock that is finer than the labels would move their boundaries.
    Shape("dates", listed(lambda i, t, p: {"date": date(t).isoformat(timespec="microseconds") + "Z", "body": p}),
          "s03-fast"),
    Shape("numbers_without_names", table([], lambda i, t, p: [t, *numbers(p, [""] * 3)]), ending="csv"),
    Shape("coco_points", listed(coco_points), refused="--image-size"),
    # Of 15 joints and fewer, the others are computed.
    Shape("mediapipe_world", mediapipe_world, least=0.98), Shape("arkit", listed(arkit, lines), ending="jsonl", least=0.98),
    # People.
    Shape("people_with_ids", listed(lambda i, t, p: {"t": t, "people": [
        {"id": track, "joints": body} for track, body in crowd(i, p, lambda q: q)]}, lines), ending="jsonl",
        says="2 people"),
    Shape("people_by_place", listed(lambda i, t, p: {"t": t, "poses": [
        body for _, body in crowd(i, p, points)]}), says="2 people"),
    Shape("people_in_names", table(
        [["t", *(f"{who}_{snake(j)}_{a}" for who in ("p1", "p2") for j in SDK for a in "xyz")]],
        lambda i, t, p: [t, *numbers(bystander(i)), *numbers(p)]), ending="csv", says="2 people"),
    Shape("rows_of_people", rows_of_people, ending="csv", says="2 people"),
    image("people_who_exchange_numbers", listed(lambda i, t, p: {"t": t, "people": [
        {"id": (track, 13 - track)[i > 300], "keypoints": coco(flat(body), 0.9)}
        for track, body in crowd(i, p, lambda q: q)]}), says="may be someone else", least=0),
    image("people_by_image", lambda r, path: write(path, [
        {"image_id": i, "category_id": 1, "score": 0.9, "keypoints": body} for i, (_, p) in enumerate(r.frames())
        for _, body in crowd(i, p, lambda q: coco(flat(q), 0.9))]), says="2 people"),
    image("openpose_people", files(lambda i, t, p: {"version": 1.3, "people": [
        {"person_id": [-1], "pose_keypoints_2d": body}
        for _, body in crowd(i, p, lambda q: coco(flat(q), 0.9))]}, "clip_{}_keypoints.json"), "", says="2 people"),
    # Order and clocks.
    Shape("numbers_in_file_names", files(lambda i, t, p: {"joints": p}, "{}_pose.json"), ending=""),
    image("numbers_in_image_names", lambda r, path: write(path, [
        {"image_id": f"{i}.jpg", "category_id": 1, "keypoints": coco(flat(p), 0.8), "score": 2.9}
        for i, (_, p) in enumerate(r.frames()) if p]), sparse=True),
    Shape("frame_counter", listed(lambda i, t, p: {"frame": 1 + i, "joints": p}), refused="--rate 30"),
    Shape("clock_without_a_name", clock("q", lambda t: t), says="unsure"),
    Shape("clock_of_CMTime", clock("time", lambda t: {"value": round(600 * t), "timescale": 600})),
    Shape("clock_of_ticks", clock(None, lambda t: {"pts": round(90000 * t), "timescale": 90000})),
    Shape("clock_t_ms", clock("t_ms", lambda t: round(1000 * t))),
    Shape("clock_ns", clock("timestamp_ns", lambda t: 1764100000000000000 + round(1e9 * t))),
    Shape("clock_hh_mm_ss_ms", clock("timestamp", milliseconds)),
    Shape("clock_of_subtitles", clock("time", lambda t: milliseconds(t).replace(".", ","))),
    Shape("clock_isoformat", clock("captured_at", lambda t: date(t).isoformat())),
    Shape("clock_str_of_datetime", clock("when", lambda t: str(date(t)))),
    Shape("clock_toISOString", clock("createdAt", lambda t: date(t).isoformat(timespec="milliseconds") + "Z")),
    Shape("clock_of_2001", clock("date", lambda t: (date(t) - datetime.datetime(2001, 1, 1)).total_seconds())),
    Shape("clock_of_whole_seconds", clock("date", lambda t: f"{date(t):%Y-%m-%d %H:%M:%S} +0000")),
    Shape("clock_of_excel", clock("time", lambda t: round(46329.764016203704 + t / 86400, 10)), least=0.99),
    Shape("clock_day_or_month", clock("time", lambda t: f"{date(t):%m/%d/%Y %H:%M:%S.%f}")),
    Shape("clock_day_first", clock("time", lambda t: f"{date(t + 22 * 86400):%d/%m/%Y %H:%M:%S.%f}")),
    Shape("clock_of_unknown_ticks", clock("machTime", lambda t: round(24e6 * (1000 + t))), says="timescale", least=0),
    Shape("clock_of_every_point", lambda r, path: write(path, {j: [
        {"time": t, **dict(zip("xyz", (p and p[j]) or [None] * 3))} for t, p in r.frames()] for j in SDK}), "s03-fast"),
    Shape("clock_in_hundredths", clock("elapsed_cs", lambda t: round(100 * t, 2))),
    Shape("clock_of_32_bits", clock("micros", lambda t: (2 ** 32 - 7000000 + round(1e6 * t)) % 2 ** 32)),
    Shape("clock_without_hours", clock("time", lambda t: milliseconds(3593 + t)[3:])),
    Shape("clock_in_two_fields", clock(None, lambda t: {
        "minute": int(t + 53) // 60, "second": round((t + 53) % 60, 6)})),
    Shape("clock_that_starts_again", twice, recordings=2),
    Shape("clock_with_one_0", listed(lambda i, t, p: {"t": 0 if i == 90 else t, "joints": p}), refused="one frame"),
    Shape("clock_in_s_then_ms", clock("time", lambda t: t if t < 6 else 1000 * t), refused="another unit"),
    Shape("clock_in_minutes", clock("time", lambda t: round(t / 60, 8)), refused="unit: min"),
    Shape("clock_of_parts_of_a_second", clock("ms", lambda t: round(1000 * t) % 1000), refused="their seconds"),
    Shape("frames_in_another_order", lambda r, path: write(path, [
        {"t": t, "joints": p} for t, p in random.Random(65).sample(list(r.frames()), len(list(r.frames())))]),
        refused="sort them by `t`"),
    # Axes.
    Shape("unused_matrix", listed(lambda i, t, p: {
        "t": t, "cameraTransform": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, -2, 1], "joints": p}),
        says="`cameraTransform`"),
    image("image_on_its_side", listed(lambda i, t, p: {"t": t, "points": {
        j: [HEIGHT - y, x] for j, (x, y) in flat(p).items()}}), doctor=f"--image-size {HEIGHT}x{WIDTH}"),
    *(Shape(f"camera_that_leans_{degrees}", leaning(degrees), says="degrees to the up axis", least=0)
      for degrees in (30, 45)),
    image("image_upward", listed(lambda i, t, p: {"t": t, "points": {
        j: [x, 1 - y, 0.9] for j, (x, y) in shares(p).items()}})),
    Shape("left_mirrored", lambda r, path: lines(path, [{"orientation": "leftMirrored", "captureFps": 30}] + [
        {"joints": mirrored(p)} for _, p in r.frames()]), ending="jsonl"),
    # The third number, confidences, and fillers.
    image("score_third", listed(lambda i, t, p: {"t": t, "keypoints": [
        [*shares(p).get(j, (0, 0)), (0.3 + 0.6 * math.sin(i + k) ** 2) * bool(p)] for k, j in enumerate(COCO)]})),
    image("y_before_x", listed(lambda i, t, p: {"t": t, "keypoints": [
        [*shares(p).get(j, (0, 0))[::-1], 0.3 + 0.6 * math.sin(i + k) ** 2] for k, j in enumerate(COCO)]})),
    image("scores_beside", listed(lambda i, t, p: {"frame_id": i, "instances": [{
        "keypoints": [flat(p).get(j, [0, 0]) for j in COCO],
        "keypoint_scores": [0.9 if j in flat(p) else 0.01 for j in COCO]}] if p else []})),
    image("errors_for_scores", listed(lambda i, t, p: {"t": t, "keypoints": [
        [*flat(p).get(j, (0, 0)), 0.02 + 0.05 * math.sin(i + k) ** 2] for k, j in enumerate(COCO)]}),
        says="below 0.1", least=0),
    image("percent_of_the_image", listed(lambda i, t, p: {"t": t, "points": {
        j: [100 * x, 100 * y] for j, (x, y) in shares(p).items()}}), says="percent of the image", least=0),
    *(image(f"{name}_for_scores", listed(lambda i, t, p, good=good, bad=bad: {"t": t, "points": [
        {"name": snake(j), "x": x, "y": y, "confidence": good if j in flat(p) else bad}
        for j, (x, y) in {**{j: (9 * k + i, 7 * k) for k, j in enumerate(COCO)}, **flat(p)}.items()]}))
      for name, good, bad in (("words", "High", "None"), ("levels", 2, 0), ("percentages", "80%", "0%"),
                              ("objects", {"value": 0.9}, {"value": 0.0}))),
    image("points_around_0", listed(lambda i, t, p: {"t": t, "points": {
        j: [2 * x - 1, 1 - 2 * y] for j, (x, y) in shares(p).items()}}), refused="(x + 1) / 2"),
    image("scores_in_percent", listed(lambda i, t, p: {"t": t, "keypoints": [
        {"name": snake(j), "x": x, "y": y, "confidence": round(60 + 30 * math.sin(i) ** 2, 1)}
        for j, (x, y) in flat(p).items()]})),
    Shape("visibility_0", listed(lambda i, t, p: {"t": t, "joints": p and [
        {"name": snake(j), **dict(zip("xyz", v)), "visibility": 0} for j, v in p.items() if v]})),
    Shape("filler_9999", filled(9999)), Shape("filler_minus_1", filled(-1)),
    Shape("filler_last_pose", last_again, says="repeat"),
    image("filler_0_of_names", listed(lambda i, t, p: {"t": t, **{
        f"{snake(j)}_{a}": v for j in COCO for a, v in zip("xy", flat(p).get(j, (0, 0)))}})),
    Shape("sides_in_two_units", listed(lambda i, t, p: {"t": t, "joints": p and {
        j: v and [(1000 if j.startswith("left") else 1) * w for w in v] for j, v in p.items()}}),
        refused="different units"),
    Shape("nobody", listed(lambda i, t, p: {"t": t, "joints": {j: None for j in SDK}}), refused="no position"),
    Shape("flags_beside", listed(lambda i, t, p: {"t": t, "joints": p and [
        {"name": snake(j), "position": v or [0.4, 0.3, 0.2], "isTracked": bool(v)} for j, v in p.items()]})),
    Shape("states_beside", listed(lambda i, t, p: {"t": t, "joints": p and {j: {
        "pos": v or [0.4, 0.3, 0.2], "state": "Tracked" if v else "NotTracked"} for j, v in p.items()}})),
    Shape("flag_of_a_frame", listed(lambda i, t, p: {"t": t, "bodyDetected": bool(p), "joints": p or {
        j: [0.01 * k, 0.02 * k, 0.03 * (i % 3)] for k, j in enumerate(SDK)}})),
    # Points that are no positions.
    Shape("rotations_first", listed(lambda i, t, p: {"t": t, "joints": p and {
        j: {"rotation": turned(i + k), "location": v} for k, (j, v) in enumerate(p.items())}})),
    Shape("velocities_first", listed(lambda i, t, p: {"t": t, "jointVelocity": p and {
        j: turned(i + k)[:3] for k, j in enumerate(p)}, "xyz": p})),
    Shape("from_the_parent", listed(lambda i, t, p: {"t": t, "joints": p and {
        j: from_parent(p, j) for j in SDK}}), refused="relative to the parent"),
    Shape("knees_called_ankles", listed(lambda i, t, p: {"t": t, "joints": p and {
        j.replace("Knee", "?").replace("Ankle", "Knee").replace("?", "Ankle"): v for j, v in p.items()}}),
        says="lengths of limbs", least=0),
    Shape("angles_only", listed(lambda i, t, p: {"t": t, "eulerAngles": p and {
        j: [90 * v for v in turned(i + k)[:3]] for k, j in enumerate(p)}}), refused="angles, not positions"),
    Shape("quaternions_only", listed(lambda i, t, p: {"t": t, "joints": p and {
        j: turned(i + k) for k, j in enumerate(p)}}), refused="quaternions"),
    # Recordings in one file.
    Shape("cameras_in_turn", lambda r, path: write(path, [
        {"t": t + 0.01 * k, "camera": name, "joints": p} for t, p in r.frames()
        for k, name in enumerate(("left", "right"))]), recordings=2, says="by `camera`", least=0),
    Shape("clips_in_a_column", lambda r, path: write_csv(path, [["clip", "t", *COLUMNS], *(
        [clip, t + start, *numbers(p)] for clip, start in (("a", 0), ("b", 100)) for t, p in r.frames())]),
        ending="csv", recordings=2, least=0),
    *(Shape(f"one_recording_by_{column}", table(
        [["time", column, *COLUMNS]],
        lambda i, t, p, value=value: [t, value(i), *numbers(p)]), ending="csv") for column, value in (
            ("trial", lambda i: i // 200), ("view", lambda i: "front" if i < 300 else "side"),
            ("type", lambda i: "I" if i % 12 == 0 else "P"))),
    Shape("lists_of_frames", lambda r, path: write(path, {name: [
        {"t": t, "joints": p} for t, p in r.frames()][start:] for name, start in (("walk", 200), ("plank", 0))}),
        says="only the frames under `plank`"),
    Shape("list_that_is_cut_off", lambda r, path: (array_of_arrays(r, path), path.write_text(
        path.read_text().rstrip("]\n"))), refused="JSON"),
    Shape("tables_put_together", lambda r, path: (csv_wide(r, path), path.write_text(2 * path.read_text())),
          ending="csv", recordings=2),
    Shape("recordings_in_a_list", lambda r, path: write(path, [
        {"name": name, "frames": [{"t": t, "joints": p} for t, p in r.frames()]} for name in ("a", "b")]),
        refused="split -l 1"),
    Shape("height_not_given", with_cameras(lambda t, p, camera: {
        "t": t, "cameraOriginMatrix": camera, "joints": p and {VISION[j]: v for j, v in p.items()}}),
        "s04-pelvis", "jsonl"),
    # Other people's shapes.
    # Bodies of unknown size are scaled to that of the reference.
    Shape("tutorial_table", table([["class", *(f"{a}{k}" for k in range(1, 34) for a in "xyzv")]],
                                  lambda i, t, p: ["plank", *landmarks(p)]), ending="csv", doctor=SIZE, least=0.95),
    image("no_header", table([], lambda i, t, p: [f"img_{i}.png", *coco(flat(p), 0.9)]), "csv"),
    Shape("three_rows", levels(LEVELS), ending="csv"),
    image("three_rows_of_DeepLabCut", levels(LIKELIHOOD), "csv"),
    image("lists_of_x_and_y", listed(lambda i, t, p: [{
        "name": "person", "class": 0, "confidence": 0.9, "box": {"x1": 9.5, "y1": 8.5, "x2": 700.5, "y2": 800.5},
        "keypoints": {"x": coco(flat(p), 0.9)[0::3], "y": coco(flat(p), 0.9)[1::3],
                      "visible": coco(flat(p), 0.9)[2::3]}}] if p else [])),
    image("yolo_save_txt", files(lambda i, t, p: " ".join(map(str, [0, 0.5, 0.5, 0.6, 0.4, *coco(shares(p), 0.9)]))
                                 if p else None, "clip_{}.txt"), "", sparse=True),
    image("annotations", annotations, says="image"),
    Shape("long_by_bodypart", long_table("bodypart", snake), ending="csv", sparse=True),
    Shape("long_by_q", long_table("q", lambda j: j.upper()), ending="csv", sparse=True),
    Shape("keys_frame_0", lambda r, path: write(path, {
        f"frame_{i}": {"t": t, "joints": p} for i, (t, p) in enumerate(r.frames())})),
    *(Shape("pandas_" + one, orient(one)) for one in ("columns", "split", "index", "values")),
    Shape("matrices_by_rows", by_rows, ending="jsonl", least=0.98),
    Shape("names_of_Swift", listed(lambda i, t, p: {"t": t, "joints": p and {
        f"JointName(rawValue: VNRecognizedPointKey(_rawValue: {VISION[j]}))":
        v and f"SIMD3<Float>({v[0]}, {v[1]}, {v[2]})" for j, v in p.items()}}, lines), ending="jsonl"),
    Shape("array_of_Fortran", array(lambda numpy, a: numpy.asfortranarray(a)), ending="npy"),
    Shape("array_of_a_batch", array(lambda numpy, a: a[None]), ending="npy"),
    Shape("array_of_a_graph", array(lambda numpy, a: a.transpose(2, 0, 1)[None, ..., None]), ending="npy"),
    Shape("array_of_windows", array(lambda numpy, a: numpy.stack([a[i:i + 30] for i in range(0, 500, 15)])),
          ending="npy", refused="windows"),
    Shape("array_of_big_endian", array(lambda numpy, a: a.astype(">f4")), ending="npy"),
    Shape("gzip_under_json", lambda r, path: path.write_bytes(gzip.compress(json.dumps(
        [{"t": t, "joints": p} for t, p in r.frames()]).encode()))),
    Shape("sep_and_decimal_commas", recoded(lambda text: (
        "sep=;\r\n" + text.replace(",", ";").replace(".", ",").replace("\n", "\r\n")).encode("utf-8-sig")),
        ending="csv"),
    Shape("UTF_16", recoded(lambda text: text.replace(",", "\t").encode("utf-16")), ending="txt"),
    Shape("carriage_returns", recoded(lambda text: text.replace("\n", "\r").encode()), ending="csv"),
    Shape("NA_of_R", table([["t", *(f"{j}_{a}" for j in SDK for a in "xyz")]],
                           lambda i, t, p: [t, *numbers(p, ["NA"] * 3)]), ending="csv"),
    Shape("units_in_names", table([["time (s)", *(f"{snake(j)}_{a} (m)" for j in SDK for a in "xyz")]],
                                  lambda i, t, p: [t, *numbers(p)]), ending="csv"),
    Shape("lists_that_leave_frames_out", lambda r, path: write(path, {
        j: [[t, *p[j]] for t, p in r.frames() if p and p[j]] for j in SDK}), refused="long"),
    Shape("log_of_json", lambda r, path: path.write_text("".join(
        f"18:20:11 INFO pose: {json.dumps({'t': t, 'joints': p})}\n" for t, p in r.frames())), ending="log",
        refused="grep -o '{.*}'"),
    Shape("last_line_cut_off", lambda r, path: (json_lines_of_points(r, path), path.write_text(
        path.read_text()[:-60])), ending="jsonl", refused="^{.*}"),
    Shape("joints_in_Spanish", listed(lambda i, t, p: {"t": t, "articulaciones": p and {
        f"{part} {'izquierda' if left else 'derecha'}": p[("left" if left else "right") + j]
        for part, j in (("cadera", "Hip"), ("rodilla", "Knee"), ("mu\u00f1eca", "Wrist")) for left in (0, 1)}}),
        refused="write a map"),
    image("wholebody_without_names", listed(lambda i, t, p: {"t": t, "keypoints": coco(flat(p), 0.9) + [0.5] * 348})),
    Shape("labels_for_poses", lambda r, path: shutil.copy(SCRIPTED / f"{r.name}.labels.csv", path), ending="csv",
          refused="planklab label import"),
    image("openpose_25B", files(lambda i, t, p: {"people": [
        {"person_id": [-1], "pose_keypoints_2d": body_25b(p)}] if p else []}, "clip_{}_keypoints.json"), ""),
    image("openpose_shares", files(lambda i, t, p: {"people": [{"pose_keypoints_2d": [
        v / s for v, s in zip(body_25b(p), [WIDTH, HEIGHT, 1] * 25)]}] if p else []}, "clip_{}.json"), ""),
    Shape("sides_around_joints", listed(lambda i, t, p: {"t": t, **{side: p and {
        j[len(side):].lower(): p[j] for j in SDK if j.startswith(side)} for side in ("left", "right")}}), least=0.98),
    Shape("dictionary_of_Swift", listed(lambda i, t, p: {"t": t, "joints": [
        v for j in random.Random(i).sample(SDK, len(SDK)) for v in (j, p[j] or [0, 0, 0])] if p else []})),
    *(Shape(f"coordinates_{a}{b}{c}", table([["t", *(f"{snake(j)}_{axis}" for j in SDK for axis in (a, b, c))]],
                                          lambda i, t, p: [t, *numbers(p)]), ending="csv")
      for a, b, c in (("1", "2", "3"), ("0", "1", "2"), ("tx", "ty", "tz"))),
    Shape("columns_that_count", table([[f"Var{k}" for k in range(1, 53)]], lambda i, t, p: [t, *numbers(p)]),
          ending="csv"),
    Shape("motive", motive, ending="csv"), Shape("qualisys", qualisys, ending="tsv"),
    Shape("trc", markers("mm", 1000), ending="trc"),
    Shape("trc_that_says_m", markers("m", 100), ending="trc", says="the header says `m`"),
    Shape("c3d", c3d, ending="c3d", says="the header says `mm`"),
    Shape("pose_format", lambda r, path: path.write_bytes(struct.pack("<f", 0.2) + bytes(4000)), ending="pose",
          refused="numpy.savez"),
]


# Labels: the writer gets (start, end, label) of every segment.


def elan(rows):
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{k}" TIME_VALUE="{round(1000 * v)}"/>'
                    for k, v in enumerate(v for row in rows for v in row[:2]))
    notes = "".join(f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{k}" TIME_SLOT_REF1="ts{2 * k}" '
                    f'TIME_SLOT_REF2="ts{2 * k + 1}"><ANNOTATION_VALUE>{row[2]}</ANNOTATION_VALUE>'
                    "</ALIGNABLE_ANNOTATION></ANNOTATION>" for k, row in enumerate(rows))
    return ('<?xml version="1.0" encoding="UTF-8"?><ANNOTATION_DOCUMENT FORMAT="3.0"><HEADER '
            f'TIME_UNITS="milliseconds"/><TIME_ORDER>{slots}</TIME_ORDER><TIER TIER_ID="plank">{notes}</TIER>'
            "</ANNOTATION_DOCUMENT>")


def praat(rows):
    intervals = "".join(f'        intervals [{k}]:\n            xmin = {a}\n            xmax = {b}\n'
                        f'            text = "{label}"\n' for k, (a, b, label) in enumerate(rows, 1))
    return ('File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 18\ntiers? <exists>\nsize = 1\n'
            'item []:\n    item [1]:\n        class = "IntervalTier"\n        name = "plank"\n        xmin = 0\n'
            f'        xmax = 18\n        intervals: size = {len(rows)}\n{intervals}')


def boris(rows):
    head = "Observation id\tObservation date\tMedia file\tTotal length\tFPS\tSubject\tBehavior\tBehavioral category\t" \
           "Modifiers\tBehavior type\tStart (s)\tStop (s)\tDuration (s)\tComment start\tComment stop\n"
    return head + "".join(f"anna\t2026-11-03\tanna.mp4\t18.0\t30.0\tanna\t{label}\t\t\tSTATE\t{a:.3f}\t{b:.3f}\t"
                          f"{b - a:.3f}\t\t\n" for a, b, label in rows) + \
        "anna\t2026-11-03\tanna.mp4\t18.0\t30.0\tanna\tbeep\t\t\tPOINT\t3.000\t3.000\tNA\t\t\n"


def delimited(head, build, between=","):
    return lambda rows: "\n".join([between.join(head)] * bool(head) + [
        between.join(map(str, build(*row))) for row in rows]) + "\n"


def cue(t, mark):
    return milliseconds(t).replace(".", mark)


Labels = collections.namedtuple("Labels", "name ending write options refused", defaults=["", ""])
LABELS = [
    Labels("labels_of_audacity", "txt", delimited([], lambda a, b, c: (f"{a:.6f}", f"{b:.6f}", c), "\t")),
    Labels("labels_with_decimal_commas", "txt", lambda rows: delimited(
        [], lambda a, b, c: (f"{a:.6f}", f"{b:.6f}", c), "\t")(rows).replace(".", ",")),
    Labels("labels_with_semicolons", "csv", lambda rows: delimited(
        ["label", "begin", "end"], lambda a, b, c: (c, a, b), ";")(rows).replace(".", ",")),
    Labels("labels_in_ms", "csv", delimited(
        ["start_ms", "end_ms", "label"], lambda a, b, c: (round(1000 * a), round(1000 * b), c))),
    Labels("labels_in_us", "csv", delimited(
        ["start_us", "end_us", "label"], lambda a, b, c: (round(1e6 * a), round(1e6 * b), c))),
    Labels("labels_in_carriage_returns", "csv", lambda rows: delimited(
        ["start", "end", "label"], lambda a, b, c: (a, b, c))(rows).replace("\n", "\r")),
    Labels("labels_in_frames", "csv", delimited(
        ["start_frame", "end_frame", "label"], lambda a, b, c: (round(30 * a), round(30 * b), c)), "--rate 30"),
    Labels("labels_in_frames_without_a_rate", "csv", delimited(
        ["start_frame", "end_frame", "label"], lambda a, b, c: (round(30 * a), round(30 * b), c)), "", "--rate"),
    Labels("labels_in_unnamed_frames", "csv", delimited(
        ["start", "end", "label"], lambda a, b, c: (round(30 * a), round(30 * b), c)), "--recording s.poses.jsonl",
        "frames"),
    Labels("labels_by_the_clock", "csv", delimited(
        ["from", "to", "what"], lambda a, b, c: (milliseconds(a), milliseconds(b), c)),
        "--columns from,to,what"),
    Labels("labels_by_timecode", "tsv", delimited(
        ["In", "Out", "Label"], lambda a, b, c: (*(f"00:00:{int(v):02}:{round(30 * v) % 30:02}" for v in (a, b)), c),
        "\t"), "--rate 30"),
    Labels("labels_of_several", "csv", lambda rows: "recording,start,end,label\n" + "".join(
        f"{name},{a + k},{b + k},{c}\n" for a, b, c in rows for k, name in enumerate(("anna-1", "ben-1"))),
        "--recording anna-1"),
    Labels("labels_of_elan", "eaf", elan),
    Labels("labels_of_elan_as_text", "txt", delimited(
        ["Tier", "Participant", "Begin Time - hh:mm:ss.ms", "Begin Time - ss.msec", "End Time - hh:mm:ss.ms",
         "End Time - ss.msec", "Annotation"],
        lambda a, b, c: ("plank", "", milliseconds(a), f"{a:.3f}", milliseconds(b), f"{b:.3f}", c), "\t")),
    Labels("labels_of_boris", "tsv", boris, "--label beep=ignore"),
    Labels("labels_of_label_studio", "json", lambda rows: json.dumps([{
        "id": 1, "data": {"video": "/data/anna.mp4"}, "annotations": [{"id": 1, "result": [
            {"id": f"r{k}", "type": "timelinelabels", "from_name": "plank", "to_name": "video", "value": {
                "ranges": [{"start": 1 + round(30 * a), "end": round(30 * b)}], "timelinelabels": [c]}}
            for k, (a, b, c) in enumerate(rows)]}]}]), "--rate 30"),
    Labels("labels_of_create_ml", "json", lambda rows: json.dumps([{"video": "anna.mp4", "annotations": [
        {"label": c, "start": a, "end": b} for a, b, c in rows]}])),
    Labels("labels_of_praat", "TextGrid", praat),
    Labels("labels_of_subrip", "srt", lambda rows: "".join(
        f"{k}\n{cue(a, ',')} --> {cue(b, ',')}\n{c}\n\n" for k, (a, b, c) in enumerate(rows, 1))),
    Labels("labels_of_webvtt", "vtt", lambda rows: "WEBVTT\n\n" + "".join(
        f"{cue(a, '.')} --> {cue(b, '.')}\n{c}\n\n" for a, b, c in rows)),
    Labels("labels_of_every_frame", "csv", lambda rows: "time,label\n" + "".join(
        f"{i / 30:.6f},{c}\n" for a, b, c in rows for i in range(round(30 * a), round(30 * b)))),
    Labels("labels_in_two_units", "csv", delimited(
        ["start_s", "duration_ms", "label"], lambda a, b, c: (a, round(1000 * (b - a)), c))),
    Labels("labels_in_minutes", "csv", delimited(
        ["begin (min)", "end (min)", "label"], lambda a, b, c: (round(a / 60, 8), round(b / 60, 8), c))),
    Labels("labels_in_minutes_and_seconds", "csv", delimited(
        ["start min", "start sec", "end min", "end sec", "label"],
        lambda a, b, c: (int(a + 50) // 60, round((a + 50) % 60, 3), int(b + 50) // 60, round((b + 50) % 60, 3), c)),
        "--offset -50"),
    Labels("labels_of_a_spreadsheet", "csv", delimited(
        ["Start", "End", "Label"], lambda a, b, c: (f"{a / 86400:.10f}", f"{b / 86400:.10f}", c)),
        "--recording s.poses.jsonl"),
    Labels("labels_of_a_spreadsheet_alone", "csv", delimited(
        ["Start", "End", "Label"], lambda a, b, c: (f"{a / 86400:.10f}", f"{b / 86400:.10f}", c)), "", "--unit days"),
    Labels("labels_with_thousands", "csv", delimited(
        ["start_ms", "end_ms", "label"], lambda a, b, c: (f'"{1000 * a:,.1f}"', f'"{1000 * b:,.1f}"', c))),
    Labels("labels_in_samples", "csv", delimited(
        ["start_sample", "end_sample", "label"], lambda a, b, c: (round(8000 * a), round(8000 * b), c)), "",
        "samples per second"),
    Labels("labels_of_two_observers", "csv", lambda rows: "start,end,label,observer\n" + "".join(
        f"{a + k / 10},{b + k / 10},{c},{name}\n" for k, name in enumerate(("ann", "bob")) for a, b, c in rows),
        "--tier ann"),
    Labels("labels_of_two_people_in_one", "json", lambda rows: json.dumps([
        {"person": name, "start": a, "end": b, "label": c} for name in ("ann", "bob") for a, b, c in rows]), "",
        "`ann`, `bob`"),
    Labels("labels_twice", "csv", lambda rows: "start,end,label\n" + "".join(
        f"{a},{b},{c}\n" * 2 for a, b, c in rows)),
    Labels("labels_in_markdown", "md", lambda rows: "| start | end | label |\n|---|---|---|\n" + "".join(
        f"| {a} | {b} | {c} |\n" for a, b, c in rows)),
    Labels("labels_of_observer", "txt", lambda rows: "Time_Relative_sf;Behavior;Event_Type\n" + "".join(
        f"{v};{c};State {kind}\n" for a, b, c in rows for v, kind in ((a, "start"), (b, "stop")))),
    Labels("labels_and_forms_in_rows", "csv", lambda rows: "tier,start,end,label\n" + "".join(
        f"plank,{a},{b},{c.split('/')[0]}\n" for a, b, c in rows) + "".join(
        f"form,{a},{b},{c.split('/')[1]}\n" for a, b, c in rows if "/" in c)),
    Labels("labels_in_German", "csv", lambda rows: delimited(
        ["Von", "Bis", "Klasse"], lambda a, b, c: (a, b, c), ";")(rows).replace(".", ",")),
    Labels("labels_without_a_last_end", "csv", lambda rows: delimited(
        ["start", "end", "label"], lambda a, b, c: (a, b, c))(rows).replace("18.0,", ","), "--recording s.poses.jsonl"),
    Labels("labels_of_every_third_image", "csv", lambda rows: "image,label\n" + "".join(
        f"anna/frame_{i:05}.jpg,{c}\n" for a, b, c in rows for i in range(round(30 * a), round(30 * b), 3)),
        "--rate 30"),
    Labels("labels_of_every_frame_in_JSON", "json", lambda rows: json.dumps([
        {"t": round(i / 30, 6), "label": c} for a, b, c in rows for i in range(round(30 * a), round(30 * b))])),
    Labels("labels_in_other_XML", "xml", lambda rows: "<file><ALL_INSTANCES>" + "".join(
        f"<instance><start>{a}</start><end>{b}</end><code>{c}</code></instance>" for a, b, c in rows)
        + "</ALL_INSTANCES></file>"),
    Labels("labels_in_ranges", "txt", lambda rows: "".join(
        f"{milliseconds(a)[3:]} - {milliseconds(b)[3:]} {c}\n" for a, b, c in rows)),
    Labels("labels_of_several_in_JSON", "json", lambda rows: json.dumps({
        name: [{"start": a, "end": b, "label": c} for a, b, c in half]
        for name, half in (("anna", rows[:6]), ("ben", rows[6:]))}), "", "`anna`, `ben`"),
    Labels("labels_of_several_in_a_column", "csv", lambda rows: "x,start,end,label\n" + "".join(
        f"{name},{a},{b},{c}\n" for k, name in enumerate(("anna", "ben")) for a, b, c in rows[k::2]), "",
        "`anna`, `ben`"),
    Labels("labels_with_an_end_missing", "json", lambda rows: json.dumps([
        {"start": a, "label": c, **({} if a == 8 else {"end": b})} for a, b, c in rows]), "", "incomplete"),
    Labels("labels_in_UTF_16", "txt", lambda rows: praat(rows).encode("utf-16")),
]


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def words(done):
    return " ".join((done.stdout + done.stderr).split())


def answers(planklab, dataset, detector):
    """Of every recording: times from its start, and what a detector answers there."""
    output = dataset.parent / f"{dataset.name}-answers"
    done = run([planklab, "measure", str(dataset), "--detector", detector, "--output", str(output)], dataset.parent)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    found = []
    for path in sorted(output.rglob("*.csv")):
        if path.relative_to(output).parts[0] not in ("spectra", "allan"):
            rows = list(csv.DictReader(path.open()))
            found.append([(float(row["t"]) - float(rows[0]["t"]), row["plank"], row["form"]) for row in rows])
    return found


def agreement(found, reference):
    """The share of frames that are there at the same time with the same answer."""
    times, right = [row[0] for row in found], 0
    for row in reference:
        at = min(bisect.bisect_left(times, row[0] - 0.002), len(times) - 1)
        right += abs(times[at] - row[0]) <= 0.002 and found[at][1:] == row[1:]
    return right / max(len(found), len(reference))


def native(planklab, shape, folder):
    """The answers for a recording as it is, or for the points of its image."""
    name = f"{shape.source}{'-flat' * shape.flat}{'-sparse' * shape.sparse}"
    dataset = folder / "native" / name
    dataset.mkdir(parents=True)
    recording = Recording(shape.source)
    header, rows = recording.header, recording.rows
    if shape.flat:
        joints = list(flat(STANDING))
        header = {"format": "planklab-poses", "version": 1, "skeleton": "coco17", "joints": joints,
                  "frame": "image", "orientation": "portrait", "image_width_px": WIDTH, "image_height_px": HEIGHT}
        rows = [{"t": t, "p": p and [v for j in joints for v in flat(p).get(j, (None, None))]}
                for t, p in recording.frames()]
    lines(dataset / f"{name}.poses.jsonl", [header] + [row for row in rows if row["p"] or not shape.sparse])
    (dataset / "dataset.yaml").write_text(
        f"name: native\nsequences:\n  - poses: {name}.poses.jsonl\n    subject: a\n")
    return answers(planklab, dataset, "profile" if shape.flat else "gravity")[0]


def try_shape(planklab, shape, folder, reference):
    """What became of a shape: right, refused with the way out, unsure and said to be, or a problem."""
    path = folder / (f"{shape.name}.{shape.ending}" if shape.ending else shape.name)
    shape.write(Recording(shape.source), path)
    told = run([planklab, "doctor", path.name, *shape.doctor.split()], folder)
    print(f"\n{shape.name} ({shape.source})\n  {told.stdout.strip().splitlines()[:1]}")
    if shape.refused:
        output = folder / f"{shape.name}-refused"
        done = run([planklab, "import", path.name, "--output", output.name], folder)
        print("  " + words(done)[:300])
        refused = done.returncode == 65 and shape.refused in words(done) and not output.exists()
        return "refused with the way out" if refused else f"not refused: {words(told)}{words(done)}"
    commands = [line.strip() for line in told.stdout.splitlines() if line.strip().startswith("planklab ")]
    if told.returncode != 0 or not commands:
        return f"doctor ended with {told.returncode}: {told.stdout}{told.stderr}"
    said = words(told)
    for command in commands:
        print(f"  $ {command}")
        done = run([planklab, *shlex.split(command)[1:]], folder)
        said += words(done)
        if done.returncode != 0:
            return f"{command}: {done.stderr}"
    output = shlex.split(commands[-1])[-1]
    found = answers(planklab, folder / output, "profile" if shape.flat else "gravity")
    shares = [agreement(one, reference) for one in found]
    if len(found) != shape.recordings or min(shares) < shape.least:
        return f"other answers: {shares} are as they should be\n{told.stdout}{done.stderr}"
    if shape.says not in said:
        return f"without `{shape.says}`: {said}"
    return "right" if min(shares) >= 0.98 or shape.least else "unsure, and said to be"


def try_labels(planklab, labels, folder):
    """The same of labels."""
    recording = "s01-floor"
    shutil.copy(SCRIPTED / f"{recording}.poses.jsonl", folder / "s.poses.jsonl")
    with (SCRIPTED / f"{recording}.labels.csv").open() as rows:
        truth = [(float(a), float(b), plank + form and f"{plank}/{form}".rstrip("/"))
                 for a, b, plank, form in list(csv.reader(rows))[1:]]
    path, output = folder / f"{labels.name}.{labels.ending}", folder / f"{labels.name}.labels.csv"
    text = labels.write(truth)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    command = [planklab, "label", "import", path.name, "--output", output.name, *shlex.split(labels.options)]
    done = run(command, folder)
    print(f"\n{labels.name}\n  $ {shlex.join(command[1:])}\n  {words(done)[:300]}")
    if labels.refused:
        refused = done.returncode == 65 and labels.refused in words(done) and not output.exists()
        return "refused with the way out" if refused else f"not refused: {words(done)}"
    if done.returncode != 0:
        return f"ended with {done.returncode}"
    with output.open() as rows:
        found = [(float(a), float(b), plank + form and f"{plank}/{form}".rstrip("/"))
                 for a, b, plank, form in list(csv.reader(rows))[1:]]
    same = len(found) == len(truth) and all(
        abs(a[0] - b[0]) < 0.002 and abs(a[1] - b[1]) < 0.002 and a[2] == b[2] for a, b in zip(found, truth))
    return "right" if same else f"other labels: {found}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--planklab", type=pathlib.Path, default=ROOT / ".build/release/planklab")
    parser.add_argument("--write", nargs=2, metavar=("NAME", "FILE"))
    options = parser.parse_args()
    if options.write:
        shape = next(shape for shape in SHAPES if shape.name == options.write[0])
        shape.write(Recording(shape.source), pathlib.Path(options.write[1]))
        return
    planklab = str(options.planklab.resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        references, outcomes = {}, {}
        for shape in SHAPES + LABELS:
            if isinstance(shape, Labels):
                outcomes[shape.name] = try_labels(planklab, shape, folder)
            else:
                key = (shape.source, shape.flat, shape.sparse)
                if key not in references and not shape.refused:
                    references[key] = native(planklab, shape, folder)
                outcomes[shape.name] = try_shape(planklab, shape, folder, references.get(key))
            print(f"  {outcomes[shape.name]}")
    counts = collections.Counter(outcomes.values())
    good = ("right", "refused with the way out", "unsure, and said to be")
    print(f"\n{len(outcomes)} shapes: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in good))
    wrong = [name for name, outcome in outcomes.items() if outcome not in good]
    if wrong:
        sys.exit(f"not as they should be: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
