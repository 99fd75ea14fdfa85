#!/usr/bin/env python3
"""Equivalent data, for which `planklab evaluate` must give the same numbers.

    scripts/proofs/metamorphic.py --planklab .build/release/planklab [--recordings FOLDER]
    scripts/proofs/metamorphic.py --planklab .build/release/planklab --only 'clock|mirror' --detector trunk

Each transformation writes a dataset anew, with a change in its files (order, names, compression, line ends, byte-order
marks, digits, keys, order of joints), its labels (a segment in two), its clock (another zero), its headers (up, an
image that was flipped), its bodies (turned about the vertical, in other axes, moved, twice as large beside lengths
twice as large, mirrored with left and right exchanged, recorded twice) or its points in images (moved, mirrored, in an
image of more pixels). `evaluate --format json` runs on both, with every built-in detector to which the transformation
applies. What must not change is compared value by value: exactly where the program reads the same numbers, and within
a relative 1e-6 where they are rounded or added up in another order (1e-4 for jitter and distances from thresholds,
which are small differences of rounded positions).

Every transformation has a broken one beside it, such as a mirror that leaves labels as they are. It is compared in the
same way on the first dataset, and must be noticed. A transformation of sequences that leaves one as it was, or nothing
to compare, is an error.

Takes datasets/scripted and, with --recordings, the films and the sessions of app users. Only the standard library is
used.
"""

import argparse
import collections
import dataclasses
import functools
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
#: The detectors for bodies in space, without and with the one that takes the vertical from the axes.
#: At the limit of 0.075, a frame of the films with four decimals is a tie, which rounding decides.
UPRIGHT = ["gravity", "scaled", "trunk", "coach --set coach_elbow_rise=0.07501"]
SPATIAL = ["article", *UPRIGHT]
#: A detector behind a smoother and a debounce rule, which both follow the clock.
STEADIED = "gravity --smoothing one-euro:minCutoff=1Hz,beta=0.5@joints --debounce dwell:enter=0.3s,exit=0.5s"
#: The detector for points in an image.
FLAT = ["profile"]
ALL = [*SPATIAL, STEADIED, *FLAT]
RELATIVE = 1e-6


def moved(frames, change):
    """The frames with every joint that is there changed by a function of x, y, z."""
    result = []
    for frame in frames:
        numbers = frame["p"]
        if numbers is not None:
            joints = [numbers[index:index + 3] for index in range(0, len(numbers), 3)]
            joints = [joint if joint[0] is None else list(change(*joint)) for joint in joints]
            numbers = [number for joint in joints for number in joint]
        result.append({**frame, "p": numbers})
    return result


def swapped(header):
    other = {"left": "right", "right": "left"}
    names = [re.sub("^(left|right)", lambda match: other[match[0]], name) for name in header["joints"]]
    return {**header, "joints": names}


@dataclasses.dataclass
class Sequence:
    """A recording as it is in the files: numbers keep their digits."""

    #: The entry in the manifest; values are text, or a dictionary of texts for tags.
    entry: dict
    #: The path without endings, from the folder.
    name: str
    header: dict
    frames: list[dict]
    #: Rows of labels and of onsets without their header; onsets are None without a file.
    labels: list[list[str]]
    onsets: list[list[str]] | None

    @property
    def zipped(self) -> bool:
        return self.entry["poses"].endswith(".gz")


@dataclasses.dataclass
class Dataset:
    """A dataset, and how its files are written."""

    head: dict[str, str]
    sequences: list[Sequence]
    #: Rows of activities without their header; None without a file.
    activities: list[list[str]] | None
    #: What is done to the text of recordings, of labels, onsets and activities, and of the manifest.
    poses_text: Callable[[str], str] = lambda text: text
    table_text: Callable[[str], str] = lambda text: text
    manifest_text: Callable[[str], str] = lambda text: text
    #: Whether the manifest is written as JSON, which is YAML, too.
    is_json: bool = False


Change = Callable[[Dataset], Dataset]


# Reading and writing.


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


