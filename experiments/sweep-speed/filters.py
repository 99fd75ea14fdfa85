"""The smoothing filters by scipy and numba, on the joints of `planklab-benchmarks peers --keep DIR`.

    pip install numpy scipy numba
    python experiments/sweep-speed/filters.py DIR [--write]

`joints.f64` holds 51 numbers of every frame, `pieces.csv` how many frames each recording has; frames are
1/30 s apart. One thread. Every filter gets the numbers in the order that suits it best, and its compiling
is not timed. Prints a line for each: the strategy, the package, and nanoseconds of processor time per
number. With --write, the results go to DIR/PLACE.f64, in the order of the joints.
"""
import argparse
import time
from pathlib import Path

import numba
import numpy as np
from scipy import ndimage, signal

NUMBERS = 51
RATE = 30


def pieces(folder):
    lengths = np.loadtxt(folder / "pieces.csv", dtype=np.int64, ndmin=1)
    joints = np.fromfile(folder / "joints.f64", dtype="<f8").reshape(-1, NUMBERS)
    ends = np.cumsum(lengths)
    return [joints[end - length:end] for length, end in zip(lengths, ends)]


def started(signals, filtered, width, weights):
    """Puts in the first samples, whose windows are not full: a weighted mean of the samples so far."""
    for k in range(min(width - 1, signals.shape[1])):
        part = weights[:k + 1][::-1]
        filtered[:, k] = signals[:, :k + 1] @ part / part.sum()
    return filtered


def moving_average(signals):
    weights = np.ones(9)
    return started(signals, signal.lfilter(weights / 9, [1.0], signals), 9, weights)


def ml_kit(signals):
    weights = 0.8 ** np.arange(10)
    return started(signals, signal.lfilter(weights / weights.sum(), [1.0], signals), 10, weights)


def ema(signals):
    a = -np.expm1(-2 * np.pi * 1.5 / RATE)
    return signal.lfilter([a], [1, a - 1], signals, zi=(1 - a) * signals[:, :1])[0]


def butterworth(signals):
    b, a = signal.butter(2, 1.5, fs=RATE)
    return signal.lfilter(b, a, signals, zi=signal.lfilter_zi(b, a) * signals[:, :1])[0]


# The weights of windows with 1 to 15 samples.
LINES = [np.ones(1)] + [
    signal.savgol_coeffs(count, 1, pos=count - 1, use="dot") for count in range(2, 16)]


def savitzky_golay(signals):
    filtered = signal.lfilter(LINES[14][::-1], [1.0], signals)
    for k in range(min(14, signals.shape[1])):
        filtered[:, k] = signals[:, :k + 1] @ LINES[k]
    return filtered


def median(signals):
    filtered = ndimage.median_filter(signals, size=(1, 9), origin=(0, 4), mode="nearest")
    for k in range(min(8, signals.shape[1])):
        filtered[:, k] = np.median(signals[:, :k + 1], axis=1)
    return filtered


@numba.njit
def middle(values, count):
    """Sorts the first values in place; the median of them."""
    for index in range(1, count):
        value = values[index]
        place = index
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value
    half = count // 2
    return values[half] if count % 2 else (values[half - 1] + values[half]) / 2


@numba.njit
def hampel(signals):
    filtered = np.empty_like(signals)
    window = np.empty(9)
    for channel in range(signals.shape[0]):
        for k in range(signals.shape[1]):
            count = min(k + 1, 9)
            for index in range(count):
                window[index] = signals[channel, k - index]
            center = middle(window, count)
            for index in range(count):
                window[index] = abs(window[index] - center)
            value = signals[channel, k]
            is_outlier = abs(value - center) > 3 * 1.4826 * middle(window, count)
            filtered[channel, k] = center if is_outlier else value
    return filtered


