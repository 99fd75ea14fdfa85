#!/usr/bin/env python3
"""What steadies the plank's answers, on films with push-ups and on the others.

    PLANKLAB_RECORDINGS=FOLDER steady.py PLANKLAB WORK DETECTOR [TABLE.md]
"""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

MOVING = {"push-up-top", "push-up-bottom", "push-up-between", "knee-push-up", "burpee", "mountain-climber"}


def dwell(enter, leave):
    return ["--debounce", f"dwell:enter={enter}s,switch={enter}s,exit={leave}s@plank"]


WAYS = {
    "none": [], "dwell 0.1 s, leaving at once": dwell(0.1, 0), "dwell 0.1 s": dwell(0.1, 0.1),
    "dwell 0.1 s, leaving after 0.2 s": dwell(0.1, 0.2), "dwell 0.3 s": dwell(0.3, 0.3),
    "EMA 0.15 s": ["--smoothing", "ema:cutoff=1.06Hz@joints"],
}


def number(value):
    return f"{value:.2f}" if isinstance(value, (int, float)) else "-"


def main():
    planklab, work, detector = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    films = Path(os.environ["PLANKLAB_RECORDINGS"]) / "films"
    activities = {}
    with open(films / "activities.csv", newline="") as file:
        for row in csv.DictReader(file):
            activities.setdefault(row["sequence"], set()).add(row["activity"])
    head, *sequences = re.split(r"(?m)^  - ", (films / "dataset.yaml").read_text())
    lines = ["| films | way | false, s | high | forearm | flickers/min | false transitions/min | onset p50, p90 | release p50, p90 |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for title, moving in (("push-ups", True), ("holds and rests", False)):
        folder = work / title.replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "recordings").exists():
            (folder / "recordings").symlink_to(films / "recordings")
        chosen = [one for one in sequences if bool(activities.get(re.search(r"recordings/(\S+?)\.poses", one)[1], set()) & MOVING) == moving]
        (folder / "dataset.yaml").write_text("  - ".join([head, *chosen]))
        for way, options in WAYS.items():
            subprocess.run(
                [planklab, "evaluate", str(folder), "--detector", detector, "--no-next", "--format", "json", "--output",
                 str(work / "evaluation.json"), *options],
                check=True, capture_output=True, env={**os.environ, "PLANKLAB_DEFAULTS": "none", "PLANKLAB_CACHE": "none"})
            result = json.loads((work / "evaluation.json").read_text())["result"]
            plank, metrics = result["streams"]["plank"], result["metrics"]
            matrix = plank["counts"]["confusion_seconds"]
            rows = dict(zip(matrix["labels"], matrix["rows"]))
            found = {label: number(row[matrix["labels"].index(label)] / sum(row)) if sum(row) else "-" for label, row in rows.items()}
            none = sum(rows["none"]) - rows["none"][matrix["labels"].index("none")]
            onset, release = plank["over_time"]["detection"], plank["over_time"]["release"]
            lines.append(
                f"| {title} | {way} | {none:.1f} of {sum(rows['none']):.0f} | {found['high']} | {found['forearm']} | "
                f"{number(metrics['plank.flickers_per_minute'])} | {number(metrics['plank.false_transitions_per_minute'])} | "
                f"{number(onset['p50_s'])}, {number(onset['p90_s'])} | {number(release['p50_s'])}, {number(release['p90_s'])} |")
    print("\n".join(lines))
    if sys.argv[4:]:
        Path(sys.argv[4]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
