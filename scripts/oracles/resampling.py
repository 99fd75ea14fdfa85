#!/usr/bin/env python3
"""Intervals and tests over clusters as scipy and statsmodels compute them.

    python scripts/oracles/resampling.py > Tests/StatisticsTests/Goldens/resampling.json

The bootstrap distribution is drawn here and handed to scipy.stats.bootstrap, which then makes
its interval from it, so that only the arithmetic is compared and not the random draws. Needs
the versions that the output names.
"""

import json
import sys

import numpy
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests

LEVEL = 0.95
RESAMPLES = 99


def intervals(values, random):
    """Percentile, BCa and t of a mean over clusters."""
    count = len(values)
    draws = values[random.integers(0, count, (RESAMPLES, count))].mean(axis=1)
    result = {}
    for method in ["percentile", "BCa"]:
        class Drawn:
            bootstrap_distribution = draws
        ends = stats.bootstrap(
            (values,), numpy.mean, n_resamples=0, bootstrap_result=Drawn(), method=method,
            confidence_level=LEVEL).confidence_interval
        result[method.lower()] = [float(ends.low), float(ends.high)]
    t = stats.ttest_1samp(values, 0).confidence_interval(LEVEL)
    result["cluster_t"] = [float(t.low), float(t.high)]
    result["p_below_03"] = float(stats.ttest_1samp(values, 0.3, alternative="less").pvalue)
    omissions = [(values.sum() - value) / (count - 1) for value in values]
    return {
        "estimate": float(values.mean()), "omissions": list(map(float, omissions)),
        "replicates": list(map(float, draws)), "expected": result}


def sign_flip(differences):
    found = stats.permutation_test(
        (differences,), numpy.mean, permutation_type="samples", n_resamples=numpy.inf)
    return {"differences": list(map(float, differences)), "p": float(found.pvalue)}


def main() -> None:
    random = numpy.random.default_rng(7)
    cases = [
        intervals(random.normal(0.5, 1, 6), random),
        intervals(random.lognormal(0, 1, 9), random),
        intervals(random.binomial(4, 0.7, 12) / 4, random),
    ]
    flips = [
        sign_flip(random.normal(mean, 1, count).round(3))
        for mean, count in [(1, 5), (2, 6), (0.2, 8), (1, 10)]
    ] + [sign_flip(numpy.array([0.1, 0.1, 0.1, -0.1, 0.2, 0.0, 0.1]))]
    families = [[0.01, 0.04, 0.03, 0.005], [0.5, 0.2, 0.9], [0.02, 0.02, 0.02], [0.7]]
    holm = [
        {"p": family, "adjusted": list(map(float, multipletests(family, method="holm")[1]))}
        for family in families]
    json.dump(
        {
            "made_by": "scripts/oracles/resampling.py",
            "versions": {
                "numpy": numpy.__version__, "scipy": scipy.__version__,
                "statsmodels": statsmodels.__version__},
            "level": LEVEL, "intervals": cases, "sign_flips": flips, "holm": holm},
        sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