def rows(path: Path) -> list[list[str]] | None:
    """A table without its header; None without a file."""
    return [line.split(",") for line in path.read_text().splitlines()[1:]] if path.exists() else None


def scalar(text: str) -> object:
    """A value of a manifest in a line: text, or a flow map of texts."""
    text = text.strip()
    if text.startswith("{"):
        return {key: scalar(value) for key, value in re.findall(r'(\w+): *("(?:[^"\\]|\\.)*"|[^,}]+)', text)}
    return json.loads(text) if text.startswith('"') else text


def load(folder: Path) -> Dataset:
    """Reads a dataset whose manifest has every value in a line of its own."""
    head, *entries = re.split(r"^  - ", (folder / "dataset.yaml").read_text(), flags=re.M)
    blocks = [head.removesuffix("sequences:\n"), *entries]
    pairs = [[line.split(":", 1) for line in block.splitlines() if line.strip()] for block in blocks]
    fields = [{key.strip(): scalar(value) for key, value in block} for block in pairs]
    sequences = []
    for entry in fields[1:]:
        name = entry["poses"].removesuffix(".gz").removesuffix(".poses.jsonl")
        opened = gzip.open if entry["poses"].endswith(".gz") else open
        with opened(folder / entry["poses"], "rt") as lines:
            header, *frames = [read_json(line) for line in lines if line.strip()]
        if "buffer_rotation_deg" in header or entry["labels"] != f"{name}.labels.csv":
            raise SystemExit(f"metamorphic: {folder}: {name} is not as this proof expects")
        sequences.append(Sequence(
            entry, name, header, frames, rows(folder / entry["labels"]), rows(folder / f"{name}.onsets.csv")))
    return Dataset(fields[0], sequences, rows(folder / "activities.csv"))


def write(data: Dataset, folder: Path) -> None:
    """Writes a dataset to a new folder."""
    folder.mkdir()
    if data.is_json:
        manifest = json.dumps(data.head | {"sequences": [one.entry for one in data.sequences]}, indent=1)
    else:
        manifest = "".join(f"{key}: {json.dumps(value)}\n" for key, value in data.head.items()) + "sequences:\n"
        for one in data.sequences:
            lines = [f"{key}: {json.dumps(value)}" for key, value in one.entry.items()]
            manifest += "  - " + "\n    ".join(lines) + "\n"
    (folder / "dataset.yaml").write_bytes(data.manifest_text(manifest).encode())

    def table(name: str, header: str, lines: list[list[str]] | None) -> None:
        if lines is not None:
            text = "".join(",".join(line) + "\n" for line in [[header], *lines])
            (folder / name).write_bytes(data.table_text(text).encode())
    table("activities.csv", "sequence,start,end,activity", data.activities)
    for one in data.sequences:
        (folder / one.name).parent.mkdir(parents=True, exist_ok=True)
        text = data.poses_text("".join(json_text(line) + "\n" for line in [one.header, *one.frames])).encode()
        (folder / one.entry["poses"]).write_bytes(gzip.compress(text, mtime=0) if one.zipped else text)
        table(f"{one.name}.labels.csv", "start,end,plank,form", one.labels)
        table(f"{one.name}.onsets.csv", "time,plank,form", one.onsets)


def each(change: Callable[[Sequence], Sequence]) -> Change:
    """Changes every sequence, which must then differ."""
    def changed(data: Dataset) -> Dataset:
        sequences = [change(one) for one in data.sequences]
        for one, new in zip(data.sequences, sequences, strict=True):
            if new == one:
                raise SystemExit(f"metamorphic: {one.name} stays as it was")
        return dataclasses.replace(data, sequences=sequences)
    return changed


def same(data: Dataset) -> Dataset:
    return data


def then(*changes: Change) -> Change:
    return lambda data: functools.reduce(lambda changed, change: change(changed), changes, data)


# Files.


