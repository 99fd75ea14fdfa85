#!/usr/bin/env python3
"""Draws a body at the limit of each rule of `coach` that says `none`, as one SVG.

    docs/pictures/coach_limits.py PLANKLAB docs/pictures/coach-limits.svg

Each picture begins with a plank and ends with what the rule is about; the joints move along straight lines between
the two, and the picture shows the last of 200 moments before the answer changes. `planklab measure` says when that
is. Bodies are 1.75 m tall, seen from their left or right side. Only the standard library is used.
"""

import csv
import json
import subprocess
import sys
import tempfile
from math import asin, cos, sin, sqrt
from pathlib import Path

STATURE, STEPS = 1.75, 200
TRUNK, THIGH, SHANK, UPPER, FOREARM = (share * STATURE for share in (0.288, 0.245, 0.246, 0.186, 0.146))
JOINTS = (
    "root centerShoulder leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist leftHip rightHip leftKnee"
    " rightKnee leftAnkle rightAnkle"
).split()
DRAWN = JOINTS + ["spine", "centerHead", "topHead"]


def add(*vectors):
    return tuple(sum(parts) for parts in zip(*vectors))


def scaled(vector, factor):
    return tuple(part * factor for part in vector)


def pairs(joints, part, middle, outward):
    joints["left" + part] = add(middle, scaled(outward, 1))
    joints["right" + part] = add(middle, scaled(outward, -1))


def plank(shoulder, ankle, upper, lower, hip_offset=0.0, outward=(0, 0, -1)):
    """A straight body with the head toward +x; heights of shoulders and ankles as shares of the stature."""
    legs = sqrt((THIGH + SHANK) ** 2 - hip_offset**2)
    span = legs + sqrt(TRUNK**2 - hip_offset**2)
    incline = asin((shoulder - ankle) * STATURE / span)
    line, normal = (cos(incline), sin(incline), 0), (-sin(incline), cos(incline), 0)
    ankles = (0, ankle * STATURE, 0)
    hips = add(ankles, scaled(line, legs), scaled(normal, hip_offset))
    knees = add(ankles, scaled(add(hips, scaled(ankles, -1)), SHANK / (THIGH + SHANK)))
    shoulders = add(ankles, scaled(line, span))
    joints = {"root": hips, "centerShoulder": shoulders}
    for part, middle, share in (("Shoulder", shoulders, 0.105), ("Hip", hips, 0.087), ("Knee", knees, 0.07),
                                ("Ankle", ankles, 0.05)):
        pairs(joints, part, middle, scaled(outward, share * STATURE))
    for side in ("left", "right"):
        joints[side + "Elbow"] = add(joints[side + "Shoulder"], scaled(upper, UPPER))
        joints[side + "Wrist"] = add(joints[side + "Elbow"], scaled(lower, FOREARM))
    return joints


def head(joints):
    """Spine and head, which no rule needs: they go on along the trunk."""
    hips, shoulders = joints["root"], joints["centerShoulder"]
    trunk = add(shoulders, scaled(hips, -1))
    return {
        "spine": add(hips, scaled(trunk, 0.5)), "centerHead": add(shoulders, scaled(trunk, 0.4)),
        "topHead": add(shoulders, scaled(trunk, 0.6)),
    }


DOWN, AHEAD, TILTED = (0, -1, 0), (1, 0, 0), (-0.342, -0.94, 0)


def high(hip_offset=0.0):
    return plank(0.362, 0.075, DOWN, DOWN, hip_offset)


def forearm(hip_offset=0.0):
    return plank(0.206, 0.075, DOWN, AHEAD, hip_offset)


def reverse(hip_offset=0.0):
    return plank(0.342, 0.045, TILTED, TILTED, hip_offset, outward=(0, 0, 1))


def side(hip_offset=0.0):
    joints = plank(0.28, 0.06, DOWN, (0, 0, 1), hip_offset, outward=(0, 0.9, -0.3))
    joints["leftElbow"] = add(joints["leftShoulder"], (-UPPER, 0, 0))
    joints["leftWrist"] = add(joints["leftElbow"], (-FOREARM, 0, 0))
    return joints


def placed(joints, part, offset, start, sides=("left", "right")):
    joints = dict(joints)
    for name in sides:
        joints[name + part] = add(joints[name + start], offset)
    return joints


def moved(joints, move):
    return {name: move(*point) for name, point in joints.items()}


def raised_feet(joints, slope):
    x = joints["centerShoulder"][0]
    return moved(joints, lambda a, b, c: (a, b + max(0, x - a) * slope, c))


def turned(joints, angle):
    return moved(joints, lambda a, b, c: (a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle), c))


def lying_side():
    joints = side(-0.2)
    return placed(placed(joints, "Knee", (-0.42, 0.1, 0), "Hip"), "Ankle", (-0.42, 0.2, 0), "Knee")


