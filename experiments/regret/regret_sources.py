"""What the regret test draws people from: real recordings and simulated people whose class one measurement tells by one
or two limits. For any limits, a source knows how much of each class of each person is right, so the truth on people who
were not drawn needs no program. Only the standard library is used.
"""

import bisect
import collections
import csv
import json
import math
import pathlib
import shutil
import struct

import populations

ROOT = pathlib.Path(__file__).resolve().parents[2]

DETECTOR = """name: limits
description: limits of one measurement
axes: {axes}
parameters:
{parameters}
{measurements}{streams}"""
FORMS = """plank: [forearm]
form:
  - sag: {measurement} < lower_limit
  - pike: {measurement} > upper_limit
  - aligned
"""
PLANKS = """plank:
  - forearm: {measurement} < lower_limit
  - high
form: [aligned]
"""


def single(x):
    """The nearest single-precision number: measurements and limits are compared as such."""
    return struct.unpack("f", struct.pack("f", x))[0]


def steps(start, end, step):
    return [round(start + index * step, 6) for index in range(round((end - start) / step) + 1)]


def write_manifest(file, entries):
    file.write_text("name: recordings\nsequences:\n" + "".join(f"  - {json.dumps(entry)}\n" for entry in entries))


class Unit:
    """A person, or a recording of nobody named: entries of a manifest, and what was measured.

    `recordings` are pairs of the seconds of a frame and the sorted values of each class.
    """

    def __init__(self):
        self.entries, self.recordings = [], []


class Source:
    """People, the limits that are tuned on some of them, and a grid of values for each.

    `axes` are values by limit, `fixed` the limits that no axis varies. The classes are those below `lower_limit`,
    between both, and above `upper_limit`, which the planks do not have.
    """

    def __init__(
        self, name, group, stream, sizes, measurement, unit, axes, frame="gravity", expression=None, named=True
    ):
        self.name, self.group, self.stream, self.sizes, self.named = name, group, stream, sizes, named
        self.classes = ["forearm", "high"] if stream == "plank" else ["sag", "aligned", "pike"]
        self.measurement, self.unit, self.axes, self.fixed = measurement, unit, axes, {}
        self.frame, self.expression = frame, expression
        self.units, self.folder, self.cells = [], None, []

    def right(self, unit, limits):
        """By class, the seconds that are right and all seconds."""
        limits = {**self.fixed, **limits}
        lower, upper = single(limits["lower_limit"]), single(limits.get("upper_limit", math.inf))
        right, time = [0.0] * len(self.classes), [0.0] * len(self.classes)
        for seconds, by_class in unit.recordings:
            for index, name in enumerate(self.classes):
                values = by_class[name]
                below = bisect.bisect_left(values, lower)
                above = len(values) - max(bisect.bisect_right(values, upper), below)
                right[index] += seconds * (below, len(values) - below - above, above)[index]
                time[index] += seconds * len(values)
        return right, time

    def accuracy(self, units, limits):
        """Balanced accuracy on these units, a share."""
        sums = [self.right(unit, limits) for unit in units]
        shares = []
        for index in range(len(self.classes)):
            time = sum(time[index] for _, time in sums)
            if time > 0:
                shares.append(sum(right[index] for right, _ in sums) / time)
        return sum(shares) / len(shares)

    def survey(self):
        """Every cell of the grid with its balanced accuracy on all units."""
        grid = [{}]
        for limit, values in self.axes.items():
            grid = [{**cell, limit: value} for cell in grid for value in values]
        self.cells = [(self.accuracy(self.units, cell), cell) for cell in grid]
        self.best = max(value for value, _ in self.cells)

    def starts(self, points):
        """Cells over which the best one gains about so many points on all units; the nearest where none is near."""
        gain = points / 100
        near = sorted(self.cells, key=lambda cell: abs(self.best - cell[0] - gain))
        slack = 1e-9 if gain == 0 else max(0.003, 0.1 * gain)
        found = [cell for value, cell in near if abs(self.best - value - gain) <= slack]
        return found or [near[0][1]]

    def draw(self, people, generator):
        """So many units, and the others; both have every class."""
        for _ in range(100_000):
            order = sorted(range(len(self.units)), key=lambda _: generator.random())
            drawn, others = ([self.units[index] for index in sorted(part)] for part in (order[:people], order[people:]))
            if all(any(by_class[name] for unit in part for _, by_class in unit.recordings)
                   for part in (drawn, others) for name in self.classes):
                return drawn, others
        raise SystemExit(f"{self.name}: no draw of {people} has every class on both sides")

    def detector(self, limits):
        """The rules with these limits, as a detector file."""
        bounds = [-1, 1] if self.unit == "m" else [0, 360]
        return DETECTOR.format(
            axes=self.frame,
            parameters="\n".join(
                f"  {limit}: {{unit: {self.unit}, default: {value}, range: {bounds}, meaning: a limit}}"
                for limit, value in {**self.fixed, **limits}.items()),
            measurements=f"measurements:\n  {self.measurement}: {self.expression}\n" if self.expression else "",
            streams=(PLANKS if self.stream == "plank" else FORMS).format(measurement=self.measurement))

    def experiment(self, folder, drawn, start):
        """Writes an experiment in a folder of its own: tune the limits on the units drawn, from this start."""
        folder.mkdir(exist_ok=True)
        manifest = self.folder / f"{folder.name}.yaml"
        write_manifest(manifest, [entry for unit in drawn for entry in unit.entries])
        (folder / "detector.yaml").write_text(self.detector(start))
        lines = [f"dataset: {manifest}", "detector: detector.yaml", "parameters: {plank_frames: 1, form_frames: 1}"]
        lines += ["axes:", *(f"  {limit}: {values}" for limit, values in self.axes.items())]
        lines += [f"objective: {self.stream}.balanced_accuracy", "tolerance: 0.005", "resamples: 0", "seed: 1"]
        lines += [] if self.named else ["allow_ungrouped: true"]
        (folder / "experiment.yaml").write_text("\n".join(lines) + "\n")

    def read(self, planklab, folder):
        """Measures every recording of a dataset in this folder once."""
        self.folder = folder
        some = {limit: values[0] for limit, values in self.axes.items()}
        (folder / "all-detector.yaml").write_text(self.detector(some))
        populations.run(planklab, folder, "measure", ".", "--detector", "all-detector.yaml", "--output", "measured")
        scores = populations.result(planklab, folder, "evaluate", ".", "--detector", "all-detector.yaml")
        seconds = {scored["name"]: scored["frame_weight_s"] for scored in scores["sequences"]}
        units = collections.defaultdict(Unit)
        for file in sorted((folder / "measured" / "recordings").glob("*.csv")):
            with file.open() as lines:
                rows = list(csv.DictReader(lines))
            column = next(key for key in rows[0] if key.split("_")[0] == self.measurement)
            by_class = collections.defaultdict(list)
            for row in rows:
                by_class[row[f"truth_{self.stream}"]].append(row[column])
            recording, subject = rows[0]["sequence"], rows[0]["subject"]
            entry = {"poses": f"{recording}.poses.jsonl", "labels": f"{recording}.labels.csv"}
            unit = units[subject if self.named else recording]
            unit.entries.append({**entry, "subject": subject} if self.named else entry)
            unit.recordings.append((seconds[recording], {
                name: sorted(single(float(value)) for value in by_class[name]) for name in self.classes}))
        self.units = [units[key] for key in sorted(units)]


