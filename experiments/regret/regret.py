#!/usr/bin/env python3
"""What the decisions of `planklab tune` cost people who had no part in them, beside other rules on the same draws.

Some people of a source are drawn, and `tune` starts from limits over which the best cell of the grid gains so many
points of balanced accuracy on all people of the source. The truth is the people who were not drawn. A rule ships the
start or a change. Its regret, in points, is the better of the start and of what `tune` of 1cd2d01a found, less what the
rule ships; one that ships something better than both has a negative regret.

`outcomes.csv` has the outcomes of the rules that do not change any more: the `tune` of 1cd2d01a, and an
independent program of the advice, which judges what that `tune` found. --record makes the file from both programs.
Otherwise the program's own `tune` decides on the same draws. Prints Markdown tables. With --check, fails where it does
worse than the independent program with 5 people, or has more than half the regret of 1cd2d01a. Sources of recordings
need their folder. Only the standard library is used; --record needs numpy.
"""

import argparse
import concurrent.futures
import csv
import importlib.util
import itertools
import os
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/proofs"))
import populations  # noqa: E402
import regret_sources

GROUPS = ["real", "films", "simulated"]
#: Points that the best cell of the grid gains over the start, on all people of a source.
GAINS = [0, 1, 2.5, 5, 10, 17]
OUTCOMES = Path(__file__).with_name("outcomes.csv")
#: Of what the file has whole numbers: shares of 10,000, chances of 100, steps by their place in `STEPS`.
SHARE = 10_000
STEPS = ["same", "either", "take-likely", "take-proven", "keep-likely", "keep-proven"]
COLUMNS = ["source", "people", "gain", "draw", "keep", "take", "today", "step", "chance", "low", "high"]
#: A loss that somebody notices, as a share.
NOTICED = 0.005
#: The chances at which the table of said and true chances is cut.
CUTS = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.001]


class Draw:
    """Some people of a source, a start, and the truth on the others."""

    def __init__(self, source, people, gain, number):
        self.source, self.key = source, (source.name, people, gain, number)
        self.drawn, self.others = source.draw(people, populations.seeded("people", source.name, people, number))
        starts = source.starts(gain)
        self.start = starts[int(populations.seeded("start", *self.key).random() * len(starts))]

    def truth(self, limits):
        return self.source.accuracy(self.others, limits)

    def tune(self, planklab, folder):
        """The stream's result."""
        self.source.experiment(folder, self.drawn, self.start)
        return populations.result(planklab, folder, "tune", "experiment.yaml", "--jobs", "1")["streams"][0]

    def limits(self, parameters):
        return {fact["parameter"]: fact["value"] for fact in parameters if fact["parameter"] in self.source.axes}


class Judged:
    """What a rule ships on a draw, and what it says of a change whose truth is known; shares and a chance."""

    def __init__(self, takes, shipped, change=0.0, step="same", chance=0.5, low=0.0, high=0.0):
        self.takes, self.shipped, self.change = takes, shipped, change
        self.step, self.chance, self.low, self.high = step, chance, low, high


class Row:
    """A draw with what every rule does."""

    def __init__(self, group, source, people, gain, keep, take, rules):
        self.group, self.source, self.people, self.gain = group, source, people, gain
        self.keep, self.take, self.rules = keep, take, rules

    def regret(self, rule):
        return max(self.keep, self.take) - self.rules[rule].shipped


def in_parallel(work, jobs, draws, function):
    """The results of a function of a draw and of a folder that no other worker has, in order."""
    local, numbers = threading.local(), itertools.count()

    def run(key):
        if not hasattr(local, "folder"):
            local.folder = work / f"worker-{next(numbers)}"
        return function(Draw(*key), local.folder)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(run, draws))