def with_names(data: Dataset, name: Callable[[Sequence], str]) -> Dataset:
    """Other names of all files of sequences."""
    def rename(one: Sequence) -> Sequence:
        new = name(one)
        entry = {key: value.replace(f"{one.name}.", f"{new}.") if key in ("poses", "labels") else value
                 for key, value in one.entry.items()}
        return dataclasses.replace(one, name=new, entry=entry)
    names = {one.name.split("/")[-1]: name(one) for one in data.sequences}
    activities = data.activities and [[names[row[0].split("/")[-1]], *row[1:]] for row in data.activities]
    return dataclasses.replace(each(rename)(data), activities=activities)


def renamed(data: Dataset) -> Dataset:
    """Other names in another folder, in the same alphabetical order, by which moments of equal length are listed."""
    places = sorted(one.name for one in data.sequences)
    return with_names(data, lambda one: f"other/{places.index(one.name):04}")


def zipped_otherwise(one: Sequence) -> Sequence:
    poses = one.entry["poses"]
    return dataclasses.replace(one, entry=one.entry | {"poses": poses[:-3] if one.zipped else f"{poses}.gz"})


def joints_reordered(one: Sequence) -> Sequence:
    """Joints in the opposite order, in the header and in every frame."""
    joints = one.header["joints"]
    width = 2 if one.header["frame"] == "image" else 3

    def turned(frame: dict) -> dict:
        changed = {key: value[::-1] for key, value in frame.items() if key == "c" and value is not None}
        if frame["p"] is not None:
            parts = [frame["p"][width * joint:width * (joint + 1)] for joint in range(len(joints))]
            changed["p"] = [number for part in reversed(parts) for number in part]
        return frame | changed
    return dataclasses.replace(
        one, header=one.header | {"joints": joints[::-1]}, frames=[turned(frame) for frame in one.frames])


def scientific(text: str) -> str:
    """Every number with a point as digits with an exponent: the same value."""
    def digits(match: re.Match) -> str:
        sign, whole, part = match.groups()
        return f"{sign}{(whole + part).lstrip('0') or '0'}e-{len(part)}"
    return re.sub(r"(?<=[\[,:])(-?)(\d+)\.(\d+)(?=[\],}])", digits, text)


def keys_and_spaces(text: str) -> str:
    """Unknown keys, another order of keys, and spaces."""
    def line(text: str) -> str:
        unknown = {"device": {"name": "\u00e4\"", "list": [1, [2, None]]}, "note": ""}
        known = dict(reversed(list(read_json(text).items())))
        return json_text(known | unknown).replace(",", " , ").replace(":", "\t:")
    return "".join(line(part) + "\n" for part in text.splitlines())


def rate_said_otherwise(one: Sequence) -> Sequence:
    rate = one.header.get("nominal_rate_hz", Decimal(15))
    return dataclasses.replace(one, header=one.header | {"nominal_rate_hz": 2 * rate})


def labels_found(one: Sequence) -> Sequence:
    """Labels beside the recording that the manifest does not name."""
    return dataclasses.replace(one, entry={key: value for key, value in one.entry.items() if key != "labels"})


def halved(row: list[str]) -> list[list[str]]:
    """A labeled segment as two that touch."""
    middle = str((Decimal(row[0]) + Decimal(row[1])) / 2)
    return [[row[0], middle, *row[2:]], [middle, row[1], *row[2:]]]


def segments_in_two(one: Sequence) -> Sequence:
    return dataclasses.replace(one, labels=[half for row in one.labels for half in halved(row)])


def text(of: str, change: Callable[[str], str]) -> Change:
    """Changes the text of some files: poses, table, manifest."""
    return lambda data: dataclasses.replace(data, **{f"{part}_text": change for part in of.split()})


# Time.


def shifted(seconds: int, moves_labels: bool = True) -> Change:
    """Another zero of the clock."""
    def later(row: list[str], columns: range) -> list[str]:
        return [str(Decimal(cell) + seconds) if index in columns else cell for index, cell in enumerate(row)]

    def shift(one: Sequence) -> Sequence:
        labels = [later(row, range(2)) for row in one.labels]
        onsets = one.onsets and [later(row, range(1)) for row in one.onsets]
        return dataclasses.replace(
            one, frames=[frame | {"t": frame["t"] + seconds} for frame in one.frames],
            labels=labels if moves_labels else one.labels, onsets=onsets if moves_labels else one.onsets)

    def changed(data: Dataset) -> Dataset:
        activities = data.activities and [later(row, range(1, 3)) for row in data.activities]
        return dataclasses.replace(each(shift)(data), activities=activities)
    return changed


