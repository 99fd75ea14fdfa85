"""What `planklab suggest` must find, by trying every edit: docs/suggest.md and decision 22, written again in numpy.

A rule is a label and a list of conditions (column, comparison, parameter, whether the parameter is negated). Columns
are 32-bit numbers, NaN where there is none; `missing` says where that is because a joint is absent, which makes a
frame undetermined if any rule mentions the column. Weights are whole multiples of 2^-50, so all sums are exact.

Pairs of conditions are tried at every two thresholds, while the command begins with 16 quantiles. The two agree where
every threshold lies between two quantiles; `Search.has_all_thresholds` says whether that is so.
"""

import math
from dataclasses import dataclass, field, replace

import numpy

LABELS = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]
KINDS = ["move", "rearrange", "narrow", "insert", "pair"]
UNIT = 2.0**-50
OPERATORS = {"<": numpy.less, "<=": numpy.less_equal, ">": numpy.greater, ">=": numpy.greater_equal}
ANY = (-1e6, 1e6)
QUANTILES = 16
MOST_FOLDS, FEWEST_PEOPLE = 10, 6


def half_away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


def weights_of(truth, seconds, source):
    """The share of the score of every frame: sources equally, their classes equally, frames by their seconds."""
    totals, classes = {}, {}
    for own, label, time in zip(source, truth, seconds):
        totals[own, label] = totals.get((own, label), 0.0) + time
        classes.setdefault(own, set()).add(label)
    return numpy.array([
        half_away(time / totals[own, label] / len(classes[own]) / len(classes) / UNIT)
        for own, label, time in zip(source, truth, seconds)], dtype=numpy.int64)


@dataclass
class Frames:
    """The scored frames: codes of classes, seconds, people, sources; columns and missing by measurement."""

    truth: numpy.ndarray
    seconds: numpy.ndarray
    person: numpy.ndarray
    source: numpy.ndarray
    names: list
    columns: list
    missing: list
    weights: numpy.ndarray = field(init=False)

    def __post_init__(self):
        self.weights = weights_of(self.truth, self.seconds, self.source)

    def select(self, kept):
        return Frames(
            self.truth[kept], self.seconds[kept], self.person[kept], self.source[kept], self.names,
            [column[kept] for column in self.columns], [missing[kept] for missing in self.missing])

    def shared_sources(self):
        return {own for own in set(self.source) if len(set(self.person[self.source == own])) > 1}


@dataclass
class Rules:
    """A list of rules whose last one has no condition, with the values and the ranges of its parameters."""

    rules: list
    values: dict
    ranges: dict
    units: dict
    other_stream: set = field(default_factory=set)

    def keys(self):
        return list(dict.fromkeys(key for _, conditions in self.rules for _, _, key, _ in conditions))

    def mentioned(self):
        return {column for _, conditions in self.rules for column, _, _, _ in conditions}

    def matches(self, frames, values=None):
        """Which rules hold, one row per rule."""
        values = values or self.values
        rows = []
        with numpy.errstate(invalid="ignore"):
            for _, conditions in self.rules:
                row = numpy.ones(len(frames.truth), bool)
                for column, comparison, key, negated in conditions:
                    threshold = numpy.float32(values[key])
                    row &= OPERATORS[comparison](frames.columns[column], -threshold if negated else threshold)
                rows.append(row)
        return numpy.array(rows)

    def determined(self, frames):
        row = numpy.ones(len(frames.truth), bool)
        for column in self.mentioned():
            row &= ~frames.missing[column]
        return row

    def codes(self):
        return numpy.array([label for label, _ in self.rules])

    def answers(self, frames, values=None):
        first = self.matches(frames, values).argmax(0)
        return numpy.where(self.determined(frames), self.codes()[first], 0)

    def apply(self, edit):
        """The list after an edit."""
        kind, rules = edit[0], [(label, list(conditions)) for label, conditions in self.rules]
        changed = replace(
            self, rules=rules, values=dict(self.values), ranges=dict(self.ranges), units=dict(self.units))
        if kind == "move":
            changed.values[edit[1]] = edit[2]
        elif kind == "drop_rule":
            del rules[edit[1]]
        elif kind == "drop_condition":
            del rules[edit[1]][1][edit[2]]
        elif kind == "swap":
            rules[edit[1]], rules[edit[1] + 1] = rules[edit[1] + 1], rules[edit[1]]
        elif kind == "narrow":
            rules[edit[1]][1].append(changed.new_condition(edit[2]))
        else:
            rules.insert(edit[1], (edit[2], [changed.new_condition(condition) for condition in edit[3]]))
        return changed

    def new_condition(self, condition):
        column, below, threshold = condition
        key = f"new{len(self.values)}"
        size = 360.0 if self.units.get(column) == "deg" else 1.0
        while size < abs(threshold) * (1 if self.units.get(column) == "deg" else 2):
            size *= 10
        low = 0.0 if self.units.get(column) == "deg" and threshold >= 0 else -size
        self.values[key], self.ranges[key] = threshold, (low, size)
        return column, "<" if below else ">", key, False


