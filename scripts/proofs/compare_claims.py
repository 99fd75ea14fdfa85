#!/usr/bin/env python3
"""How often `planklab compare` claims a difference that is none, and how often it finds one that it says it finds.

Everything goes through the command, on simulated people (populations.py). Three Markdown tables:

1. Ten candidates as good as the first side: the share of comparisons in which one or more is called better, and in
   which there is any verdict; also for answers that catch each of two planks or not, so that few people often differ
   alike.
2. A candidate that is better by about the difference that the program says it would find: the share found.
3. `--margin` on pilots: the people planned for the true difference, how many pilots plan at least as many as it takes,
   and the share found with as many people as each pilot plans.

With --check, fails where false winners exceed 5 %, where a detectable difference is not found in four of five, or
where plans fall short, each beyond three standard errors. Only the standard library is used.
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
SHIFT = {5: 0.32, 8: 0.22, 15: 0.155}


def person(generator):
    """What all sides share of a person, on the logit scale."""
    return generator.gauss(0, 0.8)


def answer(generator, own, mean=MEAN):
    """One side's answers to a person."""
    recall = {
        label: populations.logistic(populations.logit(mean) + own + generator.gauss(0, 0.6)) for label in CLASSES
    }
    return populations.answers(generator, STRETCHES, recall)


def coarse(generator, _own, _mean=MEAN):
    """Answers that catch each of two planks whole, or not at all."""
    return [
        label if label == "none" or caught[label] else "none"
        for caught in [{label: generator.random() < 0.7 for label in CLASSES}]
        for label in populations.truth(STRETCHES)
    ]


def write_data(folder, people):
    populations.write_dataset(folder / "data", [STRETCHES] * people)


def claims(planklab, folder, sides, *options):
    """What is claimed of the planks, a claim per side after the first."""
    names = []
    for side, people in enumerate(sides):
        populations.write_answers(folder / f"side{side}", people)
        names.append(folder / f"side{side}")
    done = populations.result(
        planklab, folder, "compare", "data", *names, "--resamples", RESAMPLES, *options
    )
    return [
        next(one for one in pair["comparison"]["metrics"] if one["metric"] == "plank.f1_macro_truth")
        for pair in done["pairs"]
    ]


def winners(planklab, people, runs, answers, candidates=10):
    """The shares of comparisons with a winner, and with any verdict."""
    better = verdict = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, people)
        for run in range(runs):
            generator = populations.seeded("winners", answers.__name__, people, run)
            own = [person(generator) for _ in range(people)]
            sides = [[answers(generator, one) for one in own] for _ in range(candidates + 1)]
            found = {metric["claim"]["verdict"] for metric in claims(planklab, folder, sides)}
            better += "better" in found
            verdict += bool(found & {"better", "worse"})
    return better / runs, verdict / runs


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
    return mean, printed, sum(metric["claim"]["verdict"] == "better" for metric in metrics) / runs


def plan(planklab, folder, people, margin, *seed, shift=0.06):
    """The claim of a comparison with so many new people."""
    write_data(folder, people)
    sides = pair(populations.seeded(*seed), people, shift)
    return claims(planklab, folder, sides, "--margin", margin)[0]


def plans(planklab, pilot, runs):
    """The margin, the people that it takes, the median planned, the share of pilots that plan enough, and the share
    found with the planned people."""
    enough = found = 0
    planned = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        margin = round(abs(plan(planklab, folder, 400, 0.05, "margin")["difference"]), 4)
        needed = plan(planklab, folder, 400, margin, "needed")["claim"]["plan"]["people"]
        for run in range(runs):
            people = plan(planklab, folder, pilot, margin, "pilot", pilot, run)["claim"]["plan"]["people"]
            planned.append(people)
            enough += people >= needed
            done = plan(planklab, folder, people, margin, "planned", pilot, run)
            found += done["claim"]["verdict"] == "better"
    return margin, needed, statistics.median(planned), enough / runs, found / runs


def above(share, limit, runs):
    return share > limit + 3 * (limit * (1 - limit) / runs) ** 0.5


def below(share, limit, runs):
    return share < limit - 3 * (limit * (1 - limit) / runs) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--people", type=int, nargs="+", default=[5, 8, 15])
    parser.add_argument("--pilots", type=int, nargs="*", default=[5, 8])
    parser.add_argument("--parts", nargs="+", default=["winners", "power", "plans"])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    planklab, runs, wrong = options.planklab.resolve(), options.runs, []
    if "winners" in options.parts:
        print("| answers | people | false winner | any verdict |\n| --- | ---: | ---: | ---: |")
        for answers in (answer, coarse):
            for people in options.people:
                better, verdict = winners(planklab, people, runs, answers)
                kind = "graded" if answers is answer else "caught or not"
                print(f"| {kind} | {people} | {better:.3f} | {verdict:.3f} |", flush=True)
                if above(better, 0.05, runs):
                    wrong.append(f"{people} people: a false winner in {better:.3f}")
    if "power" in options.parts:
        print("\n| people | true difference | printed as found in four of five | found |")
        print("| ---: | ---: | ---: | ---: |")
        for people in options.people:
            mean, printed, found = power(planklab, people, runs)
            print(f"| {people} | {mean:.3f} | {printed:.3f} | {found:.3f} |", flush=True)
            if mean >= printed and below(found, 0.8, runs):
                wrong.append(f"{people} people: a difference of {mean:.3f} is found in {found:.3f}")
    if "plans" in options.parts:
        print("\n| pilot | margin | it takes | planned, median | pilots that plan enough | found as planned |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: |")
        for pilot in options.pilots:
            margin, needed, planned, enough, found = plans(planklab, pilot, runs)
            print(
                f"| {pilot} | {margin:.3f} | {needed} | {planned:.0f} | {enough:.3f} | {found:.3f} |", flush=True
            )
            if below(enough, 0.8, runs) or below(found, 0.8, runs):
                wrong.append(f"pilots of {pilot} plan enough in {enough:.3f}, found in {found:.3f}")
    if options.check and wrong:
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