# Bodies.

Vector = list[float]
Matrix = list[Vector]


def up_vector(header: dict) -> Vector:
    """Up in the axes in which joints are judged, as the contract says."""
    if "up" in header:
        length = math.hypot(*map(float, header["up"]))
        return [float(number) / length for number in header["up"]]
    if header["frame"] == "world" or header.get("buffer") == "upright":
        return [0.0, 1.0, 0.0]
    orientation = header.get("orientation", "portrait")
    if not orientation.startswith("landscape"):
        return [0.0, 1.0 if orientation == "portrait" else -1.0, 0.0]
    is_left = (orientation == "landscapeLeft") == (header["camera_position"] == "back")
    return [1.0 if is_left else -1.0, 0.0, 0.0]


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
    """The product; a row with nothing but one 1 or -1 keeps the digits."""
    product = []
    for row in matrix:
        places = [column for column in range(3) if row[column] != 0]
        if len(places) == 1 and abs(row[places[0]]) == 1:
            product.append(vector[places[0]] if row[places[0]] > 0 else -vector[places[0]])
        else:
            product.append(math.fsum(row[column] * float(vector[column]) for column in range(3)))
    return product


def in_image(matrix: Matrix) -> Matrix:
    """What a rotation of the scene is in a mirrored image, whose x the reader turns around."""
    signs = [-1, 1, 1]
    return [[signs[row] * signs[column] * matrix[row][column] for column in range(3)] for row in range(3)]


def rotated(matrix: Matrix, one: Sequence) -> Sequence:
    """Turns bodies in the axes in which they are judged; of pelvis poses, the camera."""
    if one.header.get("mirrored"):
        matrix = in_image(matrix)

    def camera(numbers: list) -> list:
        *axes, place = [numbers[start:start + 4] for start in range(0, 16, 4)]
        return [number for axis in axes for number in applied(matrix, axis[:3]) + axis[3:]] + place
    if any("up" in frame for frame in one.frames):
        raise SystemExit(f"metamorphic: {one.name} has an `up` per frame, which this proof does not turn")
    if one.header["frame"] != "pelvis":
        return dataclasses.replace(one, frames=moved(one.frames, lambda *joint: applied(matrix, joint)))
    return dataclasses.replace(one, frames=[
        frame | ({"camera": camera(frame["camera"])} if frame.get("camera") else {}) for frame in one.frames])


def about_vertical(degrees: float) -> Change:
    return each(lambda one: rotated(turn(up_vector(one.header), degrees), one))


def about_horizontal(degrees: float) -> Change:
    return each(lambda one: rotated(turn(applied(CYCLE, up_vector(one.header)), degrees), one))


#: The axes x, y and z exchanged in a cycle.
CYCLE = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def in_other_axes(one: Sequence, turns_gravity: bool = True) -> Sequence:
    up = up_vector(one.header)
    turned = rotated(CYCLE, one)
    return dataclasses.replace(turned, header=one.header | {"up": applied(CYCLE, up) if turns_gravity else up})


def up_said(one: Sequence, sign: int = 1) -> Sequence:
    """Up in every frame instead of the header."""
    header = {key: value for key, value in one.header.items() if key != "up"}
    up = [sign * number for number in up_vector(one.header)]
    return dataclasses.replace(one, header=header, frames=[frame | {"up": up} for frame in one.frames])


def displaced(one: Sequence) -> Sequence:
    offset = Decimal("0.5"), Decimal("-0.25"), Decimal(1)
    return dataclasses.replace(one, frames=moved(
        one.frames, lambda *joint: [number + part for number, part in zip(joint, offset, strict=True)]))