def parsed(sentence, names):
    """A rule as `planklab detectors` prints it."""
    if sentence.endswith(" otherwise"):
        return LABELS.index(sentence.split()[0]), []
    label, conditions = sentence.split(" if ")
    rows = []
    for words in conditions.split(" and "):
        name, comparison, key = words.split()
        rows.append((names.index(name), comparison, key.removeprefix("-"), key.startswith("-")))
    return LABELS.index(label), rows


def roundest(lower, upper):
    """The roundest number in the middle half of a range: a multiple of 1000, 500, 100, 50, ..., 5e-7."""
    middle, quarter = lower + (upper - lower) / 2, (upper - lower) / 4
    for exponent in range(3, -8, -1):
        for factor in (1.0, 0.5):
            power = 10.0 ** abs(exponent)
            if exponent >= 0:
                number = half_away(middle / (power * factor)) * power * factor
            else:
                number = half_away(middle * power / factor) * factor / power
            inside = numpy.float32(lower) < numpy.float32(number) < numpy.float32(upper)
            if abs(number - middle) <= quarter and inside:
                return number + 0.0
    return None


def middle(lower, upper):
    """A threshold strictly between two 32-bit numbers; None where they are neighbors."""
    half = numpy.float32(lower) + (numpy.float32(upper) - numpy.float32(lower)) / numpy.float32(2)
    return half if lower < half < upper else None


@dataclass
class Choice:
    """The suggested threshold, what its kind of edit is worth at best, and the values around 90 % of it."""

    threshold: float
    peak: float
    worth: int
    range: tuple


def choose(values, worths, allowed):
    """The best threshold between sorted values, in the middle of all around it that are worth 90 % of it."""
    best = None
    for cut, worth in enumerate(worths):
        between = middle(values[cut], values[cut + 1])
        if between is None or not allowed[0] <= float(between) <= allowed[1]:
            continue
        wide = values[cut + 1] - values[cut]
        if best is None or (worth, wide) > (worths[best], values[best + 1] - values[best]):
            best = cut
    if best is None or worths[best] <= 0:
        return None
    floor = worths[best] - int(worths[best]) // 10
    first = last = best
    while first > 0 and worths[first - 1] >= floor:
        first -= 1
    while last + 1 < len(worths) and worths[last + 1] >= floor:
        last += 1
    lower, upper = max(float(values[first]), allowed[0]), min(float(values[last + 1]), allowed[1])
    peak = middle(values[best], values[best + 1])
    threshold = roundest(lower, upper)
    limits = tuple(float(numpy.float32(limit)) for limit in (lower, upper))
    return Choice(float(peak) if threshold is None else threshold, peak, int(worths[best]), limits)


@dataclass
class Found:
    """An edit, what it is worth with its thresholds at their peaks, and the range of every new threshold."""

    kind: str
    edit: tuple
    worth: int
    ranges: list