def clips(planklab, recordings, work):
    """114 clips of forearm planks, nobody named: hips below or above the line from shoulders to ankles."""
    source = Source(
        "clips", "real", "form", [3, 5, 8, 12, 30], "hipDeviation", "m",
        {"lower_limit": steps(-0.1, 0.04, 0.01), "upper_limit": steps(0, 0.2, 0.01)}, frame="article", named=False)
    populations.run(
        planklab, work, "import", *sorted((recordings / "exercise-correction/history").glob("*.csv")), "--map",
        ROOT / "datasets/exercise-correction/clips.map.yaml", "--name", "clips", "--output", "clips")
    source.read(planklab, work / "clips")
    return source


def app_users(planklab, recordings, work):
    """30 people of an app: the angle at the hips in the image; both limits, and the upper beside the best lower one."""
    shutil.copytree(recordings / "app-users", work / "app-users")
    lower, upper = steps(150, 185, 2.5), steps(165, 220, 2.5)
    both, alone = (
        Source(name, "real", "form", [3, 5, 8, 12], "hipAngle", "deg", axes, frame="image",
               expression="signedAngle(shoulders, hips, ankles)")
        for name, axes in (("app users", {"lower_limit": lower, "upper_limit": upper}),
                           ("app users, pike", {"upper_limit": steps(165, 220, 1)})))
    both.read(planklab, work / "app-users")
    both.survey()
    best = max(both.cells, key=lambda cell: cell[0])[1]
    alone.units, alone.folder, alone.fixed = both.units, both.folder, {"lower_limit": best["lower_limit"]}
    return [both, alone]


