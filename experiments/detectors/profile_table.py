#!/usr/bin/env python3
"""Chooses the limits of `profile` without each person and each source, and scores them there.

    PLANKLAB_RECORDINGS=FOLDER experiments/detectors/profile_table.py PLANKLAB WORK [DETECTOR]

WORK keeps what was made: 2D recordings of every source, copies in which joints are misplaced (4.3 % of an arm, standard
deviation, one draw per recording and joint, and the picture is tilted by 4 degrees), films turned about the vertical
(3D positions seen by a camera 2.8 m away), and what `measure` says. Films and clips are MediaPipe's landmarks in the
image, app users another estimator's; other sources have positions only, and there the depth is left out. A person who
is left out is left out of all of them. DETECTOR, else `profile`, gives the rules; their limits in GRID are chosen anew
in each fold, each as the middle of the numbers that are as good as the best one. FIRST is the edition before. Needs
numpy.
"""

import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

CLASSES = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse", "forearm, head end"]
COMPARE = {">": np.greater, ">=": np.greater_equal, "<": np.less, "<=": np.less_equal}
SIDES = [side + part for part in ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle") for side in ("left", "right")]
FACE = ["nose", "leftEye", "rightEye", "leftEar", "rightEar"]
COPIES, ACROSS, TILT = 3, 0.043, 4
TURNS, CAMERA = (30, 55, 80), 2.8
NONE_WEIGHT, COST = 1.5, 0.003   # the weight of `none`; numbers that cost at most this are as good as the best
SIDE = 2160   # pixels of a square image of 4 m, where only positions are known
GRID = {
    "profile_confidence": (0.05, 0.1, 0.15, 0.2, 0.25),
    "profile_hand_lift": (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5),
    "profile_hand_depth": (0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5),
    "profile_elbow_lift": [number / 100 for number in range(20, 37)],
    "profile_arm_reach": [number / 40 for number in range(24, 33)],
    "profile_hip_rise": [number / 40 for number in range(4, 17)],
    "profile_knee_lift": (-0.04, -0.02, 0, 0.02, 0.04, 0.06, 0.08, 0.1),
    "profile_body_span": (1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8),
    "profile_shoulder_lift": (0.2, 0.25, 0.3, 0.35, 0.4, 0.45),
    "profile_hip_lift": (0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18),
    "profile_side_arm": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
    "profile_chest_lift": (0.04, 0.06, 0.08, 0.1, 0.12, 0.14),
    "profile_rest_incline": [number / 200 for number in range(68, 83)],
    "profile_rest_lift": [number / 100 for number in range(6, 13)],
}
FIRST = """name: first
axes: image
parameters:
  confidence: {unit: "-", default: 0.3, range: [0, 1]}
  body_incline: {unit: "-", default: 0.6427876096865393, range: [0, 1]}
  body_span: {unit: "-", default: 1.8, range: [0, 5]}
  leg_angle: {unit: deg, default: 130, range: [0, 180]}
  leg_spread: {unit: deg, default: 60, range: [0, 180]}
  hip_fold: {unit: deg, default: 110, range: [0, 180]}
  seated_incline: {unit: "-", default: 0.8, range: [0, 1]}
  arm_drop: {unit: "-", default: 0.1, range: [0, 0.5]}
  hip_lift: {unit: "-", default: 0.05, range: [0, 0.5]}
  hand_lift: {unit: "-", default: 0.2, range: [0, 1]}
  shoulder_lift: {unit: "-", default: 0.15, range: [0, 0.5]}
  nose_lift: {unit: "-", default: 0.03, range: [-0.2, 0.2]}
  elbow_drop: {unit: "-", default: 0.3, range: [-1, 1]}
  chest_incline: {unit: "-", default: 0.45, range: [0, 1]}
  arch_angle: {unit: deg, default: 155, range: [0, 360]}
  forearm_rise: {unit: "-", default: 0.6, range: [0, 1]}
measurements:
  seen: orElse(confidence(shoulders, elbows, wrists, hips, knees, ankles), 1)
  bodyLength: distance(shoulders, hips) + distance(hips, knees) + distance(knees, ankles)
  leftArm: distance(leftShoulder, leftElbow) + distance(leftElbow, leftWrist)
  rightArm: distance(rightShoulder, rightElbow) + distance(rightElbow, rightWrist)
  bodySpan: bodyLength / orElse(max(leftArm, rightArm), orElse(leftArm, rightArm))
  bodyIncline: abs(dot(direction(ankles, shoulders), up))
  chestIncline: dot(direction(hips, shoulders), up)
  legAngle: orElse(kneeAngle, angle(hips, knees, ankles))
  legSpread: orElse(thighSpread, 0deg)
  hipFold: angle(shoulders, hips, ankles)
  hipAngle: signedAngle(shoulders, hips, ankles)
  leftDrop: max(height(leftShoulder - leftElbow), height(leftShoulder - leftWrist)) / bodyLength
  rightDrop: max(height(rightShoulder - rightElbow), height(rightShoulder - rightWrist)) / bodyLength
  armDrop: orElse(max(leftDrop, rightDrop), orElse(leftDrop, rightDrop))
  hipLift: (height(hips) - lowest) / bodyLength
  leftHand: min(height(leftElbow - ankles), height(leftWrist - ankles)) / bodyLength
  rightHand: min(height(rightElbow - ankles), height(rightWrist - ankles)) / bodyLength
  handLift: orElse(min(leftHand, rightHand), orElse(leftHand, rightHand))
  shoulderLift: orElse(height(leftShoulder - rightShoulder) / bodyLength, 0)
  noseLift: orElse(deviation(nose, shoulders, hips) / bodyLength, 0)
  elbowDrop: orElse(upperArmIncline, dot(direction(elbows, shoulders), up))
  forearmRise: orElse(forearmVerticality, abs(dot(direction(elbows, wrists), up)))
plank:
  - none: seen < confidence
  - none: bodyIncline >= body_incline or bodySpan < body_span or legAngle < leg_angle or legSpread > leg_spread
  - none: hipFold < hip_fold or chestIncline > seated_incline or armDrop < arm_drop or hipLift < hip_lift
  - none: handLift > hand_lift
  - sideLeft: shoulderLift >= shoulder_lift
  - sideRight: shoulderLift <= -shoulder_lift
  - reverse: noseLift > nose_lift
  - none: elbowDrop < elbow_drop
  - none: chestIncline > chest_incline and hipAngle < arch_angle
  - high: forearmRise > forearm_rise
  - forearm
form: [aligned]
"""
STUDIO = """name: studio
studio: {{preset: phone, subjects: 8, seed: 39, frames: 9000}}
output: {{recording: vision2d}}
camera: {{azimuth_deg: {azimuth}}}
"""


def run(planklab, *arguments):
    environment = {**os.environ, "PLANKLAB_DEFAULTS": "none", "PLANKLAB_CACHE": "none"}
    done = subprocess.run([planklab, *map(str, arguments)], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"profile_table.py: {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def lines_of(path):
    data = path.read_bytes()
    return [json.loads(line) for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines() if line]


def rewrite(source, target, change):
    """A dataset whose recordings `change` makes from those of another: (name, lines) to {suffix: lines}."""
    if target.exists():
        return target
    manifest = (source / "dataset.yaml").read_text().replace(".jsonl.gz", ".jsonl")
    for path in sorted(source.rglob("*.poses.jsonl*")):
        name = str(path.relative_to(source)).split(".poses.")[0]
        made = change(name, lines_of(path))
        for suffix, lines in made.items():
            place = target / f"{name}{suffix}.poses.jsonl"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
            labels = source / f"{name}.labels.csv"
            if labels.exists():
                shutil.copy(labels, target / f"{name}{suffix}.labels.csv")
        entry = re.search(rf"  - poses: {re.escape(name)}\.poses.*?(?=\n  - poses: |\Z)", manifest, re.S)[0]
        manifest = manifest.replace(entry, "\n".join(entry.rstrip().replace(f"{name}.", f"{name}{suffix}.") for suffix in made))
    (target / "dataset.yaml").write_text(manifest + "\n")
    return target


def flat_header(header, width, height, joints):
    kept = {key: header[key] for key in ("format", "version", "subject", "nominal_rate_hz") if key in header}
    return {**kept, "orientation": "portrait", "skeleton": "vision2d", "frame": "image", "image_width_px": width, "image_height_px": height,
            "joints": joints}


def drop_depth(_, lines):
    """What a camera very far away would see, its upper edge up."""
    header = lines[0]
    slots = [header["joints"].index(joint) for joint in SIDES]
    up = header.get("up", [0, 1, 0])
    frames = [flat_header(header, SIDE, SIDE, SIDES)]
    for frame in lines[1:]:
        points = None
        if frame["p"]:
            points = []
            for slot in slots:
                x, y = frame["p"][3 * slot:3 * slot + 2]
                points += [None, None] if x is None else [0.5 + (x * up[1] - y * up[0]) / 4, 0.5 + (x * up[0] + y * up[1]) / 4]
        frames.append({"t": frame["t"], "p": points})
    return {"": frames}


def turned(_, lines):
    """A film's positions seen from elsewhere, every third frame."""
    header = lines[0]
    slots = [header["joints"].index(joint) for joint in SIDES]
    hips = [header["joints"].index(joint) for joint in ("leftHip", "rightHip")]
    made = {}
    for angle in (sign * turn for turn in TURNS for sign in (-1, 1)):
        for rise in (3, 15):
            a, e = np.radians(angle), np.radians(rise)
            frames = [flat_header(header, SIDE, SIDE, SIDES)]
            for frame in lines[1::3]:
                points = None
                if frame["p"] and None not in frame["p"]:
                    pose = np.array(frame["p"]).reshape(-1, 3)
                    x, y, z = (pose[slots] - pose[hips].mean(0)).T
                    x, z = np.cos(a) * x + np.sin(a) * z, np.cos(a) * z - np.sin(a) * x
                    y, z = np.cos(e) * y - np.sin(e) * z, np.cos(e) * z + np.sin(e) * y
                    points = [round(float(n), 5) for point in zip(x, y, z) for n in (0.5 + point[0] / (CAMERA - point[2]) / 2, 0.5 + point[1] / (CAMERA - point[2]) / 2)]
                frames.append({"t": frame["t"], "p": points})
            made[f"-turned{angle}-{rise}".replace("--", "-minus")] = frames
    return made


def film(real):
    with open(real / "films/films.csv", newline="") as file:
        sizes = {row["film"]: row["cropped_to"].split("+")[0].split("x") for row in csv.DictReader(file)}

    def change(name, lines):
        stem = name.split("/")[-1]
        width, height = map(int, sizes.get(stem) or sizes[stem.rsplit("-", 1)[0]])
        joints = SIDES + FACE
        columns = [re.sub("[A-Z]", lambda found: "_" + found[0].lower(), joint) for joint in joints]
        with open(real / f"films/image-landmarks/{stem}.csv", newline="") as file:
            table = {round(float(row["seconds"]), 3): row for row in csv.DictReader(file)}
        frames = [flat_header(lines[0], width, height, joints)]
        for frame in lines[1:]:
            row = table[round(frame["t"], 3)]
            new = {"t": frame["t"], "p": None}
            if row["nose_x"]:
                new["p"] = [n for one in columns for n in (float(row[one + "_x"]), 1 - float(row[one + "_y"]))]
                new["c"] = [min(1, max(0, float(row[one + "_v"]))) for one in columns]
            frames.append(new)
        return {"": frames}
    return change


def misplaced(seed):
    def change(name, lines):
        random = np.random.default_rng([seed, zlib.crc32(name.encode())])
        joints, ratio = lines[0]["joints"], np.array([lines[0]["image_width_px"] / lines[0]["image_height_px"], 1])
        poses = [np.array(frame["p"], float).reshape(-1, 2) * ratio if frame["p"] else None for frame in lines[1:]]
        at = {joint: slot for slot, joint in enumerate(joints)}

        def arm(pose, side):
            shoulder, elbow, wrist = (pose[at[side + part]] for part in ("Shoulder", "Elbow", "Wrist"))
            return np.hypot(*(shoulder - elbow)) + np.hypot(*(elbow - wrist))
        arms = [np.fmax(arm(pose, "left"), arm(pose, "right")) for pose in poses if pose is not None]
        if not np.isfinite(arms).any():
            return {"": lines}
        tilt = np.radians(TILT * np.clip(random.normal(), -2.5, 2.5))
        matrix = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
        offset = np.clip(random.normal(size=(len(joints), 2)), -2.5, 2.5) * ACROSS * np.nanmedian(arms)
        for frame, pose in zip(lines[1:], poses):
            if pose is not None:
                frame["p"] = [round(float(n), 5) if np.isfinite(n) else None for n in ((pose @ matrix + offset) / ratio).ravel()]
        return {"": lines}
    return change


def flat_map(path, work):
    """The map of the same tables as points of the image, with the nose and how visible they are."""
    text = Path(path).read_text().replace("axes: [x, -y, -z]", "axes: [x, -y]\nskeleton: vision2d\nconfidence: {floor: 0}")
    text = re.sub(r"(\w+)_z\]", r"\1_v]", text.replace("up: [0, 1, 0]\n", ""))
    target = work / "clips.flat.map.yaml"
    target.write_text(text + "  nose: [nose_x, nose_y, nose_v]\n")
    return target


def datasets(planklab, work):
    real, made = Path(os.environ["PLANKLAB_RECORDINGS"]), work / "sources"
    made.mkdir(parents=True, exist_ok=True)
    if not (made / "clips").exists():
        run(planklab, "import", *sorted(real.glob("exercise-correction/history/*.csv")), "--map",
            flat_map("datasets/exercise-correction/clips.map.yaml", work), "--output", made / "clips")
    photos = {"oblique-photos": ["pushups_up=high", "pushups_down=ignore", "*=none"],
              "push-up-photos": ["pushups_up=ignore", "pushups_down=none", "*=ignore"]}
    for name, meaning in photos.items():
        if not (work / name).exists():
            run(planklab, "import", real / "kalatz/train.csv", "--map", "datasets/pushup-photos.map.yaml",
                *[part for text in meaning for part in ("--label", text)], "--output", work / name)
    rewrite(real / "films", made / "films", film(real))
    rewrite(real / "app-users", made / "app-users", lambda _, lines: {"": lines})
    for name, source in (("yoga-photos", real / "stills/yoga"), ("gym-photos", real / "stills/free-exercise-db"),
                         ("sun-salutations", real / "posepilot"), *((name, work / name) for name in photos)):
        rewrite(source, made / name, drop_depth)
    rewrite(real / "films", made / "turned-films", turned)
    for azimuth in (90, 45):
        if not (made / f"studio-{azimuth}").exists():
            (work / "studio.yaml").write_text(STUDIO.format(azimuth=azimuth))
            run(planklab, "synthesize", work / "studio.yaml", "--output", made / f"studio-{azimuth}")
    return {path.name: path for path in sorted(made.iterdir())}


class Frames:
    """Columns of all scored frames, and the rules on them."""

    def __init__(self, planklab, work, detector):
        document = json.loads(run(planklab, "detectors", detector, "--format", "json"))
        document = document.get("result", document)
        self.defaults = {one["key"]: float(one["default"]) for one in document["parameters"]}
        self.rules = []
        for sentence in document["rules"]["plank"]:
            label, _, conditions = sentence.removesuffix(" otherwise").partition(" if ")
            parts = [re.fullmatch(r"(\w+) (>=?|<=?) (-?)(\w+)", part).groups() for part in filter(None, conditions.split(" and "))]
            self.rules.append((CLASSES.index(label), parts))
        self.names = sorted({part[0] for _, parts in self.rules for part in parts})
        real = Path(os.environ["PLANKLAB_RECORDINGS"])
        self.views = dict(re.findall(r"recordings/(\S+)\.poses.*?view: \"?(\w+)", (real / "films/dataset.yaml").read_text(), re.S))
        self.bottoms = {}
        with open(real / "films/activities.csv", newline="") as file:
            for row in csv.DictReader(file):
                if row["activity"] == "push-up-bottom":
                    self.bottoms.setdefault(row["sequence"], []).append((float(row["start"]), float(row["end"])))
        rows, self.recordings, sources = [], {}, datasets(planklab, work)
        (work / "first.yaml").write_text(FIRST)
        for name, folder in sources.items():
            for number in range(1 if name.startswith(("studio", "turned")) else COPIES + 1):
                data = rewrite(folder, work / "copies" / str(number) / name, misplaced(number)) if number else folder
                tables = []
                for rules in (detector, work / "first.yaml"):
                    table = work / "measured" / Path(rules).stem / str(number) / name
                    if not table.exists():
                        table.parent.mkdir(parents=True, exist_ok=True)
                        run(planklab, "measure", data, "--detector", rules, "--set", "plank_frames=1", "--output", table)
                    tables.append(table)
                for path in sorted(tables[0].rglob("*.csv")):
                    if not {"allan", "spectra"} & set(path.parts):
                        self.read(path, tables[1] / path.relative_to(tables[0]), name, number, rows)
        self.columns = {name: np.concatenate([row[0][index] for row in rows]) for index, name in enumerate(self.names)}
        self.truth, raw, self.first, weight = (np.concatenate([row[part] for row in rows]) for part in (1, 2, 3, 4))
        self.missing, self.raw = raw < 0, np.maximum(raw, 0)
        self.groups = sorted({(*row[6], part) for row in rows for part in (False, True)})
        place = {group: index for index, group in enumerate(self.groups)}
        spot = np.concatenate([np.where(row[5], place[(*row[6], True)], place[(*row[6], False)]) for row in rows])
        cell = spot * 7 + self.truth
        self.count = lambda chosen: np.bincount(cell, weight * chosen, 7 * len(self.groups)).reshape(-1, 7)
        self.total, self.known = self.count(np.ones(len(cell))), {}
        self.parts = [(np.array([one[1] == name and (one[0] > 0) == copied for one in self.groups]), 1 / 3 if name.startswith("turned") else 1)
                      for name in sorted({one[1] for one in self.groups}) for copied in (False, True)]
        self.wanted = np.where(self.truth == 6, 1, self.truth)

    def read(self, path, other, source, number, rows):
        with open(path, newline="") as file:
            header, *table = csv.reader(file)
        with open(other, newline="") as file:
            before, *others = csv.reader(file)
        at = [next(i for i, column in enumerate(header) if re.fullmatch(f"{one}(_m|_deg|_bh|_ih)?", column)) for one in self.names]
        truth, answer, subject, sequence = (header.index(one) for one in ("truth_plank", "raw_plank", "subject", "sequence"))
        kept = [i for i, row in enumerate(table) if row[truth] in CLASSES]
        if not kept:
            return
        times = np.array([float(row[0]) for row in table])
        step = np.clip(np.append(np.diff(times), np.median(np.diff(times)) if len(times) > 1 else 1 / 30), 0, 0.5)
        labels = np.array([CLASSES.index(table[i][truth]) for i in kept])
        answers = np.array([CLASSES.index(table[i][answer]) if table[i][answer] else -1 for i in kept])   # -1: a joint is missing
        first = np.array([CLASSES.index(others[i][before.index("raw_plank")] or "none") for i in kept])
        stem = path.name.removesuffix(".csv").split("-turned")[0]
        if source.endswith("films") and self.views.get(stem) == "head":
            labels[labels == 1] = 6
        alone = source in ("clips", "oblique-photos", "push-up-photos", "sun-salutations")
        person = table[0][sequence] if alone else table[0][subject]
        if source == "turned-films":
            source += re.search(r"turned(?:minus|-)?(\d+)", path.name)[1]
        bottom = np.array([any(start <= times[i] < end for start, end in self.bottoms.get(stem, [])) for i in kept]) & (labels == 0)
        numbers = np.array([[float(table[i][column] or "nan") for i in kept] for column in at])
        rows.append((numbers, labels, answers, first, step[kept], bottom, (number, source, person)))
        if not number:
            self.recordings.setdefault((source, person), []).append(table[0][sequence])

    def answers(self, values):
        result, is_open = np.zeros(len(self.truth), np.int8), ~self.missing
        for label, parts in self.rules:
            holds = is_open
            for name, comparison, sign, key in parts:
                holds = holds & COMPARE[comparison](self.columns[name], -values[key] if sign else values[key])
            result[holds] = label
            is_open = is_open & ~holds
        return result

    def right(self, values):
        key = tuple(values.values())
        if key not in self.known:
            self.known[key] = self.count(self.answers(values) == self.wanted)
        return self.known[key]

    def seen(self, source, person):
        """Which groups a choice may see if this source, or only this person of it, is left out."""
        def is_left_out(name, who):
            return (name.startswith("turned") and source == "films" or name == source) and person in (None, who)
        return np.array([not name.startswith("studio") and not is_left_out(name, who) for _, name, who, _ in self.groups])

    def score(self, values, seen):
        """The mean over sources and their copies of the recall of planks and, with its weight, of `none`."""
        right, total, weight = self.right(values), 0.0, 0.0
        for chosen, each in self.parts:
            chosen = chosen & seen
            seconds, found = self.total[chosen].sum(0)[:6], right[chosen].sum(0)[:6]
            share = np.divide(found, seconds, out=np.zeros(6), where=seconds > 0)
            if seconds[0] > 0:
                total, weight = total + NONE_WEIGHT * each * share[0], weight + NONE_WEIGHT * each
            planks = np.flatnonzero(seconds[1:] > 1 / 3) + 1   # a gym has seven photos of planks, yoga eleven of reverse ones
            if len(planks):
                total, weight = total + each * share[planks].mean(), weight + each
        return total / weight

    def choose(self, seen):
        """Each limit in turn goes to the middle of the numbers that cost at most COST against the best one."""
        values = {**self.defaults, **{key: numbers[len(numbers) // 2] for key, numbers in GRID.items()}}
        for _ in range(4):
            before = dict(values)
            for key, numbers in GRID.items():
                scores = [self.score({**values, key: number}, seen) for number in numbers]
                low = high = int(np.argmax(scores))
                while low > 0 and scores[low - 1] >= max(scores) - COST:
                    low -= 1
                while high + 1 < len(numbers) and scores[high + 1] >= max(scores) - COST:
                    high += 1
                values[key] = round((numbers[low] + numbers[high]) / 2, 3)
            if values == before:
                break
        return values


def main():
    planklab, work = sys.argv[1], Path(sys.argv[2])
    frames = Frames(planklab, work, sys.argv[3] if len(sys.argv) > 3 else "profile")
    wrong = (frames.answers(frames.defaults) != frames.raw).sum()
    print(f"rules in Python differ from `measure` in {wrong} of {len(frames.raw)} frames")
    names = sorted({name for name, _ in frames.recordings if not name.startswith(("studio", "turned"))})
    folds = [(name, who) for name, who in frames.recordings if name in ("films", "app-users")] + [(name, None) for name in names]
    first, shipped = frames.count(frames.first == frames.wanted), frames.right(frames.defaults)
    held, by_source = np.zeros_like(first), np.zeros_like(first)
    final = frames.choose(frames.seen(None, None))
    print("chosen on all:", json.dumps({key: final[key] for key in GRID}))
    for source, person in folds:
        seen = frames.seen(source, person)
        values = frames.choose(seen)
        left = [one for key, some in frames.recordings.items() if key[0] == source and person in (None, key[1]) for one in some]
        saw = {}
        for (name, who), some in frames.recordings.items():
            same = name == source or name.startswith("turned") and source == "films"
            if not name.startswith("studio") and not (same and person in (None, who)):
                saw[name] = saw.get(name, 0) + len(some)
        changed = ", ".join(f"{key.removeprefix('profile_')} {values[key]}" for key in GRID if values[key] != final[key])
        print(f"left out {source} {person or '(all)'}: {len(left)} recordings ({', '.join(left[:4])}, ...); saw",
              ", ".join(f"{count} of {name}" for name, count in sorted(saw.items())), "->", changed or "as on all", flush=True)
        result = frames.right(values)
        (held if person else by_source)[~seen] = result[~seen]
    studio = np.array([name.startswith("studio") for _, name, _, _ in frames.groups])
    by_source[studio] = shipped[studio]
    print("\n".join(table(frames, first, held, by_source)))


def table(frames, first, held, by_source):
    lines = ["| left out | measure | s | first edition | without it | misplaced: first | without it |", "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]

    def row(title, column, group, result):
        real, copied = ([group(one) and (one[0] > 0) == is_copy for one in frames.groups] for is_copy in (False, True))
        seconds = frames.total[real, column].sum()
        if not seconds:
            return
        cells = []
        for chosen in (real, copied):
            whole = frames.total[chosen, column].sum()
            shares = [100 * right[chosen, column].sum() / whole if whole else np.nan for right in (first, result)]
            cells += ["" if np.isnan(share) else f"{100 - share if column == 0 else share:.1f}" for share in shares]
        lines.append(f"| {title} | {'false planks' if column == 0 else CLASSES[column]} | {seconds:.1f} | " + " | ".join(cells) + " |")

    for name in ("films", "app-users"):
        for column in range(7):
            row(f"{name}, each person", column, lambda one: one[1] == name, held)
    row("films, each person, bottom of a push-up", 0, lambda one: one[1] == "films" and one[3], held)
    for angle in TURNS:
        for column in range(7):
            row(f"films turned by {angle} degrees, each person", column, lambda one: one[1] == f"turned-films{angle}", held)
    for name in sorted({one[1] for one in frames.groups}):
        for column in range(7):
            row(name, column, lambda one: one[1] == name, by_source)
    return lines


if __name__ == "__main__":
    main()