class Search:
    """Every single edit of a list, tried on some frames."""

    def __init__(self, rules, frames, harm, pairs=True):
        self.rules, self.frames = rules, frames
        self.first = rules.matches(frames).argmax(0)
        self.determined = rules.determined(frames)
        self.answers = rules.answers(frames)
        right = self.answers == frames.truth
        self.gains = numpy.where(right, 0, frames.weights)
        self.losses = numpy.where(right, numpy.floor(frames.weights * harm + 0.5).astype(numpy.int64), 0)
        self.count = len(rules.rules)
        self.columns = [index for index, column in enumerate(frames.columns) if len(self.values(column)) > 1]
        # What the best new rules are worth: with one condition by label, with two by measurements and sides, too.
        self.tops = {"insert": numpy.zeros(len(LABELS)), "pair": numpy.zeros(0)}
        self.found = self.moves() + self.rearrangements()
        self.found += [one for one in (self.narrowing(), self.insertion()) if one]
        if pairs:
            pair = self.pair()
            self.found += [pair] if pair else []

    def worth(self, answers):
        """What other answers are worth, the last axis being frames."""
        gained = numpy.where(answers == self.frames.truth, self.gains, -self.losses)
        return gained.sum(axis=-1)

    def values(self, column):
        own = column[self.determined]
        return numpy.unique(own[~numpy.isnan(own)] + numpy.float32(0))

    def undetermined(self, columns):
        """Frames that new columns take out."""
        rows = [self.frames.missing[c] for c in columns if c not in self.rules.mentioned()]
        return numpy.any(rows, axis=0) if rows else numpy.zeros(len(self.first), bool)

    def has_all_thresholds(self):
        """Whether every threshold lies between two of 16 quantiles, so that pairs are found exactly."""
        for index in self.columns:
            column = self.frames.columns[index]
            own = numpy.sort(column[self.determined & ~numpy.isnan(column)])
            places = numpy.flatnonzero(numpy.diff(own) > 0) + 1
            edges = numpy.arange(1, len(places) + 1)
            if len(places) >= QUANTILES or (places * QUANTILES < edges * len(own)).any():
                return False
        return True

    @staticmethod
    def by_label(tops):
        """What the best position of every label is worth, from one number per position and label."""
        return tops.reshape(-1, len(LABELS)).max(axis=0)

    def is_settled(self, kind):
        """Whether one new rule is worth more than others of its kind: nothing says which of equal ones is taken."""
        tops = self.tops.get(kind, numpy.zeros(1))
        return (tops == tops.max()).sum() == 1

    def choice(self):
        """The simplest edit that is worth 90 % of the best one."""
        most = max((one.worth for one in self.found), default=0)
        if most <= 0:
            return None
        good = [one for one in self.found if one.worth >= 0.9 * most]
        kind = min(KINDS.index(one.kind) for one in good)
        return self.best([one for one in good if KINDS.index(one.kind) == kind])

    @staticmethod
    def best(found):
        return max(found, key=lambda one: one.worth, default=None)

    def moves(self):
        found = []
        for key in self.rules.keys():
            if key in self.rules.other_stream:
                continue
            turning = [numpy.zeros(0, numpy.float32)]
            for _, conditions in self.rules.rules:
                for column, _, own, negated in conditions:
                    if own == key:
                        values = self.values(self.frames.columns[column])
                        turning.append(-values if negated else values)
            values = numpy.unique(numpy.concatenate(turning) + numpy.float32(0))
            worths = self.worths_of_values(key, values)
            choice = choose(values, worths, self.rules.ranges[key])
            if choice:
                found.append(Found("move", ("move", key, choice.threshold), choice.worth, [choice.range]))
        return found

    def worths_of_values(self, key, values):
        """What a parameter's values between neighbors of a list are worth, by answering every frame anew."""
        worths = []
        for lower, upper in zip(values, values[1:]):
            between = middle(lower, upper)
            tried = {**self.rules.values, key: lower if between is None else between}
            worths.append(int(self.worth(self.rules.answers(self.frames, tried))))
        return worths

    def rearrangements(self):
        edits = []
        for rule in range(self.count - 1):
            edits.append(("drop_rule", rule))
            conditions = self.rules.rules[rule][1]
            edits += [("drop_condition", rule, place) for place in range(len(conditions)) if len(conditions) > 1]
            if rule + 2 < self.count and self.rules.rules[rule][0] != self.rules.rules[rule + 1][0]:
                edits.append(("swap", rule))
        found = [
            Found("rearrange", edit, int(self.worth(self.rules.apply(edit).answers(self.frames))), [])
            for edit in edits]
        return [one for one in found if one.worth > 0]

    def cuts(self, column):
        values = self.values(self.frames.columns[column])
        middles = [middle(*pair) for pair in zip(values, values[1:])]
        return values, numpy.array(
            [low if half is None else half for half, low in zip(middles, values)], numpy.float32)

    def holding(self, column, below, thresholds):
        """Where a condition holds, one row per threshold."""
        own = self.frames.columns[column]
        with numpy.errstate(invalid="ignore"):
            return own < thresholds[:, None] if below else own > thresholds[:, None]

    def profile(self, taken, label, columns):
        """What it is worth to give the taken frames a label, one row per threshold."""
        answers = numpy.where(taken & self.determined, label, self.answers)
        answers[..., self.undetermined(columns)] = 0
        return self.worth(answers)

    def sums(self, column, table):
        """Sums of a table's rows over the determined frames below every threshold, and those above."""
        own = self.frames.columns[column] + numpy.float32(0)
        known = self.determined & ~numpy.isnan(own)
        values, places = numpy.unique(own[known], return_inverse=True)
        rows = numpy.zeros((len(values), table.shape[1]))
        numpy.add.at(rows, places, table[known])
        # Whole numbers below 2^53, so that sums of doubles are exact.
        below = rows.cumsum(axis=0)[:-1]
        usable = numpy.array([middle(*pair) is not None for pair in zip(values, values[1:])])
        return values, usable, {True: below, False: rows.sum(axis=0) - below}

    def emptied(self, columns):
        """What it is worth that new columns take frames out."""
        out = self.undetermined(columns) & self.determined
        return numpy.where(self.frames.truth == 0, self.gains, -self.losses)[out].sum()

    def narrowing(self):
        masks, best = self.rules.matches(self.frames), None
        if self.count < 2:
            return None
        rows = []
        for rule in range(self.count - 1):
            after = self.rules.codes()[masks[rule + 1:].argmax(0) + rule + 1]
            passed = numpy.where(after == self.frames.truth, self.gains, -self.losses)
            rows.append(numpy.where(self.determined & (self.first == rule), passed, 0))
        table = numpy.stack(rows, axis=1).astype(float)
        for column in self.columns:
            values, usable, sums = self.sums(column, table)
            own = self.frames.columns[column]
            inapplicable = table[numpy.isnan(own) & ~self.frames.missing[column]].sum(axis=0)
            for below in (False, True):
                worths = sums[not below] + inapplicable + self.emptied([column])
                for rule in range(self.count - 2, -1, -1):
                    top = worths[usable, rule].max(initial=0)
                    # The later rule wins among equal ones, then the earlier measurement.
                    if top > 0 and (best is None or (top, rule) > best[:2]):
                        best = (top, rule, column, below, values, worths[:, rule].astype(numpy.int64))
        if best is None:
            return None
        _, rule, column, below, values, worths = best
        choice = choose(values, worths, ANY)
        return Found("narrow", ("narrow", rule, (column, below, choice.threshold)), choice.worth, [choice.range])

    def insertion_table(self):
        """What every frame is worth with a label at a position, in the column position * labels + label."""
        return numpy.stack([
            numpy.where(self.determined & (self.first >= position),
                        numpy.where(self.frames.truth == label, self.gains, -self.losses), 0)
            for position in range(self.count) for label in range(len(LABELS))], axis=1).astype(float)

    def insertion(self):
        table, best = self.insertion_table(), None
        for column in self.columns:
            values, usable, sums = self.sums(column, table)
            for below in (True, False):
                worths = sums[below] + self.emptied([column])
                tops = worths[usable].max(axis=0, initial=0)
                self.tops["insert"] = numpy.maximum(self.tops["insert"], self.by_label(tops))
                for code in range(len(tops) - 1, -1, -1):
                    position, label = divmod(code, len(LABELS))
                    if tops[code] > 0 and (best is None or (tops[code], position) > best[:2]):
                        own = worths[:, code].astype(numpy.int64)
                        best = (tops[code], position, label, column, below, values, own)
        if best is None:
            return None
        _, position, label, column, below, values, worths = best
        choice = choose(values, worths, ANY)
        return Found(
            "insert", ("insert", position, label, [(column, below, choice.threshold)]), choice.worth,
            [choice.range])

    def pair(self):
        """The best pair at any two thresholds; each is then put in the middle with the other one in its place."""
        best = None
        cuts = {column: self.cuts(column) for column in self.columns}
        table = self.insertion_table()
        for place, one in enumerate(self.columns):
            for two in self.columns[place:]:
                out = self.undetermined([one, two])
                base = self.emptied([one, two])
                for below in ((True, True), (True, False), (False, True), (False, False)):
                    left, right = (
                        self.holding(column, own, cuts[column][1]) for column, own in zip((one, two), below))
                    both = (left[:, None, :] & right[None, :, :] & ~out)
                    if one == two:
                        # Of two conditions on one measurement, that with the lower threshold comes first.
                        both[numpy.tril_indices(len(left))] = False
                    both = both.reshape(-1, len(out))
                    worths = both.astype(float) @ table + base
                    top, where = worths.max(), numpy.argwhere(worths == worths.max())
                    self.tops["pair"] = numpy.append(self.tops["pair"], self.by_label(worths.max(axis=0)))
                    rule = max(int(code) // len(LABELS) for _, code in where)
                    if top <= 0 or (best is not None and (top, rule) <= best[:2]):
                        continue
                    cell, code = next((c, k) for c, k in where if k // len(LABELS) == rule)
                    best = (top, rule, code % len(LABELS), (one, two), below, divmod(cell, len(cuts[two][1])))
        if best is None:
            return None
        top, position, label, columns, below, cells = best
        thresholds = [cuts[column][1][cell] for column, cell in zip(columns, cells)]
        ranges = []
        for own in (0, 1):
            choice = self.pair_choice(position, label, columns, below, thresholds, own)
            if choice is None:
                return None
            thresholds[own] = choice.threshold
            ranges.append(choice.range)
        conditions = list(zip(columns, below, map(float, thresholds)))
        return Found("pair", ("insert", int(position), int(label), conditions), int(top), ranges)

    def pair_choice(self, position, label, columns, below, thresholds, own):
        """The best threshold of one of two conditions, the other one being fixed."""
        other = 1 - own
        values, middles = self.cuts(columns[own])
        fixed = self.holding(columns[other], below[other], numpy.array([thresholds[other]], numpy.float32))
        taken = self.holding(columns[own], below[own], middles) & fixed & (self.first >= position)
        return choose(values, self.profile(taken, label, columns), ANY)


class Effect:
    """What other answers change in some frames."""

    def __init__(self, frames, before, after, harm):
        was, now = before == frames.truth, after == frames.truth
        change = (now.astype(int) - was.astype(int)) * frames.weights * UNIT
        harmed = numpy.where(change < 0, change * harm, change)
        self.before = float(frames.weights[was].sum() * UNIT)
        self.after = float(frames.weights[now].sum() * UNIT)
        people = sorted(set(frames.person))
        per_person = [harmed[frames.person == person].sum() for person in people]
        self.standard_error = float(numpy.sqrt(numpy.square(per_person).sum()))


def path(rules, frames, harm, steps):
    """The edits one after the other, the lists after them, and whether nothing depended on quantiles or on ties."""
    found, lists, exact = [], [rules], True
    while len(found) < steps:
        search = Search(lists[-1], frames, harm)
        exact &= search.has_all_thresholds()
        choice = search.choice()
        if choice is None:
            break
        exact &= search.is_settled(choice.kind)
        found.append(choice)
        lists.append(lists[-1].apply(choice.edit))
    return found, lists, exact


class Judgment:
    """The searches on everything, without each person, and without each source.

    At most ten people: then each is a group of their own, and nothing depends on how groups are drawn.
    """

    def __init__(self, rules, frames, harm, steps):
        self.frames, self.harm = frames, harm
        self.found, lists, self.exact = path(rules, frames, harm, steps)
        self.seen = [one.answers(frames) for one in lists]
        shared = frames.shared_sources()
        self.shared = frames.select(numpy.isin(frames.source, sorted(shared)))
        people = sorted(set(self.shared.person))
        assert len(people) <= MOST_FOLDS, "groups of several people are drawn at random"
        self.unseen, self.folds = [], {}
        if len(people) >= FEWEST_PEOPLE:
            self.unseen = [numpy.zeros(len(self.shared.truth), int) for _ in lists]
            for person in people:
                own, fold_lists, exact = path(rules, frames.select(frames.person != person), harm, steps)
                self.exact &= exact
                self.folds[person] = own
                for count, answers in enumerate(self.unseen):
                    mine = self.shared.person == person
                    answers[mine] = fold_lists[min(count, len(fold_lists) - 1)].answers(self.shared)[mine]
        self.source_lists = {}
        if len(set(frames.source)) > 1:
            for source in sorted(set(frames.source)):
                _, self.source_lists[source], exact = path(
                    rules, frames.select(frames.source != source), harm, steps)
                self.exact &= exact

    def left_out(self, start, end):
        return Effect(self.shared, self.unseen[start], self.unseen[end], self.harm)

    def source_effects(self, start, end):
        effects = {}
        for source, lists in self.source_lists.items():
            own = self.frames.select(self.frames.source == source)
            first, second = (lists[min(count, len(lists) - 1)].answers(own) for count in (start, end))
            effects[source] = Effect(own, first, second, self.harm)
        return effects
