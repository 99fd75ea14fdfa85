#!/usr/bin/env python3
"""Compares the noise of two datasets on forearm planks at 30 Hz: one row a dataset.

    planklab measure DATASET --detector article --output MEASURED
    experiments/realism/studio_table.py NAME=DATASET=MEASURED ... [--side-only]

Steps of joints come from the recordings, everything else from the tables that `measure` writes.
Only the standard library is used.
"""

import argparse
import csv
import json
import math
import re
import statistics
from pathlib import Path

FORMS = ("aligned", "sag", "pike")
SIDES = ("sideLeft", "sideRight")
SHORTEST_RUN = 30


def entries(dataset):
    """Names of a dataset's sequences with their tags, from the manifest's one-line form."""
    name, found = None, []
    for line in (dataset / "dataset.yaml").read_text().splitlines():
        if match := re.match(r"\s*- poses: \"?([^\"]*?)\.poses\.jsonl", line):
            name = match[1]
            found.append((name, {}))
        if (match := re.match(r"\s*tags: \{(.*)\}", line)) and found:
            pairs = re.findall(r'"?([\w]+)"?: "?([^",}]+)"?', match[1])
            found[-1][1].update(dict(pairs))
    return found


def runs(rows):
    """Runs of consecutive frames, each with a pose, of one form of a forearm plank."""
    run = []
    for index, row in enumerate(rows):
        usable = row["truth_plank"] == "forearm" and row["truth_form"] in FORMS
        usable = usable and row["hipDeviation_m"] != ""
        if usable and (not run or rows[run[-1]]["truth_form"] == row["truth_form"]):
            run.append(index)
            continue
        if len(run) >= SHORTEST_RUN:
            yield run
        run = [index] if usable else []
    if len(run) >= SHORTEST_RUN:
        yield run


def lag_one(values):
    """The lag-one autocorrelation of a run, its straight line taken out; None if constant."""
    count = len(values)
    times = [index - (count - 1) / 2 for index in range(count)]
    mean = statistics.fmean(values)
    slope = sum(t * (v - mean) for t, v in zip(times, values)) / sum(t * t for t in times)
    rest = [v - mean - slope * t for t, v in zip(times, values)]
    total = sum(r * r for r in rest)
    return sum(a * b for a, b in zip(rest, rest[1:])) / total if total > 0 else None


def second_difference(values):
    """The sd of white noise that explains a run's second differences (6 times its variance)."""
    seconds = [a - 2 * b + c for a, b, c in zip(values, values[1:], values[2:])]
    return math.sqrt(statistics.fmean(s * s for s in seconds) / 6)


def slow_spread(values, block=30):
    """The sd of means over a second: what no short filter takes away. None below three of them."""
    means = [
        statistics.fmean(values[start : start + block])
        for start in range(0, len(values) - block + 1, block)
    ]
    return statistics.pstdev(means) if len(means) > 2 else None


class Columns:
    """What is gathered of one dataset."""

    def __init__(self):
        self.sequences = 0
        self.frames = 0
        self.steps = []
        self.correlations = []
        self.white = []
        self.slow = []
        self.flips = 0
        self.side_frames = 0
        self.pairs = 0
        self.within = {form: [] for form in FORMS}
        self.means = {form: [] for form in FORMS}

    def add(self, rows, poses):
        found = False
        for run in runs(rows):
            found = True
            self.frames += len(run)
            values = [float(rows[index]["hipDeviation_m"]) for index in run]
            form = rows[run[0]]["truth_form"]
            self.means[form].append(statistics.fmean(values))
            self.within[form].append(statistics.pstdev(values))
            self.white.append(second_difference(values))
            if form == "aligned" and (slow := slow_spread(values)) is not None:
                self.slow.append(slow)
            if (correlation := lag_one(values)) is not None:
                self.correlations.append(correlation)
            labels = [rows[index]["raw_plank"] for index in run]
            self.side_frames += sum(label in SIDES for label in labels)
            for before, after, a, b in zip(run, run[1:], labels, labels[1:]):
                self.pairs += 1
                self.flips += a != b and (a in SIDES or b in SIDES)
                self.steps += steps(poses[before], poses[after])
        self.sequences += found


def steps(before, after):
    """Squared steps of all joints, in square meters."""
    if not before or not after:
        return []
    return [
        sum((after[3 * joint + axis] - before[3 * joint + axis]) ** 2 for axis in range(3))
        for joint in range(len(before) // 3)
        if None not in before[3 * joint : 3 * joint + 3] + after[3 * joint : 3 * joint + 3]
    ]


def gather(dataset, measured, side_only):
    columns = Columns()
    for name, tags in entries(dataset):
        if tags.get("rate_hz", "30") != "30" or tags.get("recording", "camera") != "camera":
            continue
        if side_only and tags.get("view", "side") not in ("side", "otherSide"):
            continue
        with open(measured / f"{name}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        with open(dataset / f"{name}.poses.jsonl") as file:
            next(file)
            poses = [json.loads(line).get("p") for line in file]
        columns.add(rows, poses)
    return columns


def text(name, columns):
    """One line of the table."""

    def middle(values, scale=1000, digits=1):
        return f"{scale * statistics.median(values):.{digits}f}" if values else "-"

    def across(values):
        return f"{100 * statistics.pstdev(values):.1f}" if len(values) > 1 else "-"

    step = math.sqrt(statistics.fmean(columns.steps)) if columns.steps else math.nan
    typical = math.sqrt(statistics.median(columns.steps)) if columns.steps else math.nan
    cells = [name, columns.sequences, columns.frames, f"{1000 * step:.1f}", f"{1000 * typical:.1f}"]
    cells += [middle(columns.white), middle(columns.slow), middle(columns.correlations, 1, 2)]
    for form in FORMS:
        means = columns.means[form]
        cells.append(
            f"{100 * statistics.fmean(means):+.1f}; {across(means)}; "
            f"{middle(columns.within[form], 100, 2)}" if means else "-")
    cells += [f"{100 * columns.side_frames / max(columns.frames, 1):.2f} %"]
    cells += [f"{100 * columns.flips / max(columns.pairs, 1):.2f} %"]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", metavar="NAME=DATASET=MEASURED")
    parser.add_argument("--side-only", action="store_true", help="views from the side only")
    arguments = parser.parse_args()
    head = ["data", "clips", "frames", "RMS step mm", "median step mm", "white sd mm", "slow sd mm"]
    head += ["lag one"]
    head += [f"{form}: mean; between; within cm" for form in FORMS]
    head += ["read as side", "side flips"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for item in arguments.sets:
        name, dataset, measured = item.split("=")
        print(text(name, gather(Path(dataset), Path(measured), arguments.side_only)))


if __name__ == "__main__":
    main()