SEATED = {
    "root": (0, 0.3, 0), "centerShoulder": (0.2, 0.75, 0), "leftHip": (0, 0.3, -0.15), "rightHip": (0, 0.3, 0.15),
    "leftKnee": (-0.43, 0.25, -0.12), "rightKnee": (-0.43, 0.25, 0.12), "leftAnkle": (-0.86, 0.2, -0.1),
    "rightAnkle": (-0.86, 0.2, 0.1), "leftShoulder": (0.2, 0.75, -0.18), "rightShoulder": (0.2, 0.75, 0.18),
    "leftElbow": (0.25, 0.45, -0.18), "rightElbow": (0.25, 0.45, 0.18), "leftWrist": (0.3, 0.2, -0.18),
    "rightWrist": (0.3, 0.2, 0.18),
}


def lunge():
    joints = high()
    return joints | {"rightKnee": add(joints["rightHip"], (0.25, -0.3, 0)),
                     "rightAnkle": add(joints["rightHip"], (0.0, -0.6, 0))}


def bent_arms(joints):
    return placed(placed(joints, "Elbow", (-0.3, 0.02, 0), "Shoulder"), "Wrist", (-0.28, -0.23, 0), "Shoulder")


def prone():
    joints = forearm(-0.12)
    return placed(placed(joints, "Elbow", (0.28, -0.1, 0), "Shoulder"), "Wrist", (0.4, -0.14, 0), "Shoulder")


CASES = [
    ("standing", high(), turned(high(), 1.0)),
    ("knees bent", high(), placed(high(), "Ankle", (0.1, -0.3, 0), "Knee")),
    ("lunge", high(), lunge()),
    ("sitting", reverse(), SEATED),
    ("no support", forearm(), placed(placed(forearm(), "Elbow", (0.2, -0.04, 0), "Shoulder"), "Wrist",
                                     (0.35, -0.04, 0), "Shoulder")),
    ("hands on a box", high(), placed(high(), "Ankle", (-0.38, -0.5, 0), "Knee")),
    ("feet above", high(), raised_feet(high(), 0.85)),
    ("knees down", forearm(), placed(forearm(-0.1), "Knee", (-0.9, -0.02, 0), "Elbow")),
    ("facing up, hips down", reverse(), reverse(-0.25)),
    ("side, hips down", side(), side(-0.25)),
    ("side, legs up", side(), lying_side()),
    ("push-up", high(), bent_arms(high())),
    ("lying prone", forearm(), prone()),
    ("resting on elbows", forearm(), forearm(-0.16)),
    ("downward dog", high(), high(0.48)),
    ("folded", forearm(), forearm(0.5)),
    ("knee push-up", high(), placed(high(), "Ankle", (-0.38, 0.14, 0), "Knee")),
    ("upward dog", high(), high(-0.28)),
    ("elbows up", forearm(), placed(forearm(), "Wrist", (0.2, -0.15, 0), "Elbow")),
]


def recording(start, end):
    header = {"format": "planklab-poses", "version": 1, "skeleton": "vision3d", "joints": JOINTS, "frame": "world",
              "body_height_m": STATURE}
    lines = [json.dumps(header)]
    for step in range(STEPS + 1):
        share = step / STEPS
        pose = [
            round(a + share * (b - a), 5) for name in JOINTS for a, b in zip(start[name], end[name])
        ]
        lines.append(json.dumps({"t": step / 100, "p": pose}))
    return "\n".join(lines) + "\n"


def main():
    planklab, target = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        manifest = ["name: limits", "sequences:"]
        for index, (_, start, end) in enumerate(CASES):
            (work / f"{index:02}.poses.jsonl").write_text(recording(start, end))
            manifest.append(f"  - poses: {index:02}.poses.jsonl\n    subject: s")
        (work / "dataset.yaml").write_text("\n".join(manifest) + "\n")
        subprocess.run([planklab, "measure", work, "--detector", "coach", "--output", work / "out"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        poses, words = [], []
        for index, (label, start, end) in enumerate(CASES):
            with open(work / "out" / f"{index:02}.csv", newline="") as file:
                answers = [row["raw_plank"] for row in csv.DictReader(file)]
            last = next((place for place, answer in enumerate(answers) if answer == "none"), None)
            if not last:
                raise SystemExit(f"coach_limits: {label}: no limit between the two bodies: {answers[0]}, {answers[-1]}")
            share = (last - 1) / STEPS
            body = {name: tuple(a + share * (b - a) for a, b in zip(start[name], end[name])) for name in JOINTS}
            body |= head(body)
            middle = add(scaled(body["root"], -1), (0, 0.05, 0))
            poses.append([round(part, 4) for name in DRAWN for part in add(body[name], middle)])
            words.append(f"{label}@{index}")
        header = {"format": "planklab-poses", "version": 1, "skeleton": "vision3d", "joints": DRAWN, "frame": "world"}
        sheet = work / "sheet.poses.jsonl"
        sheet.write_text("\n".join([json.dumps(header)] + [
            json.dumps({"t": index, "p": pose}) for index, pose in enumerate(poses)]) + "\n")
        subprocess.run([sys.executable, Path(__file__).with_name("pose_sheet.py"), sheet, "--output", target, *words],
                       check=True)


if __name__ == "__main__":
    main()
