"""Golden values of the confusion-matrix metrics, computed with scikit-learn.

Every value is computed twice: by scikit-learn from samples (the value written) and from
the formulas in exact rational arithmetic (a guard). They must agree to 1e-11, and the
exact arithmetic alone decides what is undefined.
"""

import math
import platform
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import sklearn
from classification_cases import SEED, all_cases
from run import rounded
from sklearn import metrics

SCHEMA_VERSION = 1
TOLERANCE = 1e-9
AGREEMENT = 1e-11
GOLDEN = Path(__file__).resolve().parents[2] / "Tests/EvaluationTests/Goldens/classification_metrics.json"

# Samples are written out one by one up to this total; above it, one sample a cell
# carries the count as its weight.
EXPANSION_LIMIT = 20_000

NOTES = [
    "Rows of `confusion` are truth, columns prediction, both in the order of `labels`. "
    "`weighted` false: counts of frames, integers. `weighted` true: seconds.",
    "null is an undefined value. precision is null where nothing was predicted as the "
    "class, recall where the class has no truth, f1 where it occurs on neither side "
    "(zero_division=nan with labels= passed); f1 is 0, not null, where the class occurs "
    "on one side only.",
    "f1_macro is the mean over classes whose f1 is not null, so a class that was only "
    "predicted counts as 0. f1_macro_truth and balanced_accuracy are means over classes with truth.",
    "cohen_kappa is null where chance agreement is 1: all mass in one diagonal cell. " "scikit-learn says NaN.",
    "matthews_correlation is null where truth or prediction is a single class. This "
    "differs from scikit-learn, which says 0.0 there.",
    "Data without any mass have every value null; scikit-learn raises for them.",
    "Whether a value is undefined follows from which cells are zero, never from a "
    "rounded sum of seconds being zero.",
]


def samples(labels, matrix, weighted):
    """The matrix as (truth, prediction, weight) arrays."""
    cells = [
        (truth, prediction, matrix[a][b])
        for a, truth in enumerate(labels)
        for b, prediction in enumerate(labels)
        if matrix[a][b] > 0
    ]
    if not weighted and sum(cell[2] for cell in cells) <= EXPANSION_LIMIT:
        cells = [(t, p, 1) for t, p, count in cells for _ in range(count)]
    truth = np.array([cell[0] for cell in cells])
    prediction = np.array([cell[1] for cell in cells])
    # float64: an integer confusion matrix would overflow in products of marginals.
    return truth, prediction, np.array([cell[2] for cell in cells], dtype=np.float64)


def by_class(labels, values):
    return dict(zip(labels, (float(value) for value in values), strict=True))


def scikit_learn_values(labels, matrix, weighted):
    truth, prediction, weight = samples(labels, matrix, weighted)
    common = {"sample_weight": weight}
    listed = {**common, "labels": labels}
    rebuilt = metrics.confusion_matrix(truth, prediction, **listed)
    if not np.allclose(rebuilt, matrix, rtol=1e-12, atol=0):
        raise SystemExit("the samples do not rebuild their matrix")
    with warnings.catch_warnings():
        # Undefined values are expected here; they come back as NaN.
        warnings.simplefilter("ignore")
        scores = {
            average: metrics.precision_recall_fscore_support(
                truth, prediction, average=average, zero_division=np.nan, **listed
            )
            for average in (None, "macro", "weighted")
        }
        return {
            "accuracy": metrics.accuracy_score(truth, prediction, **common),
            "balanced_accuracy": metrics.balanced_accuracy_score(truth, prediction, **common),
            "cohen_kappa": metrics.cohen_kappa_score(truth, prediction, **listed),
            "f1": by_class(labels, scores[None][2]),
            "f1_macro": scores["macro"][2],
            "f1_macro_truth": metrics.f1_score(
                truth,
                prediction,
                average="macro",
                zero_division=np.nan,
                labels=[label for label in labels if label in truth],
                **common,
            ),
            "f1_weighted": scores["weighted"][2],
            "matthews_correlation": metrics.matthews_corrcoef(truth, prediction, **common),
            "precision": by_class(labels, scores[None][0]),
            "recall": by_class(labels, scores[None][1]),
        }


def ratio(numerator, denominator):
    return None if denominator == 0 else numerator / denominator


