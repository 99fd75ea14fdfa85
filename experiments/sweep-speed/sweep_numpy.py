"""The plank sweep in vectorized numpy, on the columns of `planklab-benchmarks peers --keep DIR`.

    python experiments/sweep-speed/sweep_numpy.py DIR

No Python loop runs over frames. Prints nanoseconds of processor time per cell and frame, and a checksum
of all counts, which `planklab-benchmarks peers` compares with that of the bit-parallel sweep.
"""
import csv
import sys
import time

import numpy as np

HOLD = 0.5
SLACK = 1e-9
NONE, FOREARM, HIGH, SIDE_LEFT, SIDE_RIGHT, REVERSE = range(6)


def load(folder):
    rows = list(csv.DictReader(open(f"{folder}/lengths.csv")))
    lengths = np.array([int(row["frames"]) for row in rows])
    starts_mid = np.array([row["starts_mid"] == "1" for row in rows])
    truth = np.fromfile(f"{folder}/truth.u8", dtype=np.uint8)
    times = np.fromfile(f"{folder}/times.f64", dtype="<f8")
    columns = np.fromfile(f"{folder}/columns.f32", dtype="<f4").reshape(4, truth.size)
    cells = list(csv.DictReader(open(f"{folder}/cells.csv")))
    return lengths, starts_mid, times, truth, columns, cells


def report(seconds, results, frames):
    """Prints time and checksum: FNV-1a over the counts as 64-bit words."""
    checksum = 0xCBF29CE484222325
    for confusion, transitions in results:
        for number in [*confusion.ravel().tolist(), int(transitions)]:
            checksum = (checksum ^ number) * 0x100000001B3 % 2**64
    print(f"{seconds / len(results) / frames * 1e9:.4f} {checksum:x}")


class Layout:
    """What no threshold changes: determined frames, pieces without a long gap, held frames."""

    def __init__(self, lengths, starts_mid, times, truth, columns):
        self.truth = truth
        count = truth.size
        sequence = np.repeat(np.arange(lengths.size), lengths)
        self.kept = np.flatnonzero(~np.isnan(columns).any(axis=0))
        kept_sequence = sequence[self.kept]
        kept_time = times[self.kept]
        breaks = np.ones(self.kept.size, dtype=bool)
        breaks[1:] = (kept_sequence[1:] != kept_sequence[:-1]) | (
            kept_time[1:] - kept_time[:-1] > HOLD + SLACK
        )
        self.breaks = breaks
        # Where a sequence starts inside a hold, its first label is the answer at once.
        self.elected = starts_mid[kept_sequence]
        self.elected[1:] &= kept_sequence[1:] != kept_sequence[:-1]
        # For every frame the last determined frame before it, where that is near enough.
        last = np.searchsorted(self.kept, np.arange(count), side="right") - 1
        near = last >= 0
        safe = np.maximum(last, 0)
        near &= kept_sequence[safe] == sequence
        near &= times - kept_time[safe] <= HOLD + SLACK
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
    settled = np.where((run >= frames) | layout.elected, index, -1)
    since = np.maximum.accumulate(np.where(layout.breaks, index, 0))
    latest = np.maximum.accumulate(settled)
    state = np.where(latest >= since, raw[np.maximum(latest, 0)], NONE).astype(np.uint8)
    answer = np.where(layout.near, state[layout.last], NONE).astype(np.uint8)
    pairs = layout.truth[layout.scored].astype(np.intp) * 6 + answer[layout.scored]
    confusion = np.bincount(pairs, minlength=36)
    transitions = int(np.count_nonzero((answer[1:] != answer[:-1]) & layout.pairs))
    return confusion, transitions


def main(folder):
    lengths, starts_mid, times, truth, columns, cells = load(folder)
    start = time.process_time()
    layout = Layout(lengths, starts_mid, times, truth, columns)
    results = [
        evaluate(
            layout, float(c["horizontal_ratio"]), float(c["reverse_cosine"]), float(c["side_rise"]),
            float(c["elbow_split"]), int(float(c["plank_frames"])))
        for c in cells
    ]
    report(time.process_time() - start, results, truth.size)


if __name__ == "__main__":
    main(sys.argv[1])