def record(today, reference, sources, draws, jobs, work):
    """Writes the outcomes of the rules that do not change any more."""
    specification = importlib.util.spec_from_file_location("advice", reference)
    module = importlib.util.module_from_spec(specification)
    sys.modules["advice"] = module
    specification.loader.exec_module(module)

    def outcome(draw, folder):
        stream = draw.tune(today, folder)
        found = draw.limits(stream["found"]["parameters"])
        sides = [[draw.source.right(unit, limits) for unit in draw.drawn] for limits in (draw.start, found)]
        before, after = ([right for right, _ in side] for side in sides)
        advice = module.judge(
            before, after, [time for _, time in sides[0]], named=draw.source.named,
            settings=sum(draw.start[limit] != found[limit] for limit in found))
        shares = [round(SHARE * share) for share in (
            draw.truth(draw.start), draw.truth(found), advice.low, advice.high)]
        return [*draw.key, *shares[:2], int(stream["decision"]["verdict"] == "change"),
                STEPS.index(advice.step), round(100 * advice.better), *shares[2:]]

    keys = [(source, people, gain, number) for source in sources for people in source.sizes for gain in GAINS
            for number in range(draws)]
    rows = in_parallel(work, jobs, keys, outcome)
    OUTCOMES.parent.mkdir(exist_ok=True)
    with OUTCOMES.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


def ours(planklab, draw, folder):
    """What the program's own `tune` ships, and what it says of what it found."""
    stream = draw.tune(planklab, folder)
    decision, keep = stream["decision"], draw.truth(draw.start)
    shipped, found = (draw.truth(draw.limits(part["parameters"])) for part in (stream, stream["found"]))
    advice = decision.get("advice") or {"step": "same", "better": 0.5, "low": 0, "high": 0}
    said = (advice[key] for key in ("step", "better", "low", "high"))
    return keep, Judged(decision["verdict"] == "change", shipped, found - keep, *said)


def rows(planklab, sources, draws, jobs, work):
    """The committed outcomes of these sources, and what the program's own `tune` does on the same draws."""
    by_name = {source.name: source for source in sources}
    with OUTCOMES.open() as file:
        facts = [fact for fact in csv.DictReader(file) if fact["source"] in by_name and int(fact["draw"]) < draws]

    def key(fact):
        gain = next(gain for gain in GAINS if str(gain) == fact["gain"])
        return by_name[fact["source"]], int(fact["people"]), gain, int(fact["draw"])

    own = in_parallel(work, jobs, map(key, facts), lambda draw, folder: ours(planklab, draw, folder))
    result = []
    for fact, (truth, judged) in zip(facts, own):
        source, people, gain, _ = key(fact)
        keep, take, low, high = (int(fact[column]) / SHARE for column in ("keep", "take", "low", "high"))
        if abs(truth - keep) > 1 / SHARE:
            raise SystemExit(f"{source.name}: another draw than that of {OUTCOMES.name}; make it again with --record")

        def shipped(takes):
            return take if takes else keep

        today, step = fact["today"] == "1", STEPS[int(fact["step"])]
        advice = step.startswith("take")
        result.append(Row(source.group, source.name, people, gain, keep, take, {
            "keep": Judged(False, keep), "take": Judged(True, take), "today": Judged(today, shipped(today)),
            "reference": Judged(
                advice, shipped(advice), take - keep, step, int(fact["chance"]) / 100, low, high),
            "ours": judged}))
    return result


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def regrets(rows, rule):
    """The mean regret in points."""
    return 100 * mean(row.regret(rule) for row in rows)


def takes(rows, rule, gain):
    """The share of draws from starts with this gain in which a change is shipped."""
    return mean(row.rules[rule].takes for row in rows if row.gain == gain)


def hurts(rows, rule):
    """The share of draws in which what is shipped is noticeably worse than the start."""
    return mean(row.keep - row.rules[rule].shipped > NOTICED for row in rows)


#: The names of the rules in tables.
NAMES = {"keep": "keep", "take": "take", "today": "1cd2d01a", "reference": "reference", "ours": "`tune`"}


def print_table(title, rows, columns):
    """A line for each group and number of people; columns are a heading and a function of rows."""
    print(f"\n{title}\n\n| data | people | {' | '.join(heading for heading, _ in columns)} |")
    print("| --- |" + " ---: |" * (len(columns) + 1))
    for group, people in sorted({(GROUPS.index(row.group), row.people) for row in rows}):
        group = GROUPS[group]
        some = [row for row in rows if (row.group, row.people) == (group, people)]
        print(f"| {group} | {people} | {' | '.join(f'{value(some):.2f}' for _, value in columns)} |")


