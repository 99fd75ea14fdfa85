"""Reads datasets of planklab, and describes 1 s of a body by what its joints do.

A body is that of the camera's axes: x to the right, y up, z toward the camera, in meters about the root. Lengths
are in body heights of the recording (its median path from shoulder over hip and knee to ankle is 0.779 of them), so
that the factor by which somebody scaled a recording says nothing. Bodies that lie with the head to the left are
mirrored, and limbs are those on the near and on the far side of the body, not the left and the right ones.
"""

import csv
import gzip
import json
import re
from collections import namedtuple
from pathlib import Path

import numpy

LIMBS = ("Hip", "Knee", "Ankle", "Shoulder", "Elbow", "Wrist")
# Path from the shoulder over hip and knee to the ankle in body heights (reference body of `planklab import`).
PATH_BH = 0.779
RATE_HZ = 15
# Least share of a window's frames that have a pose.
LEAST_POSES = 0.8
BANDS_HZ = (0.5, 2, 5)
BONES = {
    "upper arm": ("Shoulder", "Elbow"), "forearm": ("Elbow", "Wrist"), "trunk": ("Shoulder", "Hip"),
    "thigh": ("Hip", "Knee"), "shank": ("Knee", "Ankle")}  # fmt: skip
ANGLES = {
    "elbow": ("Shoulder", "Elbow", "Wrist"), "armpit": ("Elbow", "Shoulder", "Hip"),
    "hip": ("Shoulder", "Hip", "Knee"), "knee": ("Hip", "Knee", "Ankle")}  # fmt: skip


def lines(path):
    """The lines of a recording, packed or not."""
    content = path.read_bytes()
    return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).splitlines()


def write_lines(path, values):
    """Writes a recording as it was, packed or not."""
    content = "".join(json.dumps(value) + "\n" for value in values).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def name_of(path):
    """The name of a sequence, from the path of its poses."""
    return re.sub(r"\.poses\.jsonl(\.gz)?$", "", Path(path).name)


class Recording:
    """A recording at about 15 Hz: times in s, joints by name (frames x axes, NaN where there is none), labels of every
    frame. Of a faster one every second, third ... frame is kept (`every`)."""

    def __init__(self, name, subject, tags, path):
        self.name, self.subject, self.tags = name, subject, tags
        first, *rest = lines(path)
        header = json.loads(first)
        rate_hz = header.get("nominal_rate_hz") or 30
        self.every = max(1, round(rate_hz / RATE_HZ))
        frames = [json.loads(line) for line in rest[:: self.every]]
        names = header["joints"]
        self.rate_hz = rate_hz / self.every
        self.axes = 2 if header["frame"] == "image" else 3
        self.times_s = numpy.array([frame["t"] for frame in frames])
        missing = [numpy.nan] * (self.axes * len(names))
        rows = [[numpy.nan if v is None else v for v in frame.get("p") or missing] for frame in frames]
        values = numpy.array(rows, dtype=float).reshape(len(frames), len(names), self.axes)
        if self.axes == 2:
            size = [header["image_width_px"], header["image_height_px"]]
            values = values * numpy.array(size) / max(size)
        self.joints = dict(zip(names, values.transpose(1, 0, 2)))
        labels = path.with_name(name_of(path) + ".labels.csv")
        self.plank, self.form = labels_at(self.times_s, labels)


def labels_at(times_s, path):
    """Plank and form of every time; empty where nothing is labeled."""
    plank, form = numpy.full(len(times_s), "", dtype=object), numpy.full(len(times_s), "", dtype=object)
    if path.exists():
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                inside = (times_s >= float(row["start"]) - 1e-6) & (times_s < float(row["end"]) - 1e-6)
                plank[inside], form[inside] = row["plank"], row.get("form") or ""
    return plank, form


Sequence = namedtuple("Sequence", "name subject tags path")


def manifest(dataset):
    """The sequences of a dataset folder; without a subject, the recording is its own person."""
    text = (Path(dataset) / "dataset.yaml").read_text()
    found = []
    for block in re.split(r"\n  - (?=poses:)", text)[1:]:
        path = Path(dataset) / re.search(r"poses: *(\S+)", block).group(1).strip('"')
        subject = re.search(r"subject: *(\S+)", block)
        tags = re.search(r"tags: *{(.*)}", block)
        pairs = dict(re.findall(r'(\w+): "?([^",}]*)"?', tags.group(1))) if tags else {}
        name = name_of(path)
        found.append(Sequence(name, subject.group(1).strip('"') if subject else name, pairs, path))
    return found


