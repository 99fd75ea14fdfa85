#!/usr/bin/env python3
"""How often the gate that docs/ci.md documents stops changes without a true loss, and what it makes of drift.

Everything runs through `planklab gate`. People are simulated: each class is answered late by a share that differs
between people, so that answers do not flicker. A change moves every person's share; in the populations it is right
or wrong for as many on the mean. Prints Markdown tables. With --check, fails where harmless changes are stopped in
more than 2.5 % of the gates, beyond three standard errors, or where drift by small steps is not found by the anchor.
"""

import argparse
import tempfile
from pathlib import Path

import documented
import populations

STRETCHES = [("none", 100), ("high", 200), ("none", 100), ("forearm", 200)]
DUE = 0.025


def normal(generator):
    return generator.gauss(0, 0.06)


def few_lose(generator):
    return -0.12 if generator.random() < 1 / 6 else 0.024


def few_gain(generator):
    return 0.12 if generator.random() < 1 / 6 else -0.024


POPULATIONS = {
    "normal, 6 points": normal,
    "one in six loses 12 points, the others gain 2.4": few_lose,
    "one in six gains 12 points, the others lose 2.4": few_gain,
}


def late(shares):
    """Answers to the stretches: the class of the stretch before stays for a share of each, right for `shares`."""
    people = []
    for share in shares:
        answers, before = [], "high"
        for label, frames in STRETCHES:
            right = min(frames, max(0, round(share * frames)))
            answers += [before] * (frames - right) + [label] * right
            before = label
        people.append(answers)
    return people


def form(folder, kind):
    """Makes every judged form `sag`, which the documented gate has a rule for."""
    for file in Path(folder).glob(kind):
        file.write_text(file.read_text().replace("aligned", "sag"))


def write_answers(folder, shares):
    populations.write_answers(folder, late(shares))
    form(folder, "*.csv")


def prepare(folder, people, generator, anchor=None):
    """A dataset with a gate; the shares of right answers of its people."""
    tags = [{"camera_position": "back"}] * people
    populations.write_dataset(folder / "data", [STRETCHES] * people, tags=tags)
    form(folder / "data", "*.labels.csv")
    (folder / "gate.yaml").write_text(documented.gate(anchor))
    shares = [0.7 + min(0.1, max(-0.1, generator.gauss(0, 0.05))) for _ in range(people)]
    write_answers(folder / "answers", shares)
    return shares


def update(planklab, folder, answers="answers", baseline="baseline.json"):
    populations.run(
        planklab, folder, "baseline", "update", "gate.yaml", "--reason", "simulated", "--allow-dirty",
        "--predictions", answers, "--baseline", baseline,
    )


def gate(planklab, folder, answers):
    return populations.result(planklab, folder, "gate", "gate.yaml", "--predictions", answers, allowed=(0, 2))


def alarms(planklab, people, name, runs):
    """Shares of gates that stop, and of those that say improved, although nothing is lost or gained."""
    generator = populations.seeded("alarms", people, name)
    stopped = improved = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shares = prepare(folder, people, generator)
        update(planklab, folder)
        for _ in range(runs):
            write_answers(folder / "candidate", [share + POPULATIONS[name](generator) for share in shares])
            verdict = gate(planklab, folder, "candidate")["verdict"]
            stopped += verdict == "regressed"
            improved += verdict == "improved"
    return stopped / runs, improved / runs


def drift(planklab, people, step, steps, anchored, runs):
    """The share of series of merged changes of which one is stopped, each with a mean loss of `step`."""
    generator = populations.seeded("drift", people, step, steps)
    found = 0
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            shares = prepare(folder, people, generator, "anchor.json" if anchored else None)
            update(planklab, folder)
            update(planklab, folder, baseline="anchor.json")
            for _ in range(steps):
                shares = [share - generator.gauss(step, 0.01) for share in shares]
                write_answers(folder / "candidate", shares)
                if gate(planklab, folder, "candidate")["verdict"] == "regressed":
                    found += 1
                    break
                update(planklab, folder, "candidate")
    return found / runs


def alarm_table(planklab, options):
    wrong = []
    print("| people | the change | stopped | improved |\n| ---: | --- | ---: | ---: |")
    for people in options.people:
        for name in POPULATIONS:
            stopped, improved = alarms(planklab, people, name, options.runs)
            print(f"| {people} | {name} | {stopped:.3f} | {improved:.3f} |", flush=True)
            if stopped > DUE + 3 * populations.standard_error(DUE, options.runs):
                wrong.append(f"{people} people, {name}: {stopped:.3f} of harmless changes are stopped")
    return wrong


def drift_table(planklab, options):
    wrong = []
    print("\n| loss by each of 20 merged changes | without an anchor | with an anchor |\n| ---: | ---: | ---: |")
    for step in (0, 0.005):
        shares = [drift(planklab, 12, step, 20, anchored, options.series) for anchored in (False, True)]
        print(f"| {100 * step:.1f} points | {shares[0]:.3f} | {shares[1]:.3f} |", flush=True)
        error = 3 * populations.standard_error(DUE, options.series)
        if step == 0 and shares[1] > 2 * DUE + error:
            wrong.append(f"{shares[1]:.3f} of harmless series are stopped")
        if step > 0 and shares[1] < 0.8 - 3 * populations.standard_error(0.8, options.series):
            wrong.append(f"the anchor finds {shares[1]:.3f} of drifts of 10 points")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--series", type=int, default=100)
    parser.add_argument("--people", type=int, nargs="+", default=[3, 6, 12, 20])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    planklab = options.planklab.resolve()
    wrong = alarm_table(planklab, options) + drift_table(planklab, options)
    if options.check and wrong:
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
