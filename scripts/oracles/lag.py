"""Golden values of the lag of smoothers, computed with numpy and scipy.

`signal` cases: the lag of least mean square of a random output behind its input, by numpy,
and where nothing but a delay was done also by scipy's correlation of first differences.
`filter` cases: delay, gain, step and ramp of random linear filters, by scipy.
"""

import math
import random
from pathlib import Path

import numpy as np
from run import rounded
from scipy import signal

SEED = 20120507
GOLDEN = Path(__file__).resolve().parents[2] / "Tests/EvaluationTests/Goldens/lag.json"
PACKAGES = ["numpy", "scipy"]
RATE = 20
MOST = 10  # frames: half a second
FACTS = {"rate": RATE, "most": MOST}


def draws(name):
    return random.Random(f"{SEED}/{name}").random


def dyadic(value, bits=8):
    return round(value * 2**bits) / 2**bits


def signal_case(index):
    """Input and output, None where missing; a pure delay in every third case."""
    draw = draws(f"signal/{index}")
    count = 60 + int(draw() * 40)
    walk, values = 0.0, []
    for n in range(count):
        walk += draw() - 0.5
        values.append(dyadic(walk + 2 * math.sin(n / (3 + 9 * draw() * (index % 2)))))
    delay = int(draw() * 9)
    if index % 3 == 0:
        output = [values[max(0, n - delay)] for n in range(count)]
        return values, output, delay
    taps = [draw() for _ in range(1 + delay)]
    if index % 3 == 1:
        output = list(signal.lfilter(np.array(taps) / sum(taps), [1.0], values))
    else:
        alpha = 0.15 + 0.8 * draw()
        state = [(1 - alpha) * values[0]]
        output = list(signal.lfilter([alpha], [1, alpha - 1], values, zi=state)[0])
    output = [dyadic(value + 0.1 * (draw() - 0.5)) for value in output]
    if index % 2:
        output[int(draw() * count)] = None
        values[int(draw() * count)] = None
    return values, output, None


def signal_lag(values, output):
    """[lag in frames, least mean square] by numpy; a parabola refines."""
    x = np.array([math.nan if v is None else v for v in values])
    y = np.array([math.nan if v is None else v for v in output])
    frames = [n for n in range(MOST, len(x) - 1) if np.isfinite(x[n - MOST : n + 2]).all() and np.isfinite(y[n])]
    errors = [float(np.mean([(y[n] - x[n - k]) ** 2 for n in frames])) for k in range(-1, MOST + 1)]
    best = 1 + int(np.argmin(errors[1:]))
    lag = float(best - 1)
    if best + 1 < len(errors):
        second, first, _ = np.polyfit([-1, 0, 1], errors[best - 1 : best + 2], 2)
        if second > 0:
            lag += min(0.5, max(-0.5, -first / (2 * second)))
    return [lag, errors[best]]


def by_differences(values, output):
    """The shift at which first differences correlate most, by scipy."""
    x, y = np.diff(values), np.diff(output)
    lags = signal.correlation_lags(len(y), len(x))
    return int(lags[np.argmax(signal.correlate(y, x))])


def filter_case(index):
    """A filter as (b, a) with a gain of 1 for constants; every second one is recursive."""
    draw = draws(f"filter/{index}")
    if index % 2:
        b, a = np.array([0.05 + draw() for _ in range(1 + int(draw() * 12))]), np.array([1.0])
    else:
        radius, turn = 0.3 + 0.6 * draw(), math.pi * draw() * 0.4
        a = np.array([1, -2 * radius * math.cos(turn), radius**2])
        b = np.array([0.1 + draw(), draw() * 0.5])
    b = b * (a.sum() / b.sum())
    return [dyadic(value, 20) for value in b], [dyadic(value, 20) for value in a]


def filter_values(b, a):
    """What the filter does at RATE, by scipy."""
    _, delay = signal.group_delay((b, a), w=[0.0])
    impulse = signal.lfilter(b, a, [1.0] + [0.0] * 400)
    step = signal.lfilter(b, a, [0.0] * 10 + [1.0] * 400)[10:]
    ramp = np.arange(401) / RATE
    return {
        "delay_frames": float(delay[0]),
        "noise_gain": float(np.linalg.norm(impulse)),
        "half_frames": int(np.argmax(step >= 0.5 - 1e-9)),
        "ninety_frames": int(np.argmax(step >= 0.9 - 1e-9)),
        "overshoot": max(0.0, float(step.max()) - 1),
        "ramp_seconds": float(ramp[-1] - signal.lfilter(b, a, ramp)[-1]),
    }


def cases():
    found = []
    for index in range(60):
        values, output, delay = signal_case(index)
        lag = signal_lag(values, output)
        if delay is not None:
            assert by_differences(values, output) == delay, index
            assert abs(lag[0] - delay) <= 0.5 and lag[1] == 0, (index, lag, delay)
        found.append({
            "kind": "signal", "name": f"signal {index}", "input": values, "output": output, "delay": delay,
            "lag": rounded(lag, 10)})
    for index in range(60):
        b, a = filter_case(index)
        expected = rounded(filter_values(b, a), 10)
        found.append({"kind": "filter", "name": f"filter {index}", "b": b, "a": a, "expected": expected})
    return found
