#!/usr/bin/env python3
"""Asks where on its plateau a threshold should stand, so that it suits new people and new sources.

    analysis.py RESULT.json TABLE.md MEASURED

MEASURED has one folder N-SOURCE per source, each written by `planklab measure`. Candidates are the cells that
are as good as the best one, as in docs/tuning.md: within the tolerance or one paired standard error. Among them
the rules choose. Balanced accuracy is a sum of one term per limit, so a pair of limits is searched on its grid
without counting any cell twice. Each question is asked twice: with each source held out from the others, and
within a source, with the limits of one half of the people (at most 40) scored on the others (mean of 20
divisions). Only the standard library is used.
"""

import bisect
import csv
import json
import random
import statistics
import sys
from pathlib import Path

TOLERANCE = 0.005
DIVISIONS = 20
SEED = 64
# What the one frame of a photograph counts, as in planklab.
STILL_S = 1 / 30
EDGE = 1e-12
RULES = ["best", "center", "middle", "shift"]

PLANKS = {"forearm": "other", "high": "other", "reverse": "other"}
SIDES = {**PLANKS, "sideLeft": "side", "sideRight": "side"}
FORMS = {"sag": "sag", "aligned": "aligned", "pike": "pike"}
ARMS = {"forearm": "forearm", "high": "high"}


def steps(start, count, step):
    return [round(start + step * index, 9) for index in range(count)]


# A question: its name, the measurement as a column, how it is read, the column of truth, the class of every
# label that counts, the classes in ascending order, the grid of the limit between each two of them, and how
# far sources may lie apart, as a standard deviation.
QUESTIONS = [
    ("form, signed hip angle", "signedHipAngle_deg", float, "truth_form", FORMS,
     ["sag", "aligned", "pike"], [steps(150, 41, 1), steps(176, 50, 1)], 4),
    ("form, hip deviation", "hipDeviation_m", float, "truth_form", FORMS,
     ["sag", "aligned", "pike"], [steps(-0.15, 51, 0.005), steps(0, 50, 0.005)], 0.02),
    ("form, shoulder-hip-knee", "kneeHipAngle_deg", float, "truth_form", FORMS,
     ["sag", "aligned", "pike"], [steps(150, 41, 1), steps(176, 50, 1)], 4),
    ("elbow angle", "elbowAngle_deg", float, "truth_plank", ARMS,
     ["forearm", "high"], [steps(90, 81, 1)], 8),
    ("forearm verticality", "forearmVerticality", float, "truth_plank", ARMS,
     ["forearm", "high"], [steps(0.2, 79, 0.01)], 0.08),
    ("shoulder rise, size", "shoulderRise_m", lambda text: abs(float(text)), "truth_plank", SIDES,
     ["other", "side"], [steps(0.02, 39, 0.01)], 0.04),
    ("trunk roll, size, prone", "trunkRoll_deg", lambda text: abs(float(text)), "truth_plank",
     {name: kind for name, kind in SIDES.items() if name != "reverse"},
     ["other", "side"], [steps(10, 80, 1)], 8),
    ("vertical ratio, `none` above", "verticalRatio", float, "truth_plank",
     {"none": "none", **{name: "plank" for name in SIDES}},
     ["plank", "none"], [steps(0.2, 75, 0.01)], 0.05),
]  # fmt: skip


class Person:
    """The measured values of one person by class, ascending, with what they weigh in seconds."""

    def __init__(self, frames, classes, grids):
        self.values = {name: sorted(frames.get(name, [])) for name in classes}
        self.total = [sum(weight for _, weight in self.values[name]) for name in classes]
        # For each limit: the seconds of the class below it that are not above it, and of the class above it
        # that are.
        self.right = []
        for index, grid in enumerate(grids):
            low, high = (self.below(classes[index + side], grid) for side in (0, 1))
            self.right.append((low, [self.total[index + 1] - part for part in high]))

    def below(self, name, grid):
        values = [value for value, _ in self.values[name]]
        sums = [0.0]
        for _, weight in self.values[name]:
            sums.append(sums[-1] + weight)
        return [sums[bisect.bisect_right(values, limit)] for limit in grid]


