#!/usr/bin/env python3
"""How often a gate alarms falsely, and how often it finds a true loss, through `planklab gate` itself.

Writes a dataset of simulated people with a recording of 20 s each, whose answers are right in 60 % of the
frames; makes them the baseline; then runs the gate on answers of the same people that are worse by a
true loss, which differs between people by a normal spread. Two rules on `plank.accuracy`: a margin of 2
points, and a largest drop of 5. One of the losses is the one that such gates say they would find. Prints a Markdown
table. With --check, fails where the margin alarms too often at a true loss of at most the margin (2.5 % are its due),
or finds too few losses of at least what gates say they would find (80 %), each beyond three standard errors. Only the
standard library is used.
"""

import argparse
import math
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/proofs"))
import populations  # noqa: E402

FRAMES = 200
RIGHT = 120
GATE = """dataset: data
predictions: answers
baseline: baseline.json
rules:
  - {name: margin, metric: plank.accuracy, margin: 0.02, inconclusive: warn}
  - {name: drop, metric: plank.accuracy, largest_drop: 0.05}
"""
LOSSES = {6: [0, 2, 5, 10], 10: [0]}


def write_answers(folder, right):
    """Answers of which the first `right` frames of each person are right."""
    populations.write_answers(folder, [["high"] * count + ["none"] * (FRAMES - count) for count in right])


def prepare(folder, people):
    """The data, the gate and the answers of its baseline."""
    populations.write_dataset(folder / "data", [[("high", FRAMES)]] * people)
    (folder / "gate.yaml").write_text(GATE)
    write_answers(folder / "answers", [RIGHT] * people)


def cell(planklab, folder, people, spread, loss, runs):
    """Shares of gates whose margin, and whose largest drop, say regressed; of those that cannot tell; the median
    of the loss that gates say they would find, in points."""
    generator = populations.seeded(people, spread, loss)
    margin = drop = unsure = 0
    detectable = []
    for _ in range(runs):
        right = [
            min(max(round(RIGHT + FRAMES * generator.gauss(-loss, spread) / 100), 0), FRAMES) for _ in range(people)
        ]
        write_answers(folder / "candidate", right)
        done = populations.result(
            planklab, folder, "gate", "gate.yaml", "--predictions", "candidate", allowed=(0, 2)
        )
        rules = {rule["rule"]["name"]: rule for rule in done["rules"]}
        margin += rules["margin"]["verdict"] == "regressed"
        unsure += rules["margin"]["verdict"] == "inconclusive"
        drop += rules["drop"]["verdict"] == "regressed"
        detectable.append(100 * rules["margin"].get("detectable_loss", math.inf))
    return margin / runs, unsure / runs, drop / runs, sorted(detectable)[runs // 2]


def rows(planklab, folder, people, spread, losses, runs):
    """Prints a row per loss, and one for the loss that gates say they would find; what contradicts the promises."""
    losses, wrong = list(losses), []
    for loss in losses:
        margin, unsure, drop, found = cell(planklab, folder, people, spread, loss, runs)
        print(
            f"| {people} | {spread} | {loss} | {margin:.3f} | {unsure:.3f} | {found:.1f} | {drop:.3f} |", flush=True
        )
        wrong += faults(loss, runs, margin, found)
        if len(losses) > 1 and loss == losses[0] and math.isfinite(found):
            losses.append(math.ceil(10 * found) / 10)
    return wrong


def faults(loss, runs, regressed, found):
    """What contradicts the promises of a margin of 2 points."""
    if loss <= 2 and regressed > 0.025 + 3 * (0.025 * 0.975 / runs) ** 0.5:
        return [f"a true loss of {loss} alarms in {regressed:.3f}"]
    if loss >= 0.95 * found and regressed < 0.8 - 3 * (0.8 * 0.2 / runs) ** 0.5:
        return [f"a true loss of {loss} is found in {regressed:.3f}"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--planklab", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--people", type=int, nargs="+", default=[6, 12, 20])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    wrong = []
    planklab = options.planklab.resolve()
    print("| people | spread | true loss | margin: regressed | cannot tell | found from | largest drop: regressed |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for people in options.people:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            prepare(folder, people)
            populations.run(
                planklab, folder, "baseline", "update", "gate.yaml", "--reason", "simulated", "--allow-dirty"
            )
            for spread, losses in LOSSES.items():
                wrong += rows(planklab, folder, people, spread, losses, options.runs)
    if options.check and wrong:
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
