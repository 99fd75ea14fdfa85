#!/usr/bin/env python3
"""Data that says the same in another way, and `planklab evaluate`, which must give the same numbers.

    scripts/proofs/metamorphic.py --planklab Bench/.build/release/planklab [--recordings FOLDER] [--table]
    scripts/proofs/metamorphic.py --planklab Bench/.build/release/planklab --detector trunk   (a sample)

Each transformation writes a dataset anew, with a change in its files (order, names, compression, line ends, byte-order
marks, digits, keys, order of joints), its labels (a segment in two), its clock (another zero) or its bodies (turned
about the vertical, in other axes, moved, twice as large beside lengths twice as large, mirrored with left and right
exchanged, recorded twice). `evaluate --format json` runs on both, with every built-in detector that the transformation
is for. What must not change is compared number by number: exactly where the program reads the same values, and within
a relative 1e-6 where they are rounded or added up in another order. Before that, the proof must notice a label and a
joint that really changed.

Takes datasets/scripted and, with --recordings, the films and the sessions of app users. Only the standard library is
used.
"""

import argparse
import dataclasses
import gzip
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

SCRIPTED = Path(__file__).resolve().parents[2] / "datasets" / "scripted"
SPATIAL = ["article", "gravity", "scaled", "trunk", "coach"]
#: Built-in detectors for the axes of a body in space that obey the direction of gravity.
UPRIGHT = SPATIAL[1:]
#: A detector behind a smoother and a debounce rule; both follow the clock.
STEADIED = "gravity --smoothing one-euro:minCutoff=1Hz,beta=0.5@joints --debounce dwell:enter=0.3s,exit=0.5s"
#: The detectors for bodies in space, and the one for image points.
ALL = [*SPATIAL, STEADIED, "profile"]
RELATIVE = 1e-6


@dataclasses.dataclass
class Sequence:
    """A recording as it is in the files: numbers keep their digits."""

    #: The lines of its entry in the manifest.
    entry: str
    #: Its path without endings, from the folder.
    name: str
    zipped: bool
    header: dict
    frames: list[dict]
    #: Rows of labels and of onsets, without their header; onsets are None without a file.
    labels: list[list[str]]
    onsets: list[list[str]] | None


@dataclasses.dataclass
class Dataset:
    """A dataset, and how its files are written."""

    head: str
    sequences: list[Sequence]
    activities: str | None = None
    #: What is done to the text of recordings, of labels and onsets, and of the manifest.
    poses_text: Callable[[str], str] = lambda text: text
    table_text: Callable[[str], str] = lambda text: text
    manifest_text: Callable[[str], str] = lambda text: text


def read_json(text: str) -> dict:
    """JSON whose numbers keep their digits."""
    return json.loads(text, parse_float=Decimal)


