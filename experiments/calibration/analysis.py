#!/usr/bin/env python3
"""Asks what a confirmed hold of two seconds gains on app users, against limits for everybody.

    analysis.py PLANKLAB RECORDINGS OUTPUT [--keep DIR]

RECORDINGS has `app-users`: 2D poses, a coach's form by his limits on hand-clicked points, and that true angle for
every frame (`hand-angle.csv`). The angle that `profile` measures is read in five ways:

* absolute: as it is;
* one offset: minus the mean offset of the other people's sessions, which calibrates the estimator and no person;
* relative: minus its median over the first two seconds of the session;
* confirmed: minus the offset of a hold of two seconds whose true angle is known;
* session: minus the median offset of the whole session, which nobody knows: the most that one offset can do.

Limits are the coach's (178 and 192 degrees) or chosen on the other people: the middle of the pairs within 0.003
of the best. Only frames after the hold count. The hold is either the first two seconds, whatever they are, or the first two
seconds that the library's rules accept: no gap over 0.5 s, a middle half of at most 5 degrees, an offset of at
most 20. The same holds go into a copy of the dataset as `calibration` entries, and `planklab evaluate --calibrate
confirmed` must find the same offsets and scores. Scores are balanced accuracies of pooled frames, each as long as
its recording's median interval; intervals are percentiles of a bootstrap over people. Only the standard library
is used.
"""

import argparse
import bisect
import csv
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FORMS = ["aligned", "sag", "pike"]
COACH = (178, 192)
HOLD_S, GAP_S, SPREAD_DEG, OFFSET_DEG = 2.0, 0.5, 5.0, 20.0
RESAMPLES, SEED = 4000, 63
GRID = {"absolute": range(150, 221), "relative": range(-35, 36)}
DETECTOR = ["--detector", "profile", "--set", "plank_frames=1", "--set", "form_frames=1"]
for state in ("", "_calibrated"):
    DETECTOR += ["--set", f"profile_sag_angle{state}={COACH[0]}", "--set", f"profile_pike_angle{state}={COACH[1]}"]
SHIPPED = {"app users": COACH}  # of `profile`; all other sources are of `coach`
COACH_3D, UNCALIBRATED, TEN, DRAWS = (170, 192), (175, 205), 10, 6


def median(values):
    """The 50 % quantile between neighbors, as the library takes it."""
    return quantile(values, 0.5)


def quantile(values, fraction):
    ordered = sorted(values)
    place = fraction * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


class Session:
    """One recording: its frames with a form, and what is known of its offset."""

    def __init__(self, name, person, rows, truth):
        self.name, self.person = name, person
        times = [float(row["t"]) for row in rows]
        self.start = times[0]
        self.interval = statistics.median(b - a for a, b in zip(times, times[1:]))
        self.angles = [(t, float(row["hipAngle_deg"]), row["plank"], row["truth_form"])
                       for t, row in zip(times, rows) if row["hipAngle_deg"]]
        self.truth = truth
        self.offset = self.error(self.angles)
        self.first = [frame for frame in self.angles if frame[0] - self.start < HOLD_S]
        self.hold = self.find_hold()

    def error(self, frames):
        """The median of the measured angle less that of the true one."""
        return median([a for _, a, *_ in frames]) - self.true_angle(frames)

    def true_angle(self, frames):
        return median([self.truth[t] for t, *_ in frames if t in self.truth])

    def find_hold(self):
        """The first two seconds that the library accepts: frames, start and end; None without any."""
        frames = []
        for frame in self.angles:
            time, _, plank, _ = frame
            if frames and time >= frames[0][0] + HOLD_S - 1e-9:
                end = frames[0][0] + HOLD_S
                angles = [a for _, a, *_ in frames]
                spread = quantile(angles, 0.75) - quantile(angles, 0.25)
                if (end - frames[-1][0] <= GAP_S and spread <= SPREAD_DEG
                        and abs(self.error(frames)) <= OFFSET_DEG):
                    return frames, frames[0][0], end
                frames = []
            elif plank not in ("forearm", "high") or (frames and time - frames[-1][0] > GAP_S):
                frames = []
            else:
                frames.append(frame)
        return None

    def entry(self):
        """What a manifest says of the hold, or of the first two seconds where none is accepted."""
        frames, start, end = self.hold or (self.first, self.start, self.start + HOLD_S)
        return f"{{start: {start!r}, end: {end!r}, angle_deg: {self.true_angle(frames):.4f}}}"

    def late(self, start):
        return [(a, form) for t, a, _, form in self.angles if t >= start and form]


