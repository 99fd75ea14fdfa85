#!/usr/bin/env python3
"""Whether a classifier tells the studio's recordings from real ones, and by what.

    realism.py --planklab PROGRAM --recordings FOLDER [--output FOLDER | --check FOLDER]

Every comparison has two sides that hold the same posture: a real source, another one, or a studio with the errors
of a preset or of a bank (`planklab synthesize --errors-from`), seen as the clips were seen
(`datasets/studio/beside-real.yaml`). A random forest gets what the joints do within 1 s at 15 Hz (pose_windows.py)
and what `planklab measure` writes. People stay whole in cross-validation, recordings where nobody knows the people,
and donors where a bank made a recording. Forms weigh the same, and so do the recordings of a form. The area under
the ROC curve (AUC) is that of windows that the forest has not seen; its interval is a bootstrap over people,
recordings or donors. Controls show what the number is worth: halves of a real source, and two studios that differ in
nothing but their seed. No bank is compared with the recordings that donated to it.

The criterion: a studio is no easier to tell from a real source than the other real sources are. Prints a table and writes
result.json; with --check compares with those that are committed: AUCs to 0.03, verdicts exactly.
"""

import argparse
import csv
import functools
import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from pathlib import Path

import numpy
import pose_windows
from sklearn.ensemble import RandomForestClassifier
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
EVERYTHING, FIRST_EDITION = "everything", "measurements"
FOLDS = 4
TREES = 30
MOST_SAMPLES = 200
FEWEST_GROUPS = 2
RESAMPLES = 300
TOLERANCE = 0.03
FRAMES = 120_000
PRESETS = ("phone", "vision3d", "mediapipe")
# Studios that are made a second time with another seed: nothing but chance tells the two apart.
CONTROLS = ("mediapipe", "bank: half the clips")
# The recordings that donate to each bank, by name of the bank, and the real sources that share none of them.
BANKS = {
    "bank: half the clips": ("clips, donors", {"clips, others"}),
    "bank: clips": ("clips", {"films", "films, image landmarks", "app users"}),
    "bank: films": ("films", {"clips", "app users", "sun salutations", "yoga photos", "push-up photos"}),
}
# Postures of the studio's sessions.
STANDING = {"standing", "armsForward", "oneArmUp", "sideBend"}
PRONE = {"lyingProne", "lyingProneArmsOverhead", "lyingProneHandsByShoulders"}
SUPINE = {"lyingSupine", "lyingSupineArmsOverhead"}
FOREARM = "forearm planks, 1 s"
FLAT = "forearm planks in 2D, 2 s at 4 Hz"
PHOTOS = "{}, single frames"


class Samples:
    """One side of a comparison: what describes each sample, with its form, recording and person. Samples are described
    when a comparison needs them: features by (group, name), the same of all."""

    def __init__(self):
        self.rows, self.described = [], {}

    def add(self, describe, form, recording, person, subject):
        self.rows.append((describe, form, recording, person, subject))

    def restricted(self, forms):
        """The samples of some forms; at most MOST_SAMPLES, evenly over the whole."""
        kept = Samples()
        rows = [row for row in self.rows if row[1] in forms]
        places = numpy.unique(numpy.linspace(0, len(rows) - 1, MOST_SAMPLES).astype(int))
        kept.rows, kept.described = [rows[place] for place in places], self.described
        return kept

    def features(self):
        """Names by (group, name), and the values of every sample (samples x names)."""
        for describe, *_ in self.rows:
            if describe not in self.described:
                self.described[describe] = describe()
        found = [self.described[describe] for describe, *_ in self.rows]
        names = [(group, name) for group, values in found[0].items() for name in values]
        return names, numpy.array([[v for group in one.values() for v in group.values()] for one in found], dtype=float)

    def column(self, index):
        return [row[index] for row in self.rows]

    forms = property(lambda self: set(self.column(1)))
    people = property(lambda self: self.column(3))
    subjects = property(lambda self: self.column(4))

    def weights(self):
        """A weight per sample that sums to 1: every form alike, and every recording of a form."""
        pairs = list(zip(self.column(1), self.column(2)))
        samples = Counter(pairs)
        recordings = Counter(form for form, _ in samples)
        return numpy.array([1 / (len(recordings) * recordings[p[0]] * samples[p]) for p in pairs])