def json_text(value: object) -> str:
    """The same digits as JSON."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{json_text(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def rows(path: Path) -> list[list[str]]:
    return [line.split(",") for line in path.read_text().splitlines()[1:]]


def load(folder: Path) -> Dataset:
    """Reads a dataset whose manifest has its entries in lines that begin with a dash."""
    parts = re.split(r"^(?=  - )", (folder / "dataset.yaml").read_text(), flags=re.M)
    sequences = []
    for entry in parts[1:]:
        path = re.search(r"poses: (\S+)", entry)[1].strip('"')
        name = path.removesuffix(".gz").removesuffix(".poses.jsonl")
        if f"{name}.labels.csv" not in entry:
            continue
        opened = gzip.open(folder / path, "rt") if path.endswith(".gz") else open(folder / path)
        with opened as lines:
            header, *frames = [read_json(line) for line in lines if line.strip()]
        onsets = folder / f"{name}.onsets.csv"
        sequences.append(Sequence(
            entry, name, path.endswith(".gz"), header, frames, rows(folder / f"{name}.labels.csv"),
            rows(onsets) if onsets.exists() else None))
    activities = folder / "activities.csv"
    return Dataset(parts[0], sequences, activities.read_text() if activities.exists() else None)


def write(dataset: Dataset, folder: Path) -> None:
    """Writes a dataset to a new folder."""
    folder.mkdir()
    (folder / "dataset.yaml").write_bytes(
        dataset.manifest_text(dataset.head + "".join(one.entry for one in dataset.sequences)).encode())
    if dataset.activities is not None:
        (folder / "activities.csv").write_text(dataset.activities)
    for one in dataset.sequences:
        place = folder / one.name
        place.parent.mkdir(parents=True, exist_ok=True)
        text = dataset.poses_text("".join(json_text(line) + "\n" for line in [one.header, *one.frames]))
        poses = Path(f"{place}.poses.jsonl" + (".gz" if one.zipped else ""))
        poses.write_bytes(gzip.compress(text.encode(), mtime=0) if one.zipped else text.encode())
        table(dataset, f"{place}.labels.csv", "start,end,plank,form", one.labels)
        if one.onsets is not None:
            table(dataset, f"{place}.onsets.csv", "time,plank,form", one.onsets)


def table(dataset: Dataset, path: str, header: str, lines: list[list[str]]) -> None:
    text = "".join(",".join(line) + "\n" for line in [header.split(","), *lines])
    Path(path).write_bytes(dataset.table_text(text).encode())


def each(change: Callable[[Sequence], Sequence | None]) -> Callable[[Dataset], Dataset]:
    """Changes every sequence by itself; None leaves one out."""
    return lambda data: dataclasses.replace(
        data, sequences=[new for new in map(change, data.sequences) if new is not None])


def without_activities(data: Dataset) -> Dataset:
    """Activities name sequences and times, which some changes do not follow there."""
    return dataclasses.replace(data, activities=None)


# Files.


def renamed(data: Dataset) -> Dataset:
    """Other names in another folder, in the same alphabetical order, by which moments of equal length are listed."""
    places = sorted(one.name for one in data.sequences)

    def rename(one: Sequence) -> Sequence:
        name = f"other/{places.index(one.name):04}"
        return dataclasses.replace(one, name=name, entry=one.entry.replace(f"{one.name}.", f"{name}."))
    return without_activities(each(rename)(data))


def zipped_otherwise(one: Sequence) -> Sequence:
    old, new = (".poses.jsonl.gz", ".poses.jsonl") if one.zipped else (".poses.jsonl", ".poses.jsonl.gz")
    return dataclasses.replace(one, zipped=not one.zipped, entry=one.entry.replace(old, new))


def joints_reordered(one: Sequence) -> Sequence:
    """Joints in the opposite order, in the header and in every frame."""
    joints = one.header["joints"]
    width = 2 if one.header["frame"] == "image" else 3

    def turned(frame: dict) -> dict:
        frame = dict(frame)
        if frame["p"] is not None:
            frame["p"] = [
                number for joint in reversed(range(len(joints)))
                for number in frame["p"][width * joint:width * (joint + 1)]]
        if frame.get("c") is not None:
            frame["c"] = frame["c"][::-1]
        return frame
    return dataclasses.replace(
        one, header=one.header | {"joints": joints[::-1]}, frames=[turned(frame) for frame in one.frames])


def scientific(text: str) -> str:
    """Every number with a point as digits with an exponent: the same value."""
    def digits(match: re.Match) -> str:
        sign, whole, part = match[1], match[2], match[3]
        return f"{sign}{(whole + part).lstrip('0') or '0'}e-{len(part)}"
    return re.sub(r"(?<=[\[,:])(-?)(\d+)\.(\d+)(?=[\],}])", digits, text)


def keys_and_spaces(text: str) -> str:
    """Keys that nobody knows, in another order, with spaces."""
    def line(text: str) -> str:
        known = read_json(text)
        unknown = {"device": {"name": "\u00e4\"", "list": [1, [2, None]]}, "note": ""}
        return json_text(dict(reversed(list(known.items()))) | unknown).replace(",", " , ").replace(":", "\t:")
    return "".join(line(one) + "\n" for one in text.splitlines())


def rate_said_otherwise(one: Sequence) -> Sequence:
    rate = one.header.get("nominal_rate_hz")
    return dataclasses.replace(one, header=one.header | ({"nominal_rate_hz": 2 * rate} if rate else {}))


def segments_in_two(one: Sequence) -> Sequence:
    """Each labeled segment as two that touch."""
    def halves(row: list[str]) -> list[list[str]]:
        start, end = Decimal(row[0]), Decimal(row[1])
        middle = str((start + end) / 2)
        return [[row[0], middle, *row[2:]], [middle, row[1], *row[2:]]]
    return dataclasses.replace(one, labels=[half for row in one.labels for half in halves(row)])


def manifest_as_json(data: Dataset) -> Dataset:
    """The manifest as JSON, which is YAML, too."""
    def value(text: str) -> object:
        text = text.strip()
        if text.startswith("{"):
            return dict(
                (key.strip(), value(part)) for key, part in (pair.split(":", 1) for pair in text[1:-1].split(",")))
        return text.strip('"')

    def entry(one: Sequence) -> str:
        lines = [line.strip().removeprefix("- ") for line in one.entry.splitlines() if line.strip()]
        return "  - " + json.dumps({
            key: value(text) for key, text in (line.split(":", 1) for line in lines)}) + "\n"
    return dataclasses.replace(
        data, sequences=[dataclasses.replace(one, entry=entry(one)) for one in data.sequences])


# Time.


def shifted(seconds: int) -> Callable[[Dataset], Dataset]:
    """Another zero of the clock."""
    def text(time: str) -> str:
        return str(Decimal(time) + seconds)

    def shift(one: Sequence) -> Sequence:
        return dataclasses.replace(
            one, frames=[frame | {"t": frame["t"] + seconds} for frame in one.frames],
            labels=[[text(row[0]), text(row[1]), *row[2:]] for row in one.labels],
            onsets=one.onsets and [[text(row[0]), *row[1:]] for row in one.onsets])
    return lambda data: without_activities(each(shift)(data))


# Bodies.

Vector = list[float]
Matrix = list[list[float]]


def up_vector(header: dict) -> Vector:
    """Up in the axes in which joints are judged, as the contract says."""
    if "up" in header:
        return [float(number) for number in header["up"]]
    buffer, camera = header.get("buffer"), header.get("camera_position")
    orientation = header.get("orientation", "portrait")
    if header["frame"] == "world" or buffer == "upright" or orientation == "portrait":
        return [0.0, 1.0, 0.0]
    if orientation == "portraitUpsideDown":
        return [0.0, -1.0, 0.0]
    sign = 1.0 if (orientation == "landscapeLeft") == (camera == "back") else -1.0
    return [sign, 0.0, 0.0]


def turn(axis: Vector, degrees: float) -> Matrix:
    """The rotation about an axis; half turns about the axes of coordinates have only ones and zeros."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if degrees == 180:
        cosine, sine = -1.0, 0.0
    x, y, z = axis
    cross = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return [
        [(cosine if row == column else 0.0) + sine * cross[row][column] + (1 - cosine) * axis[row] * axis[column]
         for column in range(3)] for row in range(3)]