class Source:
    """Some people of one source, and the terms of its balanced accuracy along each limit."""

    def __init__(self, people, classes, grids):
        self.people, self.classes, self.grids = people, classes, grids
        self.total = [sum(parts) for parts in zip(*(person.total for person in people))]
        self.right = [
            tuple([sum(parts) for parts in zip(*(person.right[index][side] for person in people))]
                  for side in (0, 1))
            for index in range(len(grids))
        ]  # fmt: skip
        self.terms, self.constant = self.accuracy(self.total, self.right)

    def accuracy(self, total, right):
        """The terms per limit, and what is added to their sum; None without any class."""
        known = [seconds > 1e-9 for seconds in total]
        if not any(known):
            return None, 0
        count = sum(known)
        terms = []
        for index, (low, high) in enumerate(right):
            term = [0.0] * len(low)
            for side, part in ((0, low), (1, high)):
                if known[index + side]:
                    share = total[index + side] * count
                    term = [sum + value / share for sum, value in zip(term, part)]
            terms.append(term)
        return terms, -sum(known[1:-1]) / count

    def without(self, person):
        total = [sum - own for sum, own in zip(self.total, person.total)]
        right = [
            tuple([sum - own for sum, own in zip(mine, its)] for mine, its in zip(pair, own_pair))
            for pair, own_pair in zip(self.right, person.right)
        ]
        return self.accuracy(total, right)

    def score(self, limits):
        """Balanced accuracy of any limits."""
        shares = []
        for index, name in enumerate(self.classes):
            if self.total[index] <= 0:
                continue
            low = limits[index - 1] if index > 0 else float("-inf")
            high = limits[index] if index < len(limits) else float("inf")
            right = sum(
                weight
                for person in self.people
                for value, weight in person.values[name]
                if low < value <= high
            )
            shares.append(right / self.total[index])
        return statistics.fmean(shares)

    def median(self, name):
        values = sorted(pair for person in self.people for pair in person.values[name])
        half, total = sum(weight for _, weight in values) / 2, 0
        for value, weight in values:
            total += weight
            if total >= half * (1 - 1e-9):
                return value
        return None


def cells(grids):
    if len(grids) == 1:
        return [(first,) for first in range(len(grids[0]))]
    return [(first, second) for first in range(len(grids[0])) for second in range(len(grids[1]))]


def candidates(sources, grids):
    """The mean over sources per cell, and the cells that are as good as the best one."""
    terms = [
        [statistics.fmean(parts) for parts in zip(*(source.terms[index] for source in sources))]
        for index in range(len(grids))
    ]
    value = {cell: sum(terms[axis][place] for axis, place in enumerate(cell)) for cell in cells(grids)}
    best = max(value, key=value.get)
    losses = []  # per person left out, per limit: how much its term loses against the best cell
    for source in sources:
        for person in source.people if sum(len(other.people) for other in sources) > 1 else []:
            own, _ = source.without(person)
            if own is None:
                own = source.terms
            losses.append([
                [(mine[best[axis]] - mine[place] - whole[best[axis]] + whole[place]) / len(sources)
                 + mean[best[axis]] - mean[place] for place in range(len(mean))]
                for axis, (mine, whole, mean) in enumerate(zip(own, source.terms, terms))
            ])  # fmt: skip
    count = len(losses)
    centered = []
    for axis, grid in enumerate(grids):
        columns = [[loss[axis][place] for loss in losses] for place in range(len(grid))]
        centered.append([[part - statistics.fmean(column) for part in column] for column in columns]
                        if count else [])  # fmt: skip

    def error(cell):
        if not count:
            return 0
        parts = zip(*(centered[axis][place] for axis, place in enumerate(cell)))
        return ((count - 1) / count * sum(sum(part) ** 2 for part in parts)) ** 0.5

    good = set()
    for cell, own in value.items():
        loss = value[best] - own
        if loss <= max(TOLERANCE, EDGE) or loss <= error(cell):
            good.add(cell)
    return value, best, good, terms


def neighbors(cell):
    around = [()]
    for place in cell:
        around = [head + (place + step,) for head in around for step in (-1, 0, 1)]
    return around