def joint_displaced(name: str) -> Change:
    """One joint elsewhere, by 0.3 along each axis: another body."""
    def displace(one: Sequence) -> Sequence:
        width = 2 if one.header["frame"] == "image" else 3
        place = width * one.header["joints"].index(name)
        frames = []
        for frame in one.frames:
            numbers = frame["p"] and list(frame["p"])
            if numbers and numbers[place] is not None:
                numbers[place:place + width] = [number + Decimal("0.3") for number in numbers[place:place + width]]
            frames.append(frame | {"p": numbers})
        return dataclasses.replace(one, frames=frames)
    return each(displace)


def twice_as_large(one: Sequence) -> Sequence:
    header = {"body_height_m": Decimal("1.8"), "height_estimation": "reference"} | one.header
    header["body_height_m"] *= 2
    frames = moved(one.frames, lambda *joint: [2 * number for number in joint])
    frames = [frame | ({"height_m": 2 * frame["height_m"]} if frame.get("height_m") else {}) for frame in frames]
    return dataclasses.replace(one, header=header, frames=frames)


def other_side(text: str) -> str:
    """A name with left and right exchanged."""
    exchanged = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
    return re.sub("|".join(exchanged), lambda match: exchanged[match[0]], text)


def labels_exchanged(one: Sequence) -> Sequence:
    return dataclasses.replace(
        one, labels=[row[:2] + [other_side(row[2])] + row[3:] for row in one.labels],
        onsets=one.onsets and [row[:1] + [other_side(row[1])] + row[2:] for row in one.onsets])


def level(data: Dataset) -> Dataset:
    """The sequences in whose axes z is horizontal."""
    return dataclasses.replace(data, sequences=[
        one for one in data.sequences if one.header["frame"] != "pelvis" and not up_vector(one.header)[2]])


def mirror_image(one: Sequence) -> Sequence:
    """Bodies mirrored along z, with left and right exchanged: the same postures on the other side."""
    return dataclasses.replace(
        one, header=swapped(one.header), frames=moved(one.frames, lambda x, y, z: (x, y, -z)))


def flipped(one: Sequence) -> Sequence:
    """What is seen in an image that was flipped before, and says so."""
    header = swapped(one.header) | {"mirrored": not one.header.get("mirrored", False)}
    return dataclasses.replace(one, header=header, frames=moved(one.frames, lambda x, y, z: (-x, y, z)))


def swapped_alone(one: Sequence) -> Sequence:
    return dataclasses.replace(one, header=swapped(one.header))


def recorded_twice(data: Dataset, most: int | None = None) -> Dataset:
    again = with_names(data, lambda one: f"{one.name}-again")
    return dataclasses.replace(
        data, sequences=data.sequences + again.sequences[:most],
        activities=data.activities and data.activities + again.activities)


# Points in an image.


def points(change: Callable[[Decimal, Decimal], list]) -> Callable[[Sequence], Sequence]:
    """Changes every point that is there."""
    def changed(one: Sequence) -> Sequence:
        frames = []
        for frame in one.frames:
            numbers = frame["p"]
            pairs = [numbers[start:start + 2] for start in range(0, len(numbers or []), 2)]
            pairs = [pair if pair[0] is None else change(*pair) for pair in pairs]
            frames.append(frame | {"p": numbers and [number for pair in pairs for number in pair]})
        return dataclasses.replace(one, frames=frames)
    return changed


def image_larger(one: Sequence, *sides: str) -> Sequence:
    """An image of twice as many pixels along some sides; points are shares of it."""
    sizes = {f"image_{side}_px": 2 * one.header[f"image_{side}_px"] for side in sides}
    return dataclasses.replace(one, header=one.header | sizes)


def image_mirrored(one: Sequence) -> Sequence:
    return swapped_alone(points(lambda x, y: [1 - x, y])(one))


# What must not change.

#: Costs.
NEVER = "timing"
#: The detector that takes the vertical from the axes, as one of the others.
OTHERS = r"other_detectors|next\."
#: What is measured along the axes of the recording, one by one.
AXES = r"jitter\.(on|outside)_holds\[\{\"kind\": \"joint\""
#: What is in the axes or the lengths of the recording.
LENGTHS = r"jitter|.*\.nearest"
#: When something was.
TIMES = r".*\.(start|end|time|frame_time)_s$"
#: Small differences of positions.
SMALL = r"jitter|.*\.margin$"
#: Rates and shares, which are the same on twice the data; the one count among them is not.
RATES = r"metrics(_determined)?\.(?!.*missed_transitions$)"


