"""The metrics over time, frame by frame from their definitions in docs/metrics.md.

Written from the definitions, without a look at the Swift code, in plain loops.
"""

from fractions import Fraction

SLACK = 1e-9
NEAR = 0.5
LONGEST = 0.5
COLLAR = 0.5


def median(values):
    ordered = sorted(values)
    count = len(ordered)
    return (ordered[(count - 1) // 2] + ordered[count // 2]) / 2


def matching(relation):
    """The size of a maximum matching; relation[i] lists the partners of i (Berge 1957)."""
    owner = {}

    def augment(left, seen):
        for right in relation[left]:
            if right in seen:
                continue
            seen.add(right)
            if right not in owner or augment(owner[right], seen):
                owner[right] = left
                return True
        return False

    return sum(augment(left, set()) for left in range(len(relation)))


def quantile(observations, share):
    """Kaplan and Meier, in exact fractions; observations are (seconds, followed).

    Times are taken to the nanosecond: differences of frame times are not exact.
    """
    survival = Fraction(1)
    ticks = [(round(seconds * 1e9), followed) for seconds, followed in observations]
    for tick in sorted({tick for tick, followed in ticks if followed}):
        open_ones = sum(other >= tick for other, _ in ticks)
        followed = sum(hit for other, hit in ticks if other == tick)
        survival *= Fraction(open_ones - followed, open_ones)
        if survival <= 1 - share:
            return tick / 1e9
    return None


class Course:
    """One stream of a sequence: times, truth (None where not scored), answers."""

    def __init__(self, times, truth, answers):
        self.times, self.truth, self.answers = times, truth, answers
        steps = [b - a for a, b in zip(times, times[1:], strict=False)]
        last = median(steps) if steps else 1 / 30
        self.dwell = [min(step, LONGEST) for step in steps] + [last]

    def spans(self):
        """Stretches of consecutive scored frames, as (first, after)."""
        found, start = [], None
        for frame in range(len(self.times) + 1):
            scored = frame < len(self.times) and self.truth[frame] is not None
            if scored and start is None:
                start = frame
            if not scored and start is not None:
                found.append((start, frame))
                start = None
        return found

    def runs(self, labels, span):
        """(label, first, after) within a span."""
        found, start = [], span[0]
        for frame in range(span[0] + 1, span[1] + 1):
            if frame == span[1] or labels[frame] != labels[start]:
                found.append((labels[start], start, frame))
                start = frame
        return found

    def end(self, after, span):
        """When a run ends: at the next frame, or after the last one of the span."""
        if after < span[1]:
            return self.times[after]
        return self.times[span[1] - 1] + self.dwell[span[1] - 1]

    def seconds(self, first, after):
        return sum(self.dwell[first:after])

    def events(self, labels, span, empty):
        return [
            (label, self.times[first], self.end(after, span), first, after)
            for label, first, after in self.runs(labels, span)
            if label != empty
        ]


def events_matched(true, found):
    def same(one, other):
        slack = max(COLLAR, 0.5 * (one[2] - one[1])) + SLACK
        return one[0] == other[0] and abs(one[1] - other[1]) <= COLLAR + SLACK and abs(one[2] - other[2]) <= slack

    return matching([[j for j, f in enumerate(found) if same(t, f)] for t in true])


def latencies(course, span, true):
    """(detections, releases) of the true events of a span, as (seconds, followed, observed).

    An event that begins with the span was not seen to begin.
    """
    detections, releases = [], []
    for label, start, end, first, after in true:
        hit = next((i for i in range(first, after) if course.answers[i] == label), None)
        if hit is None:
            detections.append((end - start, False, first > span[0]))
            continue
        detections.append((course.times[hit] - start, True, first > span[0]))
        if after == span[1]:
            continue
        again = next((i for i in range(after, span[1]) if course.truth[i] == label), span[1])
        gone = next((i for i in range(after, again) if course.answers[i] != label), None)
        horizon = course.times[again] if again < span[1] else course.end(again, span)
        at = horizon if gone is None else course.times[gone]
        releases.append((at - course.times[after], gone is not None, True))
    return detections, releases


def transitions_matched(course, found, true):
    def same(one, other):
        late = course.times[one[1]] - course.times[other[1]]
        return one[0] == other[0] and abs(late) <= NEAR + SLACK

    return matching([[j for j, t in enumerate(true) if same(f, t)] for f in found])


def flickers(course, runs):
    count = 0
    for one, short, two in zip(runs, runs[1:], runs[2:], strict=False):
        lasts = course.times[two[1]] - course.times[short[1]]
        constant = len(set(course.truth[short[1] - 1 : two[1] + 1])) == 1
        count += one[0] == two[0] and lasts < NEAR - SLACK and constant
    return count


def longest_hold(course, labels, span, empty):
    best, held, last = 0.0, 0.0, None
    for frame in range(*span):
        if labels[frame] == empty:
            continue
        gap = None if last is None else course.seconds(last + 1, frame)
        forgiven = gap is not None and gap <= LONGEST + SLACK
        held = (held + gap if forgiven else 0.0) + course.dwell[frame]
        best, last = max(best, held), frame
    return best


WARD = {
    ("TF", False, False): "deletion",
    ("TF", False, True): "underfill_start",
    ("TF", True, False): "underfill_end",
    ("TF", True, True): "fragmenting",
    ("FT", False, False): "insertion",
    ("FT", False, True): "overfill_start",
    ("FT", True, False): "overfill_end",
    ("FT", True, True): "merge",
}


def ward_seconds(courses, is_of):
    """The seconds of each kind of piece, one class (or several as one) against the rest."""
    total = dict.fromkeys([*WARD.values(), "true_positive", "true_negative"], 0.0)
    for course in courses:
        for span in course.spans():
            kinds = {
                frame: ("T" if is_of(course.truth[frame]) else "F") + ("T" if is_of(course.answers[frame]) else "F")
                for frame in range(*span)
            }
            pieces = course.runs(kinds, span)
            for index, (kind, first, after) in enumerate(pieces):
                before = index > 0 and pieces[index - 1][0] == "TT"
                behind = index + 1 < len(pieces) and pieces[index + 1][0] == "TT"
                plain = {"TT": "true_positive", "FF": "true_negative"}
                name = plain.get(kind) or WARD[kind, before, behind]
                total[name] += course.seconds(first, after)
    return total


def metrics(courses, empty):
    """Every metric of a stream that `evaluate` lists without --verbose; None where undefined."""
    matched = true_events = found_events = 0
    answered = true_changes = paired = flicker = 0
    seconds, detections, releases, errors, longest = 0.0, [], [], [], []
    for course in courses:
        spans = course.spans()
        found_changes, true_ones = [], []
        held = {"truth": 0.0, "answers": 0.0}
        best = {"truth": 0.0, "answers": 0.0}
        for span in spans:
            seconds += course.seconds(*span)
            true = course.events(course.truth, span, empty)
            found = course.events(course.answers, span, empty)
            matched += events_matched(true, found)
            true_events, found_events = true_events + len(true), found_events + len(found)
            one, other = latencies(course, span, true)
            detections, releases = detections + one, releases + other
            runs = course.runs(course.answers, span)
            changes = course.runs(course.truth, span)[1:]
            found_changes, true_ones = found_changes + runs[1:], true_ones + changes
            flicker += flickers(course, runs)
            for side in held:
                labels = getattr(course, side)
                held[side] += sum(course.dwell[i] for i in range(*span) if labels[i] != empty)
                best[side] = max(best[side], longest_hold(course, labels, span, empty))
        # A change may be matched across a stretch that is not scored.
        paired += transitions_matched(course, found_changes, true_ones)
        answered, true_changes = answered + len(found_changes), true_changes + len(true_ones)
        if spans:
            errors.append(abs(held["answers"] - held["truth"]))
            longest.append(abs(best["answers"] - best["truth"]))

    def rate(count):
        return count / (seconds / 60) if seconds else None

    def at(observations, share):
        known = [(seconds, hit) for seconds, hit, observed in observations if observed]
        return quantile(known, share)

    events = true_events + found_events
    return {
        "event_f1": 2 * matched / events if events else None,
        "hit_rate": sum(hit for _, hit, _ in detections) / len(detections) if detections else None,
        "detection_latency_p50_s": at(detections, Fraction(1, 2)),
        "detection_latency_p90_s": at(detections, Fraction(9, 10)),
        "release_latency_p50_s": at(releases, Fraction(1, 2)),
        "transitions_per_minute": rate(answered),
        "excess_transitions_per_minute": rate(max(0, answered - true_changes)),
        "false_transitions_per_minute": rate(answered - paired),
        "flickers_per_minute": rate(flicker),
        "missed_transitions": true_changes - paired if seconds else None,
        "hold_error_s": sum(errors) / len(errors) if errors else None,
        "longest_hold_error_s": sum(longest) / len(longest) if longest else None,
    }
