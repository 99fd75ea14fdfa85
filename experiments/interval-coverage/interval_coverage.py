#!/usr/bin/env python3
"""How often the intervals that `planklab evaluate` prints hold the truth, by number and kind of people.

Simulates people through the command: each has 10 s of `none`, `forearm` and `high`, and recalls that are
logit-normal around the population's (standard deviation 0.8 per person, 0.6 per person and class). The truth is the
metric of the expected matrix of all people. Populations: plain (recall about 0.85); unequal amounts (recordings of
10 to 90 s); near the ceiling (recall about 0.97); and one bad person (one in eight has a recall of about 0.3). Then
sources of unequal size, whose mean is taken. Prints Markdown tables. With --check, fails where an interval holds the
truth less often than 0.93, or 0.90 for `one bad person`, by more than three standard errors, from five people on, or
where more than one in twenty is missing.
Only the standard library is used.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/proofs"))
import populations  # noqa: E402

PEOPLE = [3, 5, 8, 15, 30]
KINDS = ["plain", "unequal amounts", "near the ceiling", "one bad person"]
SOURCES = [[1, 16], [2, 15], [3, 14], [8, 8]]
CLASSES = ["none", "forearm", "high"]
METRICS = ["plank.accuracy", "plank.f1_macro", "plank.cohen_kappa"]
FRAMES = 100
LEAST = {"plain": 0.93, "unequal amounts": 0.93, "near the ceiling": 0.93, "one bad person": 0.90}


def recalls(generator, kind):
    """The recalls of one person."""
    isBad = kind == "one bad person" and generator.random() < 1 / 8
    mean = 0.3 if isBad else 0.97 if kind == "near the ceiling" else 0.85
    return populations.recalls(generator, CLASSES, mean=mean)


def truth(kind, people=200_000):
    """The metrics of the expected matrix: what is missed is answered `none`, and `none` is answered `forearm`."""
    generator = populations.seeded("truth", kind)
    sums = dict.fromkeys(CLASSES, 0.0)
    for _ in range(people):
        own = recalls(generator, kind)
        for label in CLASSES:
            sums[label] += own[label] / people
    answered = {
        "none": sums["none"] + (1 - sums["forearm"]) + (1 - sums["high"]),
        "forearm": sums["forearm"] + (1 - sums["none"]),
        "high": sums["high"],
    }
    f1 = [2 * sums[label] / (1 + answered[label]) for label in CLASSES]
    accuracy, chance = sum(sums.values()) / 3, sum(answered.values()) / 9
    return dict(zip(METRICS, [accuracy, sum(f1) / 3, (accuracy - chance) / (1 - chance)]))


def draw(generator, kind, count):
    """The stretches and the answers of people."""
    people, answers = [], []
    for _ in range(count):
        factor = 3 ** generator.uniform(-1, 1) if kind == "unequal amounts" else 1
        stretches = [(label, round(FRAMES * factor)) for label in CLASSES]
        people.append(stretches)
        answers.append(populations.answers(generator, stretches, recalls(generator, kind)))
    return people, answers


def simulate(planklab, kind, count, runs, known, sizes=None):
    """By metric: how many intervals hold the truth, lie above it, lie below it, and how many are missing."""
    generator = populations.seeded(kind, count, sizes)
    found = {metric: {"held": 0, "above": 0, "below": 0, "none": 0, "width": []} for metric in METRICS}
    tags = [{"room": f"r{room}"} for room, size in enumerate(sizes or []) for _ in range(size)] or None
    arguments = ["--source-tag", "room"] if sizes else []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for run in range(runs):
            people, answers = draw(generator, kind, count)
            if run == 0 or kind == "unequal amounts":
                populations.write_dataset(folder / "data", people, tags=tags)
            populations.write_answers(folder / "answers", answers)
            result = populations.result(
                planklab, folder, "evaluate", "data", "--predictions", "answers", *arguments
            )
            intervals = result["streams"]["plank"]["uncertainty"]["intervals"]
            for metric in METRICS:
                note(found[metric], intervals[metric], known[metric])
    return found


def note(counts, intervals, number):
    """Counts one interval: the one that is shown."""
    shown = intervals["bca"] if intervals.get("wider") == "bca" else intervals["cluster_t"]
    if "lower" not in shown:
        counts["none"] += 1
    elif number < shown["lower"]:
        counts["above"] += 1
    elif number > shown["upper"]:
        counts["below"] += 1
    else:
        counts["held"] += 1
    if "lower" in shown:
        counts["width"].append(shown["upper"] - shown["lower"])


def share(counts, runs):
    return counts["held"] / max(runs - counts["none"], 1)


def row(name, cells):
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def texts(found, runs):
    """Coverage by metric."""
    return ", ".join(f"{share(found[metric], runs):.3f}" for metric in METRICS)


def failures(kind, count, found, runs):
    least = LEAST[kind]
    error = populations.standard_error(least, runs)
    return [
        f"{kind}, {count} people, {metric}: {share(found[metric], runs):.3f}, {found[metric]['none']} missing"
        for metric in METRICS
        if count >= 5
        and (share(found[metric], runs) < least - 3 * error or found[metric]["none"] > runs / 20)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--people", type=int, nargs="*", default=PEOPLE)
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("--parts", nargs="+", choices=["people", "sources"], default=["people", "sources"])
    parser.add_argument("--details", type=Path, help="appends every cell's counts to a file of JSON lines")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    planklab, runs, wrong = options.planklab.resolve(), options.runs, []
    known = {kind: truth(kind) for kind in options.kinds}

    def cell(kind, count, sizes=None):
        found = simulate(planklab, kind, count, runs, known[kind], sizes)
        if options.details:
            with options.details.open("a") as file:
                file.write(json.dumps({"kind": kind, "people": count, "sizes": sizes, "runs": runs, "found": {
                    metric: {**counts, "width": sorted(counts["width"])[len(counts["width"]) // 2]}
                    for metric, counts in found.items()}}) + "\n")
        wrong.extend(failures(kind, count, found, runs) if sizes is None else [])
        return texts(found, runs)

    print(f"Coverage of accuracy, macro F1 and kappa in {runs} runs; standard error "
          f"{populations.standard_error(0.95, runs):.3f} at 0.95.\n")
    if "people" in options.parts:
        row("people", options.kinds)
        row("---:", ["---"] * len(options.kinds))
        for count in options.people:
            row(count, [cell(kind, count) for kind in options.kinds])
        print()
    if "sources" in options.parts and "plain" in options.kinds:
        row("people by source", ["plain"])
        row("---", ["---"])
        for sizes in SOURCES:
            row(" + ".join(map(str, sizes)), [cell("plain", sum(sizes), sizes)])
    for text in wrong:
        print(text, file=sys.stderr)
    if options.check and wrong:
        raise SystemExit("interval_coverage: intervals hold the truth too rarely")


if __name__ == "__main__":
    main()
