"""Golden values of the jitter of signals on holds, computed with numpy, scipy and allantools.

Three kinds of cases: `steps` (uneven time, gaps, missing frames, several holds, one or three
axes, angles), `spectra` (one long hold: scipy's welch and allantools' oadev) and `bones`.
"""

import math
import random
from pathlib import Path

import allantools
import numpy as np
from run import rounded
from scipy import integrate, signal, stats

SEED = 20160512
GOLDEN = Path(__file__).resolve().parents[2] / "Tests/EvaluationTests/Goldens/jitter.json"
PACKAGES = ["numpy", "scipy", "allantools"]
LONGEST_GAP = 0.5
LOWEST, FAST = 0.3, 3.0


def draws(name):
    """Uniform draws: Python keeps random.random() across versions."""
    return random.Random(f"{SEED}/{name}").random


def dyadic(value, bits=6):
    """A number that a 32-bit float holds exactly."""
    return round(value * 2**bits) / 2**bits


def holds_of(truth):
    """Runs of one letter other than none and unscored, as (first, after)."""
    cuts = [i for i in range(1, len(truth)) if truth[i] != truth[i - 1]]
    edges = [0, *cuts, len(truth)] if truth else [0]
    return [(a, b) for a, b in zip(edges, edges[1:], strict=False) if truth[a] not in "n."]


def steps_case(index):
    draw = draws(f"steps/{index}")
    rate = (8, 16, 32)[int(draw() * 3)]
    count = 20 + int(draw() * 40)
    kind = ("m", "deg", "joint")[int(draw() * 3)]
    is_even = draw() < 0.4
    times, time = [], dyadic(draw() * 8)
    for _ in range(count):
        times.append(time)
        time += 1 / rate
        if not is_even:
            time += dyadic(draw() / rate) if draw() < 0.7 else 0
            time += dyadic(draw()) if draw() < 0.05 else 0
    truth = ""
    while len(truth) < count:
        truth += "ffhhrn."[int(draw() * 7)] * (1 + int(draw() * 25))
    walk = np.zeros(3 if kind == "joint" else 1)
    values = []
    for _ in range(count):
        walk = walk + [draw() - 0.5 for _ in walk]
        row = [dyadic(w * (90 if kind == "deg" else 0.1)) for w in walk]
        if kind == "deg":
            row = [(row[0] + 180) % 360 - 180]
        values.append(None if draw() < 0.06 else row)
    return times, truth[:count], values, kind


def runs_of_steps(times, values, hold):
    """The valid frames of a hold, cut where a step is missing or over half a second."""
    runs, current = [], []
    for frame in range(*hold):
        if values[frame] is None:
            runs.append(current)
            current = []
            continue
        if current and times[frame] - times[current[-1]] > LONGEST_GAP + 1e-9:
            runs.append(current)
            current = []
        current.append(frame)
    return [run for run in [*runs, current] if run]


def steps_values(times, truth, values, kind):
    """[rms step, rms speed, noise, spread, acceleration, jerk, lag 1]; null where undefined."""
    steps, speeds, bends, jerks = [], [], [], []
    residuals, products, squares = [], 0.0, 0.0
    for hold in holds_of(truth):
        frames = [frame for frame in range(*hold) if values[frame] is not None]
        if not frames:
            continue
        own = np.array([values[frame] for frame in frames])
        if kind == "deg":
            own = np.unwrap(own, period=360, axis=0)
        at = dict(zip(frames, own, strict=True))
        residuals.append(np.abs(own - np.median(own, axis=0)))
        centered = {frame: at[frame] - own.mean(axis=0) for frame in frames}
        squares += sum(float(np.sum(value**2)) for value in centered.values())
        for run in runs_of_steps(times, values, hold):
            x = np.array([at[frame] for frame in run])
            t = np.array([times[frame] for frame in run])
            one = np.diff(x, axis=0) / np.diff(t)[:, None]
            steps += list(np.sum(np.diff(x, axis=0) ** 2, axis=1))
            speeds += list(np.sum(one**2, axis=1))
            two = 2 * np.diff(one, axis=0) / (t[2:] - t[:-2])[:, None]
            bends += list(np.linalg.norm(two, axis=1))
            three = 3 * np.diff(two, axis=0) / (t[3:] - t[:-3])[:, None]
            jerks += list(np.sum(three**2, axis=1))
            products += sum(float(np.sum(centered[a] * centered[b])) for a, b in zip(run, run[1:], strict=False))

    def root(parts, divisor=1):
        return math.sqrt(np.mean(parts) / divisor) if parts else None

    axes = 3 if kind == "joint" else 1
    spread = None
    if residuals:
        pooled = np.concatenate(residuals)
        # scipy's MAD of numbers about 0: their signs are immaterial, so both are there.
        spread = math.sqrt(
            sum((1.4826 * stats.median_abs_deviation(np.r_[part, -part], center=np.mean)) ** 2 for part in pooled.T)
        )
    return [
        root(steps),
        root(speeds),
        root(steps, 2 * axes),
        spread,
        float(np.mean(bends)) if bends else None,
        root(jerks),
        products / squares if squares else None,
    ]


