#!/usr/bin/env python3
"""How often `planklab tune` keeps what should be kept, and finds what should change, through the command itself.

Simulated people alternate between `forearm` and `high`; a detector with one threshold (or three) tells them apart by
the height of a joint, and `tune` starts from a given threshold. Each person has a bias of their own. `--lower none` has
`none` in place of `forearm`: no class that a threshold stands halfway to, so the center of the plateau is chosen.

- noise: the heights say nothing about the class, apart from each person's own habit. `keep` is right.
- start is best: the threshold lies halfway between the classes. A change is truly worse.
- start is off: it lies beside the middle by so many standard deviations of the heights. A change is an improvement
  if it comes nearer; the true values are computed from the distributions.

Prints a Markdown table. With --check, fails where `tune` keeps on noise in fewer than 90 % of the runs, or recommends
something truly worse than the best start in more than 10 %, each beyond two standard errors. Only the standard library
is used.
"""

import argparse
import json
import math
import tempfile
from pathlib import Path

import populations

FRAMES = 150
JOINTS = ["leftAnkle", "rightAnkle", "leftWrist"]
HEADER = json.dumps({
    "format": "planklab-poses", "version": 1, "skeleton": "vision3d", "joints": ["root", *JOINTS], "frame": "world"})
#: Half the distance of the classes, the spread of a frame, that of a person, and of a person's habit on noise, in m.
HALF, FRAME, PERSON, HABIT = 0.1, 0.1, 0.04, 0.04
DETECTOR = """name: simulated
description: a joint above a limit
parameters:
{parameters}
measurements:
{measurements}
plank:
  - {lower}: {rule}
  - high
form: [aligned]
"""
EXPERIMENT = """dataset: data
detector: detector.yaml
parameters: {{plank_frames: 1}}
axes:
{axes}
objective: plank.balanced_accuracy
resamples: 0
"""


class Case:
    """A kind of data: its name, what tells classes apart, how many axes, where the start is (m)."""

    def __init__(self, name, people, separation, axes=1, start=0.0):
        self.name, self.people, self.separation, self.axes, self.start = name, people, separation, axes, start


def experiment(folder, case, lower):
    """The detector and the experiment: 21 values of one axis, or 7 of each of three."""
    keys = ["limit_a", "limit_b", "limit_c"][: case.axes]
    (folder / "detector.yaml").write_text(DETECTOR.format(
        parameters="\n".join(
            f'  {key}: {{unit: m, default: {case.start}, range: [-1, 1], meaning: a limit}}' for key in keys),
        measurements="\n".join(
            f"  rise_{key}: height({joint}) - height(root)" for key, joint in zip(keys, JOINTS)),
        lower=lower, rule=" or ".join(f"rise_{key} < {key}" for key in keys)))
    step = 0.02 if case.axes == 1 else 0.06
    (folder / "experiment.yaml").write_text(EXPERIMENT.format(
        axes="\n".join(f"  {key}: {{from: -0.2, to: 0.16, step: {step}}}" for key in keys)))


def record(folder, case, lower, generator):
    """The recordings of a case; labels alternate every sixth."""
    people = [[(lower if part % 2 else "high", FRAMES // 6) for part in range(6)] for _ in range(case.people)]
    populations.write_dataset(folder / "data", people)
    for person, stretches in enumerate(people):
        bias = [generator.gauss(0, PERSON) for _ in JOINTS]
        habit = [generator.gauss(0, HABIT) if case.separation == 0 else case.separation for _ in JOINTS]
        lines = [HEADER]
        for frame, label in enumerate(populations.truth(stretches)):
            side = 1 if label == "high" else -1
            heights = [side * own + shift + generator.gauss(0, FRAME) for own, shift in zip(habit, bias)]
            joints = [0, 0, 0] + [number for height in heights for number in (0, round(height, 5), 0)]
            lines.append(json.dumps({"t": frame / populations.RATE, "p": joints}))
        (folder / "data" / f"p{person}.poses.jsonl").write_text("\n".join(lines) + "\n")


def true_value(case, limit):
    """Balanced accuracy of a limit for people without end (one axis)."""
    spread = math.hypot(FRAME, PERSON)

    def below(x):
        return (1 + math.erf(x / spread / math.sqrt(2))) / 2

    return (below(case.separation - limit) + below(limit + case.separation)) / 2


def study(planklab, case, lower, runs):
    """Numbers of runs: keep, change, too few people; truly worse, truly better; the mean true gain of changes."""
    verdicts = {"keep": 0, "change": 0, "too_few_people": 0}
    worse = better = 0
    gains = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        experiment(folder, case, lower)
        for run in range(runs):
            record(folder, case, lower, populations.seeded(case.name, case.people, case.axes, run))
            found = populations.result(planklab, folder, "tune", "experiment.yaml", "--jobs", "1")["streams"][0]
            verdicts[found["decision"]["verdict"]] += 1
            if found["decision"]["verdict"] != "change" or case.separation == 0:
                continue
            limit = next(fact["value"] for fact in found["parameters"] if fact["parameter"] == "limit_a")
            gain = true_value(case, limit) - true_value(case, case.start)
            gains.append(gain)
            worse += gain < 0
            better += gain > 0
    return verdicts, worse, better, sum(gains) / len(gains) if gains else None


def cases():
    for people in (5, 12):
        yield Case("noise", people, 0.0)
        yield Case("noise, three axes", people, 0.0, axes=3)
        yield Case("start is best", people, HALF)
        for offset in (0.5, 1.0, 1.5):
            yield Case(f"start is off by {offset} sd", people, HALF, start=round(-offset * FRAME, 3))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planklab", type=Path, default=Path(".build/release/planklab"))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--lower", choices=["forearm", "none"], default="forearm", help="the class below the threshold")
    parser.add_argument("--check", action="store_true", help="fail where the limits are missed")
    options = parser.parse_args()
    planklab = options.planklab.resolve()
    failures = []
    print("| data | people | keep | change | truly worse | truly better | true gain possible | true gain of changes |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for case in cases():
        verdicts, worse, better, gain = study(planklab, case, options.lower, options.runs)
        keep, change = (verdicts[word] / options.runs for word in ("keep", "change"))
        possible = true_value(case, 0.0) - true_value(case, case.start)
        truth = ["-", "-", "-"] if case.separation == 0 else [
            f"{worse / options.runs:.2f}", f"{better / options.runs:.2f}", f"{possible:.3f}"]
        cells = [*truth, "-" if gain is None else f"{gain:.3f}"]
        print(f"| {case.name} | {case.people} | {keep:.2f} | {change:.2f} | {' | '.join(cells)} |", flush=True)
        slack = 2 * populations.standard_error(keep, options.runs)
        if case.separation == 0 and keep + slack < 0.9:
            failures.append(f"{case.name}, {case.people} people: keeps in {keep:.2f} of the runs, not in 0.90")
        if case.start == 0 and worse / options.runs - slack > 0.1:
            failures.append(f"{case.name}, {case.people} people: truly worse in {worse / options.runs:.2f}")
    print(f"\n{options.runs} runs per line.")
    if options.check and failures:
        raise SystemExit("\n".join(failures))


if __name__ == "__main__":
    main()
