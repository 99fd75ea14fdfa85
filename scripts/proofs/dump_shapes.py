#!/usr/bin/env python3
"""Writes poses as app developers dump them, and checks that `planklab doctor` gets them in.

    scripts/proofs/dump_shapes.py [--planklab PROGRAM] [--only NAME ...] [--keep FOLDER]
    scripts/proofs/dump_shapes.py --write NAME FILE

Each shape is a recording of datasets/scripted in the form in which some app could have saved it. The script
asks `planklab doctor`, types the commands that it prints, puts the recording's labels beside the result, and
compares the confusions of `planklab evaluate` with those of the recording itself. A shape must give the same
numbers, or be refused with the way out. The shapes were written before the importer was read: they are what
comes to mind, not what is known to work.
"""
import argparse
import csv
import gzip
import io
import json
import math
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

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


class Recording:
    """A recording: times in seconds, poses by joint (None where missing), camera matrices."""

    def __init__(self, name: str) -> None:
        self.name = name
        path = next(SCRIPTED.glob(name + ".poses.jsonl*"))
        opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
        with opened as lines:
            self.header = json.loads(next(lines))
            rows = [json.loads(line) for line in lines]
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


def array_of_arrays(r, path):
    write(path, [{"timestamp": t, "joints": None if p is None else [p[j] for j in SDK]}
                 for t, p in r.frames()])


def dict_by_joint(r, path):
    write(path, [{"time": t, "joints": p} for t, p in r.frames()])


def json_lines_of_points(r, path):
    lines = []
    for t, p in r.frames():
        frame = {"t": t}
        for j in SDK:
            point = p and p[j]
            frame[j] = point and dict(zip("xyz", point))
        lines.append(json.dumps(frame))
    path.write_text("\n".join(lines) + "\n")


def session_with_metadata(r, path):
    frames = [{"frame": i, "timeMs": round(t * 1000, 3), "pose": None if p is None else {
        snake(j): None if p[j] is None else dict(zip("xyz", p[j])) for j in SDK}}
        for i, (t, p) in enumerate(r.frames())]
    write(path, {"device": "iPhone 15 Pro", "appVersion": "1.2.0", "subject": "anna", "fps": 30,
                 "recordedAt": "2026-11-03T18:20:11Z", "frames": frames}, indent=1)


def csv_wide(r, path):
    rows = [["time"] + [f"{snake(j)}_{a}" for j in SDK for a in "xyz"]]
    for t, p in r.frames():
        rows.append([t] + [v for j in SDK for v in ((p and p[j]) or ["", "", ""])])
    write_csv(path, rows)


def csv_long(r, path):
    rows = [["frame", "time_ms", "joint", "x", "y", "z"]]
    for i, (t, p) in enumerate(r.frames()):
        for j in SDK:
            rows.append([i, round(t * 1000, 3), j] + ((p and p[j]) or ["", "", ""]))
    write_csv(path, rows)


def centimeters_by_vision_keys(r, path):
    lines = [json.dumps({"ts": t, "joints": p and {VISION[j]: v for j, v in p.items()}})
             for t, p in r.frames(lambda q: [100 * v for v in q])]
    path.write_text("\n".join(lines) + "\n")


def zeros_and_flat_numbers(r, path):
    lines = [json.dumps({"jointNames": SDK, "unit": "m"})]
    for t, p in r.frames():
        flat = [v for j in SDK for v in ((p and p[j]) or [0, 0, 0])]
        lines.append(json.dumps({"timestamp": t, "positions": flat}))
    path.write_text("\n".join(lines) + "\n")


def fourteen_joints(r, path):
    joints = [j for j in SDK if j not in ("spine", "centerHead", "topHead")]
    write(path, {"data": [{"seconds": t, "keypoints": None if p is None else [
        {"name": snake(j).upper(), "position": p[j], "confidence": 0.93} for j in joints]}
        for t, p in r.frames(joints=joints)]})


