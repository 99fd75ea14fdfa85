"""The plank sweep as a plain loop compiled by numba, on the columns of `planklab-benchmarks peers --keep DIR`.

    pip install numpy numba
    python experiments/sweep-speed/sweep_numba.py DIR

One thread, a cell after another, a frame after another; compiling is not timed. Prints nanoseconds of
processor time per cell and frame, and a checksum of all counts, which `planklab-benchmarks peers`
compares with that of the bit-parallel sweep.
"""
import sys
import time

import numba
import numpy as np
from sweep_numpy import (
    FOREARM, HIGH, HOLD, NONE, REVERSE, SIDE_LEFT, SIDE_RIGHT, SLACK, load, report)


@numba.njit
def evaluate(lengths, starts_mid, times, truth, columns, horizontal, reverse, side, elbow, frames):
    confusion = np.zeros((6, 6), dtype=np.int64)
    transitions = 0
    start = 0
    for sequence, length in enumerate(lengths):
        mid = starts_mid[sequence]
        answer, candidate, run, before, seen = NONE, NONE, 0, NONE, -np.inf
        for frame in range(length):
            at = start + frame
            seconds = times[at]
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
                if run >= frames or mid:
                    answer = label
                mid = False
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
    lengths, starts_mid, times, truth, columns, cells = load(folder)

    def run(cell):
        thresholds = [
            np.float32(cell[key])
            for key in ("horizontal_ratio", "reverse_cosine", "side_rise", "elbow_split")
        ]
        frames = int(float(cell["plank_frames"]))
        return evaluate(lengths, starts_mid, times, truth, columns, *thresholds, frames)

    run(cells[0])
    start = time.process_time()
    results = [run(cell) for cell in cells]
    report(time.process_time() - start, results, truth.size)


if __name__ == "__main__":
    main(sys.argv[1])
