#!/usr/bin/env python3
"""Chooses the edits of the third edition of `coach` without each person and each source, and scores them there.

    PLANKLAB_RECORDINGS=FOLDER analysis.py PLANKLAB WORK RESULT.json

WORK keeps what was made: imports, copies of every source in which joints are misplaced (5 cm in depth and 2.5 cm
across, standard deviation, one draw per recording and joint, and up is off by 4 degrees), copies of side planks whose
upper knee is drawn up, and what `measure` says. A person who is left out is left out of all of them.

An edit is taken if it raises the mean, over sources and their copies, of recall (mean over classes) and of six times
the share of `none` without a plank, by more than its cost. Seconds weigh within a class. Needs numpy.
"""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from recordings import COPIES, HERE, measured

CLASSES = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse", "forearm, head end"]
COMPARE = {">": np.greater, ">=": np.greater_equal, "<": np.less, "<=": np.less_equal}
NONE_WEIGHT = 6
WEIGHTS = {"films": 2, "clips": 2, "oblique-photos": 0.5, "getting-up": 0.5, "crawl": 0.25, "drawn-knees": 0.5}
DROP, MOVE, ADD = -1e-4, 1e-4, 2e-4   # what an edit costs: fewer rules are better than more


def values(key, *numbers):
    return [{key: number} for number in numbers]


# Each edit: its cost and the alternatives. The first that is best on what may be seen is taken.
EDITS = {
    "mean knee, not the worse one": (MOVE, [
        {"coach_knee_angle": 0, "supine_knee": 0, "supine_spread": 180, "mean_knee": angle} for angle in (125, 130, 135)]),
    "side: straighter knee, stacked pelvis": (MOVE, [
        {"side_knee": 0, "side_spread": 180, "straighter_knee": 135, "pelvis_turn": turn} for turn in (0.5, 0.6, 0.7)]),
    "lying: hips": (MOVE, values("coach_hip_clearance", 0.125, 0.15)),
    "hands ahead of the shoulders": (ADD, values("wrist_reach", 0.14)),
    "facing up: feet up": (0, values("supine_leg_incline", 0)),
    "downward dog: elbows": (MOVE, values("coach_fold_elbow_rise", 0.02, 0.025, 0.045)),
    "side: hip angle, no rule": (DROP, values("coach_side_hip_angle", 0)),
}
# Taken in every fold: anatomy, and the one rule that misses the forearm planks of people kept aside elsewhere.
# Its limits are placed by the people who may be seen (`halfway`), not searched.
FIXED = {"side_hand_drop": 0.2}