def vision_matrices(r, path):
    lines = []
    for (t, p), camera in zip(r.frames(), r.cameras):
        lines.append(json.dumps({
            "presentationTime": t, "bodyHeight": 1.5, "cameraOriginMatrix": camera,
            "joints": p and {VISION[j]: v and [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *v, 1] for j, v in p.items()}}))
    path.write_text("\n".join(lines) + "\n")


def vision_without_matrix(r, path):
    write(path, [{"timestamp": t, "joints": p and {VISION[j]: v for j, v in p.items()}}
                 for t, p in r.frames()])


def numpy_arrays(r, path):
    import numpy
    points = [[[math.nan] * 3 if not p or p[j] is None else p[j] for j in SDK] for _, p in r.frames()]
    numpy.savez(path, positions=numpy.array(points), times=numpy.array(r.times))


def epoch_and_image_axes(r, path):
    lines = [json.dumps({"joints": p, "timestamp": round(1764100000000 + t * 1000, 3)})
             for t, p in r.frames(lambda q: [q[0], -q[1], -q[2]])]
    path.write_text("\n".join(lines) + "\n")


def quarter_turn(r, path):
    write(path, [{"timestamp": t, "pose": p} for t, p in r.frames(lambda q: [q[1], -q[0], q[2]])])


def blender_millimeters(r, path):
    turned = lambda q: [1000 * q[0], -1000 * q[2], 1000 * q[1]]
    rows = [["frame", "t"] + [f"{j}.{a}" for j in SDK for a in "XYZ"]]
    for i, (t, p) in enumerate(r.frames(turned)):
        rows.append([i, t] + [v for j in SDK for v in ((p and p[j]) or ["nan"] * 3)])
    write_csv(path, rows, delimiter=";", before="# exported from a scene, mm, z up\n")


def lists_beside_each_other(r, path):
    frames = list(r.frames())
    write(path, {"timestamps": r.times, "joints": {j: [p and p[j] for _, p in frames] for j in SDK}})


def keyed_by_time(r, path):
    write(path, {"session": "demo", "poses": {f"{t:.6f}": p or {} for t, p in r.frames()}})


def unity(r, path):
    names = {j: j[0].upper() + j[1:] for j in SDK}
    lines = [json.dumps({"Time": t, "Bones": [{"Joint": names[j], "Pos": p[j] and dict(zip("xyz", p[j]))}
                                              for j in SDK] if p else []})
             for t, p in r.frames(lambda q: [q[0], q[1], -q[2]])]
    path.write_text("\n".join(lines) + "\n")


def dates(r, path):
    import datetime
    start = datetime.datetime(2026, 11, 3, 18, 20, 11, tzinfo=datetime.timezone.utc)
    # Whole milliseconds: a clock that is finer than the labels would move their boundaries.
    write(path, [{"date": (start + datetime.timedelta(seconds=t)).isoformat(timespec="microseconds")
                  .replace("+00:00", "Z"), "body": p} for t, p in r.frames()])


def mediapipe_world(r, path):
    frames = []
    for t, p in r.frames(lambda q: [q[0], -q[1], -q[2]]):
        points = []
        for i in range(33):
            at = (p and p.get(MEDIAPIPE.get(i, "centerHead"))) or None
            points.append({"x": at[0], "y": at[1], "z": at[2], "visibility": 0.98, "presence": 0.99}
                          if at else {"x": None, "y": None, "z": None, "visibility": 0, "presence": 0})
        world = [points] if p else [None]
        flat = [[{**q, "x": 0.5 + 0.2 * (q["x"] or 0), "y": 0.5 + 0.2 * (q["y"] or 0)} for q in points]]
        frames.append({"timestamp_ms": round(t * 1000, 3), "pose_landmarks": flat if p else [],
                       "pose_world_landmarks": world})
    write(path, frames)


