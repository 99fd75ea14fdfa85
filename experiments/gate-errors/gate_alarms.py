#!/usr/bin/env python3
"""How often the gate that docs/ci.md documents stops changes without a true loss, and what it makes of drift.

Everything runs through `planklab gate`. People are simulated: each class is answered late by a share that differs
between people, so that answers do not flicker. A change moves every person's share; in the populations it is right
or wrong for as many on the mean. People and their baseline are drawn anew for every tenth change. Prints Markdown
tables, of harmless changes the shares that are stopped and that are called improved. With --check, fails where
harmless changes are stopped in more than 2.5 % of the gates, beyond three standard errors in a cell or by the 95 %
interval of all cells together; where drift by small steps is not found by the anchor; or where the anchor stops
harmless series.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import documented
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/proofs"))
import populations  # noqa: E402

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


def prepare(folder, people):
    """A dataset with two gates, one of them with an anchor."""
    tags = [{"camera_position": "back"}] * people
    populations.write_dataset(folder / "data", [STRETCHES] * people, tags=tags)
    form(folder / "data", "*.labels.csv")
    (folder / "gate.yaml").write_text(documented.gate())
    (folder / "anchored.yaml").write_text(documented.gate("anchor.json"))


def draw(folder, people, generator):
    """The shares of right answers of new people, written as the answers of the baseline."""
    shares = [0.7 + min(0.1, max(-0.1, generator.gauss(0, 0.05))) for _ in range(people)]
    write_answers(folder / "answers", shares)
    return shares


def update(planklab, folder, answers="answers", baseline="baseline.json"):
    populations.run(
        planklab, folder, "baseline", "update", "gate.yaml", "--reason", "simulated", "--allow-dirty",
        "--predictions", answers, "--baseline", baseline,
    )


def gate(planklab, folder, answers, file="gate.yaml"):
    return populations.result(planklab, folder, "gate", file, "--predictions", answers, allowed=(0, 2))


def alarms(planklab, people, name, runs):
    """How many gates stop, and how many say improved, although nothing is lost or gained."""
    generator = populations.seeded("alarms", people, name)
    stopped = improved = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder, people)
        for run in range(runs):
            if run % 10 == 0:
                shares = draw(folder, people, generator)
                update(planklab, folder)
            write_answers(folder / "candidate", [share + POPULATIONS[name](generator) for share in shares])
            verdict = gate(planklab, folder, "candidate")["verdict"]
            stopped += verdict == "regressed"
            improved += verdict == "improved"
    return stopped, improved


def drift(planklab, people, step, steps, runs):
    """Of how many series of merged changes, each with a mean loss of `step`, one is stopped: without and with an
    anchor."""
    generator = populations.seeded("drift", people, step, steps)
    found = [0, 0]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder, people)
        for _ in range(runs):
            shares = draw(folder, people, generator)
            update(planklab, folder)
            update(planklab, folder, baseline="anchor.json")
            going = {"gate.yaml": 0, "anchored.yaml": 1}
            for _ in range(steps):
                shares = [share - generator.gauss(step, 0.01) for share in shares]
                write_answers(folder / "candidate", shares)
                for file, column in list(going.items()):
                    if gate(planklab, folder, "candidate", file)["verdict"] == "regressed":
                        found[column] += 1
                        del going[file]
                if not going:
                    break
                update(planklab, folder, "candidate")
    return found


def percent(count, runs):
    lower, upper = populations.wilson(count, runs)
    return f"{count} of {runs}: {100 * count / runs:.1f} % ({100 * lower:.1f} ... {100 * upper:.1f})"


def alarm_table(planklab, options):
    wrong, every = [], {name: [0, 0] for name in POPULATIONS}
    print("| people | " + " | ".join(POPULATIONS) + " |\n| ---: |" + " ---: |" * len(POPULATIONS))
    for people in options.people:
        cells = []
        for name, sums in every.items():
            counts = alarms(planklab, people, name, options.runs)
            sums[:] = [sum(pair) for pair in zip(sums, counts)]
            stopped, improved = (count / options.runs for count in counts)
            cells.append(f"{stopped:.3f}; {improved:.3f}")
            if stopped > DUE + 3 * populations.standard_error(DUE, options.runs):
                wrong.append(f"{people} people, {name}: {stopped:.3f} of harmless changes are stopped")
        print(f"| {people} | " + " | ".join(cells) + " |", flush=True)
    runs = options.runs * len(options.people)
    cells = ("; ".join(percent(count, runs) for count in counts) for counts in every.values())
    print("| all | " + " | ".join(cells) + " |")
    stopped = sum(counts[0] for counts in every.values())
    print(f"\nAll cells, stopped: {percent(stopped, runs * len(every))}.", flush=True)
    if populations.wilson(stopped, runs * len(every))[0] > DUE:
        wrong.append(f"{percent(stopped, runs * len(every))} of harmless changes are stopped")
    return wrong


def drift_table(planklab, options):
    wrong, series = [], options.series
    print("\n| loss by each of 20 merged changes | without an anchor | with an anchor |\n| ---: | ---: | ---: |")
    for step in (0, 0.005):
        counts = drift(planklab, 12, step, 20, series)
        print(f"| {100 * step:.1f} points | " + " | ".join(percent(count, series) for count in counts) + " |", flush=True)
        anchored = counts[1] / series
        if step == 0 and anchored > 2 * DUE + 3 * populations.standard_error(DUE, series):
            wrong.append(f"{anchored:.3f} of harmless series are stopped")
        if step > 0 and anchored < 0.8 - 3 * populations.standard_error(0.8, series):
            wrong.append(f"the anchor finds {anchored:.3f} of drifts of 10 points")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--series", type=int, default=100)
    parser.add_argument("--people", type=int, nargs="+", default=[3, 6, 12, 20])
    parser.add_argument("--parts", nargs="+", choices=["alarms", "drift"], default=["alarms", "drift"])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    planklab = options.planklab.resolve()
    wrong = alarm_table(planklab, options) if "alarms" in options.parts else []
    wrong += drift_table(planklab, options) if "drift" in options.parts else []
    if options.check and wrong:
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
