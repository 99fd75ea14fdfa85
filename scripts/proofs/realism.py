#!/usr/bin/env python3
"""Whether a classifier tells the studio's recordings from real ones, and by what.

    realism.py --planklab PROGRAM --recordings FOLDER [--output FOLDER | --check FOLDER]

Every comparison has two sides that hold the same postures: a source against another source, or against a studio
of one of the presets, seen as the clips were seen (`datasets/studio/beside-real.yaml`). A random forest gets what
`planklab measure` writes. Clips stay whole in cross-validation, forms and clips of a side weigh the same, and the
area under the ROC curve (AUC) is that of frames or windows that the forest has not seen. Two controls show what the
number is worth: real sources against each other, and two studios that differ in nothing but their seed.

The criterion: a studio is no easier to tell from a real source than the other real sources are. Writes result.json and
table.md; with --check compares with those that are committed: AUCs to 0.03, verdicts exactly.
"""

import argparse
import csv
import gzip
import itertools
import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold

ROOT = Path(__file__).resolve().parents[2]
MEASUREMENTS = (
    "verticalRatio shoulderRise_m wristHipCosine elbowAngle_deg bodyAngle_deg hipDeviation_m signedHipAngle_deg"
    " trunkRoll_deg supportDrop_bh hipClearance_bh forearmVerticality kneeAngle_deg thighSpread_deg trunkIncline"
    " handHeight_bh upperArmIncline smallerKneeAngle_deg kneeRise_bh shoulderWidth_bh hipWidth_bh"
).split()
# A detector that measures widths, beside all built-in measurements.
WIDTHS = ROOT / "experiments/realism/widths.yaml"
# The anatomical factor of the sun salutations (experiments/image-or-space).
SALUTATIONS_DEPTH = 0.27
# The side that a body turns to the camera says nothing about who made the recording.
UNSIGNED = {"shoulderRise_m", "trunkRoll_deg"}
WINDOW = 30
SHORTEST_CLIP = 60
FOLDS = 5
TREES = 30
MOST_SAMPLES = 300
FEWEST_CLIPS = 3
TOLERANCE = 0.03
# Noise preset and program of each studio.
STUDIOS = {"phone": "textbook", "vision3d": "everyday", "mediapipe": "everyday"}
CLIPS, PHOTOS = "forearm planks, windows of 1 s", "{}, single frames"


class Samples:
    """One side of a comparison: features, with the clip and the form that each belongs to."""

    def __init__(self, names):
        self.names = names
        self.values, self.clips, self.forms = [], [], []

    def add(self, values, clip, form):
        self.values.append(values)
        self.clips.append(clip)
        self.forms.append(form)

    def restricted(self, forms):
        kept = Samples(self.names)
        for values, clip, form in zip(self.values, self.clips, self.forms):
            if form in forms:
                kept.add(values, clip, form)
        return kept.thinned()

    def thinned(self):
        """At most MOST_SAMPLES, evenly over the whole."""
        kept = Samples(self.names)
        for index in numpy.unique(numpy.linspace(0, len(self.values) - 1, MOST_SAMPLES).astype(int)):
            kept.add(self.values[index], self.clips[index], self.forms[index])
        return kept

    def weights(self):
        """A weight per sample: every form alike, and every clip of a form."""
        pairs = list(zip(self.forms, self.clips))
        samples = Counter(pairs)
        clips = Counter(form for form, _ in samples)
        return numpy.array([1 / (len(clips) * clips[pair[0]] * samples[pair]) for pair in pairs])


