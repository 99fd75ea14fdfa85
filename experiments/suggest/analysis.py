#!/usr/bin/env python3
"""What `planklab suggest` finds: from four lists of rules, planted faults, random errors, and few people.

    analysis.py --planklab PROGRAM --output FOLDER [--parts rules planted random power] [--sets N]

Real recordings are in the folder that the variable PLANKLAB_RECORDINGS names; without it, only `random` runs, which
needs none. Every part writes FOLDER/PART.csv; what is printed sums up all that are there.

- rules: the scores after every number of edits from `gravity`, `trunk`, the first edition of `coach` and an empty list,
  on the twelve development sources: on everybody, on people left out, on sources left out.
- planted: every threshold of a list moved by several amounts in both directions, and every rule deleted, on the same
  sources. A fault counts where the score falls by 2 points (thresholds) or 1 point (rules).
- random: simulated people whose labels are the detector's own answers, but that every second is wrong with a
  probability of 0.1. Nothing should be suggested.
- power: faults of that edition that cost 2 points, in draws of few people from real films. A change should be
  suggested.

Only the standard library is used.
"""

import argparse
import csv
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# What the experiment means by `coach`: the edition that it was made with.
FIRST = str(ROOT / "experiments/detectors/first-coach.yaml")
STARTS = [("gravity", 6), ("trunk", 5), (FIRST, 3), (str(HERE / "empty.yaml"), 8)]
# How far thresholds are moved, by unit.
SHIFTS = {"deg": [20, 40], "-": [0.15, 0.3], "body heights": [0.06, 0.12], "m": [0.1, 0.2]}
PEOPLE = [3, 6, 12, 24]
FAULTS = [
    "knee_angle=170", "body_angle=160", "support_drop=0.2", "hip_clearance=0.15", "hand_height=0.03",
    "forearm_verticality=0.95",
]
ERROR, POOL, SEED = 0.1, 72, 32
# Steps of the advice; tables made before it have the other words.
SOUND = {"take-proven", "take-likely", "sure", "suggested"}


def verdict(edit):
    """What is advised about an edit; empty if nothing is."""
    return edit.get("advice", {}).get("step", "")


def drawn(name):
    """What seeds the draws of a list: the first edition was called `coach` when they were made."""
    return "coach" if name == FIRST else name


