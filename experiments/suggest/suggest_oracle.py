#!/usr/bin/env python3
"""Compares `planklab suggest` with a search that tries everything (suggest_definitions.py).

    suggest_oracle.py --planklab PROGRAM [--runs N]

1. On random people, with missing and inapplicable measurements, shared and negated parameters, several sources and
   rates: the edits, their ranges, the scores on everybody, on people and on sources left out with their standard
   errors, the gains that are judged, and which number of edits is advised.
2. On `datasets/scripted`, for every built-in list: the best edit of every kind but pairs, the range of the chosen
   edit, the score of every edit that is named, and that no simpler kind is worth 90 % of it.

Measurements come from `planklab measure`. Exits 1 on a difference.
"""

import argparse
import csv
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/proofs"))
import populations  # noqa: E402
from suggest_definitions import KINDS, LABELS, UNIT, Effect, Frames, Judgment, Rules, Search, parsed

ROOT = Path(__file__).resolve().parents[2]
JOINTS = ["spine", "leftAnkle", "rightAnkle", "leftWrist", "rightWrist"]
NAMES = ["alpha", "beta", "gamma"]
EXPRESSIONS = {
    "alpha": "height(leftAnkle) - height(spine)",
    "beta": "height(rightAnkle) - height(spine)",
    "gamma": "when(height(leftWrist) - height(spine), height(rightWrist) - height(spine) < 0.1m)",
}
NEEDS = {"alpha": [1], "beta": [2], "gamma": [3, 4]}
LEVELS = 8
HEADER = json.dumps({
    "format": "planklab-poses", "version": 1, "skeleton": "vision3d", "joints": JOINTS, "frame": "world"})
SUFFIX = re.compile(r"_(m|deg|bh|s|m_per_s)$")
TOLERANCE = 1e-9


