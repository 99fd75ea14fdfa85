#!/usr/bin/env python3
"""False and missed planks by activity, counted a second time from exported answers.

Lets `planklab measure` write the answers of a detector for every frame, reads labels and activities with nothing but
the csv module, and counts seconds of false and missed planks by activity: a frame lasts the median interval of its
recording. Fails unless `planklab evaluate` says the same within a microsecond per frame. Without a dataset, takes
datasets/scripted with random activities from a fixed seed. Only the standard library is used.
"""

import argparse
import csv
import gzip
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTED = REPOSITORY / "datasets" / "scripted"


def run(*arguments):
    return subprocess.run([str(a) for a in arguments], check=True, capture_output=True, text=True).stdout


def times(path):
    """The times of a recording's frames."""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as lines:
        next(lines)
        return [json.loads(line)["t"] for line in lines if line.strip()]


def rows(path):
    with open(path, encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def covering(segments, time):
    return next((s for s in segments if float(s["start"]) <= time < float(s["end"])), None)


def recordings(folder):
    """Every recording with labels beside it, by its path without endings."""
    for path in sorted(folder.rglob("*.poses.jsonl*")):
        name = str(path.relative_to(folder)).removesuffix(".gz").removesuffix(".poses.jsonl")
        labels = folder / f"{name}.labels.csv"
        if labels.exists():
            yield name, path, rows(labels)


def counted(folder, answers):
    """Seconds by activity: none, false plank, plank, missed, other plank."""
    activities = rows(folder / "activities.csv")
    found = {}
    for name, path, labels in recordings(folder):
        clock = times(path)
        weight = statistics.median(b - a for a, b in zip(clock, clock[1:]))
        own = [row for row in activities if row["sequence"] in (name, name.split("/")[-1])]
        given = rows(answers / f"{name}.csv")
        assert len(given) == len(clock), name
        for time, answer in zip(clock, given):
            label = covering(labels, time)
            if label is None or label["plank"] == "ignore":
                continue
            doing = covering(own, time)
            cells = found.setdefault(doing["activity"] if doing else None, [0.0] * 5)
            if label["plank"] == "none":
                cells[0] += weight
                cells[1] += weight * (answer["plank"] != "none")
            else:
                cells[2] += weight
                cells[3] += weight * (answer["plank"] == "none")
                cells[4] += weight * (answer["plank"] not in ("none", label["plank"]))
    return found


def with_random_activities(folder):
    """A copy of the committed dataset with activities that cut through labels and leave gaps."""
    shutil.copytree(SCRIPTED, folder)
    draw = random.Random(62)
    lines = ["sequence,start,end,activity"]
    for name, path, _ in recordings(folder):
        clock = times(path)
        start = clock[0]
        while start < clock[-1]:
            end = round(start + draw.uniform(0.2, 3), 3)
            lines.append(f"{name},{start},{end},{draw.choice(['sitting', 'rising', 'lying'])}")
            start = end if draw.random() < 0.8 else round(end + draw.random(), 3)
    (folder / "activities.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", nargs="?", type=Path, help="a dataset with activities.csv")
    parser.add_argument("--planklab", required=True, type=Path)
    parser.add_argument("--detectors", nargs="+", default=["gravity", "coach", "trunk", "article"])
    arguments = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.dataset or with_random_activities(Path(scratch) / "data")
        for detector in arguments.detectors:
            answers = Path(scratch) / detector
            run(arguments.planklab, "measure", folder, "--detector", detector, "--output", answers)
            expected = counted(folder, answers)
            text = run(arguments.planklab, "evaluate", folder, "--detector", detector, "--format", "json")
            found = {
                part.get("activity"): [
                    part["time"][key] for key in ("none_s", "false_plank_s", "plank_s", "missed_s", "mistaken_s")]
                for part in json.loads(text)["result"]["activities"]}
            if found.keys() != expected.keys():
                sys.exit(f"{detector}: activities differ: {sorted(map(str, found.keys() ^ expected.keys()))}")
            gaps = [abs(a - b) for name in found for a, b in zip(found[name], expected[name])]
            worst = max(worst, *gaps)
            none, wrong = (sum(cells[index] for cells in expected.values()) for index in (0, 1))
            print(f"{detector}: {len(found)} activities, {wrong:.1f} of {none:.1f} s of none are planks, "
                  f"largest difference {max(gaps):.1e} s")
    if worst > 1e-6:
        sys.exit(f"the two counts differ by {worst} s")


if __name__ == "__main__":
    main()