class Workbench:
    """The program, with the folder of what it makes."""

    def __init__(self, planklab, folder, jobs):
        self.planklab, self.folder, self.jobs = planklab, Path(folder), str(jobs)

    def run(self, *words):
        done = subprocess.run([self.planklab, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"planklab {' '.join(map(str, words))}: {done.stderr}")
        return done.stdout

    def suggest(self, datasets, *words):
        out = self.run("suggest", *datasets, *words, "--stream", "plank", "--jobs", self.jobs, "--format", "json")
        return json.loads(out)["result"]["streams"][0]

    def detector(self, name):
        return json.loads(self.run("detectors", name, "--format", "json"))


def development_sources(bench, recordings):
    """The twelve sources; those that are tables of landmarks are imported."""
    real, made = Path(recordings), bench.folder
    tables = sorted((real / "exercise-correction/history").glob("*.csv"))
    bench.run("import", *tables, "--map", "datasets/exercise-correction/clips.map.yaml", "--name", "clips", "--output", made / "clips")
    bench.run("import", real / "kalatz/train.csv", "--map", "datasets/pushup-photos.map.yaml",
              "--label", "pushups_down=none", "--name", "photos",
              "--output", made / "photos")
    negatives = sorted((real / "exercise-correction/negatives").glob("*.csv"))
    bench.run("import", *negatives, "--map", "datasets/exercise-correction/clips.map.yaml", "--label", "*=none", "--name", "squats",
              "--output", made / "squats")
    motions = ["crawl", "getup_facedown", "walk"]
    for motion in motions:
        files = [real / f"deepmimic/humanoid3d_{part}.txt" for part in ("skeleton", motion)]
        bench.run("import", "deepmimic", *files, "--name", motion, "--output", made / motion)
    return [made / name for name in ["clips", "photos", "squats", *motions]] + [
        real / "films", real / "stills/yoga", real / "stills/free-exercise-db", real / "posepilot",
        ROOT / "datasets/scripted", ROOT / "datasets/studio"]


def write_rows(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path}", file=sys.stderr)


def digits(x):
    return "" if x is None else f"{x:.4f}"


def edit_text(edit):
    """An edit in a few words."""
    (kind, body), = edit.items()
    if kind == "move":
        return f"{body['parameter']} = {body['value']:g}"
    if kind in ("drop_rule", "drop_condition", "swap"):
        return f"{kind} {body['rule'] + 1}"
    own = body["conditions"] if kind == "insert" else [body["condition"]]
    words = " and ".join(f"{one['measurement']} {'<' if one['below'] else '>'} {one['threshold']:g}" for one in own)
    return f"{body['label']} if {words}" if kind == "insert" else f"only if {words}"


def rules(bench, sources, _):
    """A row per start and number of edits; intervals of the gain are 1.96 standard errors over people."""
    rows = []
    for name, steps in STARTS:
        found = bench.suggest(
            sources, "--detector", name, "--measurements", HERE / "measurements.yaml", "--steps", steps)
        first = found["path"][0]["left_out"]
        for point in found["path"]:
            count, gain = point["edits"], point["left_out"] - first
            half = 1.96 * point["standard_error"]
            edits = found["edits"]
            rows.append({
                "start": Path(name).stem, "edits": count, "suggested": int(count == found["made"]),
                "seen": digits(point["seen"]), "people_left_out": digits(point["left_out"]), "gain": digits(gain),
                "standard_error": digits(point["standard_error"]), "lower": digits(gain - half),
                "upper": digits(gain + half), "sources_left_out": digits(point["source_left_out"]),
                "edit": edit_text(edits[count - 1]["edit"]) if 0 < count <= len(edits) else "",
                "verdict": verdict(edits[count - 1]) if 0 < count <= len(edits) else ""})
    return rows


def file_without(bench, name, dropped, folder):
    """A detector file with a list's rules but one: a copy of a file, or rules whose parameters are built in."""
    path = Path(folder) / "deleted.yaml"
    if Path(name).suffix:
        lines = Path(name).read_text().splitlines()
        del lines[lines.index("plank:") + 1 + dropped]
        path.write_text("\n".join(lines) + "\n")
        return path
    shown = bench.detector(name)

    def body(rules):
        lines = []
        for rule in rules:
            label, _, condition = rule.partition(" if ")
            lines.append(f'  - {label}: "{condition}"' if condition else f"  - {rule.removesuffix(' otherwise')}")
        return "\n".join(lines)

    plank = [rule for index, rule in enumerate(shown["rules"]["plank"]) if index != dropped]
    path.write_text(
        f"name: deleted\naxes: {shown['axes']}\nplank:\n{body(plank)}\nform:\n{body(shown['rules']['form'])}\n")
    return path


def planted_row(name, kind, what, base, found, names):
    """What is said about one planted fault, or None if it costs too little."""
    before = found["path"][0]["seen"]
    if base - before < (0.02 if kind == "moved" else 0.01):
        return None
    if not found["edits"]:
        return {"list": Path(name).stem, "kind": kind, "fault": what, "sound": digits(base), "faulty": digits(before),
                "fixed": "", "left_out": "", "named": 0, "named_or_beside": 0, "restored": 0, "verdict": "none",
                "edit": ""}
    edit = found["edits"][0]
    moved = [list(one["edit"]["move"].values()) for one in [edit] + edit["alternatives"] if "move" in one["edit"]]
    is_first = "move" in edit["edit"] and edit["edit"]["move"]["parameter"] in names
    beside = any(set(one) & set(names) for one in moved)
    after = edit["seen"]["after"]
    return {
        "list": Path(name).stem, "kind": kind, "fault": what, "sound": digits(base), "faulty": digits(before),
        "fixed": digits(after), "left_out": digits(found["path"][1].get("left_out")), "named": int(is_first),
        "named_or_beside": int(is_first or beside), "restored": int(after >= base - 0.005),
        "verdict": verdict(edit), "edit": edit_text(edit["edit"])}


def planted(bench, sources, _):
    """A row per fault that costs enough."""
    rows = []
    for name in (FIRST, "trunk", "gravity"):
        shown = bench.detector(name)
        base = bench.suggest(sources, "--detector", name)["path"][0]["seen"]
        text = " ".join(shown["rules"]["plank"])
        for parameter in shown["parameters"]:
            key, value, (low, high) = parameter["key"], parameter["value"], parameter["range"]
            if not re.search(rf"\b{key}\b", text):
                continue
            moved = {min(high, max(low, value + sign * shift))
                     for shift in SHIFTS[parameter["unit"]] for sign in (1, -1)} - {value}
            for other in sorted(moved):
                found = bench.suggest(sources, "--detector", name, "--set", f"{key}={other:.6g}")
                rows.append(planted_row(name, "moved", f"{key}={other:.4g}", base, found, [key]))
                print(rows[-1], file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for index, rule in enumerate(shown["rules"]["plank"][:-1]):
                found = bench.suggest(sources, "--detector", file_without(bench, name, index, folder))
                rows.append(planted_row(name, "deleted", rule, base, found, []))
                print(rows[-1], file=sys.stderr, flush=True)
    return [row for row in rows if row]


class Pool:
    """The recordings of a dataset by person, from which draws are made."""

    def __init__(self, folder):
        self.folder = Path(folder)
        blocks = re.split(r"(?m)^(?=  - poses: )", (self.folder / "dataset.yaml").read_text())[1:]
        self.people = {}
        for block in blocks:
            subject = re.search(r"(?m)^    subject: (.*)$", block)
            self.people.setdefault(subject[1] if subject else block, []).append(block)

    def draw(self, folder, people, labels=None):
        """A dataset of some people; `labels` makes the labels of a recording, those of the pool if left out."""
        folder = Path(folder)
        folder.mkdir()
        entries = []
        for block in (block for person in people for block in self.people[person]):
            for key in ("poses", "labels"):
                path = re.search(rf"(?m)^ +(?:- )?{key}: (.*)$", block)[1]
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                if key == "poses" or labels is None:
                    (folder / path).symlink_to(self.folder / path)
                else:
                    (folder / path).write_text(labels(Path(path).name.split(".")[0]))
            entries.append(block)
        (folder / "dataset.yaml").write_text("name: draw\nsequences:\n" + "".join(entries))
        return folder


class OwnAnswers:
    """Labels that are a detector's own raw answers, with random errors per second."""

    def __init__(self, bench, dataset, detector):
        measured = bench.folder / f"measured-{Path(detector).stem}"
        bench.run("measure", dataset, "--detector", detector, "--output", measured)
        self.rows = {}
        for path in measured.glob("recordings/*.csv"):
            with open(path, newline="") as file:
                self.rows[path.stem] = [(float(row["t"]), row["raw_plank"]) for row in csv.DictReader(file)]
        self.classes = sorted({label for rows in self.rows.values() for _, label in rows if label})

    def labels(self, name, generator):
        """A table of labels whose segments meet halfway between frames."""
        rows, wrong, answers = self.rows[name], {}, []
        for time, label in rows:
            second = math.floor(time)
            if second not in wrong:
                wrong[second] = generator.choice(self.classes) if generator.random() < ERROR else None
            answers.append((wrong[second] or label) if label else "ignore")
        times = [time for time, _ in rows]
        bounds = [times[0], *((one + two) / 2 for one, two in zip(times, times[1:])), times[-1] + 0.01]
        lines, start = ["start,end,plank,form"], 0
        for frame in range(1, len(answers) + 1):
            if frame == len(answers) or answers[frame] != answers[start]:
                form = "" if answers[start] in ("none", "ignore") else "aligned"
                lines.append(f"{bounds[start]:.7f},{bounds[frame]:.7f},{answers[start]},{form}")
                start = frame
        return "\n".join(lines) + "\n"


def random_errors(bench, _, sets):
    """A row per list and number of people."""
    pool_folder = bench.folder / "people"
    bench.run("synthesize", "--preset", "phone", "--subjects", POOL, "--seed", SEED, "--frames", 1,
              "--output", pool_folder)
    pool, rows = Pool(pool_folder), []
    for name in (FIRST, "gravity"):
        own = OwnAnswers(bench, pool_folder, name)
        for count in PEOPLE:
            verdicts = []
            for index in range(sets):
                generator = random.Random(f"random {drawn(name)} {count} {index}")
                with tempfile.TemporaryDirectory() as folder:
                    data = pool.draw(
                        Path(folder) / "draw", generator.sample(sorted(pool.people), count),
                        lambda recording: own.labels(recording, generator))
                    found = bench.suggest([data], "--detector", name)
                verdicts.append(verdict(found["edits"][0]) if found["made"] else "")
            rows.append({"list": Path(name).stem, "people": count, "sets": sets, "suggested": sum(map(bool, verdicts)),
                         "sure": verdicts.count("take-proven")})
            print(rows[-1], file=sys.stderr)
    return rows


def power(bench, recordings, sets):
    """A row per fault and number of people; the first fault is none."""
    pool, rows = Pool(Path(recordings) / "films"), []
    sound = bench.suggest([pool.folder], "--detector", FIRST)["path"][0]["seen"]
    for fault in [None, *FAULTS]:
        words = ["--set", fault] if fault else []
        whole = bench.suggest([pool.folder], "--detector", FIRST, *words)["path"][0]["seen"]
        if fault and sound - whole < 0.02:
            continue
        for count in PEOPLE:
            suggested = named = 0
            for index in range(sets):
                generator = random.Random(f"power {fault and 'coach_' + fault} {count} {index}")
                with tempfile.TemporaryDirectory() as folder:
                    data = pool.draw(Path(folder) / "draw", generator.sample(sorted(pool.people), count))
                    found = bench.suggest([data], "--detector", FIRST, *words)
                suggested += found["made"] > 0
                edit = found["edits"][0]["edit"] if found["edits"] else {}
                moved = edit.get("move", {}).get("parameter")
                named += found["made"] > 0 and bool(fault) and moved == fault.split("=")[0]
            rows.append({"fault": fault or "none", "cost": digits(sound - whole), "people": count, "sets": sets,
                         "suggested": suggested, "named": named})
            print(rows[-1], file=sys.stderr)
    return rows


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| " + " | ".join("---" for _ in header) + " |"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def short(text):
    return "-" if text == "" else f"{float(text):.3f}"


def table(folder):
    """All parts that are there as Markdown."""
    parts = []
    if (folder / "rules.csv").exists():
        rows = [
            [f"`{row['start']}`", row["edits"] + (" (suggested)" if row["suggested"] == "1" else ""),
             short(row["seen"]), short(row["people_left_out"]),
            f"{short(row['gain'])} [{short(row['lower'])}, {short(row['upper'])}]",
             short(row["standard_error"]), short(row["sources_left_out"]), f"`{row['edit']}`" if row["edit"] else "-"]
            for row in read(folder / "rules.csv")]
        parts.append("## Scores after every number of edits\n\n" + markdown(
            ["start", "edits", "seen", "people left out", "gain there, 95 %", "standard error", "sources left out",
             "edit"], rows))
    if (folder / "planted.csv").exists():
        own, rows = read(folder / "planted.csv"), []
        for name in dict.fromkeys(row["list"] for row in own):
            for kind in ("moved", "deleted"):
                some = [row for row in own if row["list"] == name and row["kind"] == kind]
                counts = [sum(row[key] == "1" for row in some) for key in ("named", "named_or_beside", "restored")]
                shown = counts if kind == "moved" else ["-", "-", counts[2]]
                suggested = sum(row["verdict"] in SOUND for row in some)
                rows.append([f"`{name}`", kind, len(some), *shown, suggested])
        parts.append("## Planted faults\n\n" + markdown(
            ["list", "fault", "planted", "named", "named or beside", "restored to 0.005", "suggested"], rows))
    if (folder / "random.csv").exists():
        parts.append("## Random errors\n\n" + markdown(
            ["list", "people", "sets", "with a suggestion", "sure"],
            [[f"`{row['list']}`", row["people"], row["sets"], row["suggested"], row["sure"]]
             for row in read(folder / "random.csv")]))
    if (folder / "power.csv").exists():
        parts.append("## Real faults and few people\n\n" + markdown(
            ["fault", "costs", "people", "sets", "with a suggestion", "named"],
            [[f"`{row['fault']}`", short(row["cost"]), row["people"], row["sets"], row["suggested"], row["named"]]
             for row in read(folder / "power.csv")]))
    return "# What `planklab suggest` finds\n\n" + "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planklab", type=Path, default=ROOT / ".build/release/planklab")
    parser.add_argument("--output", type=Path, default=HERE)
    parser.add_argument("--parts", nargs="+", default=["rules", "planted", "random", "power"])
    parser.add_argument("--sets", type=int, default=30, help="draws per line of random errors and of few people")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    recordings = os.environ.get("PLANKLAB_RECORDINGS")
    parts = {"rules": rules, "planted": planted, "random": random_errors, "power": power}
    with tempfile.TemporaryDirectory() as folder:
        bench = Workbench(options.planklab.resolve(), folder, options.jobs)
        for name in options.parts:
            if not recordings and name != "random":
                print(f"skipped: {name}: PLANKLAB_RECORDINGS is not set")
                continue
            needs_sources = name in ("rules", "planted")
            if needs_sources and not (bench.folder / "clips").exists():
                sources = development_sources(bench, recordings)
            rows = parts[name](bench, sources if needs_sources else recordings, options.sets)
            write_rows(options.output / f"{name}.csv", rows)
    print(table(options.output))


if __name__ == "__main__":
    main()