@numba.njit
def one_euro(frames):
    filtered = np.empty_like(frames)
    filtered[0] = frames[0]
    level, speed = frames[0].copy(), np.zeros(frames.shape[1])
    for k in range(1, frames.shape[0]):
        interval = k / RATE - (k - 1) / RATE
        weight = 1 / (1 + 1 / (2 * np.pi * 1.0 * interval))
        for channel in range(frames.shape[1]):
            change = frames[k, channel] - level[channel]
            speed[channel] += weight * (change / interval - speed[channel])
            cutoff = 1.0 + 0.5 * abs(speed[channel])
            level[channel] += 1 / (1 + 1 / (2 * np.pi * cutoff * interval)) * change
            filtered[k, channel] = level[channel]
    return filtered


@numba.njit
def holt(frames):
    filtered = np.empty_like(frames)
    filtered[0] = frames[0]
    level, slope = frames[0].copy(), np.zeros(frames.shape[1])
    for k in range(1, frames.shape[0]):
        interval = k / RATE - (k - 1) / RATE
        for channel in range(frames.shape[1]):
            predicted = level[channel] + slope[channel] * interval
            value = predicted + 0.3 * (frames[k, channel] - predicted)
            slope[channel] = 0.1 * (value - level[channel]) / interval + 0.9 * slope[channel]
            level[channel] = value
            filtered[k, channel] = value
    return filtered


@numba.njit
def kalman(frames):
    filtered = np.empty_like(frames)
    filtered[0] = frames[0]
    position, velocity = frames[0].copy(), np.zeros(frames.shape[1])
    noise = 0.002 / (0.011 * 0.011)
    # The variances do not depend on the samples, so that all numbers share them.
    a, b, c = 1.0, 0.0, 1 / (0.1 * 0.1)
    for k in range(1, frames.shape[0]):
        interval = k / RATE - (k - 1) / RATE
        square = interval * interval
        a += 2 * interval * b + square * c + noise * square * interval / 3
        b += interval * c + noise * square / 2
        c += noise * interval
        gain, velocity_gain = a / (a + 1), b / (a + 1)
        c -= velocity_gain * b
        a *= 1 - gain
        b *= 1 - gain
        for channel in range(frames.shape[1]):
            position[channel] += velocity[channel] * interval
            residual = frames[k, channel] - position[channel]
            position[channel] += gain * residual
            velocity[channel] += velocity_gain * residual
            filtered[k, channel] = position[channel]
    return filtered


# Strategy, package, function, whether it takes a row per number rather than a row per frame.
PEERS = [
    ("moving-average:frames=9", "scipy lfilter", moving_average, True),
    ("ema:cutoff=1.5Hz", "scipy lfilter", ema, True),
    ("holt:alpha=0.3,beta=0.1", "numba", holt, False),
    ("median:frames=9", "scipy ndimage", median, True),
    ("hampel:frames=9,threshold=3", "numba", hampel, True),
    ("one-euro:minCutoff=1Hz,beta=0.5,derivativeCutoff=1Hz", "numba", one_euro, False),
    ("savitzky-golay:frames=15,degree=1", "scipy lfilter", savitzky_golay, True),
    ("kalman:processNoise=0.002,measurementNoise=0.011", "numba", kalman, False),
    ("butterworth:cutoff=1.5Hz", "scipy lfilter", butterworth, True),
    ("ml-kit:frames=10,alpha=0.2,reset=0.1s", "scipy lfilter", ml_kit, True),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--write", action="store_true", help="write the results")
    arguments = parser.parse_args()
    by_frame = pieces(arguments.folder)
    by_number = [np.ascontiguousarray(piece.T) for piece in by_frame]
    count = sum(piece.size for piece in by_frame)
    for place, (strategy, package, function, is_by_number) in enumerate(PEERS):
        data = by_number if is_by_number else by_frame
        function(data[0][:, :NUMBERS].copy())
        start = time.process_time()
        results = [function(piece) for piece in data]
        elapsed = time.process_time() - start
        print(f"{strategy}\t{package}\t{elapsed / count * 1e9}")
        if arguments.write:
            rows = [piece.T if is_by_number else piece for piece in results]
            np.concatenate(rows).astype("<f8").tofile(arguments.folder / f"{place}.f64")


if __name__ == "__main__":
    main()