def arkit(r, path):
    lines = []
    angle = 0.7
    c, s = math.cos(angle), math.sin(angle)
    anchor = [c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0.4, 0.1, -2.1, 1]
    for t, p in r.frames():
        joints = p and {ARKIT[j]: p[j] and [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *p[j], 1] for j in ARKIT}
        lines.append(json.dumps({"timestamp": t, "isTracked": True, "transform": anchor, "joints": joints}))
    path.write_text("\n".join(lines) + "\n")


def numbers_without_names(r, path):
    rows = [[t] + [v for j in SDK for v in ((p and p[j]) or ["", "", ""])] for t, p in r.frames()]
    write_csv(path, rows)


def coco_points(r, path):
    write(path, [{"image_id": i, "category_id": 1, "score": 0.9, "keypoints": [
        v for j in COCO for v in (
            [540 + 500 * p[j][0], 960 - 500 * p[j][1], 0.9] if p and p.get(j) else [0, 0, 0])]}
        for i, (_, p) in enumerate(r.frames())])


def write(path, value, indent=None):
    path.write_text(json.dumps(value, indent=indent) + "\n")


def write_csv(path, rows, delimiter=",", before=""):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    path.write_text(before + text.getvalue())


#: Function, recording, ending, and whether it must be refused, by the words of the way out.
SHAPES = [
    (array_of_arrays, "s01-floor", "json", None),
    (dict_by_joint, "s03-fast", "json", None),
    (json_lines_of_points, "s01-floor", "jsonl", None),
    (session_with_metadata, "s01-floor", "json", None),
    (csv_wide, "s01-floor", "csv", None),
    (csv_long, "s05-clip", "csv", None),
    (centimeters_by_vision_keys, "s01-floor", "jsonl", None),
    (zeros_and_flat_numbers, "s03-fast", "jsonl", None),
    (fourteen_joints, "s01-floor", "json", None),
    (vision_matrices, "s04-pelvis", "jsonl", None),
    (vision_without_matrix, "s04-pelvis", "json", "cameraOriginMatrix"),
    (numpy_arrays, "s01-floor", "npz", None),
    (epoch_and_image_axes, "s01-floor", "jsonl", None),
    (quarter_turn, "s01-floor", "json", None),
    (blender_millimeters, "s05-clip", "csv", None),
    (lists_beside_each_other, "s03-fast", "json", None),
    (keyed_by_time, "s01-floor", "json", None),
    (unity, "s01-floor", "jsonl", None),
    (dates, "s03-fast", "json", None),
    (mediapipe_world, "s01-floor", "json", None),
    (arkit, "s01-floor", "jsonl", None),
    (numbers_without_names, "s01-floor", "csv", None),
    (coco_points, "s01-floor", "json", "--image-size"),
]


#: Shapes whose joints lack the root: imports compute it.
WITHOUT_ROOT = {mediapipe_world}


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def confusions(planklab, dataset, folder):
    """The confusions of both streams, by rows of truth."""
    done = run([planklab, "evaluate", str(dataset), "--detector", "gravity", "--format", "json"], folder)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    result = json.loads(done.stdout)
    found = {}

    def walk(value, path):
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "confusion" and isinstance(inner, (list, dict)):
                    found["/".join(path)] = inner
                else:
                    walk(inner, [*path, key])
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                walk(inner, [*path, str(index)])

    walk(result["result"], [])
    # Slices by tags differ: an import adds tags of its own.
    return {path: value for path, value in found.items() if "sequences" not in path and "slices" not in path}


def native(planklab, name, folder, has_root):
    """The confusions of a recording as it is, or with middles of hips and shoulders in place of its own."""
    dataset = folder / "native" / f"{name}-{has_root}"
    dataset.mkdir(parents=True)
    poses = next(SCRIPTED.glob(name + ".poses.jsonl*"))
    if has_root:
        shutil.copy(poses, dataset)
    else:
        poses = write_with_middles(Recording(name), dataset / f"{name}.poses.jsonl")
    shutil.copy(SCRIPTED / f"{name}.labels.csv", dataset)
    starts = "    starts: mid\n" if name == "s05-clip" else ""
    (dataset / "dataset.yaml").write_text(
        f"name: native\nsequences:\n  - poses: {poses.name}\n    subject: a\n{starts}")
    return confusions(planklab, dataset, folder)