@dataclasses.dataclass
class Transformation:
    """A change, and which values must be the same after it."""

    name: str
    change: Change
    #: A change that is almost the same, and must be noticed.
    broken: Change
    detectors: list[str]
    #: The relative difference that is allowed.
    relative: float = 0
    #: Paths of values that may change, and of those that are compared.
    without: str = NEVER
    only: str = ""
    #: Options of `evaluate` for the changed dataset, of a detector.
    options: Callable[["Proof", str], list[str]] = lambda proof, detector: []
    #: The dataset with which the changed one is compared.
    reference: Change = same
    #: What is done to the result for the reference, and to the other one, before they are compared.
    expected: Callable[[dict, Dataset], dict] = lambda result, data: result
    found: Callable[[dict], dict] = lambda result: result


def of_files(name: str, change: Change, **more: object) -> Transformation:
    return Transformation(name, change, then(change, joint_displaced("leftShoulder")), ALL, **more)


def of_bodies(name: str, change: Change, broken: Change, without: str = "", **more: object) -> Transformation:
    left_out = "|".join(filter(None, [NEVER, OTHERS, without]))
    return Transformation(name, change, broken, **({"detectors": UPRIGHT, "without": left_out} | more))


def of_points(
    name: str, change: Callable[[Sequence], Sequence], broken: Callable[[Sequence], Sequence], **more: object,
) -> Transformation:
    return Transformation(name, each(change), each(broken), FLAT, **more)


def names_after(change: Change) -> Callable[[dict, Dataset], dict]:
    """A result with the names that sequences have after a change; tags may have the same words."""
    def expected(result: dict, data: Dataset) -> dict:
        names = {
            one.name.split("/")[-1]: new.name for one, new in zip(data.sequences, change(data).sequences, strict=True)}

        def named(value: object) -> object:
            if isinstance(value, dict):
                return {named(key): part if key == "value" else named(part) for key, part in value.items()}
            if isinstance(value, list):
                return [named(part) for part in value]
            return names.get(value.split("/")[-1], value) if isinstance(value, str) else value
        return named(result)
    return expected


def lengths_doubled(proof: "Proof", detector: str) -> list[str]:
    """Every length among the parameters of a detector, twice as large."""
    return [
        word for parameter in proof.parameters(detector) if parameter["unit"] == "m"
        for word in ("--set", f"{parameter['key']}={2 * Decimal(str(parameter['value']))}m")]


def other_sides(result: dict) -> dict:
    return json.loads(other_side(json.dumps(result)))


