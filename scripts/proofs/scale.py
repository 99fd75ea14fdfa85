#!/usr/bin/env python3
"""Time and memory of every command on large data, at a quarter of the size and at all of it.

    scripts/proofs/scale.py --planklab .build/release/planklab [--share 1]

Three datasets: `long`, one recording of 1,000,000 frames; `many`, 10,000 sequences of 30 frames by 2,000
people with 100 tags each; `labels`, 100,000 segments on 200,000 frames. Four times the data may take 5.5 times
the processor time, which n log n stays below; a command that takes more, once it takes a second, ends the
proof. Prints a Markdown table. `--share 0.1` makes all of it ten times smaller. The large datasets take 800 MB.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "datasets" / "scripted" / "s01-floor.poses.jsonl"
SIZES = {"long": 1_000_000, "many": 10_000, "labels": 100_000}
MOST_RATIO = 5.5
LIMIT_S = 1200

EXPERIMENT = """dataset: {dataset}
detector: gravity
axes: {{sag: [2cm, 3cm], pike: [3cm], elbow_split: [120deg, 140deg], plank_frames: [1, 3]}}
objective: plank.balanced_accuracy
resamples: 50
refine: false
validation: none
allow_ungrouped: true
"""
GATE = """dataset: {dataset}
detector: gravity
baseline: {dataset}.baseline.json
resamples: 100
rules: [{{metric: plank.accuracy, margin: 0.05}}, {{metric: form.balanced_accuracy, margin: 0.05}}]
"""

#: The commands, with `{d}` for the dataset, `{r}` for its first recording, `{o}` for an output.
COMMANDS = [
    "evaluate {d}", "evaluate {d} --verbose", "evaluate {d} --smoothing one-euro", "dataset lint {d}",
    "dataset hash {d}", "dataset show {d}", "measure {d} --output {o}", "compare {d} article gravity --resamples 100",
    "sweep {d}.experiment.yaml --store {o}", "tune {d}.experiment.yaml",
    "baseline update {d}.gate.yaml --reason r --allow-dirty", "gate {d}.gate.yaml", "smoothers compare {d}",
    "dataset update {d}", "explain {r} --at 0.5", "replay {r}", "label {r} --html {o}",
    "label agreement {l} {l} --recording {r}",
]


def lines(frames: int):
    """The lines of a recording that goes through its source again and again, at 30 Hz."""
    header, *source = SOURCE.read_text().splitlines()
    yield header
    rest = [line[line.index('"p"'):] for line in source]
    for frame in range(frames):
        # A step of a millimeter apart each time around, so that no stretch is a copy of another.
        yield f'{{"t":{frame / 30:.4f},' + rest[(frame * (1 + frame // len(rest) % 7)) % len(rest)]


def segments(count: int, seconds: float) -> str:
    """Labels one after the other, of every kind."""
    kinds = ["none,", "high,aligned", "none,", "forearm,sag", "none,", "high,pike"]
    length = seconds / count
    rows = [
        f"{number * length:.4f},{(number + 1) * length:.4f},{kinds[number % len(kinds)]}" for number in range(count)]
    return "\n".join(["start,end,plank,form", *rows]) + "\n"


def make(folder: pathlib.Path, kind: str, count: int) -> pathlib.Path:
    """Makes a dataset of a kind with so many frames, sequences or segments."""
    dataset = folder / f"{kind}-{count}"
    dataset.mkdir()
    if kind == "many":
        manifest = ["name: many", "sequences:"]
        short = list(lines(30 * 97))
        header = json.loads(short[0])
        for number in range(count):
            subject = f"p{number % max(1, count // 5)}"
            frames = [f'{{"t":{index / 30:.4f},' + line[line.index('"p"'):] for index, line in enumerate(
                short[1 + number % 97 * 30:][:30])]
            text = [json.dumps(header | {"subject": subject}), *frames]
            (dataset / f"s{number:05}.poses.jsonl").write_text("\n".join(text) + "\n")
            (dataset / f"s{number:05}.labels.csv").write_text(segments(3, 1))
            tags = ", ".join(f"t{tag}: v{(number + tag) % 10}" for tag in range(100))
            manifest.append(
                f"  - {{poses: s{number:05}.poses.jsonl, labels: s{number:05}.labels.csv, subject: {subject}, "
                f"tags: {{{tags}}}}}")
        (dataset / "dataset.yaml").write_text("\n".join(manifest) + "\n")
    else:
        frames = count if kind == "long" else count * 2
        with open(dataset / "s00000.poses.jsonl", "w") as file:
            file.writelines(line + "\n" for line in lines(frames))
        labels = 300 if kind == "long" else count
        (dataset / "s00000.labels.csv").write_text(segments(labels, frames / 30))
        (dataset / "dataset.yaml").write_text(
            "name: one\nsequences:\n  - {poses: s00000.poses.jsonl, labels: s00000.labels.csv, subject: s01}\n")
    (folder / f"{dataset.name}.experiment.yaml").write_text(EXPERIMENT.format(dataset=dataset.name))
    (folder / f"{dataset.name}.gate.yaml").write_text(GATE.format(dataset=dataset.name))
    return dataset


def measured(planklab: str, command: str, dataset: pathlib.Path) -> tuple[int, float, float]:
    """Exit code, processor time in seconds, and most memory in megabytes."""
    name, folder = dataset.name, dataset.parent
    output = folder / "output"
    recording = f"{name}/s00000.poses.jsonl"
    words = command.format(d=name, r=recording, l=recording.replace(".poses.jsonl", ".labels.csv"), o=output).split()
    process = subprocess.Popen(
        ["timeout", str(LIMIT_S), planklab, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    for left in folder.glob("output*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--planklab", required=True)
    parser.add_argument("--share", type=float, default=1)
    options = parser.parse_args()
    planklab = str(pathlib.Path(options.planklab).resolve())
    slow = []
    print("| data | command | a quarter | all | times | memory |\n| --- | --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for kind, size in SIZES.items():
            count = int(size * options.share)
            parts = [make(pathlib.Path(folder), kind, size) for size in (count // 4, count)]
            for command in COMMANDS:
                (code, quarter, _), (last, whole, memory) = (measured(planklab, command, part) for part in parts)
                ratio = whole / quarter
                text = command.replace(" {d}", "").replace("{d}.", "").replace(" {r}", "")
                print(
                    f"| {kind} {count:,} | `{text}` | {quarter:.2f} s | {whole:.2f} s | {ratio:.1f} | "
                    f"{memory:.0f} MB |", flush=True)
                if code not in (0, 2, 3) or last not in (0, 2, 3):
                    slow.append(f"{text} on {kind}: exit {code} and {last}")
                elif whole > 1 and ratio > MOST_RATIO:
                    slow.append(f"{text} on {kind}: {ratio:.1f} times the time for four times the data")
            for part in parts:
                shutil.rmtree(part)
    if slow:
        sys.exit("\n".join(["scale.py:", *slow]))


if __name__ == "__main__":
    main()
