#!/usr/bin/env python3
"""Classic mistakes in recordings, and whether `planklab dataset lint` finds them with their cause.

Spoils one recording of datasets/scripted (a table for the last): times in milliseconds, positions in centimeters,
axes a quarter turn off with somebody standing and without, missing joints as 0,0,0, y downward, all of these
together, times since 1970, left and right swapped, labels of the sides swapped, and a table imported with the wrong
aspect ratio. It fails if lint does not name a mistake, warns of one that was not made, or gives no way out, and if
`evaluate` prints an accuracy from a handful of frames. The datasets that are not spoiled must have no warning: the
committed ones, and with --recordings the development ones. With --table, prints what was found as Markdown. Only the
standard library is used.
"""

import argparse
import csv
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTED = REPOSITORY / "datasets" / "scripted"
NAME = "s01-floor"
PLANKS = {"forearm", "high", "sideLeft", "sideRight", "reverse"}
# Labels of the same files that a mistake in their times makes look wrong as well.
FOLLOWING = {"label-outside", "no-scored-frames"}


def run(planklab, *arguments, allowed=(0,)):
    done = subprocess.run([planklab, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in allowed:
        sys.exit(f"planklab {arguments[0]}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def original():
    """The header, the frames and the rows of labels of the recording."""
    lines = (SCRIPTED / f"{NAME}.poses.jsonl").read_text().splitlines()
    rows = list(csv.DictReader((SCRIPTED / f"{NAME}.labels.csv").open()))
    return json.loads(lines[0]), [json.loads(line) for line in lines[1:]], rows


def write(folder, header, frames, rows, subject="s01"):
    folder.mkdir(parents=True)
    text = "".join(json.dumps(line) + "\n" for line in [header, *frames])
    (folder / "a.poses.jsonl").write_text(text)
    table = "".join(",".join([row["start"], row["end"], row["plank"], row["form"] or ""]) + "\n" for row in rows)
    (folder / "a.labels.csv").write_text("start,end,plank,form\n" + table)
    (folder / "dataset.yaml").write_text(
        f"sequences:\n  - {{poses: a.poses.jsonl, labels: a.labels.csv, subject: {subject}}}\n")
    return folder


def moved(frames, change):
    """The frames with every joint that is there changed by a function of x, y, z."""
    result = []
    for frame in frames:
        numbers = frame["p"]
        if numbers is not None:
            joints = [numbers[index:index + 3] for index in range(0, len(numbers), 3)]
            joints = [joint if joint[0] is None else list(change(*joint)) for joint in joints]
            numbers = [number for joint in joints for number in joint]
        result.append({**frame, "p": numbers})
    return result


def timed(frames, change):
    return [{**frame, "t": round(change(frame["t"]), 6)} for frame in frames]


def planks_only(frames, rows):
    spans = [(float(row["start"]), float(row["end"])) for row in rows if row["plank"] in PLANKS]
    return [frame for frame in frames if any(start <= frame["t"] < end for start, end in spans)]


def zeroed(frames, header, share=0.05, seed=1):
    """The frames with a share of the joints other than the root at the origin."""
    random_numbers = random.Random(seed)
    result = []
    for frame in frames:
        numbers = frame["p"] and list(frame["p"])
        for index, name in enumerate(header["joints"] if numbers else []):
            if name != "root" and random_numbers.random() < share:
                numbers[3 * index:3 * index + 3] = [0, 0, 0]
        result.append({**frame, "p": numbers})
    return result


def swapped(header):
    other = {"left": "right", "right": "left"}
    names = [re.sub("^(left|right)", lambda match: other[match[0]], name) for name in header["joints"]]
    return {**header, "joints": names}


def swapped_labels(rows):
    other = {"sideLeft": "sideRight", "sideRight": "sideLeft"}
    return [{**row, "plank": other.get(row["plank"], row["plank"])} for row in rows]


def quarter(x, y, z):
    return y, -x, z


MISTAKES = {
    "milliseconds": (["clock-unit"], "multiply every `t` by 0.001"),
    "centimeters": (["body-size"], "multiply positions by 0.01"),
    "a quarter turn, somebody stands": (["plank-posture"], "\"buffer_rotation_deg\":90"),
    "a quarter turn, planks only": (["plank-posture"], "\"buffer_rotation_deg\":90"),
    "missing joints as 0,0,0": (["joints-at-origin"], "write null"),
    "y downward": (["plank-posture"], "write y upward"),
    "all of these": (["body-size", "clock-unit", "joints-at-origin", "plank-posture"], "\"buffer_rotation_deg\":90"),
    "times since 1970": (["label-coverage"], "subtract the first time"),
    "z upward": (["plank-posture"], "\"up\":[0,0,1]"),
    "left and right swapped": (["mirrored-body"], "swap the names of the sides"),
    "labels of the sides swapped": (["swapped-sides"], "the left shoulder is up"),
    "a wrong aspect ratio": (["bone-ratios"], "--aspect"),
}


def spoiled(planklab, folder):
    """The dataset of every mistake, by its name."""
    header, frames, rows = original()
    sides_header, sides_frames, sides_rows = sides()
    worst = zeroed(moved(timed(frames, lambda t: 1000 * t), lambda *p: [100 * v for v in quarter(*p)]), header)
    made = {
        "milliseconds": (header, timed(frames, lambda t: 1000 * t), rows),
        "centimeters": (header, moved(frames, lambda *p: [100 * value for value in p]), rows),
        "a quarter turn, somebody stands": (header, moved(frames, quarter), rows),
        "a quarter turn, planks only": (header, moved(planks_only(frames, rows), quarter), rows),
        "missing joints as 0,0,0": (header, zeroed(frames, header), rows),
        "y downward": (header, moved(frames, lambda x, y, z: (x, -y, z)), rows),
        "all of these": (header, worst, rows),
        "times since 1970": (header, timed(frames, lambda t: 1.7e9 + t), rows),
        "z upward": (header, moved(frames, lambda x, y, z: (x, -z, y)), rows),
        "left and right swapped": (swapped(header), frames, rows),
    }
    datasets = {name: write(folder / re.sub(r"\W+", "-", name), *parts) for name, parts in made.items()}
    datasets["labels of the sides swapped"] = write(
        folder / "sides", sides_header, sides_frames, swapped_labels(sides_rows), "s02")
    datasets["a wrong aspect ratio"] = table(planklab, folder, header, frames, rows)
    return datasets


def sides():
    """The recording with both side planks."""
    lines = (SCRIPTED / "s02-sides.poses.jsonl").read_text().splitlines()
    rows = list(csv.DictReader((SCRIPTED / "s02-sides.labels.csv").open()))
    return json.loads(lines[0]), [json.loads(line) for line in lines[1:]], rows


def table(planklab, folder, header, frames, rows):
    """The recording as image landmarks of 16:9, imported as if the images were square."""
    def label(time):
        row = next((row for row in rows if float(row["start"]) <= time < float(row["end"])), None)
        return row["plank"] if row else "ignore"

    names = [name for name in header["joints"] if re.match("(left|right)", name)]
    path = folder / "landmarks.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["label"] + [re.sub("([A-Z])", r"_\1", name).lower() + axis
                                     for name in names for axis in ("_x", "_y", "_z")])
        for frame in frames:
            if frame["p"] is None:
                continue
            row = [label(frame["t"])]
            for name in names:
                index = 3 * header["joints"].index(name)
                x, y, z = frame["p"][index:index + 3]
                row += ["", "", ""] if x is None else [0.5 + x / 3 * 9 / 16, 0.5 - y / 3, -z / 3 * 9 / 16]
            writer.writerow(row)
    labels = [part for name in sorted(PLANKS | {"none"}) for part in ("--label", f"{name}={name}")]
    run(planklab, "import", "mediapipe", path, *labels, "--label", "*=ignore", "--aspect", "1:1", "--clip-break", "1",
        "--subject", "s01", "--output", folder / "aspect")
    return folder / "aspect"


def findings(planklab, dataset):
    """The findings of lint that are no notes."""
    report = json.loads(run(planklab, "dataset", "lint", dataset, "--format", "json", allowed=(0, 65)))
    return [finding for finding in report["findings"] if finding["severity"] != "note"]


def checked(planklab, datasets):
    """What is wrong, and what was found by mistake."""
    problems, table = [], []
    for name, (codes, remedy) in MISTAKES.items():
        found = findings(planklab, datasets[name])
        own = [finding for finding in found if finding["code"] not in FOLLOWING]
        table.append((name, own))
        if sorted({finding["code"] for finding in own}) != codes:
            problems.append(f"{name}: found {sorted({f['code'] for f in own})} in place of {codes}")
        if not any(remedy in finding["remedy"] for finding in own):
            problems.append(f"{name}: no remedy says {remedy!r}: {[f['remedy'] for f in own]}")
    for name in ("milliseconds", "all of these", "times since 1970"):
        screen = run(planklab, "evaluate", datasets[name])
        if re.search(r"accuracy|right \d+ % of the time|has the right answer", screen):
            problems.append(f"{name}: evaluate gives a score from a handful of frames:\n{screen}")
    return problems, table


def imported(planklab, recordings, folder):
    """The development recordings that are tables or motion capture, imported as their pages say."""
    clips = sorted((recordings / "exercise-correction/history").glob("*.csv"))
    labels = ["C=forearm/aligned", "H=forearm/pike", "L=forearm/sag"]
    flags = [part for label in labels for part in ("--label", label)]
    run(planklab, "import", "mediapipe", *clips, "--mirrored", *flags, "--subject", "x", "--output", folder / "clips")
    run(planklab, "import", "mediapipe", recordings / "kalatz/train.csv", "--stills", "--proportional",
        "--label-column", "pose", "--label", "pushups_up=high", "--label", "*=none", "--subject", "x", "--output",
        folder / "kalatz")  # fmt: skip
    run(planklab, "import", "deepmimic", *sorted((recordings / "deepmimic").glob("*.txt")), "--output",
        folder / "deepmimic")
    return [folder / name for name in ("clips", "kalatz", "deepmimic")]


# What has nothing to do with bodies and clocks, and is known of these data sets.
KNOWN = {"duplicate-recording", "duplicate-frames", "missing-subject", "missing-labels", "small-body",
         "missing-regions", "person-jumps", "no-scored-frames"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--planklab", required=True)
    parser.add_argument("--recordings", type=Path)
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="planklab-mistakes-"))
    try:
        problems, found = checked(arguments.planklab, spoiled(arguments.planklab, folder))
        sound = [SCRIPTED, REPOSITORY / "datasets/studio"]
        if arguments.recordings:
            places = ["films", "stills/yoga", "stills/free-exercise-db", "posepilot", "app-users"]
            sound += [arguments.recordings / place for place in places]
            sound += imported(arguments.planklab, arguments.recordings, folder)
        for dataset in sound:
            warnings = [finding for finding in findings(arguments.planklab, dataset) if finding["code"] not in KNOWN]
            problems += [f"{dataset}: {finding['code']}: {finding['message']}" for finding in warnings]
    finally:
        shutil.rmtree(folder)
    if arguments.table:
        print("| mistake | found | remedy |\n| --- | --- | --- |")
        for name, own in found:
            for finding in own:
                print(f"| {name} | `{finding['code']}`: {finding['message']} | {finding['remedy']} |")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(MISTAKES)} mistakes, {len(sound)} sound data sets, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