TRANSFORMATIONS = [
    of_files("sequences in the opposite order",
             lambda data: dataclasses.replace(data, sequences=data.sequences[::-1]), relative=RELATIVE),
    of_files("files with other names", renamed, expected=names_after(renamed)),
    of_files("gzip where there was none, and the other way around", each(zipped_otherwise)),
    of_files("line ends of Windows", text("poses table manifest", lambda text: text.replace("\n", "\r\n"))),
    of_files("byte-order marks", text("poses table manifest", lambda text: "\ufeff" + text)),
    of_files("blank lines at the end", text("poses table", lambda text: text + " \r\n\n\t")),
    of_files("joints in the opposite order", each(joints_reordered)),
    of_files("numbers with exponents", text("poses", scientific)),
    of_files("unknown keys, another order of keys, spaces", text("poses", keys_and_spaces)),
    of_files("a manifest in JSON", lambda data: dataclasses.replace(data, is_json=True)),
    of_files("labels that the manifest does not name", each(labels_found)),
    of_files("another rate in headers", each(rate_said_otherwise)),
    of_files("each labeled segment in two", each(segments_in_two)),
    Transformation("a clock that starts 1,000 s earlier", shifted(-1000), shifted(-1000, moves_labels=False), ALL,
                   RELATIVE, f"{NEVER}|{TIMES}"),
    Transformation("a clock that starts 1,000,000 s later", shifted(1_000_000),
                   then(shifted(1_000_000), shifted(-1, moves_labels=False)), ALL, RELATIVE, f"{NEVER}|{TIMES}"),
    Transformation("every recording twice", recorded_twice,
                   lambda data: recorded_twice(data, most=1), ALL, RELATIVE, only=RATES),
    of_bodies("up in every frame instead of the header", each(up_said), each(lambda one: up_said(one, -1)),
              without=AXES),
    of_bodies("half a turn about the vertical", about_vertical(180), about_horizontal(180), without=AXES),
    of_bodies("37 degrees about the vertical", about_vertical(37), about_horizontal(37), without=AXES,
              relative=RELATIVE),
    of_bodies("x, y and z exchanged in a cycle, gravity with them", each(in_other_axes),
              each(lambda one: in_other_axes(one, turns_gravity=False)), without=AXES, relative=RELATIVE),
    of_bodies("bodies half a meter to the right, lower and nearer", each(displaced),
              then(each(displaced), joint_displaced("leftShoulder")), relative=RELATIVE, detectors=SPATIAL),
    of_bodies("bodies and lengths twice as large", each(twice_as_large),
              then(each(twice_as_large), joint_displaced("leftShoulder")), options=lengths_doubled,
              without=rf"{LENGTHS}|detector\.parameters|explain\.options", detectors=SPATIAL),
    of_bodies("an image that was flipped, where it was not, and the other way around",
              then(level, each(flipped)), then(level, each(swapped_alone)), detectors=SPATIAL, reference=level),
    of_bodies("the mirror image, with labels of the other side",
              then(level, each(lambda one: labels_exchanged(mirror_image(one)))), then(level, each(mirror_image)),
              relative=RELATIVE, only=r"metrics", reference=level, found=other_sides),
    of_points("an image of twice as many pixels", lambda one: image_larger(one, "width", "height"),
              lambda one: image_larger(one, "width"), without=f"{NEVER}|notes"),
    of_points("points an eighth of the image further right and up",
              points(lambda x, y: [x + Decimal("0.125"), y + Decimal("0.125")]),
              points(lambda x, y: [x * Decimal("1.125"), y]), relative=RELATIVE, without=f"{NEVER}|{AXES}"),
    of_points("the mirror image of points", image_mirrored, points(lambda x, y: [1 - y, x]), relative=RELATIVE,
              only=r"metrics"),
]


# The proof.


def values(value: object, path: str = "") -> dict[str, object]:
    """Every leaf by its path; elements of a list by their name, signal or place."""
    if isinstance(value, dict):
        return {key: leaf for name, part in value.items() for key, leaf in values(part, f"{path}.{name}").items()}
    if isinstance(value, list):
        leaves = {}
        for index, part in enumerate(value):
            name = index
            if isinstance(part, dict):
                name = part.get("name", json.dumps(part["signal"]) if "signal" in part else index)
            leaves |= values(part, f"{path}[{name}]")
        return leaves
    return {path.removeprefix("."): value}


def agree(path: str, one: object, other: object, relative: float) -> bool:
    """Whether two values at a path are the same, or two numbers with a fraction nearly.

    Positions in meters are rounded to 24 bits, which small differences of them feel a hundred times as much.
    """
    if relative and {type(one), type(other)} in ({float}, {int, float}):
        is_small = re.match(SMALL, path) is not None
        relative, absolute = (100 * relative, 1e-6) if is_small else (relative, 1e-9)
        return math.isclose(one, other, rel_tol=relative, abs_tol=absolute)
    return one == other and type(one) is type(other)


