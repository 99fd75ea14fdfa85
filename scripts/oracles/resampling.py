#!/usr/bin/env python3
"""Intervals and tests over clusters as scipy and statsmodels compute them.

    python scripts/oracles/resampling.py            # write Tests/StatisticsTests/Goldens/resampling.json
    python scripts/oracles/resampling.py --check    # compare it with what the packages say now

The bootstrap distribution is drawn here and handed to scipy.stats.bootstrap, which then makes
its interval from it, so that only the arithmetic is compared and not the random draws. Needs
the versions in requirements-resampling.txt, which the output names. `--check` compares numbers to 1e-9 and
ends with 1 where one differs; versions are not compared.
"""

import argparse
import json
import pathlib
import sys

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


def differences(left, right, place=""):
    """Where two documents differ by more than the tolerance."""
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        return [text for key in left for text in differences(left[key], right[key], f"{place}.{key}")]
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = enumerate(zip(left, right))
        return [text for i, pair in pairs for text in differences(*pair, f"{place}[{i}]")]
    if isinstance(left, float) and isinstance(right, float):
        return [] if abs(left - right) <= TOLERANCE else [f"{place}: {left} is now {right}"]
    return [] if left == right else [f"{place}: {left} is now {right}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    found = document()
    if not parser.parse_args().check:
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        return 0
    known = json.loads(GOLDEN.read_text("utf-8"))
    numbers = ("level", "intervals", "holm", "bounds", "weights")
    wrong = [text for name in numbers for text in differences(known[name], found[name], name)]
    for text in wrong:
        print(text)
    cases = sum(len(found[name]) for name in numbers[1:])
    print(f"{GOLDEN.name}: {cases} cases, {'DIFFERENT' if wrong else 'equal'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