def spectra_case(index):
    """One hold at 8 or 10 Hz: noise of some color on sway; the last ones are too short."""
    draw = draws(f"spectra/{index}")
    rate = (8, 10)[int(draw() * 2)]
    count = (math.ceil(rate * 4 / LOWEST) + int(draw() * 60)) if index < 54 else 12 + index
    color, sway, pace = draw(), draw() * 2, 0.2 + draw()
    state, values = 0.0, []
    for n in range(count):
        state = color * state + draw() + draw() + draw() - 1.5
        values.append(dyadic(state + sway * math.sin(pace * n / rate)))
    return rate, values


def spectra_values(rate, values):
    """(share of power from 3 Hz on, [[m, deviation]], m of the least deviation)."""
    length = round(rate * 4 / LOWEST)
    ratio = None
    if len(values) >= length:
        frequencies, density = signal.welch(np.array(values), fs=rate, window="hann", nperseg=length, detrend="linear")
        above = density[frequencies >= FAST - 1e-9]
        ratio = float(above.sum() / density[frequencies >= LOWEST - 1e-9].sum())
        # The trapezoidal integral of the same density is near.
        area = [integrate.trapezoid(density[frequencies >= f], frequencies[frequencies >= f]) for f in (FAST, LOWEST)]
        assert abs(area[0] / area[1] - ratio) < 0.08, (area[0] / area[1], ratio)
    allan, m = [], 1
    while 4 * m <= len(values):
        _, deviations, _, _ = allantools.oadev(np.array(values), rate=rate, data_type="freq", taus=[m / rate])
        allan.append([m, float(deviations[0])])
        m *= 2
    best = min(allan, key=lambda row: (row[1], row[0]))[0] if allan else None
    return ratio, allan, best


def bone_case(index):
    draw = draws(f"bones/{index}")
    count = 6 + int(draw() * 14)
    truth = ("f" * (1 + int(draw() * count)) + "n" * int(draw() * 4) + "h" * count)[:count]
    spread = draw() * 0.2 if index else 0.0
    positions = []
    for _ in range(count):
        base = [dyadic(draw()) for _ in range(3)]
        offset = [dyadic(1 + spread * (draw() - 0.5)) if axis == 0 else 0.0 for axis in range(3)]
        missing = draw() < 0.1
        tip = None if missing else [a + b for a, b in zip(base, offset, strict=True)]
        positions.append([base, tip])
    return truth, positions


def bone_values(truth, positions):
    """[mean length, standard deviation about each hold's mean over the mean length]."""
    lengths, residuals = [], []
    for hold in holds_of(truth):
        own = [
            float(np.linalg.norm(np.subtract(*positions[frame])))
            for frame in range(*hold)
            if positions[frame][1] is not None
        ]
        lengths += own
        residuals += list(np.array(own) - np.mean(own)) if own else []
    if not lengths:
        return [None, None]
    mean = float(np.mean(lengths))
    return [mean, math.sqrt(np.mean(np.square(residuals))) / mean]


def edge_cases():
    """Nothing held, one frame, a constant, two frames too far apart."""
    return [
        ("no hold", [0.0, 0.125], "n.", [[1.0], [2.0]], "m"),
        ("one frame", [0.0], "f", [[1.0]], "m"),
        ("constant", [n / 8 for n in range(6)], "ffffff", [[2.5]] * 6, "m"),
        ("all missing", [n / 8 for n in range(4)], "ffff", [None] * 4, "joint"),
        ("too far apart", [0.0, 0.75], "ff", [[1.0], [2.0]], "m"),
    ]


def cases():
    found = []
    named = edge_cases() + [(f"steps {i}", *steps_case(i)) for i in range(60)]
    for name, times, truth, values, kind in named:
        expected = rounded(steps_values(times, truth, values, kind))
        found.append({
            "kind": "steps", "name": name, "signal": kind, "times": times, "truth": truth, "values": values,
            "expected": expected})
    for index in range(60):
        rate, values = spectra_case(index)
        ratio, allan, best = rounded(spectra_values(rate, values))
        found.append({
            "kind": "spectra", "name": f"spectra {index}", "rate": rate, "column": values, "ratio": ratio,
            "allan": allan, "best": best})
    for index in range(55):
        truth, positions = bone_case(index)
        found.append({
            "kind": "bones", "name": f"bones {index}", "truth": truth, "positions": positions,
            "expected": rounded(bone_values(truth, positions))})
    return found