def plateau(good, value):
    """The component with the largest margin, and its center; the grid ends beyond its last values."""
    distance, current = dict.fromkeys(good, 0), good
    while current:
        for cell in current:
            distance[cell] += 1
        current = {cell for cell in current if all(near in current for near in neighbors(cell))}
    best, left = None, set(good)
    while left:
        component, queue = set(), [left.pop()]
        while queue:
            cell = queue.pop()
            component.add(cell)
            for near in neighbors(cell):
                if near in left:
                    left.discard(near)
                    queue.append(near)
        margin = max(distance[cell] for cell in component)
        middle = [statistics.fmean(places) for places in zip(*component)]
        center = min(
            (cell for cell in component if distance[cell] == margin),
            key=lambda cell: (round(sum((a - b) ** 2 for a, b in zip(cell, middle)), 9), cell),
        )
        rank = (margin, len(component), value[center])
        if best is None or rank > best[0]:
            best = (rank, component, center)
    return best[1], best[2]


def blurred(term, step, spread):
    """The mean of a term over normal shifts of the measurement; beyond the grid, its last value."""
    reach = int(4 * spread / step)
    weights = [statistics.NormalDist(0, spread).pdf(shift * step) for shift in range(-reach, reach + 1)]
    last = len(term) - 1
    return [
        sum(weight * term[min(last, max(0, place + shift))]
            for weight, shift in zip(weights, range(-reach, reach + 1))) / sum(weights)
        for place in range(len(term))
    ]  # fmt: skip


def choices(sources, classes, grids, spread):
    value, best, good, terms = candidates(sources, grids)
    region, center = plateau(good, value)
    medians = []
    for name in classes:
        known = [median for source in sources if (median := source.median(name)) is not None]
        medians.append(statistics.fmean(known) if known else None)
    pairs = list(zip(medians, medians[1:]))

    def far(cell):
        return sum(
            ((grids[axis][cell[axis]] - (low + high) / 2) / (high - low)) ** 2
            for axis, (low, high) in enumerate(pairs)
            if low is not None and high is not None and low < high
        )

    shifted = [blurred(term, grid[1] - grid[0], spread) for term, grid in zip(terms, grids)]
    found = {
        "best": best,
        "center": center,
        "middle": min(sorted(region), key=lambda cell: (round(far(cell), 9), cell)),
        "shift": max(sorted(region), key=lambda cell: sum(
            shifted[axis][place] for axis, place in enumerate(cell))),
    }  # fmt: skip
    return {rule: [grids[axis][place] for axis, place in enumerate(cell)] for rule, cell in found.items()}


def read(folder, question):
    """The people of a source for a question; none where the measurement does not exist."""
    _, column, number, truth, kinds, classes, grids, _ = question
    people = {}
    for path in sorted(folder.rglob("*.csv")):
        if {"allan", "spectra"} & {part.name for part in path.parents}:
            continue
        rows = list(csv.DictReader(path.open()))
        if not rows or column not in rows[0]:
            continue
        times = [float(row["t"]) for row in rows]
        steps_s = [after - before for before, after in zip(times, times[1:])]
        weight = statistics.median(steps_s) if steps_s else STILL_S
        person = people.setdefault(rows[0]["subject"] or rows[0]["sequence"], {})
        for row in rows:
            kind = kinds.get(row[truth])
            if kind and row[column]:
                person.setdefault(kind, []).append((number(row[column]), weight))
    return [Person(frames, classes, grids) for _, frames in sorted(people.items()) if frames]


def all_classes(source):
    return all(total > 0 for total in source.total)


def held_out_sources(sources, classes, grids, spread):
    table = {}
    for name, source in sources.items() if len(sources) > 1 else []:
        others = [other for key, other in sources.items() if key != name]
        if not all(any(seconds) for seconds in zip(*(other.total for other in others))):
            continue
        found = choices(others, classes, grids, spread)
        table[name] = {
            rule: {"limits": limits, "balanced_accuracy": source.score(limits)}
            for rule, limits in found.items()
        }
    return table