def applied(matrix: Matrix, vector: list) -> list:
    """The product; a row with one entry of 1 or -1 keeps the digits."""
    product = []
    for row in matrix:
        places = [column for column in range(3) if row[column] != 0]
        if len(places) == 1 and abs(row[places[0]]) == 1:
            product.append(vector[places[0]] if row[places[0]] > 0 else -vector[places[0]])
        else:
            product.append(math.fsum(row[column] * float(vector[column]) for column in range(3)))
    return product


def moved(change: Callable[[Sequence, list], list], one: Sequence) -> list[dict]:
    """Frames with every joint changed where it is known."""
    frames = []
    for frame in one.frames:
        frame = dict(frame)
        if frame["p"] is not None:
            numbers = frame["p"]
            frame["p"] = [
                number for start in range(0, len(numbers), 3)
                for number in ([None] * 3 if numbers[start] is None else change(one, numbers[start:start + 3]))]
        frames.append(frame)
    return frames


def rotated(matrix_of: Callable[[Sequence], Matrix]) -> Callable[[Sequence], Sequence]:
    """Bodies turned in the axes in which they are judged; of pelvis poses, the camera."""
    def rotate(one: Sequence) -> Sequence:
        matrix = matrix_of(one)
        if one.header["frame"] != "pelvis":
            return dataclasses.replace(one, frames=moved(lambda _, joint: applied(matrix, joint), one))
        frames = []
        for frame in one.frames:
            frame = dict(frame)
            if frame.get("camera") is not None:
                *axes, place = [frame["camera"][start:start + 4] for start in range(0, 16, 4)]
                turned = [applied(matrix, axis[:3]) + axis[3:] for axis in axes]
                frame["camera"] = [number for column in [*turned, place] for number in column]
            frames.append(frame)
        return dataclasses.replace(one, frames=frames)
    return rotate


def about_vertical(degrees: float) -> Callable[[Dataset], Dataset]:
    def rotate(one: Sequence) -> Sequence:
        if any("up" in frame for frame in one.frames):
            return one
        # A mirrored image is turned back by the reader, which would turn the other way.
        if one.header.get("mirrored") and degrees != 180:
            return one
        return rotated(lambda one: turn(up_vector(one.header), degrees))(one)
    return each(rotate)


