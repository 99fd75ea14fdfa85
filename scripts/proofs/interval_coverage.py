#!/usr/bin/env python3
"""How often the intervals that are printed hold the truth, by number and kind of subjects.

The intervals of `docs/metrics.md`, Uncertainty, written apart from the Swift code: cluster t, the
corrected bootstrap, and the wider of the two. Populations with mean 0: normal; Student's t with
three degrees of freedom; and one subject in eight worse by ten standard deviations. Prints a
Markdown table. Needs numpy and scipy.
"""

import argparse

import numpy as np
from scipy import stats

SUBJECTS = [6, 10, 15, 20, 30]
POPULATIONS = {
    "normal": lambda rng, size: rng.normal(size=size),
    "heavy tails (t3)": lambda rng, size: rng.standard_t(3, size=size),
    "one in eight bad": lambda rng, size: rng.normal(size=size)
    + np.where(rng.random(size) < 0.125, -8.75, 1.25),
}


def covered(rng, values, resamples):
    """(cluster t, BCa, wider) of one draw of subjects."""
    count = len(values)
    mean, error = values.mean(), values.std(ddof=1) / np.sqrt(count)
    reach = stats.t.ppf(0.975, count - 1) * error
    t = (mean - reach, mean + reach)
    draws = values[rng.integers(count, size=(resamples, count))].mean(axis=1)
    share = (np.sum(draws < mean) + np.sum(draws == mean) / 2) / resamples
    bias = stats.norm.ppf(share)
    d = (values - mean) / (count - 1)
    acceleration = np.sum(d**3) / (6 * np.sum(d**2) ** 1.5)
    shifted = bias + stats.norm.ppf([0.025, 0.975])
    ends = stats.norm.cdf(bias + shifted / (1 - acceleration * shifted))
    bca = tuple(np.quantile(draws, ends))
    wider = t if t[1] - t[0] >= bca[1] - bca[0] else bca
    return [low <= 0 <= high for low, high in (t, bca, wider)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()
    print("| subjects | population | cluster t | BCa | the wider |")
    print("| ---: | --- | ---: | ---: | ---: |")
    for name, draw in POPULATIONS.items():
        for count in SUBJECTS:
            rng = np.random.default_rng([7, count, len(name)])
            hits = np.zeros(3)
            for _ in range(options.runs):
                hits += covered(rng, draw(rng, count), options.resamples)
            t, bca, wider = hits / options.runs
            print(f"| {count} | {name} | {t:.3f} | {bca:.3f} | {wider:.3f} |", flush=True)


if __name__ == "__main__":
    main()