def held_out_people(sources, classes, grids, spread):
    generator, table = random.Random(SEED), {}
    for name, source in sources.items():
        if not all_classes(source):
            continue
        scores, tries = {rule: [] for rule in RULES}, 0
        while len(scores["best"]) < DIVISIONS and tries < 50 * DIVISIONS:
            tries += 1
            people = sorted(source.people, key=lambda _: generator.random())
            size = min(40, len(people) // 2)
            if size < 2:
                break
            first, second = (Source(part, classes, grids) for part in (people[:size], people[size:]))
            if not (all_classes(first) and all_classes(second)):
                continue
            for rule, limits in choices([first], classes, grids, spread).items():
                scores[rule].append(second.score(limits))
        if scores["best"]:
            table[name] = {"people": len(source.people),
                           **{rule: statistics.fmean(parts) for rule, parts in scores.items()}}  # fmt: skip
    return table


def answered(question, folders):
    title, _, _, _, _, classes, grids, spread = question
    sources = {}
    for folder in folders:
        people = read(folder, question)
        if people:
            source = Source(people, classes, grids)
            if source.terms is not None:
                sources[folder.name.split("-", 1)[1]] = source
    return {
        "question": title,
        "medians": {name: {kind: source.median(kind) for kind in classes}
                    for name, source in sources.items()},
        "best_possible": {name: max(candidates([source], grids)[0].values()) + source.constant
                          for name, source in sources.items()},
        "all_sources": choices(list(sources.values()), classes, grids, spread),
        "sources_held_out": held_out_sources(sources, classes, grids, spread),
        "people_held_out": held_out_people(sources, classes, grids, spread),
    }  # fmt: skip


def change(scores):
    """The mean change from the center over sources, and Student's t of it."""
    changes = [score["middle"] - score["center"] for score in scores]
    mean = statistics.fmean(changes)
    error = statistics.stdev(changes) / len(changes) ** 0.5 if len(changes) > 1 else 0
    return mean, mean / error if error > 1e-9 else None


def rows(title, table):
    lines = [f"{title}:", "", "| | " + " | ".join(RULES) + " |", "| --- |" + " ---: |" * len(RULES)]
    scores = []
    for name, found in table.items():
        plain = {rule: found[rule]["balanced_accuracy"] if isinstance(found[rule], dict) else found[rule]
                 for rule in RULES}  # fmt: skip
        scores.append(plain)
        lines.append(f"| {name} | " + " | ".join(f"{plain[rule]:.3f}" for rule in RULES) + " |")
    means = [statistics.fmean(score[rule] for score in scores) for rule in RULES]
    lines.append("| mean | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")
    mean, student = change(scores)
    test = "" if student is None else f", Student's t {student:.1f} of {len(scores)} sources"
    return lines + ["", f"Middle minus center: {mean:+.3f}{test}.", ""]


def text(number):
    return "-" if number is None else f"{number:.3f}" if abs(number) < 10 else f"{number:.1f}"


def page(results):
    lines = []
    for result in results:
        kinds = list(next(iter(result["medians"].values())))
        lines += [f"## {result['question']}", "", "| medians | " + " | ".join(kinds) + " | best possible |",
                  "| --- |" + " ---: |" * (len(kinds) + 1)]  # fmt: skip
        for name, medians in result["medians"].items():
            cells = [text(medians[kind]) for kind in kinds]
            lines.append(f"| {name} | " + " | ".join(cells) + f" | {result['best_possible'][name]:.3f} |")
        limits = "; ".join(f"{rule} {', '.join(f'{limit:g}' for limit in found)}"
                           for rule, found in result["all_sources"].items())  # fmt: skip
        lines += ["", f"All sources together choose: {limits}.", ""]
        if result["sources_held_out"]:
            lines += rows("Each source held out from the others", result["sources_held_out"])
        if result["people_held_out"]:
            lines += rows("Half of the people of a source held out", result["people_held_out"])
    return "\n".join(lines).rstrip() + "\n"


def rounded(number):
    if isinstance(number, float):
        return float(f"{number:.4g}")
    if isinstance(number, list):
        return [rounded(part) for part in number]
    if isinstance(number, dict):
        return {key: rounded(part) for key, part in number.items()}
    return number


def main():
    folders = sorted(path for path in Path(sys.argv[3]).iterdir() if path.is_dir())
    results = []
    for question in QUESTIONS:
        results.append(answered(question, folders))
        if question[0] == "form, signed hip angle":
            real = [folder for folder in folders if "synthetic" not in folder.name]
            results.append({**answered(question, real), "question": question[0] + ", real sources only"})
    Path(sys.argv[1]).write_text(json.dumps(rounded(results), indent=1) + "\n")
    Path(sys.argv[2]).write_text(page(results))


if __name__ == "__main__":
    main()