class Judged:
    """Sessions with a reading each, judged by limits."""

    def __init__(self, sessions, start, shift):
        self.sessions = [s for s in sessions if s.late(start(s))]
        self.people = sorted({s.person for s in self.sessions})
        self.values = {}
        for session in self.sessions:
            off = shift(session)
            by_form = {form: [] for form in FORMS}
            for angle, form in session.late(start(session)):
                by_form[form].append(angle - off)
            self.values[session.name] = {form: sorted(v) for form, v in by_form.items()}

    def counts(self, session, limits):
        """Right seconds and all seconds of each form."""
        result = []
        for form in FORMS:
            values = self.values[session.name][form]
            low = bisect.bisect_left(values, limits[0])
            high = len(values) - bisect.bisect_right(values, limits[1])
            right = {"aligned": len(values) - low - high, "sag": low, "pike": high}[form]
            result += [right * session.interval, len(values) * session.interval]
        return result

    def by_person(self, limits):
        """The counts of each person; `limits` maps a person to a pair."""
        table = {person: [0.0] * (2 * len(FORMS)) for person in self.people}
        for session in self.sessions:
            for place, number in enumerate(self.counts(session, limits(session.person))):
                table[session.person][place] += number
        return table

    def held_out(self, grid):
        """For each person the limits that are best on all others."""
        own, total = {}, {}
        pairs = [(low, high) for low in grid for high in grid if low < high]
        for pair in pairs:
            own[pair] = self.by_person(lambda _: pair)
            total[pair] = [sum(column) for column in zip(*own[pair].values())]
        chosen = {}
        for person in self.people:
            scores = {pair: score([a - b for a, b in zip(total[pair], own[pair][person])])
                      for pair in pairs}
            bound = max(scores.values()) - 0.003
            near = [pair for pair in pairs if scores[pair] >= bound]
            chosen[person] = tuple(round(statistics.fmean(p[side] for p in near)) for side in (0, 1))
        return chosen


def score(counts):
    """The mean recall of the forms with truth."""
    shares = [counts[i] / counts[i + 1] for i in range(0, len(counts), 2) if counts[i + 1] > 1e-9]
    return statistics.fmean(shares)


def pooled(table, people=None):
    return [sum(column) for column in zip(*(table[person] for person in people or table))]


def interval(tables, statistic):
    """The 95 % percentile interval of a statistic of people drawn again."""
    generator, people, drawn = random.Random(SEED), sorted(tables[0]), []
    for _ in range(RESAMPLES):
        picked = [people[int(generator.random() * len(people))] for _ in people]
        drawn.append(statistic([score(pooled(table, picked)) for table in tables]))
    drawn.sort()
    return [drawn[round(share * (RESAMPLES - 1))] for share in (0.025, 0.975)]


def row(name, limits, table, reference):
    counts = pooled(table)
    recall = {form: counts[2 * i] / counts[2 * i + 1] for i, form in enumerate(FORMS)}
    return {
        "reading": name, "limits": limits, "balanced_accuracy": score(counts),
        "interval": interval([table], lambda v: v[0]), "recall": recall,
        "difference_to_absolute": score(counts) - score(pooled(reference)),
        "difference_interval": interval([table, reference], lambda v: v[0] - v[1]),
    }


def readings(sessions, start, confirmed):
    """Every reading on the frames from `start` on; `confirmed` gives a session's offset."""
    others = {}
    for person in {s.person for s in sessions}:
        others[person] = statistics.fmean(s.offset for s in sessions if s.person != person)
    ways = [
        ("absolute", lambda s: 0.0, ["held-out", "coach"]),
        ("one offset for all", lambda s: others[s.person], ["coach", "held-out"]),
        ("relative", lambda s: median([a for _, a, *_ in s.first]), ["held-out"]),
        ("confirmed", confirmed, ["coach", "held-out"]),
        ("session", lambda s: s.offset, ["coach"]),
    ]
    rows, reference = [], None
    for name, shift, kinds in ways:
        judged = Judged(sessions, start, shift)
        for kind in kinds:
            limits = {person: COACH for person in judged.people}
            if kind == "held-out":
                limits = judged.held_out(GRID["relative" if name == "relative" else "absolute"])
            table = judged.by_person(limits.__getitem__)
            reference = reference or table
            rows.append(row(name, kind, table, reference))
    return {"sessions": len(judged.sessions), "people": len(judged.people),
            "frames": sum(len(s.late(start(s))) for s in judged.sessions), "rows": rows}