def run(planklab, *arguments):
    done = subprocess.run([planklab, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"planklab {arguments[0]}: {done.stderr}")


def number(text):
    return float(text) if text else math.nan


def row_values(row):
    return [abs(number(row[name])) if name in UNSIGNED else number(row[name]) for name in MEASUREMENTS]


def tables(measured):
    for path in sorted(measured.rglob("*.csv")):
        if not {"spectra", "allan"} & set(path.relative_to(measured).parts):
            with open(path, newline="") as file:
                yield path.stem, list(csv.DictReader(file))


def windows(measured, named):
    """Sides of whole windows of forearm planks by what `named` calls a clip: level, step and white part of each."""
    names = [f"{part} of {name.split('_')[0]}" for part in ("level", "step", "white") for name in MEASUREMENTS]
    sides = defaultdict(lambda: Samples(names))
    for clip, rows in tables(measured):
        if len(rows) < SHORTEST_CLIP:
            continue
        for start in range(0, len(rows) - WINDOW + 1, WINDOW):
            part = rows[start : start + WINDOW]
            forms = {row["truth_form"] for row in part}
            if len(forms) > 1 or forms <= {""} or {row["truth_plank"] for row in part} != {"forearm"}:
                continue
            values = numpy.array([row_values(row) for row in part])
            steps = numpy.abs(numpy.diff(values, axis=0))
            seconds = numpy.diff(values, 2, axis=0)
            features = [numpy.median(values, axis=0), numpy.median(steps, axis=0)]
            features.append(numpy.sqrt(numpy.median(seconds * seconds, axis=0) / 6))
            sides[named(clip)].add(numpy.concatenate(features), clip, forms.pop())
    return sides


def frames(measured, wanted, grouped, every=1):
    """The side of single frames of a posture: `wanted` says of a clip and a row whether it is of it."""
    side = Samples([name.split("_")[0] for name in MEASUREMENTS])
    for clip, rows in tables(measured):
        for row in rows[::every]:
            if wanted(clip, row) and any(not math.isnan(value) for value in row_values(row)):
                side.add(row_values(row), grouped(clip), "")
    return side


def auc_by_forest(a, b):
    values = numpy.array(a.values + b.values)
    truth = numpy.array([0] * len(a.values) + [1] * len(b.values))
    clips = numpy.array([f"a{clip}" for clip in a.clips] + [f"b{clip}" for clip in b.clips])
    weights = numpy.concatenate([a.weights(), b.weights()])
    folds = min(FOLDS, len(set(a.clips)), len(set(b.clips)))
    scores = numpy.zeros(len(truth))
    splits = StratifiedGroupKFold(folds, shuffle=True, random_state=1).split(values, truth, clips)
    for train, test in splits:
        forest = RandomForestClassifier(TREES, min_samples_leaf=3, random_state=1)
        forest.fit(values[train], truth[train], weights[train])
        scores[test] = forest.predict_proba(values[test])[:, 1]
    return roc_auc_score(truth, scores, sample_weight=weights)


def auc_of_each(a, b):
    """The AUC of every feature alone, the larger of both directions; a missing value counts as the smallest."""
    values = numpy.nan_to_num(numpy.array(a.values + b.values), nan=-1e9)
    truth = numpy.array([0] * len(a.values) + [1] * len(b.values))
    weights = numpy.concatenate([a.weights(), b.weights()])
    found = []
    for name, column in zip(a.names, values.T):
        auc = roc_auc_score(truth, column, sample_weight=weights)
        found.append((max(auc, 1 - auc), name))
    return sorted(found, key=lambda pair: (-pair[0], pair[1]))


def compare(kind, a, b, sides):
    """A comparison as it is kept, or None where a side has too few clips of the forms that both have."""
    forms = set(sides[a].forms) & set(sides[b].forms)
    if not forms:
        return None
    left, right = sides[a].restricted(forms), sides[b].restricted(forms)
    if min(len(set(left.clips)), len(set(right.clips))) < FEWEST_CLIPS:
        return None
    features = auc_of_each(left, right)
    return {
        "kind": kind, "a": a, "b": b, "forms": sorted(forms - {""}), "auc": round(auc_by_forest(left, right), 3),
        "clips": [len(set(left.clips)), len(set(right.clips))], "samples": [len(left.values), len(right.values)],
        "features": {name: round(auc, 3) for auc, name in features},
    }  # fmt: skip


def measure(planklab, dataset, tables):
    run(planklab, "measure", dataset, "--detector", WIDTHS, "--output", tables)


def scale_depth(dataset, target, factor):
    """A copy of a dataset in camera axes whose positions have their depth multiplied."""
    shutil.copytree(dataset, target)
    for path in target.rglob("*.poses.jsonl.gz"):
        header, *frames = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
        assert header["frame"] == "camera", path
        for frame in frames:
            for slot in range(2, len(frame["p"] or []), 3):
                frame["p"][slot] = None if frame["p"][slot] is None else round(frame["p"][slot] * factor, 4)
        path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in (header, *frames)).encode()))
    return target