def in_other_axes(one: Sequence) -> Sequence:
    """The axes x, y and z exchanged in a cycle, gravity with them."""
    if one.header.get("mirrored") or any("up" in frame for frame in one.frames):
        return one
    cycle = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    one = dataclasses.replace(one, header=one.header | {"up": applied(cycle, up_vector(one.header))})
    return rotated(lambda _: cycle)(one)


def displaced(one: Sequence) -> Sequence:
    if one.header["frame"] == "pelvis":
        return one
    offset = [Decimal("0.5"), Decimal("-0.25"), Decimal(1)]
    return dataclasses.replace(
        one, frames=moved(lambda _, joint: [number + part for number, part in zip(joint, offset)], one))


def twice_as_large(one: Sequence) -> Sequence:
    header = dict(one.header)
    if "body_height_m" in header:
        header["body_height_m"] *= 2
    else:
        header |= {"body_height_m": Decimal("3.6"), "height_estimation": "reference"}
    frames = moved(lambda _, joint: [2 * number for number in joint], one)
    frames = [frame | ({"height_m": 2 * frame["height_m"]} if frame.get("height_m") else {}) for frame in frames]
    return dataclasses.replace(one, header=header, frames=frames)


def other_side(text: str) -> str:
    """A name with left and right exchanged."""
    exchanged = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
    return re.sub("left|right|Left|Right", lambda match: exchanged[match[0]], text)


def mirror_image(one: Sequence) -> Sequence | None:
    """Bodies mirrored along z, with left and right exchanged: the same postures on the other side."""
    if one.header["frame"] == "pelvis" or up_vector(one.header)[2] or any("up" in frame for frame in one.frames):
        return None
    return dataclasses.replace(
        one, header=one.header | {"joints": [other_side(joint) for joint in one.header["joints"]]},
        frames=moved(lambda _, joint: joint[:2] + [-joint[2]], one),
        labels=[row[:2] + [other_side(row[2])] + row[3:] for row in one.labels],
        onsets=one.onsets and [row[:1] + [other_side(row[1])] + row[2:] for row in one.onsets])


def recorded_twice(data: Dataset) -> Dataset:
    def again(one: Sequence) -> Sequence:
        name = f"{one.name}-again"
        return dataclasses.replace(one, name=name, entry=one.entry.replace(f"{one.name}.", f"{name}."))
    return without_activities(
        dataclasses.replace(data, sequences=data.sequences + [again(one) for one in data.sequences]))


# What must not change.

#: Of the moment, of the place, or of the program.
NEVER = r"timing|explain|detector\.|.*places|.*command"
#: What has a length, an angle or a direction of its own.
POSITIONS = r"jitter|next|other_detectors|.*worst_moments|calibration|notes|cautions|unmet_needs"
#: What says when something was.
TIMES = r".*(start|end|time|at)(_s)?$|.*(start|end|time)_s\b|.*moments"


@dataclasses.dataclass
class Transformation:
    """A change, and which numbers must be the same after it."""

    name: str
    change: Callable[[Dataset], Dataset]
    detectors: list[str] = dataclasses.field(default_factory=lambda: SPATIAL)
    relative: float = 0
    #: Paths of numbers that may change, and those that are compared; None is all.
    without: str = NEVER
    only: str | None = None
    #: Whether names with left and right are exchanged before they are compared.
    swaps_sides: bool = False
    #: Options of `evaluate` for the changed dataset, of a detector.
    options: Callable[["Proof", str], list[str]] = lambda proof, detector: []
    #: The dataset with which the changed one is compared.
    reference: Callable[[Dataset], Dataset] = lambda data: data


def of_files(name: str, change: Callable[[Dataset], Dataset], **more: object) -> Transformation:
    return Transformation(name, change, ALL, **more)


def of_bodies(name: str, change: Callable[[Dataset], Dataset], **more: object) -> Transformation:
    return Transformation(name, change, **({"without": f"{NEVER}|{POSITIONS}"} | more))


def lengths_doubled(proof: "Proof", detector: str) -> list[str]:
    """Every length among the parameters of a detector, twice as large."""
    options = []
    for parameter in proof.parameters(detector):
        if parameter["unit"] in ("m", "m/s"):
            options += ["--set", f"{parameter['key']}={2 * Decimal(str(parameter['value']))}{parameter['unit']}"]
    return options


