"""Golden outputs of smoothing filters, made with published Python implementations.

pandas: moving average, median, exponential smoothing, ML Kit's window. scipy: Butterworth, the
median deviation of Hampel, Savitzky-Golay, Gaussian. numpy: polynomials at uneven times. filterpy:
Holt (as a g-h filter), Kalman, Rauch-Tung-Striebel. OneEuroFilter: its authors' code.
"""

import json
import math
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from filterpy.gh import GHFilter
from filterpy.kalman import KalmanFilter, rts_smoother
from OneEuroFilter import OneEuroFilter
from scipy import ndimage, signal, stats

GOLDEN = Path(__file__).parents[2] / "Tests/TuningTests/Smoothing/Goldens/smoothing_filters.json"
SEED = 20250731
TOLERANCE = 1e-9
SAMPLES = 60


def series():
    """Three signals: a smooth one and a rough one at 30 Hz, and one at uneven times."""
    random = np.random.default_rng(SEED)
    even = 1 + np.arange(SAMPLES) / 30
    uneven = np.round(1 + np.cumsum(random.choice([0.008, 0.033, 0.04, 0.125, 0.3], SAMPLES)), 6)
    sweep = np.sin(np.linspace(0, 7, SAMPLES)) + random.normal(0, 0.05, SAMPLES)
    walk = np.cumsum(random.normal(0, 0.02, SAMPLES)) + random.normal(0, 0.01, SAMPLES)
    walk[[17, 30, 31, 44]] += [0.4, -0.5, -0.45, 0.6]
    angle = 170 + 10 * np.sin(uneven) + random.normal(0, 2, SAMPLES)
    return {
        "sweep": (even, np.round(sweep, 6)),
        "walk": (even, np.round(walk, 6)),
        "uneven": (uneven, np.round(angle, 6)),
    }


def is_even(times):
    return np.ptp(np.diff(times)) < 1e-9


def rolling(times, values, frames=None, seconds=None):
    if frames:
        return pd.Series(values).rolling(frames, min_periods=1)
    index = pd.to_datetime(np.round(times * 1e6).astype("int64"), unit="us")
    window = pd.Timedelta(microseconds=round(seconds * 1e6))
    return pd.Series(values, index=index).rolling(window)


def moving_average(t, x, **window):
    return rolling(t, x, **window).mean().to_numpy()


def median(t, x, **window):
    return rolling(t, x, **window).median().to_numpy()


def hampel(t, x, frames, threshold):
    middle = median(t, x, frames=frames)
    spread = rolling(t, x, frames=frames).apply(
        lambda w: 1.4826 * stats.median_abs_deviation(w), raw=True).to_numpy()
    return np.where(np.abs(x - middle) > threshold * spread, middle, x)


def ema(t, x, cutoff):
    if is_even(t):
        return pd.Series(x).ewm(
            alpha=1 - math.exp(-2 * math.pi * cutoff / 30), adjust=False).mean().to_numpy()
    # pandas knows one weight for all samples; at uneven times this is the formula itself.
    weights = 1 - np.exp(-2 * np.pi * cutoff * np.diff(t))
    result = [x[0]]
    for weight, value in zip(weights, x[1:]):
        result.append(result[-1] + weight * (value - result[-1]))
    return np.array(result)


def holt(t, x, alpha, beta):
    filtered = GHFilter(x=x[0], dx=0.0, dt=1.0, g=alpha, h=alpha * beta)
    result = [x[0]]
    for step, value in zip(np.diff(t), x[1:]):
        filtered.dt = step
        filtered.update(value)
        result.append(float(np.squeeze(filtered.x)))
    return np.array(result)


def one_euro(t, x, minCutoff, beta, derivativeCutoff):
    f = OneEuroFilter(freq=30, mincutoff=minCutoff, beta=beta, dcutoff=derivativeCutoff)
    return np.array([f(float(value), float(time)) for time, value in zip(t, x)])


def savitzky_golay(t, x, degree, frames):
    coefficients = signal.savgol_coeffs(frames, degree, pos=frames - 1, use="dot")
    result = []
    for k in range(len(x)):
        first = max(0, k - frames + 1)
        window, places = x[first : k + 1], t[first : k + 1] - t[k]
        if len(window) == frames and is_even(t):
            result.append(float(coefficients @ window))
        elif len(window) == 1:
            result.append(window[0])
        else:
            scale = -places[0]
            fit = np.polynomial.Polynomial.fit(
                places / scale, window, min(degree, len(window) - 1), domain=[-1, 0])
            result.append(float(fit(0)))
    return np.array(result)


def kalman_model(x0, q, s):
    model = KalmanFilter(dim_x=2, dim_z=1)
    model.x = np.array([[x0], [0.0]])
    model.P = np.diag([s * s, (s / 0.1) ** 2])
    model.H = np.array([[1.0, 0.0]])
    model.R = np.array([[s * s]])
    return model


