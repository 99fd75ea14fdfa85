#!/usr/bin/env python3
"""Draws the form's confusion matrices of two results of `planklab evaluate --format json`, one after the other.

    docs/pictures/matrices.py BEFORE.json "title" AFTER.json "title" docs/pictures/matrices.svg

A cell shows seconds; its color is the share of its row, green on the diagonal and red elsewhere.
"""

import json
import sys

CELL, LEFT, TOP, GAP = (96, 48), 70, 74, 110
GREEN, RED = (46, 125, 83), (184, 50, 45)


def color(base, share):
    return "#" + "".join(f"{round(255 + (part - 255) * (0.08 + 0.82 * share)):02x}" for part in base)


def matrix(path, title, x):
    with open(path, encoding="utf-8") as file:
        found = json.load(file)["result"]["streams"]["form"]["counts"]["confusion_seconds"]
    width, height = CELL
    yield f'<text x="{x}" y="22" font-size="16" font-weight="bold">{title}</text>'
    yield f'<text x="{x}" y="41" font-size="11" fill="#666">rows: truth; columns: prediction</text>'
    for row, (label, seconds) in enumerate(zip(found["labels"], found["rows"])):
        y = TOP + row * height
        yield f'<text x="{x + LEFT - 10}" y="{y + 29}" text-anchor="end">{label}</text>'
        yield f'<text x="{x + LEFT + (row + 0.5) * width}" y="{TOP - 10}" text-anchor="middle">{label}</text>'
        for column, value in enumerate(seconds):
            share = value / sum(seconds)
            fill = color(GREEN if row == column else RED, share) if value else "#f5f6f8"
            ink = "#fff" if share > 0.6 else "#333"
            left = x + LEFT + column * width
            yield f'<rect x="{left}" y="{y}" width="{width - 2}" height="{height - 2}" rx="3" fill="{fill}"/>'
            text = f"{value:.1f} s" if value else "·"
            yield f'<text x="{left + width / 2 - 1}" y="{y + 29}" text-anchor="middle" fill="{ink}">{text}</text>'


before, before_title, after, after_title, output = sys.argv[1:]
second = LEFT + 3 * CELL[0] + GAP
size = (second + LEFT + 3 * CELL[0] + 40, TOP + 3 * CELL[1] + 8)
middle = (LEFT + 3 * CELL[0] + GAP / 2, TOP + 1.5 * CELL[1] + 10)
lines = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif" font-size="14">',
    f'<rect width="{size[0]}" height="{size[1]}" fill="#fff"/><g fill="#333">',
    *matrix(before, before_title, 0), *matrix(after, after_title, second),
    f'<text x="{middle[0]}" y="{middle[1]}" text-anchor="middle" font-size="30">→</text></g></svg>',
]
with open(output, "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
