"""The sequences of the temporal goldens: random ones and edge cases.

A sequence is a text with one letter per frame: n none, f forearm, h high, l sideLeft,
r sideRight, v reverse. Rates are powers of two, so that frame times are exact.
"""

from run import Stream

SEED = 20110160
LETTERS = "nfhlrv"
CLASSES = LETTERS[1:]


def runs(stream, letters, count, longest):
    text = ""
    while len(text) < count:
        text += letters[stream.below(len(letters))] * (1 + stream.below(longest))
    return text[:count]


def disturbed(stream, truth, letters, late, flips):
    """The truth with late changes and short wrong runs."""
    answers = list(truth[:1] + truth)[: len(truth)]
    delay = stream.below(late + 1)
    answers = list((truth[0] * delay + truth)[: len(truth)])
    for _ in range(flips):
        start = stream.below(len(truth))
        letter = letters[stream.below(len(letters))]
        for frame in range(start, min(len(truth), start + 1 + stream.below(6))):
            answers[frame] = letter
    return "".join(answers)


def all_cases():
    """Every case as (name, rate, truth, answers)."""
    cases = [
        ("all none", 8, "n" * 40, "n" * 40),
        ("one class throughout", 8, "f" * 40, "f" * 40),
        ("one class never answered", 8, "f" * 40, "n" * 40),
        ("only answered", 8, "n" * 40, "nnn" + "f" * 20 + "n" * 17),
        ("only one frame", 8, "f", "f"),
        ("another class throughout", 8, "n" * 8 + "f" * 24 + "n" * 8, "n" * 8 + "h" * 24 + "n" * 8),
        ("fragmented", 8, "n" * 8 + "f" * 48 + "n" * 8, "n" * 8 + "f" * 16 + "nn" + "f" * 30 + "n" * 8),
        ("merged", 8, "nn" + "f" * 16 + "nnn" + "f" * 16 + "nn", "nn" + "f" * 35 + "nn"),
        ("late in, late out", 8, "n" * 10 + "f" * 40 + "n" * 14, "n" * 14 + "f" * 42 + "n" * 8),
        ("back and forth", 16, "f" * 64, "fh" * 32),
    ]
    for index in range(70):
        stream = Stream(SEED, f"random/{index}")
        rate = (8, 16, 32)[stream.below(3)]
        letters = ("nf", "nnfh", LETTERS)[stream.below(3)]
        count = 40 + stream.below(160)
        truth = runs(stream, letters, count, 8 + stream.below(40))
        if stream.unit() < 0.7:
            answers = disturbed(stream, truth, letters, 8, stream.below(9))
        else:
            answers = runs(stream, letters, count, 2 + stream.below(30))
        cases.append((f"random {index}", rate, truth, answers))
    return cases


def segments(text, letters=CLASSES):
    """The runs of the letters as (letter, first frame, frame after)."""
    found = []
    start = 0
    for frame in range(1, len(text) + 1):
        if frame == len(text) or text[frame] != text[start]:
            if text[start] in letters:
                found.append((text[start], start, frame))
            start = frame
    return found