def kalman_steps(t, x, q, s):
    model = kalman_model(x[0], q, s)
    means, covariances, transitions, noises = [model.x.copy()], [model.P.copy()], [], []
    for step, value in zip(np.diff(t), x[1:]):
        model.F = np.array([[1.0, step], [0.0, 1.0]])
        model.Q = q * np.array([[step**3 / 3, step**2 / 2], [step**2 / 2, step]])
        transitions.append(model.F.copy())
        noises.append(model.Q.copy())
        model.predict()
        model.update(value)
        means.append(model.x.copy())
        covariances.append(model.P.copy())
    return np.array(means), np.array(covariances), transitions, noises


def kalman(t, x, processNoise, measurementNoise):
    return kalman_steps(t, x, processNoise, measurementNoise)[0][:, 0, 0]


def rts(t, x, processNoise, measurementNoise):
    means, covariances, transitions, noises = kalman_steps(t, x, processNoise, measurementNoise)
    # filterpy takes F[k] for the step from k to k + 1: the last entry is never read.
    smoothed = rts_smoother(
        means, covariances, transitions + [np.eye(2)], noises + [np.eye(2)])[0]
    return smoothed[:, 0, 0]


def butterworth(t, x, cutoff):
    b, a = signal.butter(2, cutoff, fs=30)
    start = signal.lfilter_zi(b, a) * x[0]
    return signal.lfilter(b, a, x, zi=start)[0]


def ml_kit(t, x, frames, alpha, reset):
    pieces = np.split(np.arange(len(x)), np.flatnonzero(np.diff(t) > reset + 1e-9) + 1)

    def mean(window):
        weights = (1 - alpha) ** np.arange(len(window))[::-1]
        return np.average(window, weights=weights)

    return np.concatenate([
        pd.Series(x[piece]).rolling(frames, min_periods=1).apply(mean, raw=True).to_numpy()
        for piece in pieces])


def gaussian(t, x, deviation):
    sigma = deviation / float(np.median(np.diff(t)))
    return ndimage.gaussian_filter1d(
        x, sigma, mode="nearest", radius=max(1, math.ceil(3 * sigma)))


# Strategy, function, keywords, series.
ALL = ("sweep", "walk", "uneven")
CASES = [
    ("moving-average:frames=5", moving_average, {"frames": 5}, ALL),
    ("moving-average:seconds=0.3s", moving_average, {"seconds": 0.3}, ALL),
    ("median:frames=5", median, {"frames": 5}, ALL),
    ("median:frames=8", median, {"frames": 8}, ("walk",)),
    ("median:seconds=0.3s", median, {"seconds": 0.3}, ALL),
    ("hampel:frames=9,threshold=3", hampel, {"frames": 9, "threshold": 3}, ALL),
    ("ema:cutoff=1.5Hz", ema, {"cutoff": 1.5}, ALL),
    ("holt:alpha=0.3,beta=0.1", holt, {"alpha": 0.3, "beta": 0.1}, ALL),
    ("one-euro:minCutoff=1Hz,beta=0,derivativeCutoff=1Hz", one_euro,
     {"minCutoff": 1, "beta": 0, "derivativeCutoff": 1}, ALL),
    ("one-euro:minCutoff=0.8Hz,beta=2,derivativeCutoff=1.5Hz", one_euro,
     {"minCutoff": 0.8, "beta": 2, "derivativeCutoff": 1.5}, ALL),
    ("savitzky-golay:frames=15,degree=1", savitzky_golay, {"frames": 15, "degree": 1}, ALL),
    ("savitzky-golay:frames=11,degree=2", savitzky_golay, {"frames": 11, "degree": 2}, ALL),
    ("savitzky-golay:frames=15,degree=3", savitzky_golay, {"frames": 15, "degree": 3}, ("walk",)),
    ("kalman:processNoise=0.02,measurementNoise=0.011", kalman,
     {"processNoise": 0.02, "measurementNoise": 0.011}, ALL),
    ("butterworth:cutoff=1.5Hz", butterworth, {"cutoff": 1.5}, ("sweep", "walk")),
    ("butterworth:cutoff=3Hz", butterworth, {"cutoff": 3}, ("walk",)),
    ("ml-kit:frames=10,alpha=0.2,reset=0.1s", ml_kit,
     {"frames": 10, "alpha": 0.2, "reset": 0.1}, ALL),
    ("gaussian:deviation=0.05s", gaussian, {"deviation": 0.05}, ("sweep", "walk")),
    ("rts:processNoise=0.002,measurementNoise=0.011", rts,
     {"processNoise": 0.002, "measurementNoise": 0.011}, ALL),
]


def document():
    signals = series()
    cases = [
        {
            "strategy": strategy,
            "series": name,
            "expected": [float(f"{v:.13g}") for v in function(*signals[name], **keywords)],
        }
        for strategy, function, keywords, names in CASES
        for name in names
    ]
    packages = ("numpy", "scipy", "pandas", "filterpy", "OneEuroFilter")
    return {
        "schema_version": 1,
        "generator": "scripts/oracles/smoothing_filters.py",
        "seed": SEED,
        "tolerance": TOLERANCE,
        "versions": {"python": platform.python_version()} | {p: version(p) for p in packages},
        "series": {
            name: {"times": times.tolist(), "values": values.tolist()}
            for name, (times, values) in signals.items()
        },
        "cases": cases,
    }


def same(where, committed, found):
    return committed == found if where.startswith("/series") else abs(committed - found) <= TOLERANCE


def layout(content):
    return json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n"
