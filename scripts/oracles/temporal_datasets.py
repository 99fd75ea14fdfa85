#!/usr/bin/env python3
"""Compares `planklab evaluate --verbose` with temporal_definitions.py on random datasets.

Datasets are small: uneven times, breaks, unlabeled stretches, `ignore`, labels between
frames, sequences of one frame, answers from perfect to random. They are scored from
tables of predictions (`--predictions`), so no detector takes part. Exits 1 on a difference.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from temporal_definitions import Course, metrics, ward_seconds

SEED, DATASETS = 20261121, 300
PLANK = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]
FORM = ["aligned", "sag", "pike"]
HEADER = (
    '{"format":"planklab-poses","version":1,"skeleton":"vision3d",'
    '"joints":["root","leftHip","rightHip"],"frame":"world","subject":"%s"}'
)


def times_of(draw):
    rate, time, times = draw.choice([8, 10, 15, 30]), draw.random(), []
    for _ in range(1 + draw.randrange(120)):
        times.append(round(time, 6))
        step = (1 + draw.randrange(8) if draw.random() < 0.1 else 1) / rate
        step *= 0.7 + 0.6 * draw.random() if draw.random() < 0.5 else 1
        time += step + (3 * draw.random() if draw.random() < 0.02 else 0)
    return times


def labels_of(draw, times):
    """Rows (start, end, plank, form); boundaries at frame times or shortly before."""
    planks = draw.choice([["none", "forearm"], PLANK, ["none", "none", "high", "forearm"]])
    longest = draw.choice([5, 40])
    rows, frame = [], 0
    while frame < len(times):
        after = min(len(times), frame + 1 + draw.randrange(longest))
        start = times[frame]
        if rows and draw.random() < 0.5:
            start = max(rows[-1][1], start - 1e-6 * draw.randrange(1000))
        end = times[after] if after < len(times) else times[-1] + 0.01
        plank = draw.choice(planks) if draw.random() < 0.9 else "ignore"
        form = draw.choice(["", *FORM]) if plank not in ("none", "ignore") else ""
        if draw.random() >= 0.07:
            rows.append((start, end, plank, form))
        frame = after
    return rows


def truth_of(times, rows):
    plank, form = [], []
    for time in times:
        row = next((row for row in rows if row[0] <= time < row[1]), None)
        plank.append(row[2] if row and row[2] != "ignore" else None)
        form.append((row[3] or None) if row else None)
    return plank, form


def answers_of(draw, truth, classes, mood):
    count = len(truth)
    if mood > 0.95:
        return [classes[0]] * count
    if mood < 0.15:
        answers = []
        while len(answers) < count:
            answers += [draw.choice(classes)] * (1 + draw.randrange(12))
        return answers[:count]
    delay = draw.randrange(5)
    answers = [(truth[i - delay] if i >= delay else None) or classes[0] for i in range(count)]
    for _ in range(draw.randrange(8)):
        start, wrong = draw.randrange(count), draw.choice(classes)
        for frame in range(start, min(count, start + 1 + draw.randrange(8))):
            answers[frame] = wrong
    return answers


def write(folder, name, times, rows, plank, form):
    poses = [HEADER % name] + ['{"t":%.6f,"p":null}' % time for time in times]
    (folder / f"{name}.poses.jsonl").write_text("\n".join(poses) + "\n")
    labels = ["start,end,plank,form"] + [f"{a!r},{b!r},{k},{f}" for a, b, k, f in rows]
    (folder / f"{name}.labels.csv").write_text("\n".join(labels) + "\n")
    table = ["t,plank,form"] + ["%.6f,%s,%s" % row for row in zip(times, plank, form, strict=True)]
    (folder / "answers" / f"{name}.csv").write_text("\n".join(table) + "\n")


def dataset(seed, folder):
    """Writes a dataset and returns its courses by stream."""
    draw = random.Random(f"{SEED}/{seed}")
    (folder / "answers").mkdir(parents=True)
    manifest = ["name: random", "sequences:"]
    courses = {"plank": [], "form": []}
    for number in range(1 + draw.randrange(4)):
        name = f"s{number}"
        times = times_of(draw)
        rows = labels_of(draw, times)
        plank, form = truth_of(times, rows)
        mood = draw.random()
        answers = answers_of(draw, plank, PLANK, mood), answers_of(draw, form, FORM, mood)
        write(folder, name, times, rows, *answers)
        manifest += [f"  - poses: {name}.poses.jsonl", f"    labels: {name}.labels.csv"]
        manifest += [f"    subject: {name}"]
        courses["plank"].append(Course(times, plank, answers[0]))
        courses["form"].append(Course(times, form, answers[1]))
    (folder / "dataset.yaml").write_text("\n".join(manifest) + "\n")
    return courses


def expected(courses):
    values = {}
    for stream, classes in (("plank", PLANK), ("form", FORM)):
        for name, value in metrics(courses[stream], classes[0]).items():
            is_session = name.endswith("hold_error_s")
            if not is_session or stream == "plank":
                values[f"{'session' if is_session else stream}.{name}"] = value
        kinds = {"any": lambda label, empty=classes[0]: label not in (empty, None)}
        kinds |= {name: lambda label, name=name: label == name for name in classes[1:]}
        for name, is_of in kinds.items():
            for piece, seconds in ward_seconds(courses[stream], is_of).items():
                values[f"{stream}.{name}.{piece}"] = seconds
    return values


def reported(planklab, folder):
    run = subprocess.run(
        [planklab, "evaluate", folder, "--predictions", folder / "answers"] + ["--format", "json", "--verbose"],
        capture_output=True,
        text=True,
        check=True,
    )
    result = json.loads(run.stdout)["result"]
    values = {key: None if isinstance(value, dict) else value for key, value in result["metrics"].items()}
    for stream in ("plank", "form"):
        temporal = result["streams"][stream]["details"]["temporal"]
        for name, member in [("any", temporal["any"]), *((part["label"], part) for part in temporal["classes"])]:
            for piece, seconds in member["ward"]["seconds"].items():
                values[f"{stream}.{name}.{piece}"] = seconds
    return values


def is_same(own, other, name):
    if own is None or other is None:
        # A class that occurs on neither side is not listed.
        return own is other or (name.count(".") == 2 and other is None)
    return abs(own - other) <= 1e-9 * max(1, abs(own))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", default=".build/release/planklab")
    planklab = str(Path(parser.parse_args().planklab).resolve())
    compared = differing = undefined = 0
    with tempfile.TemporaryDirectory() as work:
        for seed in range(DATASETS):
            folder = Path(work) / str(seed)
            values = expected(dataset(seed, folder))
            found = reported(planklab, folder)
            for name, value in values.items():
                compared += 1
                undefined += value is None
                if not is_same(value, found.get(name), name):
                    differing += 1
                    print(f"dataset {seed}: {name} is {found.get(name)}, not {value}")
    print(f"{DATASETS} datasets, {compared} numbers ({undefined} undefined), {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
