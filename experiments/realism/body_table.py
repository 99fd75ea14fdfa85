#!/usr/bin/env python3
"""How bodies lie over the floor in forearm and high planks, source by source: one column per source.

    body_table.py NAME=DATASET ... [--posture forearm|high] [--every N]

Reads planklab-poses recordings with their labels, plain or compressed, in camera axes or as 2D points. Only frames
labeled as the posture count, and of these only the ones whose form is `aligned` or not labeled; recordings seen from
the head or the feet (tag `view`) are left out. A cell is the median over recordings of each recording's median, and
behind the sign +- the standard deviation between recordings. Lengths are in body heights: the header's, or the path
shoulder-hip-knee-ankle over 0.779 where the header has none. Only the standard library is used.
"""

import argparse
import csv
import gzip
import json
import math
import re
import statistics
from pathlib import Path

PATH_FRACTION = 0.779
FACING = {"head", "feet"}
ROWS = (
    ("feet", "ankles over the lowest hand or elbow", 3),
    ("shoulders", "shoulders over the elbows (forearm) or wrists (high)", 3),
    ("sunk", "the same over the length of the arm", 2),
    ("upperArm", "upper arm", 3),
    ("forward", "elbows or wrists before the shoulders", 3),
    ("apart", "elbows or wrists apart, over the shoulders' width", 2),
    ("level", "rise of the line feet-shoulders, degrees", 1),
    ("trunk", "rise of the line hips-shoulders, degrees", 1),
    ("clearance", "hips over the lowest joint", 3),
    ("hipWidth", "width of the hips", 3),
    ("shoulderWidth", "width of the shoulders", 3),
)


def entries(dataset):
    """The recordings of a manifest with labels and tags; the manifest has one key per line."""
    found = []
    for line in (dataset / "dataset.yaml").read_text().splitlines():
        if match := re.match(r"\s*- poses: \"?([^\"]+?)\"?\s*$", line):
            found.append({"poses": dataset / match[1], "tags": {}})
        elif (match := re.match(r"\s*labels: \"?([^\"]+?)\"?\s*$", line)) and found:
            found[-1]["labels"] = dataset / match[1]
        elif (match := re.match(r"\s*tags: \{(.*)\}", line)) and found:
            found[-1]["tags"] = dict(re.findall(r'"?([\w]+)"?: "?([^",}]+)"?', match[1]))
    return [entry for entry in found if "labels" in entry]


def frames(entry, posture):
    """The header, and the poses of the labeled frames of a posture as joints by name."""
    opened = gzip.open if entry["poses"].suffix == ".gz" else open
    with open(entry["labels"], newline="") as file:
        spans = [
            (float(row["start"]), float(row["end"])) for row in csv.DictReader(file)
            if row["plank"] == posture and row["form"] in ("", "aligned")]  # fmt: skip
    if not spans:
        return {}, []
    with opened(entry["poses"], "rt") as file:
        header, *lines = map(json.loads, file)
    axes = 2 if header["skeleton"] in ("vision2d", "coco17") else 3
    size = (header.get("image_width_px", 1), header.get("image_height_px", 1), 1)
    if header["skeleton"] == "coco17":
        size = (1, -1, 1)
    up = header.get("up") or [0, 1, 0]
    poses = []
    for line in lines:
        if line["p"] and any(start <= line["t"] < end for start, end in spans):
            joints = {}
            for index, name in enumerate(header["joints"]):
                place = line["p"][axes * index : axes * index + axes]
                if None not in place:
                    scale = size if axes == 2 else (1, 1, 1)
                    joints[name] = [a * s for a, s in zip(place, scale)] + [0] * (3 - axes)
            poses.append((joints, line.get("up") or up))
    return header, poses


def middle(*points):
    return [sum(values) / len(points) for values in zip(*points)]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def path_length(joints):
    """Shoulder, hip, knee, ankle: the mean of both sides."""
    chain = ("Shoulder", "Hip", "Knee", "Ankle")
    return statistics.fmean(
        math.dist(joints[side + a], joints[side + b]) * 2 for side in ("left", "right") for a, b in zip(chain, chain[1:])
    ) * 3 / 2  # fmt: skip