def load(measured, data):
    """The sessions of the dataset."""
    truth, people, name = {}, {}, None
    for line in (data / "hand-angle.csv").open():
        if not line.startswith("sequence"):
            sequence, time, angle = line.split(",")
            truth.setdefault(sequence, {})[float(time)] = float(angle)
    for line in (data / "dataset.yaml").read_text().splitlines():
        key, _, value = line.strip().removeprefix("- ").partition(": ")
        if key == "poses":
            name = value.removesuffix(".poses.jsonl")
        elif key == "subject":
            people[name] = value.strip('"')
    sessions = []
    for name, person in people.items():
        rows = list(csv.DictReader((measured / f"{name}.csv").open()))
        sessions.append(Session(name, person, rows, truth[Path(name).name]))
    return sessions


def with_holds(data, sessions, copy):
    """A copy of the dataset whose manifest names the holds."""
    copy.mkdir()
    shutil.copytree(data / "recordings", copy / "recordings")
    entries = {session.name: session.entry() for session in sessions}
    lines = []
    for line in (data / "dataset.yaml").read_text().splitlines():
        lines.append(line)
        if line.startswith("  - poses: "):
            name = line.removeprefix("  - poses: ").removesuffix(".poses.jsonl")
            lines.append(f"    calibration: {entries[name]}")
    (copy / "dataset.yaml").write_text("\n".join(lines) + "\n")