def text(of: str, change: Callable[[str], str]) -> Callable[[Dataset], Dataset]:
    return lambda data: dataclasses.replace(data, **{f"{part}_text": change for part in of.split()})


TRANSFORMATIONS = [
    of_files("sequences in the opposite order",
             lambda data: dataclasses.replace(data, sequences=data.sequences[::-1]), relative=RELATIVE),
    of_files("files with other names", renamed, reference=without_activities),
    of_files("gzip where there was none, and the other way around", each(zipped_otherwise)),
    of_files("line ends of Windows", text("poses table manifest", lambda text: text.replace("\n", "\r\n")),
             without=f"{NEVER}|notes"),
    of_files("byte-order marks", text("poses table manifest", lambda text: "\ufeff" + text), without=f"{NEVER}|notes"),
    of_files("blank lines at the end", text("poses table", lambda text: text + " \r\n\n\t")),
    of_files("joints in the opposite order", each(joints_reordered)),
    of_files("numbers with exponents", text("poses", scientific)),
    of_files("unknown keys, another order of keys, spaces", text("poses", keys_and_spaces)),
    of_files("a manifest in JSON", manifest_as_json),
    of_files("another rate in headers", each(rate_said_otherwise)),
    of_files("each labeled segment in two", each(segments_in_two)),
    of_files("a clock that starts 1,000 s earlier", shifted(-1000), relative=RELATIVE,
             without=f"{NEVER}|{TIMES}", reference=without_activities),
    of_files("a clock that starts 1,000,000 s later", shifted(1_000_000), relative=RELATIVE,
             without=f"{NEVER}|{TIMES}", reference=without_activities),
    of_files("every recording twice", recorded_twice, relative=RELATIVE,
             only=r"metrics(_determined)?\.(?!.*\.missed_transitions)"),
    of_bodies("half a turn about the vertical", about_vertical(180), detectors=UPRIGHT),
    of_bodies("37 degrees about the vertical", about_vertical(37), detectors=UPRIGHT, relative=RELATIVE),
    of_bodies("x, y and z exchanged in a cycle, gravity with them", each(in_other_axes), detectors=UPRIGHT),
    of_bodies("bodies half a metre to the right, lower and nearer", each(displaced), relative=RELATIVE),
    of_bodies("bodies and lengths twice as large", each(twice_as_large), options=lengths_doubled),
    of_bodies("the mirror image", each(mirror_image), detectors=UPRIGHT, swaps_sides=True, relative=RELATIVE,
              reference=each(lambda one: one if mirror_image(one) else None),
              only=r"metrics(_determined)?\."),
]


def numbers(value: object, path: str = "") -> dict[str, object]:
    """Every leaf by its path; elements of a list by their name, signal or place."""
    if isinstance(value, dict):
        return {key: leaf for name, part in value.items() for key, leaf in numbers(part, f"{path}.{name}").items()}
    if isinstance(value, list):
        leaves = {}
        for index, part in enumerate(value):
            name = index
            if isinstance(part, dict):
                name = part.get("name", json.dumps(part["signal"]) if "signal" in part else index)
            leaves |= numbers(part, f"{path}[{name}]")
        return leaves
    return {path.removeprefix("."): value}


