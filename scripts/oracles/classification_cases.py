"""The confusion matrices of the classification goldens: random ones and edge cases."""

from run import Stream, rounded

SEED = 20160609

PLANK = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]
FORM = ["aligned", "sag", "pike"]
STREAMS = [("plank", PLANK), ("form", FORM)]


def seconds(value):
    """A number of seconds as the file holds it, so that a reader has the exact input."""
    return rounded(float(value))


def zeros(size):
    return [[0] * size for _ in range(size)]


def place(size, cells):
    matrix = zeros(size)
    for (truth, prediction), value in cells.items():
        matrix[truth][prediction] = value
    return matrix


def diagonal(values):
    return place(len(values), {(k, k): value for k, value in enumerate(values)})


def random_counts(stream, row_totals, accuracy):
    """Frames drawn one by one: right with probability `accuracy`, else any other class."""
    size = len(row_totals)
    matrix = zeros(size)
    for truth, total in enumerate(row_totals):
        for _ in range(total):
            if stream.unit() < accuracy:
                matrix[truth][truth] += 1
            else:
                matrix[truth][(truth + 1 + stream.below(size - 1)) % size] += 1
    return matrix


def random_seconds(stream, row_scales, accuracy):
    size = len(row_scales)
    return [
        [seconds(scale * stream.unit() * (accuracy if a == b else (1 - accuracy) / (size - 1))) for b in range(size)]
        for a, scale in enumerate(row_scales)
    ]


def row_totals_by_balance(size):
    """Frames of truth a class, from even to one class that dwarfs the others."""
    return {
        "balanced": [60] * size,
        "graded": [20 * (k + 1) for k in range(size)],
        "skewed": [900] + [12 + k for k in range(size - 1)],
        "rare": [400] * (size - 1) + [1],
        "absent": [0 if k == 1 else 80 for k in range(size)],
        "tiny": [2] * size,
    }


def random_cases(stream_name, labels):
    size = len(labels)
    for balance, totals in row_totals_by_balance(size).items():
        for accuracy in (0.95, 0.6, 1 / size):
            name = f"{stream_name}/random/{balance}/accuracy {accuracy:.2f}"
            yield name, random_counts(Stream(SEED, name), totals, accuracy), False
            name += "/seconds"
            yield name, random_seconds(Stream(SEED, name), totals, accuracy), True


def missing_class_cases(size):
    """Some class, or all of them, on one side only or on none."""
    return {
        "empty": zeros(size),
        "one frame right": place(size, {(1, 1): 1}),
        "one frame wrong": place(size, {(1, 2): 1}),
        "single class, perfect": place(size, {(1, 1): 250}),
        "single class, truth only": place(size, {(1, 1): 200, (1, 0): 30, (1, 2): 20}),
        "single class, never right": place(size, {(0, 1): 40, (0, 2): 2}),
        "single truth, another single prediction": place(size, {(0, 2): 77}),
        "two classes of all": place(size, {(0, 0): 50, (0, 1): 9, (1, 0): 4, (1, 1): 37}),
        "class only predicted": place(size, {(0, 0): 90, (1, 1): 60, (0, 2): 8, (1, 2): 2}),
        "class never predicted": place(size, {(0, 0): 90, (1, 1): 60, (2, 0): 11, (2, 1): 3}),
        "one class only predicted, one only true": place(size, {(0, 0): 2, (1, 0): 1, (1, 2): 1}),
    }


def extreme_agreement_cases(size):
    """Perfect, all wrong, constant, and independent of the truth."""
    last = size - 1
    everything = [30 + 7 * k for k in range(size)]
    return {
        "perfect": diagonal(everything),
        "perfect, last class absent": diagonal(everything[:-1] + [0]),
        "all wrong, shifted": place(size, {(k, (k + 1) % size): everything[k] for k in range(size)}),
        "all wrong, spread": [[0 if a == b else 5 + a for b in range(size)] for a in range(size)],
        "all wrong, two classes swapped": place(size, {(0, 1): 25, (1, 0): 25}),
        "constant prediction": place(size, {(k, 0): everything[k] for k in range(size)}),
        "constant prediction without truth": place(size, {(k, last): everything[k] for k in range(last)}),
        "independent": [[(a + 1) * (b + 2) for b in range(size)] for a in range(size)],
        "uniform": [[10] * size for _ in range(size)],
    }


def magnitude_cases(size):
    """Nearly perfect, mostly empty, and too large for a product in 64 bits."""
    last = size - 1
    sparse = Stream(SEED, f"sparse/{size}")
    return {
        "one frame off": [
            [(1 if (a, b) == (0, last) else 0) + (120 if a == b else 0) for b in range(size)] for a in range(size)
        ],
        "sparse": [[sparse.below(50) if sparse.unit() < 0.3 else 0 for _ in range(size)] for _ in range(size)],
        "large counts": [
            [(5_000_000 + 13 * a if a == b else 400_000 + 7 * b) for b in range(size)] for a in range(size)
        ],
        # The product of two marginals passes 2^63 here.
        "very large counts": [
            [(7_000_000_019 * (a + 1) if a == b else 900_000_007 + b) for b in range(size)] for a in range(size)
        ],
        "very large constant prediction": place(size, {(k, 1): 3_000_000_019 + k for k in range(size)}),
        "very large and very small class": place(
            size, {(0, 0): 1_000_000_000, (0, 1): 250_000_000, (1, 1): 800_000_000, (2, 2): 1}
        ),
    }


def edge_cases(size):
    return missing_class_cases(size) | extreme_agreement_cases(size) | magnitude_cases(size)


def edge_seconds_cases(size):
    # Sums of tenths and thirtieths are not exact, and depend on the order of addition.
    frame = 1 / 30
    tenths = [seconds(0.1 * (k + 1)) for k in range(size)]
    return {
        "empty": [[0.0] * size for _ in range(size)],
        "single class, perfect": place(size, {(1, 1): seconds(250 * frame)}),
        "single class, truth only": place(
            size, {(1, k): seconds(frame * (200 if k == 1 else 7 + k)) for k in range(size)}
        ),
        "constant prediction": place(size, {(k, 0): tenths[k] for k in range(size)}),
        "perfect": diagonal(tenths),
        "all wrong, shifted": place(size, {(k, (k + 1) % size): tenths[k] for k in range(size)}),
        "class only predicted": place(size, {(0, 0): 3.7, (1, 1): 2.9, (0, 2): 0.3, (1, 2): 0.1}),
        "class never predicted": place(size, {(0, 0): 3.7, (1, 1): 2.9, (2, 0): 0.6, (2, 1): 0.2}),
        "mixed frame rates": [
            [seconds((90 if a == b else 4) * frame + (25 if a == b else 3) * 0.125 * (b + 1)) for b in range(size)]
            for a in range(size)
        ],
        "very small": [[seconds((9.7 if a == b else 1.3 + 0.1 * b) * 1e-9) for b in range(size)] for a in range(size)],
        "very large": [[seconds((9.7 if a == b else 1.3 + 0.1 * b) * 1e12) for b in range(size)] for a in range(size)],
    }


def all_cases():
    for stream_name, labels in STREAMS:
        for name, matrix in edge_cases(len(labels)).items():
            yield f"{stream_name}/{name}", labels, matrix, False
        for name, matrix in edge_seconds_cases(len(labels)).items():
            in_seconds = [[float(cell) for cell in row] for row in matrix]
            yield f"{stream_name}/{name}/seconds", labels, in_seconds, True
        for name, matrix, weighted in random_cases(stream_name, labels):
            yield name, labels, matrix, weighted