def mean_of_defined(values):
    defined = [value for value in values if value is not None]
    return ratio(sum(defined, Fraction(0)), len(defined))


def exact_correlation(numerator, square):
    """numerator / sqrt(square), or None where the root is zero."""
    if square == 0:
        return None
    with localcontext() as context:
        context.prec = 60
        root = (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
        return float(Decimal(numerator.numerator) / Decimal(numerator.denominator) / root)


def exact_values(labels, matrix):
    cells = [[Fraction(cell) for cell in row] for row in matrix]
    rows = [sum(row) for row in cells]
    columns = [sum(column) for column in zip(*cells, strict=True)]
    hits = [cells[k][k] for k in range(len(labels))]
    total = sum(rows)
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    f1 = [ratio(2 * h, r + c) for h, r, c in zip(hits, rows, columns, strict=True)]
    recall = [ratio(h, r) for h, r in zip(hits, rows, strict=True)]
    weighted_f1 = sum((r * f for r, f in zip(rows, f1, strict=True) if f is not None), Fraction(0))
    return {
        "accuracy": ratio(sum(hits), total),
        "balanced_accuracy": mean_of_defined(recall),
        "cohen_kappa": ratio(total * sum(hits) - chance, total**2 - chance),
        "f1": dict(zip(labels, f1, strict=True)),
        "f1_macro": mean_of_defined(f1),
        "f1_macro_truth": mean_of_defined([f if r > 0 else None for r, f in zip(rows, f1, strict=True)]),
        "f1_weighted": ratio(weighted_f1, total),
        "matthews_correlation": exact_correlation(
            total * sum(hits) - chance, (total**2 - sum(c * c for c in columns)) * (total**2 - sum(r * r for r in rows))
        ),
        "precision": {label: ratio(h, c) for label, h, c in zip(labels, hits, columns, strict=True)},
        "recall": dict(zip(labels, recall, strict=True)),
    }


def agreed(where, ours, theirs):
    """The value to write: scikit-learn's, after the exact value has confirmed it."""
    if isinstance(ours, dict):
        return {key: agreed(f"{where}/{key}", ours[key], theirs[key]) for key in ours}
    if ours is None:
        # Ours differs: scikit-learn calls a degenerate Matthews correlation 0.0 (or NaN,
        # where rounding leaves a negative root).
        degenerate = where.endswith("/matthews_correlation") and theirs == 0.0
        if not (degenerate or math.isnan(theirs)):
            raise SystemExit(f"{where}: undefined, but scikit-learn says {theirs!r}")
        return None
    if not abs(float(ours) - theirs) <= AGREEMENT:
        raise SystemExit(f"{where}: exact {float(ours)!r}, scikit-learn {theirs!r}")
    # A value that is exactly zero stays one; scikit-learn may leave 1e-17.
    return 0.0 if ours == 0 else rounded(theirs)


def expected_values(name, labels, matrix, weighted):
    ours = exact_values(labels, matrix)
    if not any(cell for row in matrix for cell in row):
        # scikit-learn raises on empty input; every ratio is 0/0.
        return ours
    return agreed(name, ours, scikit_learn_values(labels, matrix, weighted))


def document():
    cases = [
        {
            "confusion": matrix,
            "expected": expected_values(name, labels, matrix, weighted),
            "labels": labels,
            "name": name,
            "weighted": weighted,
        }
        for name, labels, matrix, weighted in all_cases()
    ]
    names = [case["name"] for case in cases]
    if len(names) != len(set(names)):
        raise SystemExit("two cases share a name")
    return {
        "cases": cases,
        "generator": "scripts/oracles/classification_metrics.py",
        "notes": NOTES,
        "schema_version": SCHEMA_VERSION,
        "seed": SEED,
        "tolerance": TOLERANCE,
        "versions": {"numpy": np.__version__, "python": platform.python_version(), "scikit-learn": sklearn.__version__},
    }


def same(where, committed, found):
    # Relative as well: a matrix holds 1e13 seconds and 1e-9 seconds.
    if math.isclose(committed, found, rel_tol=TOLERANCE, abs_tol=0.0):
        return True
    return "/confusion" not in where and abs(committed - found) <= TOLERANCE