def run(planklab, *arguments):
    done = subprocess.run([planklab, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"planklab {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def command(planklab, copy, sessions):
    """What `evaluate --calibrate confirmed` finds, beside the same numbers counted here."""
    output = run(planklab, "evaluate", str(copy), *DETECTOR, "--calibrate", "confirmed", "--no-next",
                 "--format", "json")
    found = json.loads(output)["result"]["calibration"]
    accepted = {s.name: s for s in sessions if s.hold}
    offsets = {hold["sequence"]: hold["offset"] for hold in found["holds"] if "offset" in hold}
    if sorted(offsets) != sorted(accepted):
        sys.exit(f"other holds: {sorted(set(offsets) ^ set(accepted))}")
    worst = max(abs(offsets[name] - s.error(s.hold[0])) for name, s in accepted.items())
    metric = found["comparison"][0]
    own = {}
    for key, shift in (("without", lambda s: 0.0),
                       ("with", lambda s: s.error(s.hold[0]) if s.hold else 0.0)):
        judged = Judged(sessions, lambda s: s.hold[2] if s.hold else s.start, shift)
        own[key] = score(pooled(judged.by_person(lambda _: COACH)))
    ends = metric["interval"][metric["interval"]["wider"]]
    result = {
        "calibrated": len(offsets), "refused": len(found["holds"]) - len(offsets),
        "largest_difference_of_offsets_deg": round(worst, 4),
        "balanced_accuracy": {
            "without": metric["before"], "with": metric["after"],
            "difference": metric["difference"], "interval": [ends["lower"], ends["upper"]]},
        "counted_here": own,
    }
    if worst > 0.001 or max(abs(own["without"] - metric["before"]),
                            abs(own["with"] - metric["after"])) > 0.002:
        sys.exit(f"the command and this script disagree: {json.dumps(result, indent=1)}")
    return result


def aligned_to(frames, hold):
    """Angles and forms less what the ten frames of a hold read of a straight body; the hold is left out."""
    off = median([frames[i][0] for i in hold]) - 180
    held = set(hold)
    return [(angle - off, form) for i, (angle, form) in enumerate(frames) if i not in held]


def sources(planklab, recordings, sessions, work):
    """Source -> (uncalibrated parts, calibrated parts): lists of (angle, form) of people or draws."""
    run(planklab, "import", *map(str, sorted((recordings / "exercise-correction/history").glob("*.csv"))), "--map",
        "datasets/exercise-correction/clips.map.yaml", "--output", str(work / "clips"))
    folders = {"clips": work / "clips", "films": recordings / "films", "scripted": Path("datasets/scripted")}
    found = {}
    for name, folder in folders.items():
        run(planklab, "measure", str(folder), "--detector", "coach", "--output", str(work / name / "measured"))
        people = {}
        for table in sorted((work / name / "measured").rglob("*.csv")):
            if {"spectra", "allan"} & set(table.parts):
                continue
            rows = [row for row in csv.DictReader(table.open())
                    if row["signedHipAngle_deg"] and row["truth_form"] in FORMS]
            person = "nobody is named" if name == "clips" else rows[0]["subject"] if rows else ""
            people.setdefault(person, []).extend((float(row["signedHipAngle_deg"]), row["truth_form"]) for row in rows)
        generator, parts = random.Random(SEED), []
        for frames in people.values():
            straight = [i for i, (_, form) in enumerate(frames) if form == "aligned"]
            if len(straight) < TEN:
                continue
            for _ in range(DRAWS if name == "clips" else 1):
                hold = sorted(generator.sample(straight, TEN)) if name == "clips" else straight[:TEN]
                parts.append(aligned_to(frames, hold))
        found[name] = ([frames for frames in people.values() if frames], parts)
    held = [session for session in sessions if session.hold]
    found["app users"] = ([session.late(session.hold[2]) for session in held],
                          [[(angle - session.error(session.hold[0]), form) for angle, form in session.late(session.hold[2])]
                           for session in held])
    return found


def balanced(parts, limits):
    """The mean recall of the forms over the frames of all parts."""
    counts = [0.0] * (2 * len(FORMS))
    for angle, form in (frame for part in parts for frame in part):
        place = FORMS.index(form)
        said = "sag" if angle < limits[0] else "pike" if angle > limits[1] else "aligned"
        counts[2 * place] += said == form
        counts[2 * place + 1] += 1
    return score(counts)


def left_out(found):
    """For every source: the pair chosen on the others, and what it, the shipped one and no calibration score there."""
    pairs = [(low, high) for low in range(160, 181) for high in range(180, 206)]
    scores = {name: {pair: balanced(calibrated, pair) for pair in pairs} for name, (_, calibrated) in found.items()}
    rows = []
    for name, (plain, calibrated) in found.items():
        others = [scores[other] for other in scores if other != name]
        means = {pair: statistics.fmean(part[pair] for part in others) for pair in pairs}
        near = [pair for pair in pairs if means[pair] >= max(means.values()) - 0.003]
        chosen = tuple(round(statistics.fmean(pair[side] for pair in near)) for side in (0, 1))
        print(f"limits for {name} are chosen on {', '.join(other for other in scores if other != name)}", file=sys.stderr)
        rows.append({"source": name, "parts": len(calibrated), "frames": sum(map(len, calibrated)),
                     "uncalibrated": balanced(plain, UNCALIBRATED), "chosen": list(chosen),
                     "chosen_on_others": scores[name][chosen], "shipped": scores[name][SHIPPED.get(name, COACH_3D)],
                     "best_in_hindsight": max(scores[name].values())})
    return rows


def rounded(number):
    if isinstance(number, float):
        return float(f"{number:.4g}")
    if isinstance(number, list):
        return [rounded(part) for part in number]
    if isinstance(number, dict):
        return {key: rounded(part) for key, part in number.items()}
    return number


def table(result):
    """The numbers as Markdown."""
    parts = ["| source left out | frames | without calibration | chosen on the others | there | shipped | best in hindsight |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for line in result["sources_left_out"]:
        parts.append("| {source} | {frames:,} | {uncalibrated:.3f} | {chosen[0]}, {chosen[1]} | {chosen_on_others:.3f} "
                     "| {shipped:.3f} | {best_in_hindsight:.3f} |".format(**line))
    parts.append("")
    for title, part in (("After the first two seconds, all sessions", result["first_seconds"]),
                        ("After the first accepted hold, sessions that have one",
                         result["accepted_holds"])):
        parts.append(f"{title}: {part['sessions']} sessions of {part['people']} people, "
                     f"{part['frames']:,} frames.\n")
        parts.append("| reading | limits | balanced accuracy | less absolute, held-out | aligned | sag | pike |")
        parts.append("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        for line in part["rows"]:
            low, high = line["interval"]
            below, above = line["difference_interval"]
            recall = " | ".join(f"{line['recall'][form]:.2f}" for form in FORMS)
            difference = ("" if line is part["rows"][0] else
                          f"{line['difference_to_absolute']:+.3f} ({below:+.3f} to {above:+.3f})")
            parts.append(f"| {line['reading']} | {line['limits']} | {line['balanced_accuracy']:.3f} "
                         f"({low:.3f} to {high:.3f}) | {difference} | {recall} |")
        parts.append("")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("planklab")
    parser.add_argument("recordings", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--keep", type=Path, help="where to leave the copy of the dataset")
    given = parser.parse_args()
    data = given.recordings / "app-users"
    with tempfile.TemporaryDirectory() as work:
        measured = Path(work) / "measured"
        run(given.planklab, "measure", str(data), *DETECTOR, "--output", str(measured))
        sessions = load(measured, data)
        copy = given.keep or Path(work) / "holds"
        with_holds(data, sessions, copy)
        accepted = [s for s in sessions if s.hold]
        result = {
            "sources_left_out": left_out(sources(given.planklab, given.recordings, sessions, Path(work))),
            "first_seconds": readings(
                sessions, lambda s: s.start + HOLD_S, lambda s: s.error(s.first)),
            "accepted_holds": readings(
                accepted, lambda s: s.hold[2], lambda s: s.error(s.hold[0])),
            "command": command(given.planklab, copy, sessions),
        }
    (given.output / "result.json").write_text(json.dumps(rounded(result), indent=1) + "\n")
    (given.output / "table.md").write_text(table(result))


if __name__ == "__main__":
    main()
