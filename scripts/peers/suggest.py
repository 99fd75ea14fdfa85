#!/usr/bin/env python3
"""The search for edits beside a loop compiled by numba, and beside programs that learn rules, on the same columns.

    planklab-benchmarks suggest --keep DIR
    python scripts/peers/suggest.py DIR [--limit SECONDS] [--peers numba tree imodels wittgenstein]

`numba` is the search for the best new rule with one condition, at every position and threshold and with every label.
Its winner must be the one that the benchmark wrote, or the exit code is 1. The others answer other questions, so only
their time, memory and score can be compared: scikit-learn's tree of depth 5, the greedy rule list of imodels, RIPPER
of wittgenstein for planks against none. Each runs in a process of its own on one thread; compiling is not timed. One
that does not end in time is asked again with a tenth of the frames. A peer without its package is left out
with a line that
says so. Needs numpy.
"""

import argparse
import csv
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "proofs"))
from suggest_definitions import LABELS, Frames, Rules, parsed  # noqa: E402

PACKAGES = {"numba": "numba", "tree": "sklearn", "imodels": "imodels", "wittgenstein": "wittgenstein"}
SEED = 0


def load(folder, share=1.0):
    """The scored frames, and the rules."""
    folder = Path(folder)
    names = (folder / "measurements.txt").read_text().split()
    truth = np.fromfile(folder / "truth.u8", np.uint8)
    columns = np.fromfile(folder / "columns.f32", np.float32).reshape(len(names), -1)
    seconds = np.fromfile(folder / "seconds.f64", np.float64)
    kept = np.flatnonzero(truth < len(LABELS))
    if share < 1:
        kept = np.sort(np.random.default_rng(SEED).choice(kept, int(len(kept) * share), replace=False))
    zero = np.zeros(len(kept), np.int64)
    frames = Frames(
        truth[kept].astype(np.int64), seconds[kept], zero, zero, names, list(columns[:, kept]),
        list(np.isnan(columns[:, kept])))
    with open(folder / "parameters.csv", newline="") as file:
        values = {row["key"]: float(row["value"]) for row in csv.DictReader(file)}
    rules = [parsed(sentence, names) for sentence in (folder / "rules.txt").read_text().splitlines()]
    return frames, Rules(rules, values, {}, {})


def insertion(numba):
    """The compiled search: one walk per measurement and side, sums by first rule and class."""

    @numba.njit
    def walk(values, order, first, truth, gains, losses, rules, labels, base):
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

    return walk


def run_numba(frames, rules):
    import numba

    walk = insertion(numba)
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
    return seconds, {"winner": f"{worth},{position},{LABELS[label]},{frames.names[index]},{int(below)}"}


def balanced_accuracy(answers, truth):
    return float(np.mean([np.mean(answers[truth == label] == label) for label in np.unique(truth)]))


def run_learner(peer, frames):
    """A program that learns rules, on numbers in place of missing ones."""
    table = np.nan_to_num(np.stack(frames.columns, axis=1).astype(np.float64), nan=0.0)
    truth, weights = frames.truth, frames.weights.astype(float)
    if peer == "tree":
        from sklearn.tree import DecisionTreeClassifier

        model = DecisionTreeClassifier(max_depth=5, random_state=SEED)
        start = time.process_time()
        model.fit(table, truth, sample_weight=weights)
        answers = model.predict(table)
    elif peer == "imodels":
        from imodels import GreedyRuleListClassifier

        model, truth = GreedyRuleListClassifier(max_depth=5), (truth > 0).astype(int)
        start = time.process_time()
        model.fit(table, truth, feature_names=frames.names)
        answers = np.asarray(model.predict(table)).astype(int)
    else:
        import pandas
        import wittgenstein

        model, truth = wittgenstein.RIPPER(random_state=SEED), (truth > 0).astype(int)
        data = pandas.DataFrame(table, columns=frames.names)
        start = time.process_time()
        model.fit(data, y=truth, pos_class=1)
        answers = np.asarray(model.predict(data)).astype(int)
    return time.process_time() - start, {"score": balanced_accuracy(answers, truth)}


def child(peer, folder, share):
    """One peer in this process; a line of JSON."""
    frames, rules = load(folder, share)
    seconds, found = run_numba(frames, rules) if peer == "numba" else run_learner(peer, frames)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
    print(json.dumps({"frames": len(frames.truth), "seconds": seconds, "megabytes": peak, **found}))


def ask(peer, folder, limit):
    """What a peer says, with fewer frames where it does not end in time."""
    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")}
    for share in (1.0, 0.1, 0.01):
        command = [sys.executable, __file__, str(folder), "--child", peer, "--share", str(share)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=limit, check=False, env={**os.environ, **threads})
        except subprocess.TimeoutExpired:
            print(f"{peer}: not done after {limit} s with a share of {share:g} of the frames")
            continue
        if done.returncode:
            return f"{peer}: failed, {done.stderr.strip().splitlines()[-1]}"
        return json.loads(done.stdout.splitlines()[-1])
    return f"{peer}: too slow to compare"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--peers", nargs="+", default=list(PACKAGES), choices=list(PACKAGES))
    parser.add_argument("--child", choices=list(PACKAGES), help=argparse.SUPPRESS)
    parser.add_argument("--share", type=float, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.folder, options.share)
        return
    expected = (options.folder / "winner.csv").read_text().splitlines()[1]
    failures = []
    print("| peer | frames | processor seconds | peak MB | balanced accuracy there | winner |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for peer in options.peers:
        if importlib.util.find_spec(PACKAGES[peer]) is None:
            print(f"{peer}: left out, no package {PACKAGES[peer]}")
            continue
        found = ask(peer, options.folder, options.limit)
        if isinstance(found, str):
            failures.append(found)
            continue
        winner = found.get("winner", "-")
        if winner not in ("-", expected):
            failures.append(f"{peer}: the winner differs from {expected}")
        score = f"{found['score']:.3f}" if "score" in found else "-"
        print(f"| {peer} | {found['frames']} | {found['seconds']:.3g} | {found['megabytes']} | {score} | {winner} |",
              flush=True)
    if failures:
        raise SystemExit("\n".join(failures))


if __name__ == "__main__":
    main()
