#!/usr/bin/env python3
"""Compares `profile` on 2D poses with `coach` on 3D positions of the same frames, source by source.

    PLANKLAB_RECORDINGS=FOLDER experiments/detectors/profile_table.py PLANKLAB

Prints a Markdown table, one source a row: recalls, false planks and balanced accuracy of form, in percent of `profile`
and of `coach`, with the number of frames. The 2D poses of clips are
MediaPipe's landmarks in the image. Other sources have positions only; there the depth is left out, which is
the picture of a camera that is very far away. The studio's 2D poses are pictures of its cameras. Only the
standard library is used.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PLANKS = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]
COLUMNS = ["false planks", *(f"`{label}`" for label in PLANKS[1:]), "form"]
JOINTS_2D = {"root"} | {
    side + part for side in ("left", "right")
    for part in ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle")
}
METERS = 4.0  # how much of the scene the image shows
SIDE = 2160  # pixels of the square image
STUDIO = """name: studio
studio: {{preset: phone, subjects: 8, seed: 39, frames: 9000}}
output: {{recording: {kind}}}
{camera}
"""


def run(*arguments):
    done = subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"profile_table.py: {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def flat(line):
    """A line of a recording without depth."""
    content = json.loads(line)
    for key in ("body_height_m", "height_m", "height_estimation"):
        content.pop(key, None)
    return content


def drop_depth(source, target):
    """A dataset of 2D poses from one of positions in camera axes."""
    for path in sorted(source.rglob("*")):
        copy = target / path.relative_to(source)
        if path.is_dir():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        if ".poses.jsonl" not in path.name:
            copy.write_bytes(data)
            continue
        lines = (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()
        header = flat(lines[0])
        assert (header["skeleton"], header["frame"]) == ("vision3d", "camera"), path
        slots = [slot for slot, joint in enumerate(header["joints"]) if joint in JOINTS_2D]
        header.update(
            skeleton="vision2d", frame="image", image_width_px=SIDE, image_height_px=SIDE,
            joints=[header["joints"][slot] for slot in slots])
        frames = [header]
        for frame in map(flat, filter(None, lines[1:])):
            if frame["p"]:
                points = [frame["p"][3 * slot:3 * slot + 2] for slot in slots]
                frame["p"] = [
                    number if number is None else round(0.5 + number / METERS, 6)
                    for point in points for number in point
                ]
            frames.append(frame)
        text = "".join(json.dumps(frame, separators=(",", ":")) + "\n" for frame in frames)
        copy.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return target


def confusions(dataset, detector):
    """The confusion matrices of both streams, in frames."""
    result = json.loads(run("evaluate", dataset, "--detector", detector, "--format", "json"))["result"]
    return [
        [[sum(cells) for cells in zip(*rows)]
         for rows in zip(*(row["streams"][stream]["confusion"] for row in result["sequences"]))]
        for stream in ("plank", "form")
    ]


def recall(matrix, code):
    total = sum(matrix[code])
    return matrix[code][code] / total if total else None


def percent(share):
    return "-" if share is None else f"{100 * share:.1f}"


def rows(flat_data, positions):
    planks, forms = zip(confusions(flat_data, "profile"), confusions(positions, "coach"))
    for code in range(len(PLANKS)):
        frames = sum(planks[0][code])
        if not frames:
            continue
        shares = [recall(matrix, code) for matrix in planks]
        if code == 0:
            shares = [1 - share for share in shares]
        yield COLUMNS[code], frames, shares
    present = [code for code, row in enumerate(forms[0]) if sum(row)]
    if len(present) > 1:
        shares = [sum(recall(form, code) for code in present) / len(present) for form in forms]
        yield "form", sum(map(sum, forms[0])), shares


def line(name, found):
    """A row of the table from what `rows` found for a source."""
    cells = {what: f"{percent(flat)}/{percent(space)} ({frames:,})" for what, frames, (flat, space) in found}
    return f"| {name} | " + " | ".join(cells.get(column, "") for column in COLUMNS) + " |"


def flat_map(path, work):
    """The map of the same tables as points of the image, with the nose and how visible they are."""
    text = Path(path).read_text().replace("axes: [x, -y, -z]", "axes: [x, -y]\nskeleton: vision2d\nconfidence: {floor: 0}")
    text = re.sub(r"(\w+)_z\]", r"\1_v]", text.replace("up: [0, 1, 0]\n", ""))
    target = work / "clips.flat.map.yaml"
    target.write_text(text + "  nose: [nose_x, nose_y, nose_v]\n")
    return target


def sources(real, work):
    clips = sorted((real / "exercise-correction/history").glob("*.csv"))
    run("import", *clips, "--map", "datasets/exercise-correction/clips.map.yaml", "--output", work / "clips3")
    run("import", *clips, "--map", flat_map("datasets/exercise-correction/clips.map.yaml", work), "--output", work / "clips2")
    yield "clips", work / "clips2", work / "clips3"
    yield "yoga photos", drop_depth(real / "stills/yoga", work / "yoga"), real / "stills/yoga"
    meanings = {"oblique photos": ["pushups_up=high", "pushups_down=ignore", "*=none"],
                "bottom of a push-up": ["pushups_down=none", "*=ignore"]}
    for name, meaning in meanings.items():
        target = work / name.replace(" ", "-")
        run("import", real / "kalatz/train.csv", "--map", "datasets/pushup-photos.map.yaml", *[part for text in meaning for part in ("--label", text)],
            "--output", target)
        yield name, drop_depth(target, work / (target.name + "2")), target
    for name, folder in (("gym photos", "stills/free-exercise-db"), ("sun salutations", "posepilot")):
        yield name, drop_depth(real / folder, work / folder), real / folder
    for name, camera in (("studio, any direction", ""),
                         ("studio, from the side", "camera: {azimuth_deg: 90}"),
                         ("studio, 45 degrees", "camera: {azimuth_deg: 45}")):
        made = []
        for kind in ("vision2d", "camera"):
            script = work / "studio.yaml"
            script.write_text(STUDIO.format(kind=kind, camera=camera))
            made.append(work / f"{name.replace(' ', '-')}-{kind}")
            run("synthesize", script, "--output", made[-1])
        yield name, *made


def main():
    real = Path(os.environ["PLANKLAB_RECORDINGS"])
    print("| source | " + " | ".join(COLUMNS) + " |")
    print("| --- |" + " ---: |" * len(COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        for name, flat_data, positions in sources(real, Path(folder)):
            print(line(name, rows(flat_data, positions)), flush=True)


if __name__ == "__main__":
    main()