class Frames:
    """Columns of all scored frames, and the rules on them."""

    def __init__(self, folders, work, planklab):
        text = subprocess.run([planklab, "detectors", HERE / "candidates.yaml", "--format", "json"], check=True, capture_output=True, text=True).stdout
        document = json.loads(text).get("result", json.loads(text))
        self.second = {one["key"]: float(one["default"]) for one in document["parameters"]}
        self.rules = []
        for sentence in document["rules"]["plank"]:
            label, _, conditions = sentence.removesuffix(" otherwise").partition(" if ")
            parts = [re.fullmatch(r"(\w+) (>=?|<=?) (-?)(\w+)", part).groups() for part in filter(None, conditions.split(" and "))]
            self.rules.append((CLASSES.index(label), parts))
        names = sorted({part[0] for _, parts in self.rules for part in parts})
        views = dict(re.findall(r"recordings/(\S+)\.poses.*?view: \"?(\w+)", (folders["films"] / "dataset.yaml").read_text(), re.S))
        rows = []
        self.recordings = {}
        for number in range(COPIES + 1):
            for name in folders:
                for path in sorted((work / "measured" / str(number) / name).rglob("*.csv")):
                    if not {"allan", "spectra"} & set(path.parts):
                        self.read(path, name, number, names, views, rows)
        self.columns = {name: np.concatenate([row[0][index] for row in rows]) for index, name in enumerate(names)}
        self.truth, self.raw = (np.concatenate([row[part] for row in rows]) for part in (1, 2))
        weight = np.concatenate([row[3] for row in rows])
        self.groups = sorted({row[4] for row in rows})     # (copy, source, person)
        place = {group: index for index, group in enumerate(self.groups)}
        self.place = np.concatenate([np.full(len(row[1]), place[row[4]]) for row in rows])
        cell = self.place * 7 + self.truth
        self.count = lambda chosen: np.bincount(cell, weight * chosen, 7 * len(self.groups)).reshape(-1, 7)
        self.total, self.known = self.count(np.ones(len(cell))), {}

    def read(self, path, name, number, names, views, rows):
        with open(path, newline="") as file:
            header, *table = csv.reader(file)
        at = [next(i for i, column in enumerate(header) if re.fullmatch(f"{one}(_m|_deg|_bh)?", column)) for one in names]
        truth, answer, subject, sequence = (header.index(one) for one in ("truth_plank", "raw_plank", "subject", "sequence"))
        times = np.array([float(row[0]) for row in table])
        step = np.clip(np.append(np.diff(times), np.median(np.diff(times)) if len(times) > 1 else 1 / 30), 0, 0.5)
        drawing, film = name.startswith("drawn"), name.endswith("films")
        kept = [i for i, row in enumerate(table) if row[truth] in CLASSES and (not drawing or row[truth].startswith("side"))]
        if not kept:
            return
        alone = name in ("clips", "oblique-photos", "sun-salutations")
        person = table[0][sequence] if alone else table[0][subject]
        labels = np.array([CLASSES.index(table[i][truth]) for i in kept])
        if film and views.get(path.name.removesuffix(".csv")) == "head":
            labels[labels == 1] = 6
        answers = np.array([CLASSES.index(table[i][answer] or "none") for i in kept])
        numbers = np.array([[float(table[i][column] or "nan") for i in kept] for column in at])
        rows.append((numbers, labels, answers, step[kept], (number, name, person)))
        if not number and not drawing:
            self.recordings.setdefault((name, person), []).append(table[0][sequence])

    def answers(self, values):
        result, is_open = np.zeros(len(self.truth), np.int8), np.isfinite(self.columns["verticalRatio"])
        with np.errstate(invalid="ignore"):
            for label, parts in self.rules:
                holds = is_open
                for name, comparison, sign, key in parts:
                    holds = holds & COMPARE[comparison](self.columns[name], -values[key] if sign else values[key])
                result[holds] = label
                is_open = is_open & ~holds
        return result

    def right(self, values):
        key = tuple(values.values())
        if key not in self.known:
            self.known[key] = self.count(self.answers(values) == np.where(self.truth == 6, 1, self.truth))
        return self.known[key]

    def seen(self, source=None, person=None):
        """Which groups a choice may see if this source, or only this person of it, is left out."""
        out = [name.split("@")[-1] == source and person in (None, who) for _, name, who in self.groups]
        return ~np.array(out)

    def score(self, values, seen):
        right, total, weight = self.right(values), 0.0, 0.0
        for name in {name.split("@")[0] for _, name, _ in self.groups}:
            for copied in (False, True):
                chosen = seen & np.array([one[1].split("@")[0] == name and (one[0] > 0) == copied for one in self.groups])
                seconds, found = self.total[chosen].sum(0)[:6], right[chosen].sum(0)[:6]
                share, each = found[seconds > 0] / seconds[seconds > 0], WEIGHTS.get(name, 1)
                if seconds[0]:
                    total, weight = total + NONE_WEIGHT * each * share[0], weight + NONE_WEIGHT * each
                    share = share[1:]
                if len(share) and name != "gym-photos":   # it has seven planks
                    total, weight = total + each * share.mean(), weight + each
        return total / weight

    def choose(self, seen):
        fixed = {**FIXED, **self.halfway(seen)}
        taken, score = {}, lambda edits: self.score({**self.apply(edits), **fixed}, seen) - sum(EDITS[name][0] for name in edits)
        best = score({})
        for _ in range(2):
            before = dict(taken)
            for name, (_, alternatives) in EDITS.items():
                for edits in [{**taken, name: one} for one in alternatives] + [{k: v for k, v in taken.items() if k != name}]:
                    if (now := score(edits)) > best + 1e-7:
                        best, taken = now, edits
            if taken == before:
                break
        return {**taken, "elbows up: both doubtful": self.halfway(seen), "side: hand near the feet's height": FIXED}

    def halfway(self, seen):
        """Elbows are up from halfway between the medians of people's forearm and high planks, each source counting
        once; a forearm is doubtful from halfway between that median of forearm planks and the split."""
        def median(name, label):
            by_source = {}
            for index, (copied, source, _) in enumerate(self.groups):
                mine = (self.place == index) & (self.truth == label) if seen[index] and not copied else []
                if np.any(mine):
                    by_source.setdefault(source, []).append(np.median(self.columns[name][mine]))
            return np.mean([np.median(medians) for medians in by_source.values()])
        rise = (median("elbowRise", 1) + median("elbowRise", 2)) / 2
        doubt = (median("forearmVerticality", 1) + self.second["coach_forearm_verticality"]) / 2
        return {"coach_elbow_rise": round(float(rise), 3), "doubtful_forearm": round(float(doubt), 2)}

    def apply(self, edits):
        return {**self.second, **{key: value for edit in edits.values() for key, value in edit.items()}}


