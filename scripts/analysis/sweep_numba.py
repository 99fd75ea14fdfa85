"""The plank sweep as a plain loop compiled by numba, on the columns of `planklab-benchmarks sweep-columns DIR`.

    pip install numpy numba
    python scripts/analysis/sweep_numba.py DIR

One thread, a cell after another, a frame after another; compiling is not timed. Counts are compared
with those of the bit-parallel sweep for every cell in cells.csv; a difference ends the script with an
error.
"""
import platform
import sys
import time

import numba
import numpy as np
from sweep_numpy import FOREARM, HIGH, HOLD, NONE, RATE, REVERSE, SIDE_LEFT, SIDE_RIGHT, SLACK, load


@numba.njit
def evaluate(lengths, truth, columns, horizontal, reverse, side, elbow, frames):
    confusion = np.zeros((6, 6), dtype=np.int64)
    transitions = 0
    start = 0
    for length in lengths:
        answer, candidate, run, before, seen = NONE, NONE, 0, NONE, -np.inf
        for frame in range(length):
            at = start + frame
            seconds = frame / RATE
            near = seconds - seen <= HOLD + SLACK
            ratio, rise, cosine, angle = columns[0, at], columns[1, at], columns[2, at], columns[3, at]
            if not (np.isnan(ratio) or np.isnan(rise) or np.isnan(cosine) or np.isnan(angle)):
                if ratio >= horizontal:
                    label = NONE
                elif rise > side:
                    label = SIDE_LEFT
                elif rise < -side:
                    label = SIDE_RIGHT
                elif cosine > reverse:
                    label = REVERSE
                elif angle > elbow:
                    label = HIGH
                else:
                    label = FOREARM
                if not near:
                    answer = NONE
                run = run + 1 if near and label == candidate else 1
                candidate = label
                if run >= frames:
                    answer = label
                seen = seconds
            elif not near:
                answer = NONE
            if truth[at] < 6:
                confusion[truth[at], answer] += 1
                if frame > 0 and truth[at - 1] < 6 and answer != before:
                    transitions += 1
            before = answer
        start += length
    return confusion, transitions


def main(folder):
    lengths, truth, columns, cells = load(folder)

    def run(cell):
        thresholds = [
            np.float32(cell[key])
            for key in ("horizontal_ratio", "reverse_cosine", "side_rise", "elbow_split")
        ]
        return evaluate(lengths, truth, columns, *thresholds, int(float(cell["plank_frames"])))

    run(cells[0])
    start = time.perf_counter()
    results = [run(cell) for cell in cells]
    seconds = time.perf_counter() - start
    for cell, (confusion, transitions) in zip(cells, results):
        expected = [int(cell[f"n{t}{a}"]) for t in range(6) for a in range(6)]
        if expected != confusion.ravel().tolist() or int(cell["transitions"]) != transitions:
            sys.exit(f"cell {cell} differs: numba counts {confusion.tolist()}, {transitions}")
    per = seconds / len(cells) / truth.size * 1e9
    print(
        f"numba {numba.__version__}, Python {platform.python_version()}: {len(cells)} cells x {truth.size} "
        f"frames in {seconds:.2f} s, {per:.2f} ns per cell and frame; every count equal")


if __name__ == "__main__":
    main(sys.argv[1])