def with_names(value: object, names: dict[str, str]) -> object:
    """A result with other names of sequences; tags may have the same words."""
    if isinstance(value, dict):
        return {key: part if key == "value" else with_names(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [with_names(part, names) for part in value]
    return names.get(value.split("/")[-1], value) if isinstance(value, str) else value


def same(one: object, other: object, relative: float) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and relative:
        return abs(one - other) <= relative * max(1, abs(one), abs(other))
    return one == other


class Proof:
    """Runs of a program, and what differed."""

    def __init__(self, planklab: str, folder: Path):
        self.planklab, self.folder = planklab, folder
        self.known: dict[tuple, dict[str, object]] = {}
        self.places = 0

    def run(self, *arguments: object) -> str:
        environment = os.environ | {"PLANKLAB_CACHE": "none", "PLANKLAB_DEFAULTS": "none"}
        done = subprocess.run([self.planklab, *map(str, arguments)], capture_output=True, text=True, env=environment)
        if done.returncode:
            raise SystemExit(f"metamorphic: planklab {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def parameters(self, detector: str) -> list[dict]:
        return json.loads(self.run("detectors", detector, "--format", "json"))["parameters"]

    def place(self, data: Dataset) -> Path:
        self.places += 1
        place = self.folder / f"data{self.places}"
        write(data, place)
        return place

    def evaluated(self, place: Path, detector: str, options: list[str]) -> dict:
        words = ["--detector", *detector.split(), "--format", "json", *options]
        return json.loads(self.run("evaluate", place, *words))["result"]

    def compared(
        self, kind: Transformation, data: Dataset, detector: str, places: tuple[Path, Path],
    ) -> tuple[int, list[str]]:
        """How many numbers of the data in two places are compared, and which differ."""
        key = places[0], detector
        if key not in self.known:
            self.known[key] = self.evaluated(places[0], detector, [])
        before, after = self.known[key], self.evaluated(places[1], detector, kind.options(self, detector))
        if kind.swaps_sides:
            after = json.loads(other_side(json.dumps(after)))
        if kind.change is renamed:
            before = with_names(before, {
                one.name.split("/")[-1]: other.name for one, other in zip(data.sequences, renamed(data).sequences)})
        left, right = numbers(before), numbers(after)
        paths = [
            path for path in left.keys() | right.keys()
            if not re.match(kind.without, path) and (kind.only is None or re.match(kind.only, path))]
        wrong = [
            f"{path}: {left.get(path, 'missing')} -> {right.get(path, 'missing')}" for path in sorted(paths)
            if path not in left or path not in right or not same(left[path], right[path], kind.relative)]
        return len(paths), wrong


def planted(proof: Proof, data: Dataset) -> None:
    """What really changed must be noticed: a label, and a joint."""
    def label(one: Sequence) -> Sequence:
        first, *others = one.labels
        earlier = str(Decimal(first[1]) - Decimal("0.1"))
        return dataclasses.replace(one, labels=[[first[0], earlier, *first[2:]], *others])

    def joint(one: Sequence) -> Sequence:
        return dataclasses.replace(one, frames=moved(
            lambda _, joint: [joint[0] + Decimal("0.2"), *joint[1:]] if joint[0] else joint, one))
    plain = proof.place(data)
    for name, change in ("a label", label), ("a joint", joint):
        kind = of_files(name, each(change))
        if not proof.compared(kind, data, "gravity", (plain, proof.place(kind.change(data))))[1]:
            raise SystemExit(f"metamorphic: {name} that changed was not noticed")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planklab", required=True)
    parser.add_argument("--recordings", type=Path, help="also the films and the app users of this folder")
    parser.add_argument("--only", help="only transformations with this in their name")
    parser.add_argument("--detector", help="only this detector, of the built-in ones")
    parser.add_argument("--table", action="store_true", help="print the counts as Markdown")
    arguments = parser.parse_args()
    datasets = {"scripted": (SCRIPTED, ALL[:-1])}
    if arguments.recordings:
        datasets |= {
            "films": (arguments.recordings / "films", ALL[:-1]),
            "app users": (arguments.recordings / "app-users", ALL[-1:])}
    counts: dict[str, dict[str, int]] = {}
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        proof = Proof(str(Path(arguments.planklab).resolve()), Path(folder))
        planted(proof, load(SCRIPTED))
        for source, (path, detectors) in datasets.items():
            data = load(path)
            for kind in TRANSFORMATIONS:
                takes = [name for name in detectors if name in kind.detectors and arguments.detector in (None, name)]
                if not takes or (arguments.only and arguments.only not in kind.name):
                    continue
                places = proof.place(kind.reference(data)), proof.place(kind.change(data))
                total = 0
                for detector in takes:
                    count, wrong = proof.compared(kind, data, detector, places)
                    total += count
                    differ += len(wrong)
                    for line in wrong[:5]:
                        print(f"{source}, {kind.name}, {detector}: {line}")
                    if len(wrong) > 5:
                        print(f"{source}, {kind.name}, {detector}: {len(wrong) - 5} more")
                counts.setdefault(kind.name, {})[source] = total
                for place in places:
                    shutil.rmtree(place)
    if arguments.table:
        print("| transformation |" + "".join(f" {source} |" for source in datasets))
        print("| --- |" + " ---: |" * len(datasets))
        for name, found in counts.items():
            print(f"| {name} |" + "".join(f" {found[source]:,} |" if source in found else " |" for source in datasets))
    everything = sum(sum(found.values()) for found in counts.values())
    print(f"metamorphic: {len(counts)} transformations, {everything} values compared: {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
