#!/usr/bin/env python3
"""What the four wishes of the article's author do, one at a time and all together.

    make data
    experiments/wishes/analysis.py datasets/studio/generated

Every number but the score comes from `planklab evaluate`; the score from `planklab replay`. Only the
standard library is used. Score error: the mean distance, in points, between the score of the answers
and the time-weighted score of the labels, over sequences where both exist; the score of the answers
is by frames, as the article has it, or by time. Latency: the time by which half of the planks whose
start is known are answered; a dash where fewer than half are.
"""

import argparse
import json
import re
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SCALED = str(Path(__file__).with_name("scaled-side.yaml"))
SMOOTHING = "moving-average:seconds=0.3s@measurements"
HYSTERESIS = "consecutive:enter=5,switch=5,exit=5@plank"
DWELL = "dwell:enter=0.2s,switch=0.2s,exit=0.2s@plank"
ROWS = [
    ("article", "article", None, None, "score_by_frames"),
    ("+ temporal smoothing", "article", SMOOTHING, None, "score_by_frames"),
    ("+ time-weighted score", "article", None, None, "score_by_time"),
    ("+ side threshold by height", SCALED, None, None, "score_by_frames"),
    ("+ hysteresis on the class", "article", None, HYSTERESIS, "score_by_frames"),
    ("all four", SCALED, SMOOTHING, HYSTERESIS, "score_by_time"),
    ("all four, hysteresis in time", SCALED, SMOOTHING, DWELL, "score_by_time"),
]


def run(program, *arguments):
    return subprocess.run(
        [program, *arguments], check=True, capture_output=True, text=True).stdout


def options(detector, smoothing, debounce):
    result = ["--detector", detector]
    result += ["--smoothing", smoothing] if smoothing else []
    return result + (["--debounce", debounce] if debounce else [])


def sequences(dataset):
    text = (dataset / "dataset.yaml").read_text()
    return [dataset / match for match in re.findall(r"- poses: \"?([^\"\n]+?)\"?\s*\n", text)]


def score_error(program, dataset, flags, key):
    def error(path):
        told = json.loads(run(program, "replay", str(path), "--format", "json", *flags))
        sessions = told["result"]["sessions"]
        labels, answers = sessions["labels"]["score_by_time"], sessions["predictions"][key]
        return None if isinstance(labels, dict) or isinstance(answers, dict) else abs(labels - answers)

    with ThreadPoolExecutor(2) as pool:
        found = [e for e in pool.map(error, sequences(dataset)) if e is not None]
    return (statistics.fmean(found), len(found)) if found else (None, 0)


def seconds(latency):
    return "-" if isinstance(latency, dict) else f"{latency:.2f} s"


def row(program, dataset, name, detector, smoothing, debounce, key):
    flags = options(detector, smoothing, debounce)
    metrics = json.loads(run(program, "evaluate", str(dataset), "--format", "json", *flags))["result"]["metrics"]
    error, count = score_error(program, dataset, flags, key)
    cells = [
        name, f"{metrics['plank.false_transitions_per_minute']:.1f}",
        f"{100 * metrics['plank.hit_rate']:.0f} %",
        seconds(metrics["plank.detection_latency_p50_s"]),
        f"{metrics['plank.f1_macro']:.3f}",
        "-" if error is None else f"{error:.1f} ({count})",
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--planklab", default=".build/release/planklab")
    arguments = parser.parse_args()
    print("| detector | false transitions / min | detected | latency | macro F1 |"
          " score error (sessions) |")
    print("| --- | --: | --: | --: | --: | --: |")
    for entry in ROWS:
        print(row(arguments.planklab, arguments.dataset, *entry), flush=True)


if __name__ == "__main__":
    main()