def recordings(dataset):
    """Every recording of a dataset folder, in the manifest's order."""
    return [Recording(*sequence) for sequence in manifest(dataset)]


def body(recording, is_flat=False):
    """The joints in body heights, or None where there are none: frames x 12 x 3, near side before far side. A flat body
    has no depth, so its joints are the means of both sides: frames x 6 x 2."""
    left, right = (numpy.stack([recording.joints[side + limb] for limb in LIMBS], 1) for side in ("left", "right"))
    middle = numpy.nanmean([left, right], axis=0)
    path = sum(numpy.linalg.norm(middle[:, a, :2 if is_flat else 3] - middle[:, b, :2 if is_flat else 3], axis=1)
               for a, b in ((3, 0), (0, 1), (1, 2)))  # fmt: skip
    if numpy.isnan(path).all():
        return None
    if is_flat:
        joints = middle[:, :, :2]
    else:
        # Nearer is the side whose hips and shoulders have the larger z.
        is_left_near = numpy.nanmedian(left[:, [0, 3], 2] - right[:, [0, 3], 2]) >= 0
        joints = numpy.concatenate([left, right] if is_left_near else [right, left], 1)
    joints = (joints - middle[:, :1, : joints.shape[2]]) * (PATH_BH / numpy.nanmedian(path))
    if numpy.nanmedian(middle[:, 3, 0] - middle[:, 2, 0]) < 0:
        joints[:, :, 0] = -joints[:, :, 0]
    return joints


def angle_deg(a, b, c):
    u, v = a - b, c - b
    cosine = (u * v).sum(-1) / (numpy.linalg.norm(u, axis=-1) * numpy.linalg.norm(v, axis=-1) + 1e-9)
    return numpy.degrees(numpy.arccos(numpy.clip(cosine, -1, 1)))


def part(both, side, limb):
    return both[:, LIMBS.index(limb) + 6 * side]


def sides(both):
    return ("near ", "far ") if both.shape[1] == 12 else ("",)


def lengths(both):
    """Bones and widths by name, in body heights (frames)."""
    found = {}
    for side, word in enumerate(sides(both)):
        for bone, (a, b) in BONES.items():
            found[f"{word}{bone}"] = numpy.linalg.norm(part(both, side, a) - part(both, side, b), axis=1)
    for limb, width in (("Shoulder", "shoulders"), ("Hip", "hips")) if both.shape[1] == 12 else ():
        found[width] = numpy.linalg.norm(part(both, 0, limb) - part(both, 1, limb), axis=1)
    return found


def posture(both):
    """Angles of joints, facing, level and roll of the body by name, in degrees (frames)."""
    found = {}
    for side, word in enumerate(sides(both)):
        for joint, limbs in ANGLES.items():
            found[f"{word}{joint}"] = angle_deg(*(part(both, side, limb) for limb in limbs))
    middle = (both[:, :6] + both[:, -6:]) / 2
    along, knees = middle[:, 3] - middle[:, 2], middle[:, 3] - middle[:, 1]
    found["level"] = numpy.degrees(numpy.arctan2(along[:, 1], numpy.linalg.norm(along, axis=1)))
    found["level to knees"] = numpy.degrees(numpy.arctan2(knees[:, 1], numpy.linalg.norm(knees, axis=1)))
    arms = middle[:, 4] - middle[:, 3]
    found["arms' lean"] = numpy.degrees(numpy.arctan2(arms[:, 0], -arms[:, 1]))
    fore = middle[:, 5] - middle[:, 4]
    found["forearms' rise"] = numpy.degrees(numpy.arctan2(fore[:, 1], numpy.linalg.norm(fore, axis=1)))
    if both.shape[2] == 3:
        found["azimuth"] = numpy.degrees(numpy.arctan2(along[:, 2], numpy.abs(along[:, 0])))
        for limb, word in (("Shoulder", "shoulders"), ("Hip", "hips")):
            line = part(both, 0, limb) - part(both, 1, limb)
            found[f"facing of {word}"] = numpy.degrees(numpy.arctan2(line[:, 0], numpy.abs(line[:, 2])))
            found[f"roll of {word}"] = numpy.degrees(numpy.arctan2(line[:, 1], numpy.abs(line[:, 2])))
    return found


