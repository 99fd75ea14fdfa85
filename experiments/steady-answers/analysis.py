#!/usr/bin/env python3
"""Compares ways to steady answers, source by source, for experiments/steady-answers.

    analysis.py PLANKLAB WORK RESULT.json TABLE.md SOURCE=DATASET=DETECTOR[=halves]...

`planklab measure` gives every measurement, as it is and behind a smoother; WORK keeps its tables. Rules,
bands, dwells and the prototype that the experiment judges, two lists of rules, run here. Raw labels
must equal those of the program, or the script stops. All strategies and widths are stated here:
nothing is chosen on the data. With `halves`, the limits of sag and pike are those with the best macro
F1 on the other half of the people. Only the standard library is used; the same data gives the same
bytes.
"""

import csv
import json
import random
import re
import struct
import subprocess
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from pathlib import Path
from statistics import median

EMA = "ema:cutoff=1.06Hz@joints"  # a time constant of 0.15 s
STRICTER = "one list, 8 deg stricter, dwell 0.3 s"
HOLD_SECONDS = 0.5
SLACK = 1e-9
RESAMPLES = 1000
SEED = 65
CLASSES = {
    "plank": ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"],
    "form": ["aligned", "sag", "pike"],
}
COMPARE = {
    ">": lambda value, limit: value > limit,
    ">=": lambda value, limit: value >= limit,
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
}


def single(number):
    """The nearest Float."""
    return struct.unpack("f", struct.pack("f", number))[0]


class Detector:
    """A detector's rules as `planklab detectors NAME` lists them, with their numbers."""

    def __init__(self, planklab, name):
        listing = json.loads(output(planklab, "detectors", name, "--format", "json"))
        self.name = name
        self.parameters = {entry["key"]: entry for entry in listing["parameters"]}
        self.values = {key: entry["value"] for key, entry in self.parameters.items()}
        self.rules = {
            stream: [self.rule(sentence) for sentence in sentences]
            for stream, sentences in listing["rules"].items()
        }

    @staticmethod
    def rule(sentence):
        """A label with its comparisons: measurement, operator, sign and key of the threshold."""
        label = sentence.split()[0]
        found = re.findall(r"(\w+) (>=|<=|>|<) (-?)(\w+)", sentence)
        return label, [(name, op, -1 if sign else 1, key) for name, op, sign, key in found]

    def step(self, key, degrees):
        """What stands for an angle in a parameter's unit, as `smoothers compare` has it."""
        entry = self.parameters[key]
        low, high = entry["range"]
        unit = {"deg": 1, "m": 0.005, "body heights": 0.003}
        return round(degrees * unit.get(entry["unit"], (high - low) / 100), 6)

    def shifted(self, degrees):
        """The numbers with looser rules of `none`, or with stricter ones for negative degrees."""
        values = dict(self.values)
        for label, comparisons in self.rules["plank"]:
            for _, operator, sign, key in comparisons if label == "none" else []:
                looser = 1 if (operator[0] == ">") == (sign > 0) else -1
                low, high = self.parameters[key]["range"]
                shifted = self.values[key] + looser * self.step(key, degrees)
                values[key] = min(max(shifted, low), high)
        return values

    def label(self, stream, values, width=0):
        """Labels frames one by one; with a width, every comparison has hysteresis."""
        return Labeler(self.rules[stream], values, lambda key: self.step(key, width))

    def labeler(self, stream, kind, limits, other):
        """What labels the frames of a strategy."""
        if kind[0] == "bands":
            return self.label(stream, self.values | limits, kind[1])
        if kind[0] == "lists":
            return TwoLists(*(self.label(stream, self.shifted(degrees)) for degrees in kind[1:]))
        return TwoLists(
            self.label(stream, self.values), other.label(stream, other.values))