def print_regrets(rows):
    def each(rules, value):
        return [(NAMES[rule], lambda some, rule=rule: value(some, rule)) for rule in rules]

    judging = ["today", "reference", "ours"]
    print_table("Regret, points:", rows, each(NAMES, regrets))
    print_table("A change is shipped, of starts with 10 points to gain:", rows,
                each(judging, lambda some, rule: takes(some, rule, 10)))
    print_table("A change is shipped, of starts with nothing to gain:", rows,
                each(judging, lambda some, rule: takes(some, rule, 0)))
    print_table("What is shipped is worse than the start by half a point:", rows, each(["take", *judging], hurts))


def print_chances(rows):
    print("\n| data | rule | chance said, and how often true (draws) | proven wrong | nine in ten hold |")
    print("| --- | --- | --- | ---: | ---: |")
    for group in GROUPS:
        for rule in ("reference", "ours"):
            said = [row.rules[rule] for row in rows if row.group == group and row.rules[rule].step != "same"]
            sure = [(max(judged.chance, 1 - judged.chance), right(judged)) for judged in said]
            parts = [[pair for pair in sure if low <= pair[0] < high] for low, high in zip(CUTS, CUTS[1:])]
            chances = "; ".join(
                f"{mean(chance for chance, _ in part):.2f}, {mean(truth for _, truth in part):.2f} ({len(part)})"
                for part in parts if part)
            if not said:
                continue
            proven = [judged for judged in said if judged.step.endswith("proven")]
            wrong = sum(right(judged) == 0 for judged in proven)
            held = mean(judged.low <= judged.change <= judged.high for judged in said)
            print(f"| {group} | {NAMES[rule]} | {chances} | {wrong} of {len(proven)} | {held:.2f} |")


def right(judged):
    """1 if the likelier side is the better one on the others, 0.5 if neither is."""
    if abs(judged.change) < 1e-9:
        return 0.5
    return float((judged.change > 0) == (judged.chance >= 0.5))


def failures(rows):
    """What must hold with 5 people, by group; films only inform."""
    for group in ("real", "simulated"):
        some = [row for row in rows if row.group == group and row.people == 5]
        if not some:
            continue
        own, reference, today = (regrets(some, rule) for rule in ("ours", "reference", "today"))
        if own > reference:
            yield f"{group}: a regret of {own:.2f} points, the reference {reference:.2f}"
        if own > today / 2:
            yield f"{group}: a regret of {own:.2f} points, 1cd2d01a {today:.2f}"
        if takes(some, "ours", 10) < takes(some, "reference", 10):
            yield f"{group}: takes fewer gains of 10 points than the reference"
        idle = [row for row in some if row.gain == 0]
        if takes(idle, "ours", 0) > takes(idle, "reference", 0):
            yield f"{group}: takes more where there is nothing to gain than the reference"
        if hurts(idle, "ours") > hurts(idle, "reference"):
            yield f"{group}: hurts more where there is nothing to gain than the reference"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planklab", type=Path, default=Path(".build/release/planklab"))
    parser.add_argument("--recordings", type=Path, help="the folder of real recordings")
    parser.add_argument("--draws", type=int, default=60, help="draws for each source, number of people and gain")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--record", action="store_true", help="write outcomes.csv, with --today and --reference")
    parser.add_argument("--today", type=Path, help="the program of 1cd2d01a")
    parser.add_argument("--reference", type=Path, help="advice.py, the independent program")
    parser.add_argument("--sources", nargs="+", help="only these")
    parser.add_argument("--check", action="store_true", help="fail where the program does worse than it must")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        planklab = (options.today if options.record else options.planklab).resolve()
        recordings = options.recordings.resolve() if options.recordings else None
        sources = regret_sources.every(planklab, recordings, work)
        sources = [source for source in sources if source.name in (options.sources or [source.name])]
        if options.record:
            record(planklab, options.reference, sources, options.draws, options.jobs, work)
            return
        result = rows(planklab, sources, options.draws, options.jobs, work)
    print_regrets(result)
    print_chances(result)
    print(f"\n{options.draws} draws for each source, number of people and gain.")
    problems = list(failures(result))
    if options.check and problems:
        raise SystemExit("\n".join(problems))


if __name__ == "__main__":
    main()
