#!/usr/bin/env python3
"""How often `planklab compare` claims a difference that is none, and how often it finds one that it says it finds.

Everything goes through the command, on simulated people (populations.py). Three Markdown tables:

1. Ten candidates as good as the first side in plank and form: the share of comparisons in which one or more is called
   better in either, and in which there is any verdict; also for answers that catch each of two planks or not, so that
   few people often differ alike.
2. A candidate that is better at planks by about the difference that the program says it would find: the share found.
3. `--margin` on pilots: the people planned for the true difference, how many pilots plan at least as many as it takes,
   and the share found with as many people as each pilot plans.

With --check, fails where false winners exceed 5 %, where a detectable difference is not found in four of five, where
the simulated difference is not the printed one (so that nothing would be checked), or where plans fall short, each
beyond three standard errors. Only the standard library is used.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

import populations

STRETCHES = [("none", 40), ("high", 40), ("none", 30), ("forearm", 40), ("none", 30)]
CLASSES = ["none", "high", "forearm"]
RESAMPLES = 1000
MEAN = 0.85
# For power: the recall of the first side, and how much higher that of the second is, so that the true difference is
# about the one that the program says it would find.
LOWER = 0.65
# People of the comparison that stands for all people.
MANY = 400
SHIFT = {5: 0.331, 8: 0.23, 15: 0.151}


def person(generator):
    """What all sides share of a person, on the logit scale."""
    return generator.gauss(0, 0.8)


def answer(generator, own, mean=MEAN):
    """One side's answers to a person."""
    recall = {
        label: populations.logistic(populations.logit(mean) + own + generator.gauss(0, 0.6)) for label in CLASSES
    }
    return populations.answers(generator, STRETCHES, recall)


def form(generator, own):
    """The form that one side answers, right in stretches as planks are; the labels say `aligned` in planks."""
    right = zip(answer(generator, own), populations.truth(STRETCHES))
    return ["aligned" if label == known else "sag" for label, known in right]


def coarse(generator, _own):
    """Answers that catch each of two planks whole, or not at all."""
    caught = {label: label == "none" or generator.random() < 0.7 for label in CLASSES}
    return [label if caught[label] else "none" for label in populations.truth(STRETCHES)]


def coarse_form(generator, _own):
    """Forms that are right in the whole of a plank, or nowhere."""
    right = {label: generator.random() < 0.7 for label in CLASSES}
    return ["aligned" if right[label] else "sag" for label in populations.truth(STRETCHES)]


def write_data(folder, people):
    populations.write_dataset(folder / "data", [STRETCHES] * people)


def compare(planklab, folder, sides, *options, forms=None):
    """The metrics that decide, a list per side after the first."""
    names = []
    for side, people in enumerate(sides):
        populations.write_answers(folder / f"side{side}", people, forms and forms[side])
        names.append(folder / f"side{side}")
    done = populations.result(planklab, folder, "compare", "data", *names, "--resamples", RESAMPLES, *options)
    return [
        {one["metric"]: one for one in pair["comparison"]["metrics"] if "claim" in one} for pair in done["pairs"]
    ]


def claims(planklab, folder, sides, *options):
    """What is claimed of the planks, a claim per side after the first."""
    return [metrics["plank.f1_macro_truth"] for metrics in compare(planklab, folder, sides, *options)]


def winners(planklab, people, runs, answers, forms, candidates=10):
    """The numbers of comparisons with a winner, and with any verdict, in either stream."""
    better = verdict = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, people)
        for run in range(runs):
            generator = populations.seeded("winners", answers.__name__, people, run)
            own = [person(generator) for _ in range(people)]
            sides, held = (
                [[make(generator, one) for one in own] for _ in range(candidates + 1)] for make in (answers, forms)
            )
            pairs = compare(planklab, folder, sides, forms=held)
            found = {metric["claim"]["verdict"] for metrics in pairs for metric in metrics.values()}
            if any(len(metrics) != 2 for metrics in pairs):
                raise SystemExit("plank and form do not both decide")
            better += "better" in found
            verdict += bool(found & {"better", "worse"})
    return better, verdict


def pair(generator, people, shift, mean=MEAN):
    own = [person(generator) for _ in range(people)]
    return [[answer(generator, one, mean) for one in own], [answer(generator, one, mean + shift) for one in own]]