def write_with_middles(recording, path):
    """A recording whose root and centerShoulder are computed, as imports do where a file has none."""
    joints = recording.header["joints"]
    lines = [json.dumps(recording.header)]
    for time, pose in zip(recording.times, recording.poses):
        numbers = None
        if pose:
            pose = dict(pose)
            for middle, part in (("root", "Hip"), ("centerShoulder", "Shoulder")):
                sides = [pose["left" + part], pose["right" + part]]
                pose[middle] = None if None in sides else [sum(pair) / 2 for pair in zip(*sides)]
            numbers = [v for j in joints for v in (pose[j] or [None] * 3)]
        lines.append(json.dumps({"t": time, "p": numbers}))
    path.write_text("\n".join(lines) + "\n")
    return path


def label(dataset, name):
    """Puts the labels of a recording beside the imported one."""
    poses = next((dataset / "recordings").glob("*.poses.jsonl"))
    shutil.copy(SCRIPTED / f"{name}.labels.csv", str(poses).replace(".poses.jsonl", ".labels.csv"))
    if name == "s05-clip":
        manifest = dataset / "dataset.yaml"
        lines = manifest.read_text().splitlines()
        at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("- poses"))
        lines.insert(at + 1, "    starts: mid")
        manifest.write_text("\n".join(lines) + "\n")


def try_shape(planklab, shape, folder, reference):
    """What became of a shape: `right`, `refused` or a problem."""
    write_shape, name, ending, way_out = shape
    path = folder / f"{write_shape.__name__}.{ending}"
    write_shape(Recording(name), path)
    told = run([planklab, "doctor", path.name], folder)
    text = told.stdout
    first = text.strip().splitlines()[0] if text.strip() else told.stderr.strip()
    print(f"\n{write_shape.__name__} ({name})\n  {first}")
    words = " ".join(text.split())
    if way_out:
        refused = told.returncode == 65 and way_out in words
        return "refused with the way out" if refused else f"not refused: {text}"
    commands = [line.strip() for line in text.splitlines() if line.strip().startswith("planklab ")]
    if told.returncode != 0 or not commands:
        return f"doctor ended with {told.returncode}: {text}{told.stderr}"
    for command in commands:
        print(f"  $ {command}")
        done = run([planklab, *shlex.split(command)[1:]], folder)
        if done.returncode != 0:
            return f"{command}: {done.stderr}"
    dataset = folder / write_shape.__name__
    label(dataset, name)
    found = confusions(planklab, dataset, folder)
    return "right" if found == reference else f"other numbers\n{text}\n{found}\n{reference}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--planklab", default="planklab")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--write", nargs=2, metavar=("NAME", "FILE"))
    options = parser.parse_args()
    if options.write:
        shape = next(shape for shape in SHAPES if shape[0].__name__ == options.write[0])
        shape[0](Recording(shape[1]), pathlib.Path(options.write[1]))
        return
    planklab = shutil.which(options.planklab) or options.planklab
    planklab = str(pathlib.Path(planklab).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        references, outcomes = {}, []
        for shape in SHAPES:
            if options.only and shape[0].__name__ not in options.only:
                continue
            key = (shape[1], shape[0] not in WITHOUT_ROOT)
            if key not in references and not shape[3]:
                references[key] = native(planklab, *key[:1], folder, key[1])
            outcome = try_shape(planklab, shape, folder, references.get(key))
            outcomes.append(outcome)
            print(f"  {outcome}")
    right, refused = outcomes.count("right"), outcomes.count("refused with the way out")
    print(f"\n{len(outcomes)} shapes: {right} right, {refused} refused with the way out")
    sys.exit(right + refused != len(outcomes))


if __name__ == "__main__":
    main()
