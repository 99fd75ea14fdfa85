"""The plank sweep in vectorized numpy, on the columns of `planklab-benchmarks sweep-columns DIR`.

    python scripts/analysis/sweep_numpy.py DIR

No Python loop runs over frames and nothing outside numpy is timed. Counts are compared with those of
the bit-parallel sweep for every cell in cells.csv; a difference ends the script with an error.
"""
import csv
import platform
import sys
import time

import numpy as np

HOLD = 0.5
SLACK = 1e-9
RATE = 30.0
NONE, FOREARM, HIGH, SIDE_LEFT, SIDE_RIGHT, REVERSE = range(6)


def load(folder):
    lengths = np.array([int(row["frames"]) for row in csv.DictReader(open(f"{folder}/lengths.csv"))])
    truth = np.fromfile(f"{folder}/truth.u8", dtype=np.uint8)
    columns = np.fromfile(f"{folder}/columns.f32", dtype="<f4").reshape(4, truth.size)
    cells = list(csv.DictReader(open(f"{folder}/cells.csv")))
    return lengths, truth, columns, cells


class Layout:
    """What no threshold changes: determined frames, pieces without a long gap, held frames."""

    def __init__(self, lengths, truth, columns):
        self.truth = truth
        count = truth.size
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        sequence = np.repeat(np.arange(lengths.size), lengths)
        self.times = (np.arange(count) - starts[sequence]) / RATE
        self.kept = np.flatnonzero(~np.isnan(columns).any(axis=0))
        kept_sequence = sequence[self.kept]
        kept_time = self.times[self.kept]
        breaks = np.ones(self.kept.size, dtype=bool)
        breaks[1:] = (kept_sequence[1:] != kept_sequence[:-1]) | (
            kept_time[1:] - kept_time[:-1] > HOLD + SLACK
        )
        self.breaks = breaks
        # For every frame the last determined frame before it, where that is near enough.
        last = np.searchsorted(self.kept, np.arange(count), side="right") - 1
        near = last >= 0
        safe = np.maximum(last, 0)
        near &= kept_sequence[safe] == sequence
        near &= self.times - kept_time[safe] <= HOLD + SLACK
        self.last, self.near = safe, near
        self.columns = columns[:, self.kept]
        self.same_sequence = sequence[1:] == sequence[:-1]
        self.scored = truth < 6
        self.pairs = self.same_sequence & self.scored[1:] & self.scored[:-1]


def evaluate(layout, horizontal, reverse, side, elbow, frames):
    ratio, rise, cosine, angle = layout.columns
    f4 = np.float32
    raw = np.select(
        [ratio >= f4(horizontal), rise > f4(side), rise < f4(-side), cosine > f4(reverse), angle > f4(elbow)],
        [NONE, SIDE_LEFT, SIDE_RIGHT, REVERSE, HIGH],
        FOREARM,
    ).astype(np.uint8)
    index = np.arange(raw.size)
    change = layout.breaks.copy()
    change[1:] |= raw[1:] != raw[:-1]
    run = index - np.maximum.accumulate(np.where(change, index, 0)) + 1
    # The state is the raw label of the last frame whose run reached N, else none since the break.
    settled = np.where(run >= frames, index, -1)
    since = np.maximum.accumulate(np.where(layout.breaks, index, 0))
    latest = np.maximum.accumulate(settled)
    state = np.where(latest >= since, raw[np.maximum(latest, 0)], NONE).astype(np.uint8)
    answer = np.where(layout.near, state[layout.last], NONE).astype(np.uint8)
    pairs = layout.truth[layout.scored].astype(np.intp) * 6 + answer[layout.scored]
    confusion = np.bincount(pairs, minlength=36)
    transitions = int(np.count_nonzero((answer[1:] != answer[:-1]) & layout.pairs))
    return confusion, transitions


def main(folder):
    lengths, truth, columns, cells = load(folder)
    start = time.perf_counter()
    layout = Layout(lengths, truth, columns)
    results = [
        evaluate(
            layout, float(c["horizontal_ratio"]), float(c["reverse_cosine"]), float(c["side_rise"]),
            float(c["elbow_split"]), int(float(c["plank_frames"])))
        for c in cells
    ]
    seconds = time.perf_counter() - start
    for cell, (confusion, transitions) in zip(cells, results):
        expected = [int(cell[f"n{t}{a}"]) for t in range(6) for a in range(6)]
        if expected != confusion.tolist() or int(cell["transitions"]) != transitions:
            sys.exit(f"cell {cell} differs: numpy counts {confusion.tolist()}, {transitions}")
    per = seconds / len(cells) / truth.size * 1e9
    print(
        f"numpy {np.__version__}, Python {platform.python_version()}: {len(cells)} cells x {truth.size} "
        f"frames in {seconds:.2f} s, {per:.2f} ns per cell and frame; every count equal")


if __name__ == "__main__":
    main(sys.argv[1])