def run(planklab, *arguments):
    done = subprocess.run([planklab, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"planklab {arguments[0]}: {done.stderr}")


class Source:
    """A dataset: its recordings, with what `planklab measure` says of every frame that they keep."""

    def __init__(self, planklab, dataset, work, is_flat=False):
        self.recordings = pose_windows.recordings(dataset)
        if is_flat:
            return
        measured = work / f"measured-{dataset.parent.name}-{dataset.name}"
        run(planklab, "measure", dataset, "--detector", WIDTHS, "--output", measured)
        tables = {path.stem: path for path in measured.rglob("*.csv")
                  if not {"spectra", "allan"} & set(path.relative_to(measured).parts)}  # fmt: skip
        for recording in self.recordings:
            with open(tables[recording.name], newline="") as file:
                head, *rows = csv.reader(file)
            rows, columns = rows[:: recording.every], [head.index(name) for name in MEASUREMENTS]
            assert len(rows) == len(recording.times_s), recording.name
            values = [[float(row[column] or "nan") for column in columns] for row in rows]
            recording.measured = numpy.array(values)
            for index, name in enumerate(MEASUREMENTS):
                if name in UNSIGNED:
                    recording.measured[:, index] = abs(recording.measured[:, index])

    def people(self, recording):
        """What stays whole: the donor of a synthetic recording, else the person, else the recording; and the same
        without donors."""
        subject = recording.name if recording.subject == "unknown" else recording.subject
        return recording.tags.get("donor") or subject, subject


def measured_over(values):
    """Level, step and white part of every measurement over a window (frames x measurements)."""
    steps, seconds = numpy.abs(numpy.diff(values, axis=0)), numpy.diff(values, 2, axis=0)
    parts = {
        "level": numpy.nanmedian(values, axis=0), "step": numpy.nanmedian(steps, axis=0),
        "white": numpy.sqrt(numpy.nanmedian(seconds * seconds, axis=0) / 6)}  # fmt: skip
    return {
        f"{part} of {name.split('_')[0]}": value
        for part, column in parts.items() for name, value in zip(MEASUREMENTS, column)}  # fmt: skip


def describe_window(joints, rate_hz, measured):
    features = pose_windows.described(joints, rate_hz)
    return features if measured is None else {**features, FIRST_EDITION: measured_over(measured)}


def describe_frame(joints, measured):
    values = {name.split("_")[0]: value for name, value in zip(MEASUREMENTS, measured)}
    return {**pose_windows.frame_described(joints), FIRST_EDITION: values}


def windows(source, wanted, is_flat=False):
    """The side of all windows that `wanted` accepts: a function of recording, rows, plank and form."""
    side = Samples()
    for recording in source.recordings:
        every = {"seconds": 2, "rate_hz": 4, "is_flat": True} if is_flat else {}
        for rows, joints, rate_hz, plank, form in pose_windows.windows(recording, **every):
            if not wanted(recording, rows, plank, form):
                continue
            measured = None if is_flat else recording.measured[rows]
            describe = functools.partial(describe_window, joints, rate_hz, measured)
            side.add(describe, form, recording.name, *source.people(recording))
    return side


def frames(source, wanted, every=1):
    """The side of single frames that `wanted` accepts: a function of recording, row and plank."""
    side = Samples()
    for recording in source.recordings:
        joints = pose_windows.body(recording)
        for row in range(0, 0 if joints is None else len(joints), every):
            if numpy.isnan(joints[row]).any() or not wanted(recording, row, recording.plank[row]):
                continue
            describe = functools.partial(describe_frame, joints[row : row + 1], recording.measured[row])
            side.add(describe, "", recording.name, *source.people(recording))
    return side


def weighted_auc(truth, scores, weights):
    """The area under the ROC curve of weighted samples; ties count half."""
    _, places = numpy.unique(scores, return_inverse=True)
    at = [numpy.bincount(places, weights * (truth == side), places.max() + 1) for side in (0, 1)]
    below = numpy.cumsum(at[0]) - at[0] / 2
    return float((at[1] * below).sum() / (at[0].sum() * at[1].sum()))


def unseen_scores(values, truth, people, weights):
    """What a forest says of every sample that was trained without the sample's person."""
    folds = min(FOLDS, *(len(set(people[truth == side])) for side in (0, 1)))
    scores = numpy.zeros(len(truth))
    splits = StratifiedGroupKFold(folds, shuffle=True, random_state=1).split(values, truth, people)
    for train, test in splits:
        balanced = weights[train].copy()
        for side in (0, 1):
            balanced[truth[train] == side] /= balanced[truth[train] == side].sum()
        forest = RandomForestClassifier(TREES, min_samples_leaf=2, random_state=1)
        forest.fit(values[train], truth[train], balanced * len(train))
        scores[test] = forest.predict_proba(values[test])[:, 1]
    return scores


def interval(truth, scores, people, weights):
    """The 95 % interval of the AUC by resampling the people of each side."""
    random = numpy.random.default_rng(1)
    rows = [defaultdict(list), defaultdict(list)]
    for row, (side, person) in enumerate(zip(truth, people)):
        rows[side][person].append(row)
    found = []
    for _ in range(RESAMPLES):
        chosen = []
        for side in rows:
            names = sorted(side)
            for index in random.integers(0, len(names), len(names)):
                chosen += side[names[index]]
        found.append(weighted_auc(truth[chosen], scores[chosen], weights[chosen]))
    return [round(float(value), 3) for value in numpy.quantile(found, (0.025, 0.975))]


def auc_of_each(names, values, truth, weights):
    """The AUC of every feature alone, the larger of both directions; a missing value counts as the smallest."""
    found = []
    for (_, name), column in zip(names, numpy.nan_to_num(values, nan=-1e9).T):
        auc = weighted_auc(truth, column, weights)
        found.append((max(auc, 1 - auc), name))
    return dict((name, round(auc, 3)) for auc, name in sorted(found, key=lambda pair: (-pair[0], pair[1]))[:5])


def compare(kind, a, b, sides):
    """A comparison as it is kept, or None where a side has too few people with the forms that both have."""
    forms = sides[a].forms & sides[b].forms
    if not forms:
        return None
    left, right = sides[a].restricted(forms), sides[b].restricted(forms)
    if min(len(set(left.people)), len(set(right.people))) < FEWEST_GROUPS:
        return None
    (names, of_left), (same, of_right) = left.features(), right.features()
    assert names == same, "sides have different features"
    values = numpy.concatenate([of_left, of_right])
    truth = numpy.array([0] * len(left.rows) + [1] * len(right.rows))
    people = numpy.array([f"a{name}" for name in left.people] + [f"b{name}" for name in right.people])
    weights = numpy.concatenate([left.weights(), right.weights()])
    aucs, bounds = {}, None
    groups = [EVERYTHING, *dict.fromkeys(group for group, _ in names)]
    for group in groups if kind == FOREARM else groups[:1]:
        columns = [index for index, name in enumerate(names) if group in (EVERYTHING, name[0])]
        scores = unseen_scores(values[:, columns], truth, people, weights)
        aucs[group] = round(weighted_auc(truth, scores, weights), 3)
        bounds = bounds or interval(truth, scores, people, weights)
    subjects = numpy.array([f"a{name}" for name in left.subjects] + [f"b{name}" for name in right.subjects])
    leaking = None
    if list(subjects) != list(people):
        scores = unseen_scores(values, truth, subjects, weights)
        leaking = round(weighted_auc(truth, scores, weights), 3)
    return {
        "kind": kind, "a": a, "b": b, "forms": sorted(forms - {""}), "auc": aucs.pop(EVERYTHING), "interval": bounds,
        "auc_of_known_donors": leaking,
        "groups": aucs, "people": [len(set(left.people)), len(set(right.people))],
        "recordings": [len(set(left.column(2))), len(set(right.column(2)))],
        "samples": [len(left.rows), len(right.rows)], "features": auc_of_each(names, values, truth, weights),
    }  # fmt: skip


def scale_depth(dataset, target, factor):
    """A copy of a dataset in camera axes whose positions have their depth multiplied."""
    shutil.copytree(dataset, target)
    for path in target.rglob("*.poses.jsonl*"):
        header, *poses = map(json.loads, pose_windows.lines(path))
        assert header["frame"] == "camera", path
        for frame in poses:
            for slot in range(2, len(frame["p"] or []), 3):
                frame["p"][slot] = None if frame["p"][slot] is None else round(frame["p"][slot] * factor, 4)
        pose_windows.write_lines(path, (header, *poses))
    return target


def subset(dataset, target, wanted):
    """A copy of a dataset's manifest with the sequences whose names are wanted; the files stay where they are."""
    target.mkdir()
    text = (dataset / "dataset.yaml").read_text()
    head, *blocks = re.split(r"(?m)^  - (?=poses:)", text)
    kept = [block for block in blocks if pose_windows.name_of(re.search(r"poses: *(\S+)", block).group(1)) in wanted]
    (target / "dataset.yaml").write_text(head + "".join(f"  - {block}" for block in kept))
    (target / "recordings").symlink_to((dataset / "recordings").resolve())
    return target


def halves(clips):
    """Names of the clips that donate, and of the others: by form and length, every second one."""
    by_form = defaultdict(list)
    for recording in clips.recordings:
        by_form[max(set(recording.form))].append((-len(recording.times_s), recording.name))
    ordered = [sorted(names) for _, names in sorted(by_form.items())]
    return [{name for names in ordered for _, name in names[half::2]} for half in (0, 1)]


def deepened(name, depth, work, film=False):
    """A map of datasets/ with another depth; of a film with times, which is not cut."""
    lines = (ROOT / "datasets" / name).read_text().splitlines()
    if film:
        lines = [line for line in lines if not line.startswith(("cut:", "labels:", "  field:", "  classes:"))]
        lines.append("time: {field: seconds}")
    target = work / f"{depth}-{film}-{name.replace('/', '-')}"
    target.write_text("\n".join([*lines, f"depth: {depth}"]) + "\n")
    return target


def import_films(planklab, films, work):
    """The side views of forearm planks among the films, from their image landmarks, with the films' own labels."""
    sizes = {row["film"]: row["cropped_to"].split("+")[0] for row in csv.DictReader(open(films / "films.csv"))}
    found = []
    for recording in pose_windows.recordings(films):
        if recording.tags["view"] != "side" or "forearm" not in recording.plank:
            continue
        place = work / f"image-{recording.name}"
        run(planklab, "import", films / "image-landmarks" / f"{recording.name}.csv", "--map",
            deepened("exercise-correction/clips.map.yaml", "anatomical", work, film=True), "--image-size",
            sizes[recording.tags["film"]], "--no-mirrored", "--keep-clock", "--output", place)  # fmt: skip
        labels = films / "recordings" / f"{recording.name}.labels.csv"
        for made in (place / "recordings").glob("*.poses.jsonl"):
            shutil.copy(labels, made.with_name(made.name.replace(".poses.jsonl", ".labels.csv")))
        run(planklab, "dataset", "update", place)
        source = Source(planklab, place, work)
        for one in source.recordings:
            one.subject, one.tags = recording.subject, recording.tags
        found.append(source)
    found[0].recordings = [one for source in found for one in source.recordings]
    return found[0]


def make_real(planklab, recordings, work, depth):
    """The real sources by name, and the folders of the datasets that donate.

    Clips, push-up photos and sun salutations are image landmarks, whose depth is exaggerated. `depth` is what the
    key `depth` of a map takes; the salutations are no table that could be imported, so their factor is stated here.
    """
    history = sorted((recordings / "exercise-correction/history").glob("*.csv"))
    run(planklab, "import", *history, "--map", deepened("exercise-correction/clips.map.yaml", depth, work),
        "--output", work / "clips")  # fmt: skip
    run(planklab, "import", recordings / "kalatz/train.csv", "--map",
        deepened("pushup-photos.map.yaml", depth, work), "--label", "*=ignore",
        "--output", work / "push-ups")  # fmt: skip
    factor = SALUTATIONS_DEPTH if depth == "anatomical" else float(depth)
    places = {
        "clips": work / "clips", "films": recordings / "films", "yoga photos": recordings / "stills/yoga",
        "push-up photos": work / "push-ups",
        "sun salutations": scale_depth(recordings / "posepilot", work / "salutations", factor)}  # fmt: skip
    sources = {name: Source(planklab, place, work) for name, place in places.items()}
    sources["films, image landmarks"] = import_films(planklab, recordings / "films", work)
    sources["app users"] = Source(planklab, recordings / "app-users", work, is_flat=True)
    for name, half in zip(("clips, donors", "clips, others"), halves(sources["clips"])):
        places[name] = subset(work / "clips", work / name.replace(", ", "-"), half)
        sources[name] = Source(planklab, places[name], work)
    return sources, places


def make_studio(planklab, name, seed, donors, work):
    """A studio seen from the side: of a preset, or with the errors of the dataset `donors`."""
    preset = "clean" if donors else name
    script = (ROOT / "datasets/studio/beside-real.yaml").read_text()
    script = script.replace("preset: phone", f"preset: {preset}, program: everyday")
    script = script.replace("seed: 20260", f"seed: {seed}").replace("frames: 120000", f"frames: {FRAMES}")
    place = work / f"studio-{name.replace(': ', '-').replace(' ', '-')}-{seed}"
    place.with_suffix(".yaml").write_text(script)
    run(planklab, "synthesize", place.with_suffix(".yaml"), *(["--errors-from", donors] if donors else []),
        "--output", place)  # fmt: skip
    shown = {"forearm", "high", *STANDING, *PRONE, *SUPINE, "downwardDog"} if seed == 1 else {"forearm"}
    names = {one.name for one in pose_windows.manifest(place) if one.tags["posture"] in shown}
    return Source(planklab, subset(place, place.with_name(f"{place.name}-shown"), names), work)


def activities(recordings):
    """What the person of a film does, by sequence: (start, end, activity)."""
    found = defaultdict(list)
    with open(recordings / "films/activities.csv", newline="") as file:
        for row in csv.DictReader(file):
            found[row["sequence"]].append((float(row["start"]), float(row["end"]), row["activity"]))
    return found


def kinds_over_time(recordings):
    """Kinds of comparisons of windows: by name, what a film does then, what a studio's session shows, and which
    windows count (recording, rows, plank, form)."""
    doing = activities(recordings)

    def does(activity, views=("side",)):
        def wanted(recording, rows, plank, form):
            if recording.tags.get("view") not in views:
                return False
            first, last = recording.times_s[rows][[0, -1]] + (1e-6, -1e-6)
            return any(s <= first and last <= e and a == activity for s, e, a in doing[recording.name])
        return wanted

    def shows(postures, level):
        def wanted(recording, rows, plank, form):
            incline = numpy.nanmedian(recording.measured[rows, 0])
            in_range = level[0] <= incline <= level[1]
            return plank == "none" and in_range and recording.tags.get("posture", "") in postures
        return wanted

    lying, upright = (0, 0.4), (0.85, 1)
    is_high = lambda recording, rows, plank, form: (  # noqa: E731
        plank == "high" and recording.tags.get("view", "side") == "side")
    stands = lambda recording, rows, plank, form: (  # noqa: E731
        plank == "none" and numpy.nanmedian(recording.measured[rows, 0]) >= upright[0])
    return {
        "high planks, 1 s": ({"films": is_high}, is_high),
        "lying prone, 1 s": ({"films": does("lying-prone")}, shows(PRONE, lying)),
        "lying supine, 1 s": ({"films": does("lying-supine")}, shows(SUPINE, lying)),
        "standing, 1 s": (
            {"films": does("standing", ("front", "oblique")), "sun salutations": stands}, shows(STANDING, upright)),
    }


def kinds_of_frames():
    """Kinds of comparisons of single frames: real sources with what counts and every which frame; the studios'."""
    of = lambda name: lambda recording, row, plank: plank == name  # noqa: E731

    def is_dog(recording, row, plank):
        ratio, _, _, _, angle = recording.measured[row, :5]
        return plank == "none" and ratio < 0.7 and angle < 120

    def hound(recording, row, plank):
        return recording.tags.get("posture") == "downwardDog" and is_dog(recording, row, plank)

    return {
        "high planks": ({"yoga photos": (of("high"), 1), "push-up photos": (of("high"), 1)}, of("high")),
        "forearm planks": ({"yoga photos": (of("forearm"), 1), "clips": (of("forearm"), 8)}, of("forearm")),
        "downward dogs": ({"yoga photos": (is_dog, 1), "sun salutations": (is_dog, 8)}, hound),
    }


def gathered(recordings, sources, studios):
    """All sides by kind of comparison; real sources first, then the studios."""
    formed = lambda recording, rows, plank, form: plank == "forearm" and form != ""  # noqa: E731
    clips = ("clips", "clips, donors", "clips, others", "films", "films, image landmarks")
    kinds = {FOREARM: {name: windows(sources[name], formed) for name in clips}}
    kinds[FOREARM] |= {name: windows(studio, formed) for name, studio in studios.items()}
    kinds[FLAT] = {name: windows(sources[name], formed, True) for name in ("app users", "clips", "films")}
    kinds[FLAT] |= {
        name: windows(studio, formed, True) for name, studio in studios.items() if name.endswith("seed 1")}
    for kind, (real, shown) in kinds_over_time(recordings).items():
        kinds[kind] = {name: windows(sources[name], wanted) for name, wanted in real.items()}
        kinds[kind] |= {name: windows(studio, shown) for name, studio in studios.items() if name.endswith("seed 1")}
    for kind, (real, shown) in kinds_of_frames().items():
        sides = {name: frames(sources[name], wanted, every) for name, (wanted, every) in real.items()}
        sides |= {name: frames(studio, shown, 8) for name, studio in studios.items() if name.endswith("seed 1")}
        kinds[PHOTOS.format(kind)] = sides
    return {kind: {name: side for name, side in sides.items() if side.rows} for kind, sides in kinds.items()}


def noise_of(side):
    """The preset or the bank of a studio's side."""
    return side.split(", seed")[0]


def is_fair(kind, a, b):
    """Whether a comparison says something: no bank beside its donors, no part of a source beside the whole, and what
    has depth compared with depth."""
    if {a, b} in ({"films", "films, image landmarks"}, {"clips", "clips, donors"}, {"clips", "clips, others"}):
        return False
    for one, other in ((a, b), (b, a)):
        bank = noise_of(one)
        if bank in BANKS and other not in BANKS[bank][1]:
            return False
        if one == "clips, donors" and other != "clips, others":
            return False
        if one == "clips, others" and noise_of(other) in PRESETS:
            return False
        if kind == FLAT and ", seed" in one and other != "app users":
            return False
    return True


def judged(kinds, studios):
    """Every comparison, and for each studio and real source whether the criterion is met.

    Real sources are compared with the first studio of a kind; the second is for the studio's own control.
    """
    comparisons, verdicts = [], []
    for kind, sides in kinds.items():
        first = [name for name in sides if not name.endswith("seed 2")]
        pairs = [
            pair for pair in itertools.combinations(first, 2)
            if not set(pair) <= set(studios) and is_fair(kind, *pair)]  # fmt: skip
        if kind == FOREARM:
            pairs += [(name, name[:-1] + "2") for name in studios if name[:-1] + "2" in sides and name.endswith("1")]
        found = []
        for pair in pairs:
            print(f"{kind}: {' and '.join(pair)}", file=sys.stderr, flush=True)
            found += [item] if (item := compare(kind, *pair, sides)) else []
        comparisons += found
        for own in found:
            if own["b"] not in studios or own["a"] in studios:
                continue
            source = own["a"]
            others = [
                c["auc"] for c in found
                if source in (c["a"], c["b"]) and not {c["a"], c["b"]} & {*studios, "clips, donors"}]  # fmt: skip
            if others:
                verdicts.append({
                    "kind": kind, "studio": noise_of(own["b"]), "source": source, "auc": own["auc"],
                    "real": max(others), "is_met": own["auc"] <= max(others)})  # fmt: skip
    return comparisons, verdicts


def table(comparisons, verdicts):
    lines = [
        "| compared | a | b | people; recordings | AUC (95 %); donors known | what gives it away (AUC alone) |",
        "|---|---|---|---:|---:|---|"]  # fmt: skip
    for c in comparisons:
        features = ", ".join(f"{name} {auc:.2f}" for name, auc in list(c["features"].items())[:3])
        forms = f" ({', '.join(c['forms'])})" if c["forms"] else ""
        counts = "; ".join(" and ".join(map(str, c[part])) for part in ("people", "recordings"))
        auc = f"{c['auc']:.2f} ({c['interval'][0]:.2f} to {c['interval'][1]:.2f})"
        if c["auc_of_known_donors"] is not None:
            auc += f"; {c['auc_of_known_donors']:.2f}"
        lines.append(f"| {c['kind']}{forms} | {c['a']} | {c['b']} | {counts} | {auc} | {features} |")
    groups = [group for group in comparisons[0]["groups"]]
    lines += ["", "AUC by group of features, forearm planks over time:", ""]
    lines += ["| a | b | " + " | ".join(groups) + " |", "|---|---|" + "---:|" * len(groups)]
    for c in comparisons:
        if c["kind"] == FOREARM:
            cells = " | ".join(f"{c['groups'][group]:.2f}" for group in groups)
            lines.append(f"| {c['a']} | {c['b']} | {cells} |")
    lines += ["", "| compared | studio | real source | studio against it | farthest other source | met |"]
    lines += ["|---|---|---|---:|---:|---|"]
    for v in verdicts:
        met = "yes" if v["is_met"] else "no"
        lines.append(f"| {v['kind']} | {v['studio']} | {v['source']} | {v['auc']:.2f} | {v['real']:.2f} | {met} |")
    return "\n".join(lines) + "\n"


def differences(result, committed):
    """What differs from a committed result, in words."""
    def key(item):
        return tuple(item.get(name) for name in ("kind", "a", "b", "studio", "source"))

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
    parser.add_argument("--depth", default="anatomical", help="the key depth of a map")
    parser.add_argument("--without-banks", action="store_true", help="presets only")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--check", type=Path)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message="All-NaN|Mean of empty|Degrees of freedom|invalid value")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        sources, places = make_real(arguments.planklab, arguments.recordings, work, arguments.depth)
        banks = {} if arguments.without_banks else {name: places[donors] for name, (donors, _) in BANKS.items()}
        studios = {
            f"{name}, seed {seed}": make_studio(arguments.planklab, name, seed, banks.get(name), work)
            for name in (*PRESETS, *banks) for seed in ((1, 2) if name in CONTROLS else (1,))}  # fmt: skip
        kinds = gathered(arguments.recordings, sources, studios)
        comparisons, verdicts = judged(kinds, studios)
    result = {"schema_version": 2, "depth_scale": arguments.depth, "comparisons": comparisons, "verdicts": verdicts}
    print(table(comparisons, verdicts))
    if arguments.output:
        (arguments.output / "result.json").write_text(json.dumps(result, indent=1, sort_keys=True) + "\n")
    if arguments.check:
        found = differences(result, json.loads((arguments.check / "result.json").read_text()))
        for line in found:
            print(line, file=sys.stderr)
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