def make_real(planklab, recordings, work, depth):
    """Measures the real sources: forearm clips, yoga photos, push-up photos, sun salutations.

    All but the yoga photos are image landmarks, whose depth is exaggerated. `depth` is what `--depth-scale` takes;
    the salutations are no table that could be imported, so their factor is stated here.
    """
    history = sorted((recordings / "exercise-correction/history").glob("*.csv"))
    labels = ["C=forearm/aligned", "H=forearm/pike", "L=forearm/sag"]
    flags = [part for label in labels for part in ("--label", label)]
    run(planklab, "import", "mediapipe", *history, "--mirrored", *flags, "--depth-scale", depth, "--output",
        work / "clips")  # fmt: skip
    run(
        planklab, "import", "mediapipe", recordings / "kalatz/train.csv", "--stills", "--proportional", "--label-column",
        "pose", "--label", "pushups_up=high", "--label", "*=ignore", "--depth-scale", depth, "--output",
        work / "push-ups")  # fmt: skip
    places = {"clips": work / "clips", "push-ups": work / "push-ups"}
    factor = SALUTATIONS_DEPTH if depth == "anatomical" else float(depth)
    salutations = scale_depth(recordings / "posepilot", work / "salutations", factor)
    places |= {"yoga": recordings / "stills/yoga", "salutations": salutations}
    for name, dataset in places.items():
        measure(planklab, dataset, work / f"measured-{name}")


def make_studio(planklab, preset, seed, work):
    """Makes and measures a studio seen from the side; gives the folder of its tables."""
    script = (ROOT / "datasets/studio/beside-real.yaml").read_text()
    script = script.replace("preset: phone", f"preset: {preset}, program: {STUDIOS[preset]}")
    script = script.replace("seed: 20260", f"seed: {seed}").replace("frames: 120000", "frames: 240000")
    name = f"{preset}-{seed}"
    (work / f"{name}.yaml").write_text(script)
    run(planklab, "synthesize", work / f"{name}.yaml", "--output", work / name)
    measure(planklab, work / name, work / f"measured-{name}")
    return work / f"measured-{name}"


def photo_subjects(dataset):
    """The subject of each recording of a dataset, from its manifest."""
    subjects, name = {}, None
    for line in (dataset / "dataset.yaml").read_text().splitlines():
        if "poses:" in line:
            name = Path(line.split("poses:")[1].strip()).name.split(".poses")[0]
        elif "subject:" in line and name:
            subjects[name] = line.split("subject:")[1].strip()
    return subjects


def gathered(recordings, work, studios):
    """All sides by kind of comparison; real sources first, then the studios."""
    people = photo_subjects(recordings / "stills/yoga")
    itself, person = lambda clip: clip, lambda clip: people.get(clip, clip)
    by_file = windows(work / "measured-clips", lambda clip: "clips of " + clip.split("_")[-1].rsplit("-", 1)[0])
    kinds = {CLIPS: dict(by_file)}
    yoga, pushups = work / "measured-yoga", work / "measured-push-ups"
    dog = lambda clip, row: row["truth_plank"] == "none" and float(row["verticalRatio"] or 1) < 0.7  # noqa: E731
    high = lambda clip, row: row["truth_plank"] == "high"  # noqa: E731
    forearm = lambda clip, row: row["truth_plank"] == "forearm"  # noqa: E731
    is_dog = lambda clip, row: dog(clip, row) and float(row["bodyAngle_deg"] or 180) < 120  # noqa: E731
    kinds[PHOTOS.format("high planks")] = {
        "yoga photos": frames(yoga, high, person, 2), "push-up photos": frames(pushups, high, itself, 2)}  # fmt: skip
    kinds[PHOTOS.format("forearm planks")] = {
        "yoga photos": frames(yoga, forearm, person, 2),
        "forearm clips": frames(work / "measured-clips", forearm, itself, 15)}  # fmt: skip
    kinds[PHOTOS.format("downward dogs")] = {
        "yoga photos": frames(yoga, is_dog, person, 2),
        "sun salutations": frames(work / "measured-salutations", is_dog, itself, 15)}  # fmt: skip
    posture = lambda clip: clip.rsplit("-", 1)[-1]  # noqa: E731
    hound = lambda clip, row: posture(clip) == "downwardDog" and is_dog(clip, row)  # noqa: E731
    for name, measured in studios.items():
        kinds[CLIPS][name] = windows(measured, lambda clip: name)[name]
        for label, wanted in zip(list(kinds)[1:], (high, forearm, hound)):
            kinds[label][name] = frames(measured, wanted, itself, 15)
    return kinds


