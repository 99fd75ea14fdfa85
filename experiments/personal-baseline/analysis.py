#!/usr/bin/env python3
"""Asks whether form limits relative to a baseline carry over to another source better than absolute ones.

    analysis.py RESULT.json NAME=MEASURED ...

MEASURED is a folder that `planklab measure` wrote; NAME says which source it is. The signed hip angle is
read in three ways: as it is (absolute), minus its median over the first two seconds of the same hold
(relative), and minus its median over the correct frames of the same person or, where nobody is named, of
the same table (calibrated, which a detector cannot know). A hold is a run of one true plank class; only
frames after its first two seconds count. For each source and reading the pair of limits with the highest
balanced accuracy is chosen, and judged on every source. Intervals are percentiles of a bootstrap over
people (the first part of a recording's name, `s07-...`) or clips. Only the standard library is used.
"""

import csv
import json
import random
import re
import statistics
import sys
from pathlib import Path

FORMS = ["aligned", "sag", "pike"]
READINGS = ["absolute", "relative", "calibrated"]
BASELINE_S = 2.0
LONGEST_GAP_S = 0.5
RESAMPLES = 1000
SEED = 16
EDGE = 90
SAGS, PIKES = range(-24, 1), range(2, 45)


def holds(path):
    """Runs of frames of one true plank class: time, form (or empty), degrees off straight."""
    run, last = [], None
    for row in csv.DictReader(path.open()):
        plank, time, angle = row["truth_plank"], float(row["t"]), row["signedHipAngle_deg"]
        if plank in ("", "none", "ignore") or not angle:
            continue
        if run and (plank != last or time - run[-1][0] > LONGEST_GAP_S):
            yield run
            run = []
        run.append((time, row["truth_form"], float(angle) - 180))
        last = plank
    if run:
        yield run


def people(folder):
    """Per person or clip: which baseline group it is in, and its holds."""
    found = {}
    for path in sorted(folder.rglob("*.csv")):
        if {"allan", "spectra"} & set(part.name for part in path.parents):
            continue
        person = re.match(r"s\d+(?=-)", path.stem)
        name = person[0] if person else path.stem
        group = person[0] if person else re.sub(r"-\d+$", "", path.stem)
        found.setdefault(name, (group, []))[1].extend(holds(path))
    return found


def late(hold):
    """What the first two seconds are, and what comes after."""
    start = hold[0][0]
    first = [frame for frame in hold if frame[0] - start < BASELINE_S]
    return first, hold[len(first):]


def readings(folder):
    """Per reading, per person: counts of whole degrees by form; and what the first seconds were."""
    found = people(folder)
    correct = {}
    for group, runs in found.values():
        angles = [angle for run in runs for _, form, angle in run if form == "aligned"]
        correct.setdefault(group, []).extend(angles)
    everyone = [angle for angles in correct.values() for angle in angles]
    counts = {reading: [] for reading in READINGS}
    frames, same = 0, 0
    for group, runs in found.values():
        middle = statistics.median(correct[group] or everyone)
        tables = {reading: {form: [0] * (2 * EDGE + 1) for form in FORMS} for reading in READINGS}
        for run in runs:
            first, rest = late(run)
            start = statistics.median(angle for _, _, angle in first)
            forms = [form for _, form, _ in first if form]
            usual = statistics.mode(forms) if forms else None
            for _, form, angle in rest:
                if not form:
                    continue
                frames += 1
                same += form == usual
                for reading, zero in zip(READINGS, (0, start, middle)):
                    degree = min(EDGE, max(-EDGE, int(-(-(angle - zero) // 1))))
                    tables[reading][form][degree + EDGE] += 1
        if any(sum(counted) for counted in tables["absolute"].values()):
            for reading in READINGS:
                counts[reading].append(tables[reading])
    return counts, {
        "people_or_clips": len(counts["absolute"]),
        "frames": frames,
        "share_with_the_form_of_the_first_seconds": same / frames,
    }


def pooled(tables):
    return {form: [sum(column) for column in zip(*(table[form] for table in tables))] for form in FORMS}


def recalls(table, sag, pike):
    """The share of each form that limits in degrees off straight get right; None without frames."""
    shares = dict.fromkeys(FORMS)
    for form in FORMS:
        total = sum(table[form])
        if not total:
            continue
        low = sum(table[form][: sag + EDGE + 1])
        high = sum(table[form][pike + EDGE + 1 :])
        right = {"aligned": total - low - high, "sag": low, "pike": high}[form]
        shares[form] = right / total
    return shares


def balanced(table, sag, pike):
    known = [share for share in recalls(table, sag, pike).values() if share is not None]
    return statistics.fmean(known)


def choose(table):
    """The middle of the pairs that are within 0.3 points of the best one."""
    surface = {(sag, pike): balanced(table, sag, pike) for sag in SAGS for pike in PIKES}
    bound = max(surface.values()) - 0.003
    near = [pair for pair, score in surface.items() if score >= bound]
    return tuple(round(statistics.fmean(pair[side] for pair in near)) for side in (0, 1))


def judged(tables, sag, pike):
    generator, drawn = random.Random(SEED), []
    cut = []
    for table in tables:
        shares = recalls(table, sag, pike)
        cut.append({form: (sum(table[form]), shares[form]) for form in FORMS})
    for _ in range(RESAMPLES):
        picked = [cut[int(generator.random() * len(cut))] for _ in cut]
        shares = []
        for form in FORMS:
            total = sum(person[form][0] for person in picked)
            right = sum(person[form][0] * person[form][1] for person in picked if person[form][0])
            if total:
                shares.append(right / total)
        drawn.append(statistics.fmean(shares))
    drawn.sort()
    whole = pooled(tables)
    return {
        "balanced_accuracy": balanced(whole, sag, pike),
        "interval": [drawn[round(share * (RESAMPLES - 1))] for share in (0.025, 0.975)],
        "recall": recalls(whole, sag, pike),
    }


def rounded(number):
    if isinstance(number, float):
        return float(f"{number:.4g}")
    if isinstance(number, list):
        return [rounded(part) for part in number]
    if isinstance(number, dict):
        return {key: rounded(part) for key, part in number.items()}
    return number


def main():
    sources = {}
    for argument in sys.argv[2:]:
        name, folder = argument.split("=", 1)
        sources[name] = readings(Path(folder))
    result = {"sources": {name: about for name, (_, about) in sources.items()}, "transfer": []}
    for chosen, (counts, _) in sources.items():
        for reading in READINGS:
            sag, pike = choose(pooled(counts[reading]))
            result["transfer"].append({
                "chosen_on": chosen,
                "reading": reading,
                "sag_deg": sag,
                "pike_deg": pike,
                "judged_on": {
                    name: judged(other[reading], sag, pike)
                    for name, (other, _) in sources.items()
                },
            })
    Path(sys.argv[1]).write_text(json.dumps(rounded(result), indent=1) + "\n")


if __name__ == "__main__":
    main()