def power(planklab, people, runs):
    """The mean difference, the median of the printed one, and the share found."""
    metrics = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, people)
        for run in range(runs):
            sides = pair(populations.seeded("power", people, run), people, SHIFT[people], LOWER)
            metrics += claims(planklab, folder, sides)
    printed = statistics.median(metric["claim"]["detectable_difference"] for metric in metrics)
    mean = statistics.mean(metric["difference"] for metric in metrics)
    return mean, printed, sum(metric["claim"]["verdict"] == "better" for metric in metrics)


def plan(planklab, folder, people, margin, *seed, shift=0.06):
    """The claim of a comparison with so many new people."""
    write_data(folder, people)
    sides = pair(populations.seeded(*seed), people, shift)
    return claims(planklab, folder, sides, "--margin", margin)[0]


def target(planklab):
    """A margin that is the true difference, and the people that it takes, from a comparison of very many."""
    with tempfile.TemporaryDirectory() as name:
        margin = round(abs(plan(planklab, Path(name), MANY, 0.05, "margin")["difference"]), 4)
        return margin, plan(planklab, Path(name), MANY, margin, "needed")["claim"]["plan"]["people"]


def plans(planklab, pilot, margin, needed, runs):
    """The median of the people planned, the share of pilots that plan enough, and the share found as planned."""
    enough = found = 0
    planned = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for run in range(runs):
            people = plan(planklab, folder, pilot, margin, "pilot", pilot, run)["claim"]["plan"]["people"]
            planned.append(people)
            enough += people >= needed
            done = plan(planklab, folder, people, margin, "planned", pilot, run)
            found += done["claim"]["verdict"] == "better"
    return statistics.median(planned), enough, found


def above(share, limit, runs):
    return share > limit + 3 * (limit * (1 - limit) / runs) ** 0.5


def below(share, limit, runs):
    return share < limit - 3 * (limit * (1 - limit) / runs) ** 0.5


def winners_table(planklab, options):
    wrong, runs = [], options.runs
    print("| answers | people | runs | a false winner | any verdict |\n| --- | ---: | ---: | ---: | ---: |")
    kinds = [("graded", answer, form, options.people), ("caught or not", coarse, coarse_form, options.coarse)]
    for kind, answers, forms, numbers in kinds:
        for people in numbers:
            better, verdict = winners(planklab, people, runs, answers, forms)
            cells = populations.interval(better, runs), populations.interval(verdict, runs)
            print(f"| {kind} | {people} | {runs} | {cells[0]} | {cells[1]} |", flush=True)
            if above(better / runs, 0.05, runs):
                wrong.append(f"{kind}, {people} people: a false winner in {cells[0]}")
    return wrong


def power_table(planklab, options):
    wrong, runs = [], options.runs
    print("\n| people | runs | true difference | printed, median | found |\n| ---: | ---: | ---: | ---: | ---: |")
    for people in options.people:
        mean, printed, count = power(planklab, people, runs)
        found = populations.interval(count, runs)
        print(f"| {people} | {runs} | {mean:.3f} | {printed:.3f} | {found} |", flush=True)
        if mean < 0.9 * printed:
            wrong.append(f"{people} people: nothing is checked, for {mean:.3f} is less than {printed:.3f}")
        elif mean >= 0.95 * printed and below(count / runs, 0.8, runs):
            wrong.append(f"{people} people: a difference of {mean:.3f} is found in {found}")
    return wrong


def plans_table(planklab, options):
    wrong, runs = [], options.trials
    margin, needed = target(planklab)
    print("\n| pilot | runs | margin | it takes | planned, median | pilots that plan enough | found as planned |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for pilot in options.pilots:
        planned, *counts = plans(planklab, pilot, margin, needed, runs)
        enough, found = (populations.interval(count, runs) for count in counts)
        print(f"| {pilot} | {runs} | {margin:.3f} | {needed} | {planned:.0f} | {enough} | {found} |", flush=True)
        if any(below(count / runs, 0.8, runs) for count in counts):
            wrong.append(f"pilots of {pilot} plan enough in {enough}, found in {found}")
    return wrong


TABLES = {"winners": winners_table, "power": power_table, "plans": plans_table}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--trials", type=int, default=40, help="pilots of every size")
    parser.add_argument("--people", type=int, nargs="+", default=[5, 8, 15])
    parser.add_argument("--coarse", type=int, nargs="*", default=[2, 5])
    parser.add_argument("--pilots", type=int, nargs="*", default=[5, 8])
    parser.add_argument("--parts", nargs="+", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    wrong = [line for part in options.parts for line in TABLES[part](options.planklab.resolve(), options)]
    if options.check and wrong:
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
