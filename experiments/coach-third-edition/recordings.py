"""Makes what the choice sees: imports, misplaced copies, side planks with a drawn knee, and what `measure` says."""

import json
import os
import re
import shutil
import subprocess
import zlib
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
COPIES, ACROSS, DEPTH, TILT = 3, 0.025, 0.05, 4   # meters and degrees, standard deviations


def run(planklab, *arguments):
    environment = {**os.environ, "PLANKLAB_DEFAULTS": "none", "PLANKLAB_CACHE": "none"}
    subprocess.run([planklab, *map(str, arguments)], check=True, env=environment, capture_output=True)


def sources(planklab, work):
    real = Path(os.environ["PLANKLAB_RECORDINGS"])
    made = work / "sources"
    if not made.exists():
        run(planklab, "import", *sorted(real.glob("exercise-correction/history/*.csv")), "--map",
            "datasets/exercise-correction/clips.map.yaml", "--output", made / "clips")
        run(planklab, "import", real / "kalatz/train.csv", "--map", "datasets/pushup-photos.map.yaml",
            "--label", "pushups_down=none", "--output", made / "oblique-photos")
        for name, motion in (("crawl", "crawl"), ("getting-up", "getup_facedown")):
            run(planklab, "import", "deepmimic", real / "deepmimic/humanoid3d_skeleton.txt",
                real / f"deepmimic/humanoid3d_{motion}.txt", "--output", made / name)
    folders = {path.name: path for path in sorted(made.iterdir())}
    folders |= {"films": real / "films", "yoga-photos": real / "stills/yoga", "gym-photos": real / "stills/free-exercise-db"}
    if not (work / "sun").exists():
        shutil.copytree(real / "posepilot", work / "sun", ignore=lambda *_: ["README.md"])
    return folders | {"sun-salutations": work / "sun"}


def moved(poses, header, random):
    """Joints misplaced, and up off: one draw per recording."""
    joints = header["joints"]
    turn = random.normal(0, np.radians(TILT), 3)
    angle = np.linalg.norm(turn)
    x, y, z = turn / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    offset = np.clip(random.normal(size=(len(joints), 3)), -2.5, 2.5) * [ACROSS, ACROSS, DEPTH]
    for pose in poses:
        pose[:] = pose @ matrix.T + offset
        for middle, ends in (("root", "Hip"), ("centerShoulder", "Shoulder")):
            pose[joints.index(middle)] = (pose[joints.index("left" + ends)] + pose[joints.index("right" + ends)]) / 2


def drawn(poses, header, random, upper="right"):
    """The upper knee of a side plank drawn toward the elbow by 25 to 95 degrees, and let down again, every 2 s."""
    at = {joint: index for index, joint in enumerate(header["joints"])}
    for number, pose in enumerate(poses):
        hip, knee, ankle = (pose[at[upper + part]].copy() for part in ("Hip", "Knee", "Ankle"))
        lateral = pose[at["leftHip"]] - pose[at["rightHip"]]
        forward = np.cross(lateral, pose[at["centerShoulder"]] - pose[at["root"]])
        axis = lateral / np.linalg.norm(lateral)
        angle = np.radians(60 + 35 * np.sin(number * 0.21 + 3))
        turned = max((rotated(knee - hip, sign * axis, angle) for sign in (1, -1)), key=lambda thigh: thigh @ forward)
        axis = np.cross(knee - hip, turned) / np.linalg.norm(np.cross(knee - hip, turned))
        pose[at[upper + "Knee"]] = hip + turned
        pose[at[upper + "Ankle"]] = hip + turned + rotated(ankle - knee, axis, -np.radians(15))


def rotated(vector, axis, angle):
    return vector * np.cos(angle) + np.cross(axis, vector) * np.sin(angle) + axis * (axis @ vector) * (1 - np.cos(angle))


def copy(source, target, change, seed=0, only=None):
    for poses in sorted(source.rglob("*.poses.jsonl*")):
        text = subprocess.run(["gzip", "-dc", poses], check=True, capture_output=True, text=True).stdout if poses.suffix == ".gz" else poses.read_text()
        lines = text.splitlines()
        header, frames = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
        labels = poses.with_name(poses.name.split(".poses.")[0] + ".labels.csv")
        extra = only(labels.read_text()) if only else {}
        seen = [frame for frame in frames if frame["p"] and None not in frame["p"]] if extra is not None else []
        arrays = [np.array(frame["p"]).reshape(-1, 3) for frame in seen]
        name = str(poses.relative_to(source))
        if arrays:
            change(arrays, header, np.random.default_rng([seed, zlib.crc32(name.encode())]), **extra)
        for frame, array in zip(seen, arrays):
            frame["p"] = [round(float(number), 4) for number in array.ravel()]
        place = target / name.removesuffix(".gz")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join(map(json.dumps, [header, *frames])) + "\n")
        if labels.exists():
            shutil.copy(labels, place.with_name(labels.name))
    (target / "dataset.yaml").write_text((source / "dataset.yaml").read_text().replace(".jsonl.gz", ".jsonl"))


def side(text):
    found = re.search("side(Left|Right)", text)
    return {"upper": found[1].lower()} if found else None


def measured(planklab, work):
    folders = sources(planklab, work)
    for name in ("films", "yoga-photos"):
        target = work / "drawn" / name
        if not target.exists():
            copy(folders[name], target, drawn, only=side)
        folders[f"drawn-knees@{name}"] = target
    for name, folder in folders.items():
        for number in range(COPIES + 1):
            table = work / "measured" / str(number) / name
            if table.exists():
                continue
            table.parent.mkdir(parents=True, exist_ok=True)
            if number:
                copy(folder, work / "copies" / str(number) / name, moved, number)
            run(planklab, "measure", work / "copies" / str(number) / name if number else folder, "--detector",
                HERE / "candidates.yaml", "--set", "plank_frames=1", "--output", table)
            print("measured", number, name, flush=True)
    return folders
