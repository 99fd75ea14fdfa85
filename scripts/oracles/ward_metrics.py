"""Golden values of Ward's categories, compared with aqudem.

Needs Python 3.12 and aqudem (GPL: used as an oracle only, no code of it is here).

Every value is worked out here frame by frame from the definitions and then compared with
aqudem's. aqudem counts events that only touch as overlapping; where that changes a count
of events the case is marked `touching`, and ours is what the file holds.
"""

import sys
import tempfile
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import aqudem
from temporal_cases import CLASSES, SEED, all_cases, segments

GOLDEN = Path(__file__).resolve().parents[2] / "Tests/EvaluationTests/Goldens/ward_metrics.json"
EPOCH = datetime(2026, 1, 1)
PADDING = 8
PIECES = ["tp", "tn", "d", "f", "ua", "uo", "i", "m", "oa", "oo"]


def xes(text, rate, name):
    rows = []
    for letter, start, end in segments(text, "n" + CLASSES):
        for frame, transition in ((start, "start"), (end, "complete")):
            at = EPOCH + timedelta(seconds=frame / rate)
            stamp = at.strftime("%Y-%m-%dT%H:%M:%S.%f") + "+00:00"
            rows.append(
                f'<event><string key="concept:name" value="{letter}"/>'
                f'<string key="concept:instance" value="{letter}{start}"/>'
                f'<string key="lifecycle:transition" value="{transition}"/>'
                f'<date key="time:timestamp" value="{stamp}"/></event>'
            )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><log xes.version="1.0">'
        f'<trace><string key="concept:name" value="{name}"/>'
        f'<float key="sampling_freq" value="{rate}"/>{"".join(rows)}</trace></log>'
    )


def by_aqudem(truth, answers, rate, folder):
    """Frames and events of each class that occurs; `n` frames pad the end."""
    paths = []
    for side, text in (("truth", truth), ("answers", answers)):
        path = Path(folder) / f"{side}.xes"
        path.write_text(xes(text + "n" * PADDING, rate, "case"))
        paths.append(str(path))
    context = aqudem.Context(*paths)
    values = {}
    for letter in CLASSES:
        if letter not in truth or letter not in answers:
            continue
        frames = context.two_set(activity_name=letter, case_id="case")
        pieces = [getattr(frames, name) for name in PIECES]
        pieces[1] -= PADDING + 1  # its padding, and the frame that it counts at the very end
        try:
            events = context.event_analysis(activity_name=letter, case_id="case")
            counts = [
                [events.c // 2, events.d, events.f, events.m, events.fm],
                [events.c // 2, events.id, events.fd, events.md, events.fmd],
            ]
        except ValueError:
            counts = None  # unequal numbers of correct events, where events touch
        values[letter] = (pieces, counts)
    return values


def pieces_of(truth, answers, letter):
    kinds = [(t == letter, a == letter) for t, a in zip(truth, answers, strict=True)]
    cuts = [0] + [i for i in range(1, len(kinds)) if kinds[i] != kinds[i - 1]] + [len(kinds)]
    parts = [(kinds[a], b - a) for a, b in zip(cuts, cuts[1:], strict=False)]
    counts = dict.fromkeys(PIECES, 0)
    for index, (kind, length) in enumerate(parts):
        before = index > 0 and parts[index - 1][0] == (True, True)
        after = index + 1 < len(parts) and parts[index + 1][0] == (True, True)
        name = {
            (True, True): "tp",
            (False, False): "tn",
            (True, False): [["d", "ua"], ["uo", "f"]][before][after],
            (False, True): [["i", "oa"], ["oo", "m"]][before][after],
        }[kind]
        counts[name] += length
    return [counts[name] for name in PIECES]


def events_of(truth, answers, letter):
    """[correct, alone, fragmented, merged, both] of the truth and of the answers."""
    one = [(s, e) for _, s, e in segments(truth, letter)]
    other = [(s, e) for _, s, e in segments(answers, letter)]
    pairs = [(i, j) for i, (s, e) in enumerate(one) for j, (a, b) in enumerate(other) if max(s, a) < min(e, b)]
    of_truth = [[j for k, j in pairs if k == i] for i in range(len(one))]
    of_answer = [[i for i, k in pairs if k == j] for j in range(len(other))]
    left, right = [0] * 5, [0] * 5
    for mates in of_truth:
        cut = len(mates) > 1
        merged = any(len(of_answer[j]) > 1 for j in mates)
        left[1 if not mates else (4 if merged else 2) if cut else 3 if merged else 0] += 1
    for mates in of_answer:
        merged = len(mates) > 1
        cut = any(len(of_truth[i]) > 1 for i in mates)
        right[1 if not mates else (4 if merged else 2) if cut else 3 if merged else 0] += 1
    return [left, right]


def touching(truth, answers, letter):
    one = segments(truth, letter)
    other = segments(answers, letter)
    return any(e == a or b == s for _, s, e in one for _, a, b in other)


def document():
    cases = []
    compared = [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for name, rate, truth, answers in all_cases():
            theirs = by_aqudem(truth, answers, rate, folder)
            values = {}
            marks = []
            for letter in CLASSES:
                if letter not in truth and letter not in answers:
                    continue
                pieces = pieces_of(truth, answers, letter)
                events = events_of(truth, answers, letter)
                if letter in theirs:
                    assert pieces == theirs[letter][0], (name, letter, pieces, theirs[letter])
                    compared[0] += 1
                    if events == theirs[letter][1]:
                        compared[1] += 1
                    else:
                        assert touching(truth, answers, letter), (name, letter, events)
                        marks.append(letter)
                        compared[2] += 1
                values[letter] = {"frames": pieces, "events": events}
            cases.append(
                {"name": name, "rate": rate, "truth": truth, "answers": answers, "classes": values, "touching": marks}
            )
    print("frames equal: %d, events equal: %d, differing where events touch: %d" % tuple(compared))
    versions = {"aqudem": version("aqudem"), "python": sys.version.split()[0]}
    return {"schema_version": 1, "seed": SEED, "versions": versions, "cases": cases}