class Labeler:
    """The rules of a stream with the memory of their comparisons."""

    def __init__(self, rules, values, half_width):
        self.rules, self.held, self.last = [], {}, float("-inf")
        for label, comparisons in rules:
            compiled = []
            for place, (name, operator, sign, key) in enumerate(comparisons):
                center, width = sign * values[key], half_width(key)
                beyond = width if operator[0] == ">" else -width
                limits = [single(center), single(center + beyond), single(center - beyond)]
                compiled.append(((len(self.rules), place), name, COMPARE[operator], limits))
            self.rules.append((label, compiled))

    def update(self, frame, time):
        """The label of a frame; empty where the program could not decide it."""
        if not frame["determined"]:
            return ""
        fresh = time - self.last > HOLD_SECONDS + SLACK
        answer = ""
        for label, comparisons in self.rules:
            holds = True
            for key, name, compare, limits in comparisons:
                value = frame["values"][name]
                limit = limits[0] if fresh else limits[2 if self.held[key] else 1]
                self.held[key] = value is not None and compare(value, limit)
                holds = holds and self.held[key]
            if holds and not answer:
                answer = label
        self.last = time
        return answer


class Debounce:
    """A dwell in seconds, as docs/contract.md has it."""

    def __init__(self, seconds, empty, starts_mid):
        self.seconds, self.empty, self.starts_mid = seconds, empty, starts_mid
        self.state, self.candidate, self.elapsed = empty, None, 0.0
        self.last, self.after_dropout = float("-inf"), False

    def update(self, raw, time):
        within = time - self.last <= HOLD_SECONDS + SLACK
        if not raw:
            self.after_dropout = True
            return self.state if within else self.empty
        if not within:
            self.state, self.candidate, self.elapsed = self.empty, None, 0.0
        if raw == self.candidate:
            self.elapsed += 0 if self.after_dropout else time - self.last
        else:
            self.candidate, self.elapsed = raw, 0.0
        if self.starts_mid or self.elapsed >= self.seconds - SLACK:
            self.state = raw
        self.starts_mid, self.after_dropout, self.last = False, False, time
        return self.state


class TwoLists:
    """Labels of a class that is entered by one list and left by another.

    A plank is entered where the strict list answers it, and another plank follows where the strict
    list answers that one. It is left for `none` only where the loose list answers `none`.
    """

    def __init__(self, strict, loose):
        self.strict, self.loose = strict, loose
        self.held, self.last = "none", float("-inf")

    def update(self, frame, time):
        enter, stay = self.strict.update(frame, time), self.loose.update(frame, time)
        if not enter or not stay:
            return ""
        if time - self.last > HOLD_SECONDS + SLACK or stay == "none":
            self.held = "none"
        if enter != "none":
            self.held = enter
        self.last = time
        return self.held


def strategies(stream, has_other):
    """Names with the smoothing, what labels frames, and the dwell in seconds.

    Labels come from bands of a width in degrees, or from two lists: how much looser than the
    detector's rules of `none` are the list that enters and the list that stays.
    """
    found = {
        "as it is": ("none", ("bands", 0), 0),
        "dwell 0.1 s": ("none", ("bands", 0), 0.1),
        "dwell 0.3 s": ("none", ("bands", 0), 0.3),
        "EMA 0.15 s": (EMA, ("bands", 0), 0),
        "EMA 0.15 s, dwell 0.1 s": (EMA, ("bands", 0), 0.1),
        "EMA 0.15 s, dwell 0.3 s": (EMA, ("bands", 0), 0.3),
    }
    for width in [2, 4, 5, 8]:
        found[f"bands {width} deg"] = ("none", ("bands", width), 0)
    for width in [2, 5]:
        found[f"EMA 0.15 s, bands {width} deg"] = (EMA, ("bands", width), 0)
    found["bands 5 deg, dwell 0.1 s"] = ("none", ("bands", 5), 0.1)
    found["bands 4 deg, dwell 0.3 s"] = ("none", ("bands", 4), 0.3)
    if stream == "form":
        return found
    for width in [4, 8]:
        found[f"one list, {width} deg stricter"] = ("none", ("lists", -width, -width), 0)
    found["one list, 8 deg stricter, dwell 0.3 s"] = ("none", ("lists", -8, -8), 0.3)
    for width in [2, 4, 8]:
        found[f"two lists, leave {width} deg later"] = ("none", ("lists", 0, width), 0)
        found[f"two lists, +-{width} deg"] = ("none", ("lists", -width, width), 0)
    for width in [4, 8]:
        found[f"two lists, +-{width} deg, dwell 0.3 s"] = ("none", ("lists", -width, width), 0.3)
    found["two lists, leave 4 deg later, dwell 0.3 s"] = ("none", ("lists", 0, 4), 0.3)
    if has_other:
        found["two lists, leave by `trunk`"] = ("none", ("other",), 0)
        found["two lists, leave by `trunk`, dwell 0.3 s"] = ("none", ("other",), 0.3)
    return found