def steps(both):
    """Root mean square and median step of every joint, across the view and in depth, in thousandths of a body."""
    moved = 1000 * numpy.diff(both, axis=0)
    views = {"across": numpy.linalg.norm(moved[:, :, :2], axis=2)}
    if both.shape[2] == 3:
        views["in depth"] = numpy.abs(moved[:, :, 2])
    found = {}
    for view, length in views.items():
        both_ways = numpy.sqrt(numpy.nanmean(length**2, axis=0)), numpy.nanmedian(length, axis=0)
        for index, (square, median) in enumerate(zip(*both_ways)):
            name = f"{sides(both)[index // 6]}{LIMBS[index % 6].lower()} {view}"
            found[f"RMS step of {name}"], found[f"median step of {name}"] = square, median
    return found


def shares(series, rate_hz):
    """Shares of the power below 0.5 Hz (a straight line over the window), to 2, to 5 Hz, and above (columns)."""
    series = series - numpy.nanmean(series, axis=0)
    series = numpy.where(numpy.isnan(series), 0, series)
    place = numpy.linspace(-1, 1, len(series))[:, None]
    line = place * (place * series).sum(0) / (place**2).sum()
    power = numpy.abs(numpy.fft.rfft(series - line, axis=0)) ** 2 / len(series) * 2
    frequencies = numpy.fft.rfftfreq(len(series), 1 / rate_hz)
    parts = [(line**2).sum(0)]
    edges = (*BANDS_HZ, 1e9)
    parts += [power[(frequencies > low) & (frequencies <= high)].sum(0) for low, high in zip(edges, edges[1:])]
    return numpy.array(parts) / (numpy.sum(parts, 0) + 1e-12)


def spectra(both, rate_hz):
    """Shares of power by band of every limb (mean of near and far), across the view and in depth."""
    found = {}
    for axis, word in enumerate(("along x", "along y", "in depth")[: both.shape[2]]):
        per_joint = shares(both[:, :, axis], rate_hz)
        for index, limb in enumerate(LIMBS):
            mean = (per_joint[:, index] + per_joint[:, index - 6]) / 2
            for low, share in zip((0, *BANDS_HZ), mean):
                found[f"share from {low} Hz of {limb.lower()}s {word}"] = share
    return found


def levels_and_changes(series, is_relative):
    """The median of every series, and its standard deviation, by name; relative to the median if asked for."""
    values = numpy.array(list(series.values()))
    levels, changes = numpy.nanmedian(values, axis=1), numpy.nanstd(values, axis=1)
    changes = changes / levels if is_relative else changes
    return dict(zip(series, levels)), {f"change of {name}": change for name, change in zip(series, changes)}


def described(both, rate_hz):
    """Features of a window by group and name."""
    bones, bones_change = levels_and_changes(lengths(both), True)
    angles, angles_change = levels_and_changes(posture(both), False)
    bones = {f"length of {name}": value for name, value in bones.items()}
    return {
        "bones": bones, "bones' change": bones_change, "posture": angles, "posture's change": angles_change,
        "steps": steps(both), "spectra": spectra(both, rate_hz)}  # fmt: skip


def frame_described(both):
    """Features of a single frame (1 x 12 x 3) by group and name."""
    return {
        "bones": {f"length of {name}": value[0] for name, value in lengths(both).items()},
        "posture": {name: value[0] for name, value in posture(both).items()}}  # fmt: skip


def windows(recording, seconds=1.0, rate_hz=RATE_HZ, is_flat=False):
    """Windows that do not overlap, each within one label: (rows, joints, rate in Hz, plank, form)."""
    both = body(recording, is_flat)
    if both is None:
        return
    every = max(1, round(recording.rate_hz / rate_hz))
    count, start = round(seconds * recording.rate_hz / every) * every, 0
    while start + count <= len(both):
        rows = slice(start, start + count, every)
        labels = set(zip(recording.plank[rows], recording.form[rows]))
        is_whole = (~numpy.isnan(both[rows, :, 0])).all(1).mean() >= LEAST_POSES
        if len(labels) == 1 and is_whole:
            yield rows, both[rows], recording.rate_hz / every, *labels.pop()
            start += count
        else:
            start += 1
