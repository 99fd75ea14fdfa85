#!/usr/bin/env python3
"""The coverage of `interval_coverage.py` in thousands of runs, by a copy of the interval in numpy.

The same people, written apart from the Swift code and without frames: of every class, the share of right answers is a
binomial of 12 pieces per 10 s, because neighboring frames share a fate. The interval is cluster t, as it was on the
plain scale with n - 1 degrees of freedom, and as `docs/metrics.md` defines it; the bootstrap is left out, which is
rarely the wider one. Prints a Markdown table: plain scale, logit scale. With --check, fails where the logit scale holds
the truth less often than 0.93, or 0.91 with one bad person, by more than three standard errors, from five people on.
Needs numpy and scipy.
"""

import argparse

import numpy as np
from scipy import special, stats

PEOPLE = [3, 5, 8, 15, 30]
KINDS = ["plain", "unequal amounts", "near the ceiling", "one bad person"]
SOURCES = [[1, 16], [2, 15], [3, 14], [8, 8]]
METRICS = ["accuracy", "macro F1", "kappa"]
PIECES = 12
COLUMN_OF_MISSES = [1, 0, 0]


def people(rng, runs, count, kind, expected=False):
    """Matrices by run and person, rows truth, and the people's amounts."""
    mean = np.full((runs, count), special.logit(0.97 if kind == "near the ceiling" else 0.85))
    if kind == "one bad person":
        mean = np.where(rng.random((runs, count)) < 1 / 8, special.logit(0.3), mean)
    recall = special.expit(
        mean[..., None] + 0.8 * rng.normal(size=(runs, count, 1)) + 0.6 * rng.normal(size=(runs, count, 3))
    )
    amount = 3 ** rng.uniform(-1, 1, (runs, count)) if kind == "unequal amounts" else np.ones((runs, count))
    pieces = np.maximum(1, np.round(PIECES * amount)).astype(int)[..., None] * np.ones(3, int)
    right = recall if expected else rng.binomial(pieces, recall) / pieces
    matrices = np.zeros((runs, count, 3, 3))
    for label, column in enumerate(COLUMN_OF_MISSES):
        matrices[..., label, label] = amount * right[..., label]
        matrices[..., label, column] = amount * (1 - right[..., label])
    return matrices, amount


def metrics(matrices):
    """Accuracy, macro F1 and kappa as shares of their ranges."""
    hits, truth, answered = np.einsum("...kk->...k", matrices), matrices.sum(-1), matrices.sum(-2)
    total = truth.sum(-1)
    accuracy = hits.sum(-1) / total
    chance = (truth * answered).sum(-1) / total**2
    kappa = (accuracy - chance) / (1 - chance)
    return np.stack([accuracy, (2 * hits / (truth + answered)).mean(-1), (kappa + 1) / 2], -1)


def over_sources(matrices, sources, left_out=None):
    """The mean over sources of pooled metrics, without one person; a source without people does not count."""
    parts = []
    for source in np.unique(sources):
        own = [person for person in np.flatnonzero(sources == source) if person != left_out]
        if own:
            parts.append(metrics(matrices[:, own].sum(1)))
    return np.mean(parts, axis=0)


def coverage(rng, kind, count, runs, sizes=None):
    """By metric: the shares of runs whose interval holds the truth, on the plain and on the logit scale."""
    sources = np.repeat(np.arange(len(sizes)), sizes) if sizes else np.zeros(count, int)
    matrices, amount = people(rng, runs, count, kind)
    known = metrics(people(rng, 1, 400_000, kind, expected=True)[0].sum(1))[0]
    shares = np.zeros_like(amount)
    for source in np.unique(sources):
        own = sources == source
        shares[:, own] = amount[:, own] / amount[:, own].sum(1, keepdims=True) / (sources.max() + 1)
    freedom = np.maximum(1 / (shares**2).sum(1) - 1, 1)[:, None]
    estimate = over_sources(matrices, sources)
    omitted = np.stack([over_sources(matrices, sources, person) for person in range(count)], 1)
    error = np.sqrt((count - 1) / count * ((omitted - omitted.mean(1, keepdims=True)) ** 2).sum(1))
    reach = stats.t.ppf(0.975, count - 1) * error
    plain = (estimate - reach <= known) & (known <= estimate + reach) & (error > 1e-9)
    isAlike = error < 1e-9
    share = np.where(isAlike, 0.5, estimate)
    reach = stats.t.ppf(0.975, freedom) * error / (share * (1 - share))
    lower, upper = special.expit(special.logit(share) - reach), special.expit(special.logit(share) + reach)
    least = 0.05 ** (1 / count)
    lower, upper = np.where(isAlike, least * estimate, lower), np.where(isAlike, least * estimate + 1 - least, upper)
    return plain.mean(0), ((lower <= known) & (known <= upper)).mean(0)


def text(found):
    return "; ".join(", ".join(f"{number:.3f}" for number in part) for part in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    runs, wrong = options.runs, []
    rng = np.random.default_rng(30)
    print(f"Coverage of {', '.join(METRICS)}: plain scale; logit scale. {runs} runs, standard error "
          f"{(0.95 * 0.05 / runs) ** 0.5:.3f} at 0.95.\n")
    print("| people | " + " | ".join(KINDS) + " |\n| ---: |" + " --- |" * len(KINDS))
    for count in PEOPLE:
        cells = [coverage(rng, kind, count, runs) for kind in KINDS]
        print(f"| {count} | " + " | ".join(text(cell) for cell in cells) + " |", flush=True)
        for kind, (_, logit) in zip(KINDS, cells):
            least = 0.91 if kind == "one bad person" else 0.93
            if count >= 5 and logit.min() < least - 3 * (least * (1 - least) / runs) ** 0.5:
                wrong.append(f"{count} people, {kind}: {logit.min():.3f}")
    print("\n| people by source | plain |\n| --- | --- |")
    for sizes in SOURCES:
        print(f"| {' + '.join(map(str, sizes))} | {text(coverage(rng, 'plain', sum(sizes), runs, sizes))} |")
    if options.check and wrong:
        raise SystemExit("; ".join(wrong))


if __name__ == "__main__":
    main()