def run(planklab, *words):
    done = subprocess.run([planklab, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"planklab {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


class Case:
    """A random list of rules with random people of one or two sources."""

    def __init__(self, seed, folder):
        self.draw = populations.seeded("suggest", seed)
        draw, self.folder = self.draw, Path(folder)
        self.people = draw.choice([4, 6, 7, 8, 9, 10])
        # The source of a person; now and then one person is alone in a source.
        self.sources = ["a", "b"] if draw.random() < 0.6 else ["a"]
        self.source = [self.sources[index % len(self.sources)] for index in range(self.people)]
        if draw.random() < 0.2:
            self.sources, self.source[0] = self.sources + ["alone"], "alone"
        self.harm, self.steps = draw.choice([1, 1, 3, 0.5]), draw.choice([1, 2, 3])
        self.labels = draw.sample(range(len(LABELS)), 4)
        self.write_detector()
        self.write_people()

    def conditions(self):
        draw = self.draw
        return [
            (draw.randrange(2 if draw.random() < 0.7 else 3), draw.choice(["<", "<=", ">", ">="]),
             f"p{draw.randrange(4)}", draw.random() < 0.3)
            for _ in range(draw.choice([1, 1, 2]))]

    def write_detector(self):
        draw = self.draw
        rules = [(draw.choice(self.labels), self.conditions()) for _ in range(draw.randrange(4))]
        rules.append((draw.choice(self.labels), []))
        keys = sorted({key for _, conditions in rules for _, _, key, _ in conditions})
        values = {key: draw.randrange(-35, 36) / 100 for key in keys}
        self.rules = Rules(rules, values, {key: (-1.0, 1.0) for key in keys}, {})
        lines = ["name: random", "axes: gravity"]
        if keys:
            lines += ["parameters:"] + [
                f"  {key}: {{unit: m, default: {values[key]}, range: [-1, 1], meaning: a limit}}" for key in keys]
        lines += ["measurements:"] + [f"  {name}: {text}" for name, text in EXPRESSIONS.items()] + ["plank:"]
        for label, conditions in rules:
            words = [
                f"{NAMES[column]} {comparison} {'-' if negated else ''}{key}"
                for column, comparison, key, negated in conditions]
            lines.append(f"  - {LABELS[label]}" + (f": {' and '.join(words)}" if words else ""))
        (self.folder / "detector.yaml").write_text("\n".join(lines + ["form: [aligned]", ""]))

    def levels(self, count):
        """As many of every level, in random order: no level is rarer than a quantile."""
        levels = [(index % LEVELS) * 0.1 - 0.35 for index in range(count)]
        self.draw.shuffle(levels)
        return levels

    def write_people(self):
        draw, count = self.draw, 24
        hidden = [(draw.choice(self.labels), draw.randrange(3), draw.random() < 0.5, draw.randrange(-2, 3) / 10)
                  for _ in range(3)]
        for source in self.sources:
            (self.folder / source).mkdir()
        entries = {source: [] for source in self.sources}
        for person in range(self.people):
            step = draw.randrange(60, 140) / 1024
            columns = [self.levels(count) for _ in JOINTS[1:]]
            lines, rows = [HEADER], ["start,end,plank,form"]
            for frame in range(count):
                heights = [column[frame] for column in columns]
                label = self.label(hidden, heights)
                joints = [0, 0, 0]
                for height in heights:
                    joints += [None] * 3 if draw.random() < 0.02 else [0, round(height, 2), 0]
                lines.append(json.dumps({"t": frame * step, "p": joints}))
                if draw.random() > 0.05:
                    form = "" if label == 0 else "aligned"
                    rows.append(f"{frame * step},{(frame + 1) * step},{LABELS[label]},{form}")
            folder = self.folder / self.source[person]
            (folder / f"p{person}.poses.jsonl").write_text("\n".join(lines) + "\n")
            (folder / f"p{person}.labels.csv").write_text("\n".join(rows) + "\n")
            entries[self.source[person]].append(
                f"  - {{poses: p{person}.poses.jsonl, labels: p{person}.labels.csv, subject: s{person}}}\n")
        for source, own in entries.items():
            (self.folder / source / "dataset.yaml").write_text(f"name: {source}\nsequences:\n" + "".join(own))

    def label(self, hidden, heights):
        """What a hidden list says, wrong now and then."""
        if self.draw.random() < 0.15:
            return self.draw.choice(self.labels)
        for label, column, below, limit in hidden:
            if (heights[column] < limit) == below:
                return label
        return self.labels[0]


def table(path):
    """The rows of a table of measurements."""
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def interval(folder, name):
    """The median interval of a recording's frames, in seconds."""
    path = folder / f"{name}.poses.jsonl"
    text = path.read_text() if path.exists() else gzip.decompress((folder / f"{path.name}.gz").read_bytes()).decode()
    times = [json.loads(line)["t"] for line in text.splitlines()[1:]]
    return float(numpy.median(numpy.diff(times)))


def random_frames(planklab, case):
    """The scored frames of a random case."""
    truth, seconds, person, source, columns, missing = [], [], [], [], [[], [], []], [[], [], []]
    for own in case.sources:
        folder = case.folder / own
        measured = case.folder / f"measured-{own}"
        run(planklab, "measure", folder, "--detector", case.folder / "detector.yaml", "--output", measured)
        for path in sorted(measured.glob("p*.csv")):
            poses = [json.loads(line)["p"] for line in
                     (folder / f"{path.stem}.poses.jsonl").read_text().splitlines()[1:]]
            step = interval(folder, path.stem)
            for row, joints in zip(table(path), poses):
                if row["truth_plank"] == "":
                    continue
                truth.append(LABELS.index(row["truth_plank"]))
                seconds.append(step)
                person.append(int(path.stem[1:]))
                source.append(own)
                for index, name in enumerate(NAMES):
                    value = row[f"{name}_m"]
                    columns[index].append(numpy.float32(value) if value else numpy.float32("nan"))
                    missing[index].append(any(joints[3 * joint] is None for joint in NEEDS[name]))
    return Frames(
        numpy.array(truth), numpy.array(seconds), numpy.array(person), numpy.array(source), NAMES,
        [numpy.array(column, numpy.float32) for column in columns], [numpy.array(row) for row in missing])


def plain(edit, keys=None):
    """An edit of the JSON in the form of suggest_definitions."""
    (kind, body), = edit.items()
    if kind == "move":
        return ("move", body["parameter"], body["value"])
    if kind in ("drop_rule", "swap"):
        return (kind, body["rule"])
    if kind == "drop_condition":
        return (kind, body["rule"], body["condition"])

    def condition(one):
        return NAMES.index(one["measurement"]) if keys is None else keys.index(one["measurement"]), \
            one["below"], one["threshold"]

    if kind == "narrow":
        return ("narrow", body["rule"], condition(body["condition"]))
    return ("insert", body["position"], LABELS.index(body["label"]), [condition(one) for one in body["conditions"]])


class Comparison:
    """Values that must be equal, with those that are not."""

    def __init__(self):
        self.failures, self.compared = [], 0

    def equal(self, what, found, expected):
        self.compared += 1
        if isinstance(expected, float) and isinstance(found, (int, float)):
            same = abs(found - expected) <= TOLERANCE
        else:
            same = found == expected
        if not same:
            self.failures.append(f"{what}: {found}, by definition {expected}")

    def holds(self, what, condition):
        self.compared += 1
        if not condition:
            self.failures.append(what)


def compare_random(planklab, seed, comparison):
    """One random case; false where a result depends on quantiles or on ties, so that nothing is compared."""
    with tempfile.TemporaryDirectory() as folder:
        case = Case(seed, folder)
        frames = random_frames(planklab, case)
        judged = Judgment(case.rules, frames, case.harm, case.steps)
        if not judged.exact:
            return False
        found = json.loads(run(
            planklab, "suggest", *(case.folder / own for own in case.sources), "--detector",
            case.folder / "detector.yaml", "--stream", "plank", "--set", "hold_seconds=0", "--steps", case.steps, "--harm",
            case.harm, "--jobs", 1, "--format", "json"))["result"]["streams"][0]
    name = f"case {seed}"
    comparison.equal(f"{name}: people", found["people"], case.people)
    comparison.equal(f"{name}: frames", found["frames"], len(frames.truth))
    comparison.equal(f"{name}: numbers of edits", len(found["path"]), len(judged.seen))
    for count, row in enumerate(found["path"][: len(judged.seen)]):
        here = f"{name}, {count} edits"
        everybody = Effect(frames, judged.seen[0], judged.seen[count], 1)
        comparison.equal(f"{here}: seen", row["seen"], everybody.after)
        if judged.unseen:
            others = judged.left_out(0, count)
            comparison.equal(f"{here}: left out", row["left_out"], others.after)
            comparison.equal(f"{here}: standard error", row["standard_error"], others.standard_error)
        else:
            comparison.equal(f"{here}: left out", row.get("left_out"), None)
        effects = judged.source_effects(0, count).values()
        if effects:
            mean = sum(effect.after for effect in effects) / len(effects)
            comparison.equal(f"{here}: sources left out", row["source_left_out"], mean)
    compare_edits(name, found, judged, comparison)
    return True


def compare_edits(name, found, judged, comparison):
    """The edits that are named, one after the other."""
    comparison.equal(f"{name}: edits named", len(found["edits"]), min(len(judged.found), found["made"] + 1))
    gains = [row["advice"]["expected"] if row["advice"]["step"].startswith("take") else 0 for row in found["edits"]]
    comparison.equal(f"{name}: edits advised", found["made"], max(range(len(gains) + 1), key=([0] + gains).__getitem__))
    for step, (row, own) in enumerate(zip(found["edits"], judged.found)):
        here = f"{name}, edit {step + 1}"
        edit = plain(row["edit"])
        if edit[0] == "move" and edit[1].startswith("suggested_"):
            comparison.holds(f"{here}: {edit}, by definition {own.edit}", own.edit[0] == "move")
        else:
            comparison.equal(here, edit, own.edit)
        comparison.equal(
            f"{here}: ranges", [(one["lower"], one["upper"]) for one in row["thresholds"]], own.ranges)
        everybody = Effect(judged.frames, judged.seen[0], judged.seen[step + 1], 1)
        comparison.equal(f"{here}: gain", row["advice"]["gain"], everybody.after - everybody.before)
        for source, effect in judged.source_effects(step, step + 1).items():
            change = next(one["change"] for one in row["without_source"] if one["source"] == source)
            comparison.equal(f"{here}: without {source}", change, effect.after - effect.before)


def scripted_frames(planklab, folder, detector):
    """The scored frames of `datasets/scripted`, and the unit of every measurement."""
    data = ROOT / "datasets/scripted"
    run(planklab, "measure", data, "--detector", detector, "--output", folder)
    rows, seconds = [], []
    for path in sorted(Path(folder).glob("*.csv")):
        own = [row for row in table(path) if row["truth_plank"] in LABELS]
        rows += own
        seconds += [interval(data, path.stem)] * len(own)
    headers = list(rows[0])
    columns = headers[headers.index("truth_form") + 1:headers.index("raw_plank")]
    names = [SUFFIX.sub("", column) for column in columns]
    numbers = [numpy.array([row[column] or "nan" for row in rows], dtype=numpy.float32) for column in columns]
    missing = [numpy.isnan(column) for column in numbers]
    # The one angle that needs more than its joints: a vertical plane. Where the body has an angle, it is inapplicable.
    missing[names.index("signedHipAngle")] &= missing[names.index("bodyAngle")]
    people = sorted({row["subject"] for row in rows})
    frames = Frames(
        numpy.array([LABELS.index(row["truth_plank"]) for row in rows]), numpy.array(seconds),
        numpy.array([people.index(row["subject"]) for row in rows]), numpy.zeros(len(rows), int), names, numbers,
        missing)
    return frames, [column.rpartition("_")[2] for column in columns]


def score(frames, answers):
    return float(frames.weights[answers == frames.truth].sum() * UNIT)


def compare_scripted(planklab, detector, change, comparison):
    """The best edits of a built-in list with one value changed."""
    words = ["--detector", detector] + (["--set", change] if change else [])
    with tempfile.TemporaryDirectory() as folder:
        frames, units = scripted_frames(planklab, Path(folder) / "measured", detector)
    shown = json.loads(run(planklab, "detectors", detector, "--format", "json"))
    values = {one["key"]: one["value"] for one in shown["parameters"]}
    if change:
        values[change.split("=")[0]] = float(change.split("=")[1])
    streams = {name: [parsed(rule, frames.names) if name == "plank" else rule for rule in rules]
               for name, rules in shown["rules"].items()}
    other = {key for key in values if any(re.search(rf"\b{key}\b", rule) for rule in streams["form"])}
    rules = Rules(
        streams["plank"], values, {one["key"]: tuple(one["range"]) for one in shown["parameters"]},
        dict(enumerate(units)), other)
    found = json.loads(run(
        planklab, "suggest", ROOT / "datasets/scripted", *words, "--stream", "plank", "--jobs", 1, "--format",
        "json"))["result"]["streams"][0]
    name = f"{detector} {change or ''} on scripted"
    comparison.equal(f"{name}: frames", found["frames"], len(frames.truth))
    search = Search(rules, frames, 1, pairs=False)
    comparison.equal(f"{name}: score", found["path"][0]["seen"], score(frames, search.answers))
    singles = {kind: Search.best([one for one in search.found if one.kind == kind]) for kind in KINDS[:-1]}
    if not found["edits"]:
        comparison.holds(f"{name}: nothing is worth anything", not any(singles.values()))
        return
    chosen = found["edits"][0]
    named = [chosen] + chosen["alternatives"]
    most = 0
    for row in named:
        edit = plain(row["edit"], frames.names)
        after = score(frames, rules.apply(edit).answers(frames))
        comparison.equal(f"{name}: score after {edit}", row["seen"]["after"], after)
        kind = kind_of(edit)
        limits = [(one["lower"], one["upper"]) for one in row["thresholds"]]
        if kind == "pair":
            second = pair_range(search, edit)
            comparison.equal(f"{name}: second threshold of {edit}", edit[3][1][2], second.threshold)
            comparison.equal(f"{name}: its range", limits[1], second.range)
            most = max(most, second.worth)
        else:
            # Beside the chosen edit, the best other one of its kind is named.
            best = singles[kind] if row is chosen else Search.best(
                [one for one in search.found if one.kind == kind and one.edit != plain(chosen["edit"], frames.names)])
            comparison.equal(f"{name}: best {kind}", edit, best.edit)
            comparison.equal(f"{name}: its range", limits, best.ranges)
            most = max(most, best.worth)
    kind = kind_of(plain(chosen["edit"], frames.names))
    for simpler in KINDS[:KINDS.index(kind)]:
        comparison.holds(
            f"{name}: {simpler} is worth as much as {kind}, and simpler",
            singles[simpler] is None or singles[simpler].worth < most)
    if kind != "pair":
        comparison.holds(f"{name}: {kind} is worth 90 % of the best", singles[kind].worth >= 0.9 * max(
            one.worth for one in singles.values() if one))


def kind_of(edit):
    if edit[0] == "insert":
        return "pair" if len(edit[3]) == 2 else "insert"
    return "rearrange" if edit[0] in ("drop_rule", "drop_condition", "swap") else edit[0]


def pair_range(search, edit):
    """The second threshold of a pair, the first one being in its place."""
    _, position, label, conditions = edit
    columns, below, thresholds = zip(*conditions)
    return search.pair_choice(position, label, columns, below, list(thresholds), 1)


SCRIPTED = [
    ("gravity", None), ("trunk", None), ("coach", None), ("gravity", "elbow_split=166"),
    ("coach", "coach_side_roll=95"), ("coach", "coach_support_drop=0.2"), ("trunk", "trunk_support_drop=0.2"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planklab", type=Path, default=Path(".build/release/planklab"))
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="the first random case")
    options = parser.parse_args()
    planklab, comparison = options.planklab.resolve(), Comparison()
    inexact = 0
    for seed in range(options.first, options.first + options.runs):
        if not compare_random(planklab, seed, comparison):
            inexact += 1
    print(f"{options.runs - inexact} random cases, {inexact} more that depend on quantiles or on ties")
    for detector, change in SCRIPTED:
        compare_scripted(planklab, detector, change, comparison)
    print(f"{len(SCRIPTED)} lists on scripted; {comparison.compared} values compared")
    if inexact > options.runs / 2:
        comparison.failures.append("too many depend on quantiles or on ties")
    if comparison.failures:
        raise SystemExit("\n".join(comparison.failures))


if __name__ == "__main__":
    main()
