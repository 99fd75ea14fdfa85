#!/usr/bin/env python3
"""Places the thresholds of a detector's plank rules again without a source, and judges them on that source.

    rules_held_out.py RESULT.json TABLE.md DETECTOR.json FOLDER [BY_PEOPLE...]

DETECTOR.json is what `planklab detectors NAME --format json` wrote; FOLDER holds SOURCE/.../*.csv, which
`planklab measure --detector NAME` wrote. Of the sources named BY_PEOPLE each person is left out, too.

Thresholds move one after another, twice, within fifteen steps of a sixtieth of their range around the detector's own.
A value is judged by the mean over sources of recall (the mean over the classes of planks that the source has) and of
the share of `none` without a plank, which counts four times. It is averaged over a shift of the measurement with a
standard deviation of one and a half steps, and each step away from the detector's own value costs 0.0003, so that
a threshold about which the sources say nothing stays where it is. Planks seen from the head end are left out.
"""

import csv
import json
import re
import sys
from pathlib import Path

import numpy

CLASSES = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]
PASSES, REACH, SPREAD, COST, NONE_WEIGHT = 2, 15, 1.5, 3e-4, 4
COMPARISONS = {
    ">": numpy.greater, ">=": numpy.greater_equal, "<": numpy.less, "<=": numpy.less_equal,
}


class Rules:
    """A plank list as columns: which label each frame gets for given thresholds."""

    def __init__(self, document):
        document = document.get("result", document)
        self.defaults = {one["key"]: one["default"] for one in document["parameters"]}
        self.ranges = {one["key"]: one["range"] for one in document["parameters"]}
        self.rules = [self.parse(sentence) for sentence in document["rules"]["plank"]]
        used = {condition[2] for _, conditions in self.rules for condition in conditions}
        self.keys = [key for key in self.defaults if key in used]
        self.measurements = sorted({condition[0] for _, conditions in self.rules for condition in conditions})

    @staticmethod
    def parse(sentence):
        label, _, text = sentence.removesuffix(" otherwise").partition(" if ")
        conditions = []
        for part in filter(None, text.split(" and ")):
            name, comparison, sign, key = re.fullmatch(r"(\w+) (>=?|<=?) (-?)(\w+)", part).groups()
            conditions.append((name, comparison, key, -1 if sign else 1))
        return CLASSES.index(label), conditions

    def answers(self, columns, values):
        frames = len(next(iter(columns.values())))
        answers, is_open = numpy.zeros(frames, numpy.int8), columns["determined"].copy()
        with numpy.errstate(invalid="ignore"):
            for label, conditions in self.rules:
                holds = is_open.copy()
                for name, comparison, key, sign in conditions:
                    holds &= COMPARISONS[comparison](columns[name], sign * values[key])
                answers[holds] = label
                is_open &= ~holds
        return answers


def column_name(header, name):
    return next(column for column in header if column == name or column.startswith(name + "_"))


def read(folder, rules):
    """Per source: the columns of all scored frames, truth, seconds per frame, person."""
    sources = {}
    for source in sorted(folder.iterdir()):
        parts = []
        for path in sorted(source.rglob("*.csv")):
            if {"allan", "spectra"} & set(path.parts):
                continue
            with open(path, newline="") as file:
                rows = list(csv.reader(file))
            header, rows = rows[0], rows[1:]
            at = {name: header.index(column_name(header, name)) for name in rules.measurements}
            times = [float(row[0]) for row in rows]
            step = float(numpy.median(numpy.diff(times))) if len(times) > 1 else 1.0
            truth, person = header.index("truth_plank"), header.index("subject")
            scored = [row for row in rows if row[truth] in CLASSES]
            if not scored:
                continue
            numbers = {
                name: numpy.array([float(row[index]) if row[index] else numpy.nan for row in scored], numpy.float32)
                for name, index in at.items()
            }
            parts.append((
                numbers, numpy.array([CLASSES.index(row[truth]) for row in scored]), numpy.full(len(scored), step),
                numpy.array([row[person] or str(path) for row in scored])))
        if parts:
            columns = {name: numpy.concatenate([part[0][name] for part in parts]) for name in rules.measurements}
            columns["determined"] = numpy.isfinite(columns[rules.measurements[0]])
            sources[source.name] = (columns, *(numpy.concatenate([part[index] for part in parts]) for index in (1, 2, 3)))
    return sources