def films(planklab, recordings, work):
    """Films of people on their hands, three also on forearms: the elbow angle. A film that hides it is left out."""
    source = Source("films", "films", "plank", [3, 5, 8], "elbowAngle", "deg", {"lower_limit": steps(80, 178, 1)})
    folder = work / "films"
    (folder / "recordings").mkdir(parents=True)
    entries = []
    populations.run(
        planklab, work, "measure", recordings / "films", "--detector", "gravity", "--output", "films-measured")
    for file in sorted((work / "films-measured" / "recordings").glob("*.csv")):
        with file.open() as lines:
            frames = [row for row in csv.DictReader(lines) if row["truth_plank"] in source.classes]
        if not frames or any(not frame["elbowAngle_deg"] for frame in frames):
            continue
        with (recordings / "films/recordings" / f"{file.stem}.labels.csv").open() as lines:
            rows = list(csv.DictReader(lines))
        for row in rows:
            if row["plank"] not in source.classes:
                row["plank"] = "ignore"
        text = "".join(f"{row['start']},{row['end']},{row['plank']},\n" for row in rows)
        (folder / "recordings" / f"{file.stem}.labels.csv").write_text("start,end,plank,form\n" + text)
        shutil.copy(recordings / "films/recordings" / f"{file.stem}.poses.jsonl", folder / "recordings")
        entries.append({"poses": f"recordings/{file.stem}.poses.jsonl", "labels": f"recordings/{file.stem}.labels.csv",
                        "subject": frames[0]["subject"]})
    write_manifest(folder / "dataset.yaml", entries)
    source.read(planklab, folder)
    return source


#: The spread of a frame and of a person's level, the distance of two classes and its spread, in m; frames of a class.
FRAME, LEVEL, DISTANCE, SPREAD, FRAMES = 0.1, 0.04, 0.2, 0.08, 20


def simulated(planklab, work, name, stream, axes, people=120):
    """People whose level and whose distance between the classes are their own, so their balanced accuracy is, too.

    A third of them show one class, as many people in front of a camera do.
    """
    source = Source(name, "simulated", stream, [3, 5, 8, 12], "rise", "m", axes,
                    expression="height(leftAnkle) - height(root)")
    generator = populations.seeded("regret", name)
    header = json.dumps({
        "format": "planklab-poses", "version": 1, "skeleton": "vision3d", "joints": ["root", "leftAnkle"],
        "frame": "world"})
    folder = work / name.replace(", ", "-").replace(" ", "-")
    (folder / "recordings").mkdir(parents=True)
    entries = []
    middle = (len(source.classes) - 1) / 2
    for person in range(people):
        level, distance = generator.gauss(0, LEVEL), generator.gauss(DISTANCE, SPREAD)
        shown = source.classes
        if generator.random() >= 2 / 3:
            shown = [shown[int(generator.random() * len(shown))]]
        poses, labels = [header], ["start,end,plank,form"]
        for part, shows in enumerate(shown):
            center = level + (source.classes.index(shows) - middle) * distance
            for frame in range(part * FRAMES, (part + 1) * FRAMES):
                rise = round(center + generator.gauss(0, FRAME), 5)
                poses.append(json.dumps({"t": frame / populations.RATE, "p": [0, 0, 0, 0, rise, 0]}))
            start, end = part * FRAMES / populations.RATE, (part + 1) * FRAMES / populations.RATE
            labels.append(f"{start},{end}," + (f"{shows},aligned" if stream == "plank" else f"forearm,{shows}"))
        recording = f"recordings/p{person:03}"
        (folder / f"{recording}.poses.jsonl").write_text("\n".join(poses) + "\n")
        (folder / f"{recording}.labels.csv").write_text("\n".join(labels) + "\n")
        entries.append(
            {"poses": f"{recording}.poses.jsonl", "labels": f"{recording}.labels.csv", "subject": f"s{person:03}"})
    write_manifest(folder / "dataset.yaml", entries)
    source.read(planklab, folder)
    return source


def every(planklab, recordings, work):
    """All sources; those of recordings only where their folder is given."""
    sources = [] if recordings is None else [
        clips(planklab, recordings, work), *app_users(planklab, recordings, work), films(planklab, recordings, work)]
    sources += [
        simulated(planklab, work, "simulated, one limit", "plank", {"lower_limit": steps(-0.4, 0.4, 0.01)}),
        simulated(planklab, work, "simulated, two limits", "form",
                  {"lower_limit": steps(-0.4, 0.12, 0.04), "upper_limit": steps(-0.12, 0.4, 0.04)})]
    for source in sources:
        source.survey()
    return sources