class Proof:
    """Runs of a program on data in a folder, and what they gave."""

    def __init__(self, planklab: str, folder: Path, data: Dataset):
        self.planklab, self.folder, self.data = planklab, folder, data
        self.differ = 0
        self.results: dict[tuple[Change, str], dict] = {}
        self.places: dict[Change, Path] = {}

    def run(self, *arguments: object) -> dict:
        environment = os.environ | {"PLANKLAB_DEFAULTS": "none"}
        words = [self.planklab, *map(str, arguments), "--format", "json"]
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise SystemExit(f"metamorphic: {' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout)

    def parameters(self, detector: str) -> list[dict]:
        return self.run("detectors", detector.split()[0])["parameters"]

    def evaluated(self, change: Change, detector: str, options: list[str]) -> dict:
        """The result on changed data, which is kept."""
        if change not in self.places:
            self.places[change] = self.folder / f"data{len(self.places)}"
            write(change(self.data), self.places[change])
        if (change, detector) not in self.results:
            result = self.run("evaluate", self.places[change], "--detector", *detector.split(), *options)["result"]
            self.results[change, detector] = json.loads(json.dumps(result).replace(str(self.places[change]), "DATA"))
        return self.results[change, detector]

    def compared(self, kind: Transformation, change: Change, detector: str) -> tuple[int, list[str]]:
        """How many values of the changed data are compared, and which differ."""
        left = values(kind.expected(self.evaluated(kind.reference, detector, []), self.data))
        right = values(kind.found(self.evaluated(change, detector, kind.options(self, detector))))
        paths = [
            path for path in left.keys() | right.keys()
            if not re.match(kind.without, path) and re.match(kind.only, path)]
        wrong = [
            f"{path}: {left.get(path, 'missing')} -> {right.get(path, 'missing')}" for path in sorted(paths)
            if path not in left or path not in right or not agree(path, left[path], right[path], kind.relative)]
        return len(paths), wrong

    def forget(self, change: Change) -> None:
        """Removes changed data with its results."""
        shutil.rmtree(self.places.pop(change))
        self.results = {key: result for key, result in self.results.items() if key[0] is not change}

    def show(self, source: str, kind: Transformation, detector: str) -> int:
        """Compares and prints what differs; how many values were compared."""
        count, wrong = self.compared(kind, kind.change, detector)
        if not count:
            raise SystemExit(f"metamorphic: {kind.name}: nothing to compare")
        self.differ += len(wrong)
        for line in wrong[:5] + ([f"{len(wrong) - 5} more"] if len(wrong) > 5 else []):
            print(f"{source}, {kind.name}, {detector}: {line}", flush=True)
        return count

    def notice(self, kind: Transformation, detector: str) -> None:
        """Ends the proof where the broken transformation is not noticed."""
        if not self.compared(kind, kind.broken, detector)[1]:
            raise SystemExit(f"metamorphic: {kind.name}, {detector}: the broken one was not noticed")
        self.forget(kind.broken)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planklab", required=True)
    parser.add_argument("--recordings", type=Path, help="also the films and the app users of this folder")
    parser.add_argument("--only", default="", help="a regular expression for the names of transformations")
    parser.add_argument("--detector", help="only this detector, of the built-in ones")
    arguments = parser.parse_args()
    datasets = {"scripted": (SCRIPTED, [*SPATIAL, STEADIED])}
    if arguments.recordings:
        datasets |= {
            "films": (arguments.recordings / "films", [*SPATIAL, STEADIED]),
            "app users": (arguments.recordings / "app-users", FLAT)}
    counts = collections.Counter()
    differ = 0
    for source, (path, detectors) in datasets.items():
        with tempfile.TemporaryDirectory() as folder:
            proof = Proof(str(Path(arguments.planklab).resolve()), Path(folder), load(path))
            for kind in TRANSFORMATIONS:
                takes = [name for name in detectors if name in kind.detectors and arguments.detector in (None, name)]
                if not takes or not re.search(arguments.only, kind.name):
                    continue
                if kind.name not in counts:
                    proof.notice(kind, takes[-1])
                counts[kind.name] += sum(proof.show(source, kind, name) for name in takes)
                proof.forget(kind.change)
            differ += proof.differ
    if not counts:
        parser.error("no transformation has such a name and such a detector")
    everything = counts.total()
    print(f"metamorphic: {len(counts)} transformations, {everything} values compared: {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
