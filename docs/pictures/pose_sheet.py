#!/usr/bin/env python3
"""Draws moments of a 3D recording side by side as stick figures, as one SVG.

    pose_sheet.py RECORDING.poses.jsonl --output FILE.svg LABEL@SECONDS ...

Left limbs are blue, right limbs red; a joint that the recording leaves out has no bone. The picture shows the
recording's own axes, 2.2 m wide. Only the standard library is used.
"""

import argparse
import json
from html import escape
from pathlib import Path

BONES = (
    "root-spine spine-centerShoulder centerShoulder-centerHead centerHead-topHead root-leftHip root-rightHip"
    " centerShoulder-leftShoulder centerShoulder-rightShoulder leftHip-leftKnee leftKnee-leftAnkle rightHip-rightKnee"
    " rightKnee-rightAnkle leftShoulder-leftElbow leftElbow-leftWrist rightShoulder-rightElbow rightElbow-rightWrist"
).split()
SIZE, SCALE, COLUMNS = 150, 66, 6


def figure(joints, pose, left, top, label):
    """The elements of one stick figure in its cell."""
    place = {name: pose[3 * index : 3 * index + 2] for index, name in enumerate(joints)} if pose else {}
    lines = [f'<text x="{left + SIZE / 2}" y="{top + 14}" text-anchor="middle">{escape(label)}</text>']
    if not pose:
        lines.append(f'<text x="{left + SIZE / 2}" y="{top + SIZE / 2}" text-anchor="middle">no pose</text>')
    for bone in BONES:
        a, b = (place.get(name) for name in bone.split("-"))
        if a is None or b is None or None in a or None in b:
            continue
        end = bone.split("-")[1]
        color = "#1f5fbf" if end.startswith("left") else "#c23b22" if end.startswith("right") else "#333"
        points = [(left + SIZE / 2 + SCALE * x, top + SIZE / 2 + 8 - SCALE * y) for x, y in (a, b)]
        (x1, y1), (x2, y2) = points
        lines.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{color}"/>')
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("moments", nargs="+", metavar="LABEL@SECONDS")
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    header, *frames = [json.loads(line) for line in arguments.recording.read_text().splitlines()]
    rows = -(-len(arguments.moments) // COLUMNS)
    width, height = SIZE * min(COLUMNS, len(arguments.moments)), SIZE * rows
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="10" fill="none" stroke-width="2.5" stroke-linecap="round">',
        f'<rect width="{width}" height="{height}" fill="#fff"/><g fill="#333">']  # fmt: skip
    for index, moment in enumerate(arguments.moments):
        label, _, time = moment.rpartition("@")
        frame = min(frames, key=lambda frame: abs(frame["t"] - float(time)))
        lines += figure(header["joints"], frame["p"], SIZE * (index % COLUMNS), SIZE * (index // COLUMNS), label)
    arguments.output.write_text("\n".join(lines + ["</g></svg>"]) + "\n")


if __name__ == "__main__":
    main()
