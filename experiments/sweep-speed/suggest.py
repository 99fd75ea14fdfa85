#!/usr/bin/env python3
"""The search for edits beside a loop compiled by numba, on the same columns.

    planklab-benchmarks suggest --keep DIR
    python experiments/sweep-speed/suggest.py DIR

The loop is the search for the best new rule with one condition, at every position and threshold and with every label,
on one thread; compiling is not timed. Its winner must be the one that the benchmark wrote, or the exit code is 1. Needs
numpy and numba.
"""

import csv
import resource
import sys
import time
from pathlib import Path

import numba
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "suggest"))
from suggest_definitions import LABELS, Frames, Rules, parsed  # noqa: E402


def load(folder):
    """The scored frames, and the rules."""
    names = (folder / "measurements.txt").read_text().split()
    truth = np.fromfile(folder / "truth.u8", np.uint8)
    columns = np.fromfile(folder / "columns.f32", np.float32).reshape(len(names), -1)
    seconds = np.fromfile(folder / "seconds.f64", np.float64)
    kept = np.flatnonzero(truth < len(LABELS))
    zero = np.zeros(len(kept), np.int64)
    frames = Frames(
        truth[kept].astype(np.int64), seconds[kept], zero, zero, names, list(columns[:, kept]),
        list(np.isnan(columns[:, kept])))
    with open(folder / "parameters.csv", newline="") as file:
        values = {row["key"]: float(row["value"]) for row in csv.DictReader(file)}
    rules = [parsed(sentence, names) for sentence in (folder / "rules.txt").read_text().splitlines()]
    return frames, Rules(rules, values, {}, {})


@numba.njit
def walk(values, order, first, truth, gains, losses, rules, labels, base):
    """One walk per measurement and side: sums by first rule and class."""
    wins = np.zeros((rules, labels), np.int64)
    costs = np.zeros(rules, np.int64)
    best, best_position, best_label = 0, -1, -1
    for place in range(order.size):
        frame = order[place]
        wins[first[frame], truth[frame]] += gains[frame] + losses[frame]
        costs[first[frame]] += losses[frame]
        if place + 1 == order.size or values[order[place + 1]] == values[frame]:
            continue
        low, high = values[frame], values[order[place + 1]]
        middle = low + (high - low) / np.float32(2)
        if middle == low or middle == high:
            continue
        for label in range(labels):
            total = base
            for position in range(rules - 1, -1, -1):
                total += wins[position, label] - costs[position]
                if total > best:
                    best, best_position, best_label = total, position, label
    return best, best_position, best_label


def search(frames, rules):
    """Seconds of processor time, and the winner as a row of `winner.csv`."""
    none = np.zeros(0, np.int64)
    walk(np.zeros(0, np.float32), none, none, none, none, none, 1, 1, 0)
    start = time.process_time()
    first = rules.matches(frames).argmax(0)
    determined = rules.determined(frames)
    right = np.where(determined, rules.codes()[first], 0) == frames.truth
    gains, losses = np.where(right, 0, frames.weights), np.where(right, frames.weights, 0)
    emptied = np.where(frames.truth == 0, gains, -losses)
    best = (0, -1, -1, -1, False)
    for index, column in enumerate(frames.columns):
        out = frames.missing[index] & determined
        base = 0 if index in rules.mentioned() else int(emptied[out].sum())
        order = np.argsort(column, kind="stable")
        order = order[(determined & ~np.isnan(column))[order]]
        for below in (True, False):
            found = walk(
                column, order if below else order[::-1].copy(), first, frames.truth, gains, losses, len(rules.rules),
                len(LABELS), base)
            if found[0] > best[0]:
                best = (*found, index, below)
    seconds = time.process_time() - start
    worth, position, label, index, below = best
    return seconds, f"{worth},{position},{LABELS[label]},{frames.names[index]},{int(below)}"


def main():
    folder = Path(sys.argv[1])
    frames, rules = load(folder)
    seconds, winner = search(frames, rules)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
    print(f"numba: {len(frames.truth)} frames, {seconds:.3g} s of processor time, {peak} MB, winner {winner}")
    expected = (folder / "winner.csv").read_text().splitlines()[1]
    if winner != expected:
        raise SystemExit(f"the winner differs from {expected}")


if __name__ == "__main__":
    main()
