"""Golden values of spectra and Allan deviations, computed with scipy and allantools.

Smoothness values come from the published goldens (SPARC, LDLJ) and from the formulas with
numpy's FFT.
"""

import math
import random
from pathlib import Path

import allantools
import numpy as np
from run import rounded
from scipy import signal

SEED = 19670215
GOLDEN = Path(__file__).resolve().parents[2] / "Tests/StatisticsTests/Goldens/spectra.json"
PACKAGES = ["numpy", "scipy", "allantools"]


def samples(index):
    """A rate and values with few digits: noise, drift, a sine, or nothing at all."""
    draw = random.Random(f"{SEED}/{index}").random
    count = 16 + int(draw() * 84)
    rate = (8, 10, 25, 30, 60)[int(draw() * 5)]
    drift = (draw() - 0.5) * 2
    swing = draw() * 3
    level = 100 * (draw() - 0.5)
    walk = 0.0
    values = []
    for n in range(count):
        walk += draw() - 0.5
        values.append(level + drift * n / rate + swing * math.sin(n * 7 / rate) + walk + draw())
    return rate, [float(f"{value:.5g}") for value in values]


def signals():
    found = [("constant", 30, [2.5] * 24), ("a line", 10, [0.25 * n for n in range(20)])]
    found += [("an impulse", 8, [0.0] * 10 + [1.0] + [0.0] * 13)]
    return found + [(f"random {index}", *samples(index)) for index in range(60)]


def welch(values, rate, length):
    frequencies, density = signal.welch(np.array(values), fs=rate, window="hann", nperseg=length, detrend="linear")
    return frequencies, density


def allan(values, rate):
    """[m, deviation] for m = 1, 2, 4, ... while two means fit."""
    rows = []
    m = 1
    while 2 * m < len(values):
        taus, deviations, _, _ = allantools.oadev(np.array(values), rate=rate, data_type="freq", taus=[m / rate])
        if len(taus):
            rows.append([m, float(deviations[0])])
        m *= 2
    return rows


def arc_length(speed, rate):
    length = 2 ** (math.ceil(math.log2(len(speed))) + 4)
    magnitudes = np.abs(np.fft.rfft(speed, length))
    if magnitudes.max() == 0:
        return None
    magnitudes = magnitudes / magnitudes.max()
    low = magnitudes[np.arange(len(magnitudes)) * rate / length <= 10.0]
    above = np.nonzero(low >= 0.05)[0]
    if len(above) == 0 or above[-1] == above[0]:
        return None
    part = low[above[0] : above[-1] + 1]
    return float(-np.sum(np.hypot(1 / (len(part) - 1), np.diff(part))))


def jerk(speed, rate):
    peak = np.abs(speed).max()
    squares = np.sum((np.diff(speed, 2) * rate**2) ** 2)
    if peak == 0 or squares == 0:
        return None
    return float(-np.log((len(speed) / rate) ** 3 / peak**2 * squares / rate))


def cases():
    bell = np.exp(-5 * np.arange(-1, 1, 0.01) ** 2)
    assert abs(arc_length(bell, 100) + 1.41403) < 5e-6, arc_length(bell, 100)
    assert abs(jerk(bell, 100) + 5.81636) < 5e-6, jerk(bell, 100)
    found = []
    for name, rate, values in signals():
        length = min(len(values), 16)
        speed = np.array([abs(value) for value in values])
        found.append({
            "name": name, "rate": rate, "values": values, "segment": length,
            "density": rounded([float(d) for d in welch(values, rate, length)[1]]),
            "allan": rounded(allan(values, rate)), "arc_length": rounded(arc_length(speed, rate)),
            "jerk": rounded(jerk(speed, rate)) if name != "a line" else None})
    return found