def measured(joints, up, height, posture):
    """One frame: value by name; None where a joint is missing."""
    def pair(name):
        return joints["left" + name], joints["right" + name]

    try:
        shoulders, hips, ankles = (middle(*pair(name)) for name in ("Shoulder", "Hip", "Ankle"))
        contacts = pair("Elbow" if posture == "forearm" else "Wrist")
        contact = middle(*contacts)
        arm = upper = statistics.fmean(map(math.dist, pair("Shoulder"), pair("Elbow")))
        if posture == "high":
            arm += statistics.fmean(map(math.dist, pair("Elbow"), pair("Wrist")))
    except KeyError:
        return None
    line, trunk = minus(shoulders, ankles), minus(shoulders, hips)
    flat = minus(line, [dot(line, up) * u for u in up])
    if dot(flat, flat) < (0.2 * height) ** 2:
        return None
    ahead = [value / math.sqrt(dot(flat, flat)) for value in flat]
    lowest = min(dot(place, up) for place in joints.values())
    drop = dot(minus(shoulders, contact), up)
    values = {
        "feet": dot(minus(ankles, contact), up) / height, "shoulders": drop / height, "sunk": drop / arm,
        "upperArm": upper / height,
        "forward": dot(minus(contact, shoulders), ahead) / height,
        "level": math.degrees(math.atan2(dot(line, up), dot(line, ahead))),
        "trunk": math.degrees(math.atan2(dot(trunk, up), dot(trunk, ahead))),
        "clearance": (dot(hips, up) - lowest) / height}  # fmt: skip
    if any(place[2] for place in joints.values()):
        widths = {name: math.dist(*pair(name)) for name in ("Hip", "Shoulder")}
        values |= {"hipWidth": widths["Hip"] / height, "shoulderWidth": widths["Shoulder"] / height}
        values["apart"] = math.dist(*contacts) / widths["Shoulder"]
    return values


def column(dataset, posture, every):
    """The medians of a source's recordings: lists by name."""
    found = {name: [] for name, _, _ in ROWS}
    recordings = 0
    for entry in entries(dataset):
        if entry["tags"].get("view") in FACING or entry["tags"].get("recording", "camera") != "camera":
            continue
        header, poses = frames(entry, posture)
        poses = poses[::every]
        height = header.get("body_height_m")
        if not height:
            paths = [path_length(joints) for joints, _ in poses if len(joints) >= 12 and complete(joints)]
            if not paths:
                continue
            height = statistics.median(paths) / PATH_FRACTION
        rows = [row for joints, up in poses if (row := measured(joints, up, height, posture))]
        recordings += bool(rows)
        for name, values in found.items():
            if own := [row[name] for row in rows if name in row]:
                values.append(statistics.median(own))
    return recordings, found


def complete(joints):
    return all(side + name in joints for side in ("left", "right") for name in ("Shoulder", "Hip", "Knee", "Ankle"))


def cell(values, digits):
    if not values:
        return "-"
    spread = f" +- {statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{statistics.median(values):.{digits}f}{spread}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", metavar="NAME=DATASET")
    parser.add_argument("--posture", choices=("forearm", "high"), default="forearm")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth frame")
    arguments = parser.parse_args()
    names, columns = [], []
    for item in arguments.sets:
        name, _, dataset = item.partition("=")
        names.append(name)
        columns.append(column(Path(dataset), arguments.posture, arguments.every))
    print(f"| {arguments.posture} | " + " | ".join(names) + " |")
    print("|---|" + "---:|" * len(names))
    print("| recordings | " + " | ".join(str(count) for count, _ in columns) + " |")
    for name, title, digits in ROWS:
        if any(found[name] for _, found in columns):
            print(f"| {title} | " + " | ".join(cell(found[name], digits) for _, found in columns) + " |")


if __name__ == "__main__":
    main()