def shares(answers, truth, weights):
    """Per true class: the share of its time that is right."""
    return {
        label: float(weights[(truth == label) & (answers == label)].sum() / weights[truth == label].sum())
        for label in numpy.unique(truth)
    }


def score(rules, values, sources):
    total = count = 0.0
    for columns, truth, weights, _ in sources.values():
        right = shares(rules.answers(columns, values), truth, weights)
        planks = [share for label, share in right.items() if label]
        if 0 in right:
            total, count = total + NONE_WEIGHT * right[0], count + NONE_WEIGHT
        if planks:
            total, count = total + sum(planks) / len(planks), count + 1
    return total / count


def place(rules, sources):
    """The thresholds that the sources choose."""
    values = dict(rules.defaults)
    offsets = numpy.arange(-REACH, REACH + 1)
    blur = numpy.exp(-0.5 * ((offsets[:, None] - offsets[None]) / SPREAD) ** 2)
    for _ in range(PASSES):
        for key in rules.keys:
            low, high = rules.ranges[key]
            step = (high - low) / 60
            grid = numpy.clip(rules.defaults[key] + offsets * step, low, high)
            scores = numpy.array([score(rules, {**values, key: float(value)}, sources) for value in grid])
            averaged = blur @ scores / blur.sum(1) - COST * numpy.abs(offsets)
            values[key] = float(grid[int(numpy.argmax(averaged))])
    return values


def part(source, chosen):
    columns, truth, weights, people = source
    return ({name: column[chosen] for name, column in columns.items()}, truth[chosen], weights[chosen], people[chosen])


def tally(rules, values, source, into):
    columns, truth, weights, _ = source
    answers = rules.answers(columns, values)
    for label in numpy.unique(truth):
        held = truth == label
        entry = into.setdefault(CLASSES[label], [0.0, 0.0])
        entry[0] += float(weights[held].sum())
        entry[1] += float(weights[held & (answers == label)].sum())


def judge(rules, sources, by_people):
    rows = []
    for name, source in sources.items():
        groups = numpy.unique(source[3]) if name in by_people else [None]
        held, own, moved = {}, {}, 0
        for person in groups:
            inside = numpy.full(len(source[1]), True) if person is None else source[3] == person
            others = {other: value for other, value in sources.items() if other != name}
            if person is not None:
                others[name] = part(source, ~inside)
            values = place(rules, others)
            moved = max(moved, sum(values[key] != rules.defaults[key] for key in rules.keys))
            tally(rules, values, part(source, inside), held)
            tally(rules, rules.defaults, part(source, inside), own)
        rows.append({
            "source": name, "left_out": "the source" if groups[0] is None else f"each of {len(groups)} people",
            "thresholds_moved_at_most": moved,
            "classes": {
                label: {"s": held[label][0], "held_out": held[label][1] / held[label][0],
                        "detector": own[label][1] / own[label][0]} for label in held
            },
        })
    return rows


def table(rows):
    lines = ["| source | left out | class | s | thresholds placed without it | the detector |",
             "| --- | --- | --- | ---: | ---: | ---: |"]
    for row in rows:
        for label, entry in row["classes"].items():
            lines.append(
                f"| {row['source']} | {row['left_out']} | `{label}` | {entry['s']:.1f} | "
                f"{100 * entry['held_out']:.1f} | {100 * entry['detector']:.1f} |")
    return "\n".join(lines) + "\n"


def rounded(number):
    if isinstance(number, float):
        return float(f"{number:.5g}") + 0.0
    if isinstance(number, list):
        return [rounded(one) for one in number]
    if isinstance(number, dict):
        return {key: rounded(one) for key, one in number.items()}
    return number


def main():
    target, markdown, detector, folder = (Path(argument) for argument in sys.argv[1:5])
    rules = Rules(json.loads(detector.read_text()))
    sources = read(folder, rules)
    rows = judge(rules, sources, sys.argv[5:])
    if sys.argv[5:]:
        rows += [row for row in judge(rules, sources, []) if row["source"] in sys.argv[5:]]
    target.write_text(json.dumps(rounded({"rows": rows, "placed_on_all": place(rules, sources)}), indent=1) + "\n")
    markdown.write_text(table(rows))


if __name__ == "__main__":
    main()
