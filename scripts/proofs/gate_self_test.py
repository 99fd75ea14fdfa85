#!/usr/bin/env python3
"""Whether `planklab gate --self-test` states truly how often a gate finds a loss, and how often it alarms falsely.

Runs the self-test on answers of simulated people. Then plants the same losses by own code into own answers of the
same people, runs `planklab gate` on every pair, and counts. Prints a Markdown table. With --check, fails where the
two shares differ by more than three standard errors. Only the standard library is used.
"""

import argparse
import tempfile
from pathlib import Path

import populations

STRETCHES = [("none", 150), ("high", 250)]
OTHER = {"none": "high", "high": "none"}
MEAN_STRETCH = 5
SPREAD = 0.06
GATE = """dataset: data
predictions: answers
baseline: baseline.json
resamples: 1000
rules:
  - {metric: plank.accuracy, margin: 0.02, largest_drop: 0.10, inconclusive: warn}
"""


def planted(generator, labels, share):
    """Answers with a share of the frames wrong besides those that are wrong already, in stretches of 0.5 s."""
    labels, truth = list(labels), populations.truth(STRETCHES)
    right = [frame for frame, label in enumerate(labels) if label == truth[frame]]
    left = min(len(right), round(share * len(labels)))
    while left > 0:
        start = generator.randrange(len(right))
        for frame in right[start : start + 1 + int(generator.expovariate(1 / MEAN_STRETCH))]:
            if left == 0 or labels[frame] != truth[frame]:
                break
            labels[frame], left = OTHER[truth[frame]], left - 1
    return labels


def trial(planklab, folder, generator, people, loss):
    """Whether the gate stops one change with a loss."""
    sides = {"answers": [], "candidate": []}
    for labels in people:
        effect = generator.gauss(-loss, SPREAD)
        changed = planted(generator, labels, min(1, abs(effect)))
        sides["candidate"].append(changed if effect < 0 else labels)
        sides["answers"].append(labels if effect < 0 else changed)
    for name, answers in sides.items():
        populations.write_answers(folder / name, answers)
    populations.run(planklab, folder, "baseline", "update", "gate.yaml", "--reason", "simulated", "--allow-dirty")
    result = populations.result(planklab, folder, "gate", "gate.yaml", "--predictions", "candidate", allowed=(0, 2))
    return result["verdict"] == "regressed"


def compare(planklab, people, options):
    """Prints a line for harmless changes and for two losses; what differs too far."""
    generator, wrong = populations.seeded("self-test", people), []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        populations.write_dataset(folder / "data", [STRETCHES] * people)
        (folder / "gate.yaml").write_text(GATE)
        labels = [
            populations.answers(generator, STRETCHES, {"none": 0.95, "high": populations.recalls(generator, ["high"])["high"]})
            for _ in range(people)
        ]
        populations.write_answers(folder / "answers", labels)
        said = populations.result(
            planklab, folder, "gate", "gate.yaml", "--self-test", "--trials", 200, allowed=(0, 3)
        )
        for size in [said["harmless"], *said["planted"][-2:]]:
            count, trials = size["stopped"]["count"], size["stopped"]["trials"]
            found = sum(trial(planklab, folder, generator, labels, size["loss"]) for _ in range(options.runs))
            own, other = count / trials, found / options.runs
            both = (count + found) / (trials + options.runs)
            error = (max(both * (1 - both), 1 / trials) * (1 / trials + 1 / options.runs)) ** 0.5
            cells = populations.interval(count, trials), populations.interval(found, options.runs)
            print(f"| {people} | {100 * size['loss']:.0f} | {cells[0]} | {cells[1]} | {error:.3f} |", flush=True)
            if abs(own - other) > 3 * error:
                wrong.append(f"{people} people, loss {size['loss']}: the self-test says {own:.3f}, gates {other:.3f}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--people", type=int, nargs="+", default=[6, 12])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    print("| people | planted loss, points | self-test | gates on other answers | standard error of the difference |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    wrong = [line for people in options.people for line in compare(options.planklab.resolve(), people, options)]
    if options.check and wrong:
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