def output(planklab, *words):
    done = subprocess.run([planklab, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"planklab {' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


class Sequence:
    """The frames of a recording with their truth."""

    def __init__(self, path, dataset, mid):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.name, self.subject = path.stem, rows[0]["subject"]
        self.starts_mid = path.stem in mid
        self.times = [float(row["t"]) for row in rows]
        self.truth = {stream: [row[f"truth_{stream}"] for row in rows] for stream in CLASSES}
        self.raw = {stream: [row[f"raw_{stream}"] for row in rows] for stream in CLASSES}
        names = [key for key in rows[0] if key not in KNOWN]
        self.frames = [
            {key.split("_")[0]: float(row[key]) if row[key] else None for key in names}
            for row in rows
        ]
        steps = [later - time for time, later in zip(self.times, self.times[1:])]
        self.weight = median(steps) if steps else 0
        self.lasting = [min(step, 0.5) for step in steps] + [min(self.weight, 0.5)]
        self.onsets = {stream: self.read_onsets(dataset, stream) for stream in CLASSES}

    def read_onsets(self, dataset, stream):
        found = list(Path(dataset).rglob(f"{self.name}.onsets.csv"))
        if not found:
            return []
        with open(found[0], newline="", encoding="utf-8") as file:
            return [float(row["time"]) for row in csv.DictReader(file) if row[stream]]

    def scored(self, stream):
        return [truth in CLASSES[stream] for truth in self.truth[stream]]

    def labels(self, stream, labeler):
        """The label of every frame before a dwell."""
        return [
            labeler.update({"values": values, "determined": raw != ""}, time)
            for values, raw, time in zip(self.frames, self.raw[stream], self.times)
        ]

    def answers(self, stream, labels, dwell):
        """The answer of every frame."""
        debounce = Debounce(dwell, CLASSES[stream][0], self.starts_mid)
        return [debounce.update(label, time) for label, time in zip(labels, self.times)]


KNOWN = {
    "t", "truth_plank", "truth_form", "raw_plank", "raw_form", "plank", "form", "grade",
    "sequence", "subject",
}


def starting_mid(dataset):
    """The sequences of a manifest that start inside a hold."""
    text = (Path(dataset) / "dataset.yaml").read_text("utf-8")
    names = set()
    for part in re.split(r"\n\s*- (?=poses:)", text)[1:]:
        if re.search(r"^\s*starts:\s*mid", part, re.MULTILINE):
            path = re.match(r"poses:\s*\"?([^\s\"]+)", part).group(1)
            names.add(re.sub(r"\.poses\.jsonl(\.gz)?$", "", Path(path).name))
    return names


class Tally:
    """The counts of one person, which add up."""

    def __init__(self):
        self.confusion = Counter()
        self.seconds = self.flickers = self.false = 0
        self.events = self.hits = 0
        self.detection, self.release = [], []  # pairs of a time and whether it was answered

    def add(self, sequence, stream, answers):
        truth, scored = sequence.truth[stream], sequence.scored(stream)
        for is_scored, true, answer, lasting in zip(scored, truth, answers, sequence.lasting):
            if is_scored:
                self.confusion[true, answer] += sequence.weight
                self.seconds += lasting
        for start, end in runs(scored):
            if not scored[start]:
                continue
            self.add_changes(sequence.times[start:end], truth[start:end], answers[start:end])
            for first, last in runs(truth[start:end]):
                if truth[start + first] != CLASSES[stream][0]:
                    self.add_event(sequence, stream, answers, start + first, start + last)

    def add_changes(self, times, truth, answers):
        """Wrong changes and flickers of a stretch of scored frames."""
        true = [
            (times[at], truth[at]) for at in range(1, len(times)) if truth[at] != truth[at - 1]
        ]
        changes = [at for at in range(1, len(times)) if answers[at] != answers[at - 1]]
        for at in changes:
            near = [
                one for one in true
                if one[1] == answers[at] and abs(one[0] - times[at]) <= 0.5 + SLACK
            ]
            if near:
                true.remove(min(near, key=lambda one: abs(one[0] - times[at])))
            else:
                self.false += 1
        for one, two in zip(changes, changes[1:]):
            steady = len(set(truth[one - 1 : two + 1])) == 1
            if answers[one - 1] == answers[two] and times[two] - times[one] < 0.5 and steady:
                self.flickers += 1

    def add_event(self, sequence, stream, answers, first, last):
        """The latencies of a true class that begins at a frame and ends before another."""
        times, truth = sequence.times, sequence.truth[stream]
        scored = sequence.scored(stream)
        name, empty = truth[first], CLASSES[stream][0]
        answered = [at for at in range(first, last) if answers[at] == name]
        self.events += 1
        self.hits += bool(answered)
        start = first if first and scored[first - 1] else self.onset(sequence, stream, first, -1)
        if start is not None:
            end = times[last] if last < len(times) else times[-1] + sequence.lasting[-1]
            hits = [at for at in range(start, last) if answers[at] == name] if answered else []
            self.detection.append(
                (times[hits[0]] - times[start], True) if hits else (end - times[start], False))
        end = last if last < len(times) and scored[last] else self.onset(sequence, stream, last, 1)
        if end is None or not answered:
            return
        for at in range(end, len(times)):
            again = at >= last and (truth[at] == name or at > last and not scored[at])
            if answers[at] != name or again:
                self.release.append((times[at] - times[end], not again))
                return
        self.release.append((times[-1] - times[end], False))

    @staticmethod
    def onset(sequence, stream, edge, direction):
        """The first frame from an onset in the stretch without labels beside an edge; or None."""
        scored, times = sequence.scored(stream), sequence.times
        far = edge - 1 if direction < 0 else edge
        while 0 <= far < len(times) and not scored[far]:
            far += direction
        low, high = (far + 1, edge) if direction < 0 else (edge, far)
        if not 0 <= far < len(times):
            return None
        for onset in sequence.onsets[stream]:
            at = bisect_left(times, onset)
            if low <= at <= high and low < len(times) and onset > times[low - 1]:
                return at
        return None


def runs(values):
    """The stretches of equal values."""
    start = 0
    for at in range(1, len(values) + 1):
        if at == len(values) or values[at] != values[start]:
            yield start, at
            start = at


def quantile(pairs, share):
    """The time by which a share is answered, after Kaplan and Meier; None if that never happens."""
    open_share = 1.0
    for time in sorted({round(time, 9) for time, answered in pairs if answered}):
        waiting = sum(round(other, 9) >= time for other, _ in pairs)
        now = sum(round(other, 9) == time for other, answered in pairs if answered)
        open_share *= 1 - now / waiting
        if open_share <= 1 - share + SLACK:
            return time
    return None


SUMS = ["seconds", "flickers", "false", "events", "hits"]


def vector(tally, stream):
    """The counts of a person as a list: the matrix, then the sums."""
    names = CLASSES[stream]
    matrix = [tally.confusion[truth, answer] for truth in names for answer in names]
    return matrix + [getattr(tally, key) for key in SUMS]


def scores(vectors, stream):
    """The numbers of some people's answers together; None where undefined."""
    sums = [sum(column) for column in zip(*vectors)]
    size = len(CLASSES[stream])
    rows = [sums[at * size : (at + 1) * size] for at in range(size)]
    seconds, flickers, false, events, hits = sums[size * size :]
    answered = [sum(column) for column in zip(*rows)]
    f1 = [2 * row[at] / (sum(row) + answered[at]) for at, row in enumerate(rows) if sum(row)]
    found = {
        "f1_macro_truth": sum(f1) / len(f1) if f1 else None,
        "hit_rate": hits / events if events else None,
        "flickers_per_minute": 60 * flickers / seconds if seconds else None,
        "false_transitions_per_minute": 60 * false / seconds if seconds else None,
    }
    if stream == "plank":
        none = sum(rows[0])
        found["false_plank_share"] = 1 - rows[0][0] / none if none else None
    return found


def latencies(tallies):
    found = {}
    for kind in ("detection", "release"):
        pairs = [pair for tally in tallies for pair in getattr(tally, kind)]
        for name, share in (("p50", 0.5), ("p90", 0.9)):
            found[f"{kind}_latency_{name}_s"] = quantile(pairs, share)
        found[f"{kind}s"] = len(pairs)
    return found


class Source:
    """A dataset with a detector."""

    def __init__(self, planklab, work, name, dataset, detector, halves=""):
        self.name, self.halves = name, bool(halves)
        self.detector = Detector(planklab, detector)
        self.other = Detector(planklab, "trunk") if detector == "coach" else None
        self.sequences, self.known, mid = {}, {}, starting_mid(dataset)
        for smoothing in ("none", EMA):
            slug = re.sub(r"\W+", "-", f"{name}-{detector}-{smoothing}")
            folders = [self.measured(planklab, work / slug, dataset, detector, smoothing)]
            if self.other and smoothing == "none":
                folders.append(
                    self.measured(planklab, work / f"{slug}-trunk", dataset, "trunk", smoothing))
            tables = [path for path in sorted(folders[0].rglob("*.csv")) if is_table(path, folders[0])]
            found = [Sequence(path, dataset, mid) for path in tables]
            for path, sequence in zip(tables, found):
                for folder in folders[1:]:
                    more = Sequence(folder / path.relative_to(folders[0]), dataset, mid)
                    for frame, extra in zip(sequence.frames, more.frames):
                        frame.update(extra)
            self.sequences[smoothing] = found
        self.people = sorted({sequence.subject for sequence in self.sequences["none"]})
        # scripts/experiments makes recordings their own subjects where nobody is named.
        unnamed = all(re.fullmatch(r"c\d{4}", person) for person in self.people)
        self.resampled = "recordings" if unnamed else "people"
        self.limits = self.fitted()
        self.check()

    @staticmethod
    def measured(planklab, folder, dataset, detector, smoothing):
        if not folder.exists():
            output(
                planklab, "measure", str(dataset), "--detector", detector, "--smoothing", smoothing,
                "--set", "plank_frames=1", "--set", "form_frames=1", "--output", str(folder))
        return folder

    def check(self):
        """Stops unless raw labels are those of the program."""
        for stream in CLASSES:
            for sequence in self.sequences["none"]:
                labeler = self.detector.label(stream, self.detector.values)
                labels = sequence.labels(stream, labeler)
                for label, raw, time in zip(labels, sequence.raw[stream], sequence.times):
                    if label != raw:
                        raise SystemExit(
                            f"{self.name}, {sequence.name}, {time} s: the label of the {stream} is "
                            f"{label}, and the program's is {raw}")

    def fitted(self):
        """The limits of form for every half of the people; the same for both without halves."""
        if not self.halves:
            return [{}, {}]
        (name, _, _, sag), = self.comparisons("sag")
        (_, _, _, pike), = self.comparisons("pike")
        found = []
        for half in (0, 1):
            angles = {truth: [] for truth in CLASSES["form"]}
            for sequence in self.sequences["none"]:
                if self.half(sequence.subject) == half:
                    continue
                for values, truth in zip(sequence.frames, sequence.truth["form"]):
                    if truth in angles and values[name] is not None:
                        angles[truth].append(values[name])
            found.append(dict(zip((sag, pike), best_pair(angles))))
        return found

    def comparisons(self, label):
        return next(rule for name, rule in self.detector.rules["form"] if name == label)

    def half(self, subject):
        return self.people.index(subject) % 2

    def tallies(self, stream):
        """The counts of every strategy, person by person."""
        found = {}
        known = strategies(stream, self.other is not None)
        for name, (smoothing, kind, dwell) in known.items():
            tallies = {person: Tally() for person in self.people}
            for sequence in self.sequences[smoothing]:
                labels = self.labels(stream, sequence, smoothing, kind)
                answers = sequence.answers(stream, labels, dwell)
                tallies[sequence.subject].add(sequence, stream, answers)
            found[name] = [tallies[person] for person in self.people]
        return found

    def labels(self, stream, sequence, smoothing, kind):
        """The labels of a sequence, which strategies share that differ in their dwell only."""
        key = stream, sequence.name, smoothing, kind
        if key not in self.known:
            limits = self.limits[self.half(sequence.subject)]
            labeler = self.detector.labeler(stream, kind, limits, self.other)
            self.known[key] = sequence.labels(stream, labeler)
        return self.known[key]


def is_table(path, folder):
    return path.relative_to(folder).parts[0] not in ("spectra", "allan")


def best_pair(angles):
    """The limits of sag and pike in degrees with the best macro F1, the middle of equal ones."""
    angles = {name: sorted(values) for name, values in angles.items()}
    scored = [
        (macro_f1(angles, sag, pike), sag, pike)
        for sag in range(140, 196) for pike in range(max(sag + 2, 170), 260)
    ]
    best = max(score for score, _, _ in scored)
    equal = [(sag, pike) for score, sag, pike in scored if score == best]
    return equal[len(equal) // 2]


def macro_f1(angles, sag, pike):
    """The macro F1 of limits, over the classes with truth."""
    right, answered = {}, Counter()
    for truth, values in angles.items():
        low, high = bisect_left(values, sag), bisect_right(values, pike)
        counts = {"sag": low, "aligned": high - low, "pike": len(values) - high}
        answered.update(counts)
        right[truth] = counts[truth]
    true = [name for name, values in angles.items() if values]
    return sum(2 * right[name] / (answered[name] + len(angles[name])) for name in true) / len(true)


def resampled(vectors, stream):
    """The numbers of every strategy over the same draws of people."""
    people = [at for at, counts in enumerate(vectors["as it is"]) if any(counts)]
    generator = random.Random(SEED)
    draws = [
        [people[int(generator.random() * len(people))] for _ in people]
        for _ in range(RESAMPLES if len(people) > 1 else 0)
    ]
    return {
        name: [scores([found[at] for at in draw], stream) for draw in draws]
        for name, found in vectors.items()
    }


def compared(whole, drawn, reference):
    """Differences of every strategy to a reference: value and 95 % interval over people."""
    return {
        name: {
            key: difference(
                values[key], whole[reference][key],
                [(one[key], two[key]) for one, two in zip(drawn[name], drawn[reference])])
            for _, key, *_ in DIFFERENCES if key in values
        }
        for name, values in whole.items() if name != reference
    }


def difference(value, other, drawn):
    if value is None or other is None:
        return None
    known = sorted(one - two for one, two in drawn if one is not None and two is not None)
    ends = None
    if len(known) > 0.95 * RESAMPLES:
        ends = [known[round(share * (len(known) - 1))] for share in (0.025, 0.975)]
    return {"value": value - other, "interval": ends}


def entry(source):
    """What is kept of a source."""
    result = {
        "source": source.name, "detector": source.detector.name, "limits": source.limits,
        "resampled": source.resampled, "sequences": len(source.sequences["none"]), "streams": {},
    }
    for stream in CLASSES:
        tallies = source.tallies(stream)
        people = sum(bool(tally.confusion) for tally in tallies["as it is"])
        classes = {true for tally in tallies["as it is"] for true, _ in tally.confusion}
        if not classes or classes == {"aligned"}:
            continue
        vectors = {
            name: [vector(tally, stream) for tally in found] for name, found in tallies.items()
        }
        whole = {name: scores(found, stream) for name, found in vectors.items()}
        drawn = resampled(vectors, stream)
        references = ["as it is"] + (["dwell 0.3 s", STRICTER] if stream == "plank" else ["dwell 0.1 s"])
        result["streams"][stream] = {
            "people": people,
            "strategies": {
                name: whole[name] | latencies(found) for name, found in tallies.items()
            },
            "differences": {
                reference: compared(whole, drawn, reference) for reference in references
            },
        }
    return result


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.5g}") + 0.0
    if isinstance(value, list):
        return [rounded(part) for part in value]
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return value


def text(value, decimals, factor=1):
    return "n/a" if value is None else f"{factor * value:.{decimals}f}"


def change(found, decimals, factor=1):
    if found is None:
        return "n/a"
    shown = f"{factor * found['value']:+.{decimals}f}"
    if float(shown) == 0:
        shown = shown[1:]
    if found["interval"]:
        low, high = (f"{factor * end:.{decimals}f}" for end in found["interval"])
        shown += f" [{low}, {high}]"
    return shown


COLUMNS = [
    ("macro F1", "f1_macro_truth", 3, 1), ("false planks, % of `none`", "false_plank_share", 1, 100),
    ("found", "hit_rate", 2, 1), ("flickers / min", "flickers_per_minute", 1, 1),
    ("false transitions / min", "false_transitions_per_minute", 1, 1),
]
DIFFERENCES = [column for column in COLUMNS if column[1] not in ("hit_rate", "flickers_per_minute")]


def table(found, reference):
    """The table of a stream: levels, latencies and what separates strategies from the reference."""
    rows, compare = found["strategies"], found["differences"][reference]
    known = [column for column in COLUMNS if rows[reference].get(column[1]) is not None]
    judged = [column for column in DIFFERENCES if column in known]
    titles = [name for name, *_ in known] + ["answered, p50 / p90 s", "released, p50 / p90 s"]
    titles += [f"{name}, minus {reference}" for name, *_ in judged]
    lines = ["| strategy | " + " | ".join(titles) + " |", "| --- |" + " ---: |" * len(titles)]
    for name, row in rows.items():
        cells = [text(row[key], decimals, factor) for _, key, decimals, factor in known]
        for kind in ("detection", "release"):
            cells.append(" / ".join(text(row[f"{kind}_latency_{part}_s"], 2) for part in ("p50", "p90")))
        for _, key, decimals, factor in judged:
            cells.append(change(compare[name][key], decimals, factor) if name in compare else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def document(result):
    lines = []
    for source in result["sources"]:
        for stream, found in source["streams"].items():
            counted = f"{found['people']} {source['resampled']}"
            lines += [f"## {source['source']}, `{source['detector']}`, {stream}: {counted}", ""]
            for reference in ["dwell 0.3 s"] if stream == "plank" else ["as it is", "dwell 0.1 s"]:
                lines += [*table(found, reference), ""]
    return "\n".join(lines)


def main():
    planklab, work, target, markdown, *sources = sys.argv[1:]
    planklab, work = str(Path(planklab).resolve()), Path(work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    found = [entry(Source(planklab, work, *words.split("="))) for words in sources]
    result = rounded({"resamples": RESAMPLES, "seed": SEED, "sources": found})
    Path(target).write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", "utf-8")
    Path(markdown).write_text(document(result), "utf-8")


if __name__ == "__main__":
    main()