def main():
    planklab, work, target = sys.argv[1], *map(Path, sys.argv[2:4])
    frames = Frames(measured(planklab, work), work, planklab)
    wrong = (frames.answers(frames.second) != frames.raw).sum()
    print(f"rules in Python differ from `measure` in {wrong} of {len(frames.raw)} frames")
    people = sorted({(name, who) for number, name, who in frames.groups if name == "films"})
    folds = [("films", who) for _, who in people] + [(name, None) for name in sorted({n for n, _ in frames.recordings})]
    second, held = frames.right(frames.second), np.zeros_like(frames.total)
    chosen, by_source = {}, np.zeros_like(frames.total)
    for source, person in folds:
        seen = frames.seen(source, person)
        edits = frames.choose(seen)
        chosen[f"{source} {person or ''}".strip()] = edits
        left = [one for key, some in frames.recordings.items() if key[0] == source and person in (None, key[1]) for one in some]
        saw = {}
        for key, some in frames.recordings.items():
            if not (key[0] == source and person in (None, key[1])):
                saw.setdefault(key[0], []).extend(some)
        print(f"left out {source} {person or '(all)'}: {len(left)} recordings ({', '.join(left[:4])}, ...); saw",
              ", ".join(f"{len(some)} of {name}" for name, some in saw.items()), "->",
              "; ".join(f"{name} {list(one.values())[-1]}" for name, one in edits.items()), flush=True)
        result = frames.right(frames.apply(edits))
        (held if person else by_source)[~seen] = result[~seen]
    final = frames.choose(np.ones(len(frames.groups), bool))
    print("chosen on all:", json.dumps(final, indent=1))
    lines = table(frames, second, held, by_source)
    print("\n".join(lines))
    target.write_text(json.dumps({"chosen_on_all": final, "chosen": chosen, "table": lines}, indent=1) + "\n")


def table(frames, second, held, by_source):
    lines = ["| source | class | s | second edition | left out | misplaced: second | misplaced: left out |", "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]

    def row(title, column, group, result):
        real, copied = ([group(one) and (one[0] > 0) == is_copy for one in frames.groups] for is_copy in (False, True))
        cells = []
        for chosen in (real, copied):
            seconds = frames.total[chosen, column].sum()
            for right in (second, result):
                share = 100 * right[chosen, column].sum() / seconds if seconds else 0
                cells.append(f"{100 - share if column == 0 else share:.2f}")
        seconds = frames.total[real, column].sum()
        if seconds:
            lines.append(f"| {title} | {'false planks in `none`' if column == 0 else CLASSES[column]} | {seconds:.1f} | " + " | ".join(cells) + " |")

    for column in range(7):
        row("films, each person left out", column, lambda one: one[1] == "films", held)
    for column, name in ((1, "forearm"), (4, "sideRight")):
        for who in sorted({one[2] for one in frames.groups if one[1] == "films"}):
            row(f"... person {who}", column, lambda one: one[1] == "films" and one[2] == who, held)
    row("films, side planks with a drawn knee", 4, lambda one: one[1] == "drawn-knees@films", held)
    for name in sorted({one[1] for one in frames.groups}):
        for column in range(7):
            row(f"{name}, source left out", column, lambda one: one[1] == name, by_source)
    return lines


if __name__ == "__main__":
    main()