def judged(kinds, studios):
    """Every comparison, and for each preset and real source whether the criterion is met.

    Real sources are compared with the first studio of a preset; the second is for the studio's own control.
    """
    comparisons, verdicts = [], []
    for kind, sides in kinds.items():
        first = [name for name in sides if not name.endswith("seed 2")]
        pairs = [pair for pair in itertools.combinations(first, 2) if not set(pair) <= set(studios)]
        pairs += [(f"{preset}, seed 1", f"{preset}, seed 2") for preset in STUDIOS]
        found = [item for pair in pairs if (item := compare(kind, *pair, sides))]
        comparisons += found
        for preset in STUDIOS:
            studio = f"{preset}, seed 1"
            for source in (name for name in sides if name not in studios):
                own = [c["auc"] for c in found if {c["a"], c["b"]} == {source, studio}]
                others = [
                    c["auc"] for c in found if source in (c["a"], c["b"]) and not {c["a"], c["b"]} & set(studios)]
                if own and others:
                    verdicts.append({
                        "kind": kind, "preset": preset, "source": source, "studio": own[0],
                        "real": max(others), "is_met": own[0] <= max(others)})  # fmt: skip
    return comparisons, verdicts


def table(comparisons, verdicts):
    lines = ["| compared | a | b | clips | AUC | what gives it away (AUC alone) |", "|---|---|---|---:|---:|---|"]
    for c in comparisons:
        features = ", ".join(f"{name} {auc:.2f}" for name, auc in list(c["features"].items())[:3])
        forms = f" ({', '.join(c['forms'])})" if c["forms"] else ""
        clips = " and ".join(map(str, c["clips"]))
        lines.append(f"| {c['kind']}{forms} | {c['a']} | {c['b']} | {clips} | {c['auc']:.2f} | {features} |")
    lines += ["", "| compared | preset | real source | studio against it | closest other source said apart by | met |"]
    lines += ["|---|---|---|---:|---:|---|"]
    for v in verdicts:
        met = "yes" if v["is_met"] else "no"
        lines.append(
            f"| {v['kind']} | `{v['preset']}` | {v['source']} | {v['studio']:.2f} | {v['real']:.2f} | {met} |")
    return "\n".join(lines) + "\n"


def differences(result, committed):
    """What differs from a committed result, in words."""
    def key(item):
        return tuple(item.get(name) for name in ("kind", "a", "b", "preset", "source"))

    found = []
    for part, value in (("comparisons", "auc"), ("verdicts", "is_met")):
        old = {key(item): item for item in committed[part]}
        new = {key(item): item for item in result[part]}
        found += [f"{part}: {name} is in one of the two" for name in old.keys() ^ new.keys()]
        for name in old.keys() & new.keys():
            a, b = old[name][value], new[name][value]
            if a != b and (value == "is_met" or abs(a - b) > TOLERANCE):
                found.append(f"{name}: {value} was {a}, is {b}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--planklab", required=True)
    parser.add_argument("--recordings", required=True, type=Path)
    parser.add_argument("--depth", default="anatomical", help="what import takes for --depth-scale")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--check", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        make_real(arguments.planklab, arguments.recordings, work, arguments.depth)
        studios = {
            f"{preset}, seed {seed}": make_studio(arguments.planklab, preset, seed, work)
            for preset in STUDIOS for seed in (1, 2)}  # fmt: skip
        kinds = gathered(arguments.recordings, work, studios)
        comparisons, verdicts = judged(kinds, studios)
    result = {"schema_version": 1, "depth_scale": arguments.depth, "comparisons": comparisons, "verdicts": verdicts}
    print(table(comparisons, verdicts))
    if arguments.output:
        (arguments.output / "result.json").write_text(json.dumps(result, indent=1, sort_keys=True) + "\n")
        (arguments.output / "table.md").write_text(table(comparisons, verdicts))
    if arguments.check:
        found = differences(result, json.loads((arguments.check / "result.json").read_text()))
        for line in found:
            print(line, file=sys.stderr)
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
