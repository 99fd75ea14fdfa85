"""Intervals and tests over clusters as scipy and statsmodels compute them.

The bootstrap distribution is drawn here and handed to scipy.stats.bootstrap, which then makes
its interval from it, so that only the arithmetic is compared and not the random draws.
"""

import pathlib

import numpy
import scipy
import statsmodels
from scipy import special, stats
from statsmodels.stats.multitest import multipletests

GOLDEN = pathlib.Path(__file__).parents[2] / "Tests/StatisticsTests/Goldens/resampling.json"
TOLERANCE = 1e-9
LEVEL = 0.95
RESAMPLES = 99


def intervals(values, random):
    """Percentile, BCa and t of a mean over clusters, and t on the logit scale for shares.

    Values are multiples of 1/1024, whose sums are exact: numpy then gives resamples that tie with the mean the same
    bits, which scipy counts by half.
    """
    values = numpy.round(values * 1024) / 1024
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
    if 0 <= values.min() and values.max() <= 1:
        result["logit_t"] = logit_t(values.mean(), stats.sem(values), count - 1)
    result["p_below_03"] = float(stats.ttest_1samp(values, 0.3, alternative="less").pvalue)
    omissions = [(values.sum() - value) / (count - 1) for value in values]
    return {
        "estimate": float(values.mean()), "omissions": list(map(float, omissions)),
        "replicates": list(map(float, draws)), "expected": result}


def logit_t(share, error, freedom):
    """A 95 % interval of a share by the delta method on the logit scale."""
    reach = stats.t.ppf((1 + LEVEL) / 2, freedom) * error / (share * (1 - share))
    return [float(special.expit(special.logit(share) + side * reach)) for side in (-1, 1)]


def bound(people):
    """The least share of all people who are like n of n: Clopper and Pearson's, one-sided."""
    interval = stats.binomtest(people, people, alternative="greater").proportion_ci(LEVEL, method="exact")
    return {"people": people, "share": float(interval.low)}


def effective(amounts):
    """Kish's effective number of people; amounts by source, whose shares are averaged."""
    shares = numpy.mean([numpy.array(source) / numpy.sum(source) for source in amounts], axis=0)
    return {"amounts": amounts, "effective": float(1 / numpy.sum(shares**2))}


def document() -> dict:
    random = numpy.random.default_rng(7)
    cases = [
        intervals(random.normal(0.5, 1, 6), random),
        intervals(random.lognormal(0, 1, 9), random),
        intervals(random.binomial(4, 0.7, 12) / 4, random),
        intervals(random.beta(9, 1, 5), random),
    ]
    families = [[0.01, 0.04, 0.03, 0.005], [0.5, 0.2, 0.9], [0.02, 0.02, 0.02], [0.7]]
    holm = [
        {"p": family, "adjusted": list(map(float, multipletests(family, method="holm")[1]))}
        for family in families]
    return {
        "made_by": "scripts/oracles/resampling.py",
        "versions": {
            "numpy": numpy.__version__, "scipy": scipy.__version__,
            "statsmodels": statsmodels.__version__},
        "level": LEVEL, "intervals": cases, "holm": holm,
        "bounds": [bound(people) for people in (2, 3, 5, 8, 15, 30)],
        "weights": [
            effective([[5.0, 1, 1, 1]]), effective([[0.0, 2, 7, 1]]),
            effective([[1.0] + 16 * [0.0], [0.0] + 16 * [1.0]])]}


def same(where, committed, found):
    return abs(committed - found) <= TOLERANCE
