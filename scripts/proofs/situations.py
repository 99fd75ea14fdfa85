#!/usr/bin/env python3
"""First screens in awkward situations, through the commands themselves.

Writes small datasets, most of them from datasets/scripted: one person, two people, no labels, one class, all answers
wrong, all right, everybody alike, one scored frame, no frame that the rules can decide, sources of unequal size, no
body heights, and two annotators. On each of them it runs `evaluate`, `compare`, `tune`, `gate` and `smoothers compare`,
as text and as JSON. It fails if a command ends in any way but its own exit codes, prints a trace, a NaN, an impossible
value, a sentence that the situation forbids or a line of more than 80 columns, or says nothing about a failure; the
commands that a screen tells to type are typed, too. With --write, writes docs/situations.md, a selection of first
screens with explanations, and with --check compares that page with what it would write. Only the standard library is
used.
"""

import argparse
import csv
import gzip
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import populations
import situation_pages

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTED = REPOSITORY / "datasets" / "scripted"
NAMES = ["s01-floor", "s02-sides", "s03-fast", "s04-pelvis", "s05-clip"]
PAGE = REPOSITORY / "docs" / "situations.md"
WIDTH = 80
# Of `evaluate`, as `FirstScreen.lines`; the others have their own.
LINES = 36
# 0 done, 2 a gate failed, 3 not comparable or inconclusive, 64 usage, 65 bad data.
ALLOWED = {
    "evaluate": {0},
    "compare": {0, 3, 65},
    "tune": {0, 3, 64, 65},
    "gate": {0, 2, 3, 65},
    "smoothers compare": {0, 3, 65},
}
# Nothing in the situation may stop these.
NEVER_REFUSED = {"evaluate", "compare", "smoothers compare"}
REFUSABLE = {"no labels", "undetermined", "tiny", "ties"}
TRACES = re.compile(r"Fatal error|Traceback|Precondition failed|Stack dump|DecodingError|Swift runtime", re.I)
NOT_NUMBERS = re.compile(r"(?<![\w`-])(-?nan|-?inf(inity)?)(?![\w`-])", re.I)
PERCENT = re.compile(r"(-?\d+(?:\.\d+)?) ?%")
RANGE = re.compile(r"\((-?\d+\.\d+) to (-?\d+\.\d+)\)")
BESIDE = re.compile(r"(-?\d+\.?\d*)(?: s)? \((-?\d+\.?\d*) to (-?\d+\.?\d*)\)")
PLURALS = re.compile(r"(?<![\d.,])1 (people|planks|faults|frames|sequences|recordings|rules|sources|rounds)\b")
CHANGED = re.compile(r"of (\d+) people (\d+) got worse, (\d+) better")
SHARES = re.compile(
    r"(^|[._])(accuracy|balanced_accuracy|f1|f1_macro|event_f1|recall|precision|hit_rate|share|iou)(\[|$|_)")
COEFFICIENTS = re.compile(r"(cohen_kappa|mcc)($|\[)")
POSITIVE = re.compile(r"(_p50_s|_p90_s|_per_minute|hold_error_s)$")
# What a screen must not say: situation, command, words.
FORBIDDEN = [
    ("one person", "compare", r"every person"),
    ("tiny", "compare", r"every person|\bTake "),
    ("undetermined", "compare", r"\bTake |\bKeep "),
    ("all wrong", "compare", r"\bTake `"),
    ("all wrong", "tune", r"Knife edge"),
    ("ties", "tune", r"Knife edge"),
    ("undetermined", "smoothers compare", r"label holds first"),
    ("no labels", "tune", r"there are no sequences"),
    # A mean over sources is no share of a number of planks.
    ("unequal sources", "evaluate", r"% of \d+ planks"),
]
DIFFERENCES = {"difference", "change", "detectable_loss", "gain"}


def recording(name):
    """The lines of a recording and its labels as rows."""
    path = SCRIPTED / f"{name}.poses.jsonl"
    data = path.read_text() if path.exists() else gzip.decompress(Path(f"{path}.gz").read_bytes()).decode()
    rows = list(csv.DictReader((SCRIPTED / f"{name}.labels.csv").read_text().splitlines()))
    return data.splitlines(), rows


def write(folder, recordings, tags=None):
    """A dataset of (name, subject, lines, rows); rows of labels may be None; `tags` by name."""
    folder.mkdir(parents=True)
    entries = []
    for name, subject, lines, rows in recordings:
        header = {key: value for key, value in json.loads(lines[0]).items() if key != "subject"}
        text = [json.dumps(header, separators=(",", ":"))] + lines[1:]
        (folder / f"{name}.poses.jsonl").write_text("\n".join(text) + "\n")
        fields = [f"poses: {name}.poses.jsonl"]
        if rows is not None:
            write_labels(folder / f"{name}.labels.csv", rows)
            fields.append(f"labels: {name}.labels.csv")
        if subject:
            fields.append(f"subject: {subject}")
        if tags:
            fields.append(f"tags: {json.dumps(tags[name])}")
        entries.append(f"  - {{{', '.join(fields)}}}\n")
    (folder / "dataset.yaml").write_text(f"name: {folder.name}\nsequences:\n{''.join(entries)}")


def write_labels(path, rows):
    text = "".join(f"{row['start']},{row['end']},{row['plank']},{row['form']}\n" for row in rows)
    path.write_text("start,end,plank,form\n" + text)


def answered(table, plank=None, form=None):
    """Labels from a table that `measure` wrote: the answers themselves, or what stands for them."""
    frames = list(csv.DictReader(table.read_text().splitlines()))
    rows = []
    for frame, after in zip(frames, frames[1:]):
        label = (plank or {}).get(frame["plank"], frame["plank"])
        own = (form or {}).get(frame["form"], frame["form"]) or "aligned"
        own = "" if label == "none" else own
        if rows and (rows[-1]["plank"], rows[-1]["form"]) == (label, own):
            rows[-1]["end"] = after["t"]
        else:
            rows.append({"start": frame["t"], "end": after["t"], "plank": label, "form": own})
    return rows


def without_heights(lines):
    header = {key: value for key, value in json.loads(lines[0]).items() if key != "body_height_m"}
    return [json.dumps(header)] + lines[1:]


def missing(lines):
    return lines[:1] + [f'{{"t":{json.loads(line)["t"]:.6f},"p":null}}' for line in lines[1:]]


def second(rows, by):
    """The labels of somebody who marks boundaries later, calls `sag` aligned, and the first forearm plank high."""
    rows = [dict(row) for row in rows]
    for row in [row for row in rows if row["plank"] == "forearm"][:1]:
        row["plank"] = "high"
    for row, after in zip(rows, rows[1:]):
        if row["end"] == after["start"] and float(after["end"]) - float(after["start"]) > 2 * by:
            row["end"] = after["start"] = f"{float(row['end']) + by:.3f}"
    for row in rows:
        row["form"] = "aligned" if row["form"] == "sag" else row["form"]
    return rows


def situations(planklab, folder):
    """Writes every dataset; gives the names of situations with their folders and further flags."""
    people = [(name, name[:3], *recording(name)) for name in NAMES]
    populations.run(planklab, folder, "measure", SCRIPTED, "--detector", "gravity", "--output", folder / "answers")
    tables = {name: folder / "answers" / f"{name}.csv" for name in NAMES}
    cycle = {"none": "high", "forearm": "high", "high": "forearm", "sideLeft": "sideRight", "sideRight": "sideLeft",
             "reverse": "none"}
    faults = {"aligned": "sag", "sag": "pike", "pike": "aligned"}
    one = people[0][2:]
    tiny = [row for row in one[1] if row["plank"] == "high"][0]
    tiny = dict(tiny, end=f"{float(tiny['start']) + 0.03:.2f}")

    def labeled(change):
        return [(name, subject, lines, change(name, rows)) for name, subject, lines, rows in people]

    every = {
        "one person": people[:1],
        "two people": people[:2],
        "no labels": labeled(lambda name, rows: None),
        "one class": labeled(lambda name, rows: [row for row in rows if row["plank"] == "high"] or None),
        "all wrong": labeled(lambda name, rows: answered(tables[name], cycle, faults)),
        "all right": labeled(lambda name, rows: answered(tables[name])),
        "ties": [(f"p{index}", f"p{index}", *people[1][2:]) for index in range(6)],
        "tiny": [("s01-floor", "s01", one[0], [tiny])],
        "undetermined": [(name, subject, missing(lines), rows) for name, subject, lines, rows in people],
        "unequal sources": people,
        "no heights": [(name, subject, without_heights(lines), rows) for name, subject, lines, rows in people],
        "two annotators": people,
    }
    sources = {name: {"place": "home" if name == NAMES[0] else "studio"} for name in NAMES}
    found = {}
    for situation, recordings in every.items():
        path = folder / situation.replace(" ", "-")
        write(path, recordings, sources if situation == "unequal sources" else None)
        found[situation] = path
    for name, _, _, rows in people:
        write_labels(found["two annotators"] / f"{name}.second.labels.csv", second(rows, 0.2))
    return found


def write_gate(planklab, folder, dataset):
    """A gate whose baseline is the detector as published and whose candidate is stricter."""
    place = folder / "gates" / dataset.name
    place.mkdir(parents=True)
    gate = (f"dataset: ../../{dataset.name}\ndetector: gravity\nbaseline: baseline.json\n"
            "rules:\n  - {metric: plank.f1_macro, margin: 0.02, inconclusive: warn}\n"
            "  - {metric: form.accuracy, largest_drop: 0.05}\n")
    (place / "gate.yaml").write_text(gate)
    made = run(planklab, folder, [
        "baseline", "update", f"gates/{dataset.name}/gate.yaml", "--reason", "proof", "--allow-dirty"])
    (place / "gate.yaml").write_text(gate.replace("detector: gravity\n", "detector: gravity\nset: [sag=3cm]\n"))
    return place / "gate.yaml", made


def write_experiment(folder, dataset, source=None):
    """An experiment with two thresholds; `source` is the tag that tells sources apart."""
    place = folder / "experiments" / dataset.name
    place.mkdir(parents=True)
    (place / "experiment.yaml").write_text(
        f"question: How far may hips hang?\ndataset: ../../{dataset.name}\ndetector: gravity\naxes:\n"
        "  sag: [3cm, 5cm, 7cm]\n  horizontal_ratio: [0.45, 0.55, 0.65]\n"
        "objective: [plank.balanced_accuracy, form.balanced_accuracy]\nseed: 1\n"
        + (f"source_tag: {source}\n" if source else ""))
    return place


def commands(planklab, folder, situation, dataset):
    """The name of each command with its arguments; what failed before it could run is given as a run."""
    source = ["--source-tag", "place"] if situation == "unequal sources" else []
    detector = ["--detector", "coach" if situation == "no heights" else "gravity"]
    sides = ["gravity", "gravity", "gravity plank_frames=1"] if situation == "ties" else ["gravity", "coach"]
    gate, made = write_gate(planklab, folder, dataset)
    yield "evaluate", ["evaluate", dataset, *detector, *source], None
    yield "compare", ["compare", dataset, *sides, *source], None
    yield "tune", ["tune", write_experiment(folder, dataset, *source[1:])], None
    yield "gate", ["gate", gate], made if made.returncode else None
    yield "smoothers compare", ["smoothers", "compare", dataset, "--detector", "gravity"], None


def check_text(text):
    """What is wrong with a first screen."""
    # An option of a command to copy stays whole.
    faults = [f"{len(line)} columns: {line}" for line in text.splitlines()
              if len(line) > WIDTH and not re.fullmatch(r" +--\S+ \S+( \\)?", line)]
    faults += [f"not a number: {found.group(0)}" for found in NOT_NUMBERS.finditer(text)]
    for low, high in RANGE.findall(text):
        if float(low) > float(high):
            faults.append(f"an interval upside down: {low} to {high}")
    flat = " ".join(text.split())
    for value, low, high in BESIDE.findall(flat):
        half = 0.501 * 10 ** -len(value.partition(".")[2])
        if not float(low) - half <= float(value) <= float(high) + half:
            faults.append(f"an interval without its number: {value} ({low} to {high})")
    faults += [f"a plural of one: {found.group(0)}" for found in PLURALS.finditer(flat)]
    faults += [f"{worse} and {better} of {people} people" for people, worse, better in CHANGED.findall(flat)
               if int(worse) + int(better) > int(people)]
    for share in PERCENT.findall(text):
        if "% of `" in flat and float(share) > 100.05:
            faults.append(f"a share of {share} %")
    return faults


def check_values(name, value, faults):
    """Collects impossible values of a result's members; `name` is the metric or the member."""
    if isinstance(value, dict):
        own = value.get("metric", name) if isinstance(value.get("metric"), str) else name
        low, high = value.get("lower"), value.get("upper")
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
            faults.append(f"{own}: {low} above {high}")
        for key, member in value.items():
            if key in DIFFERENCES or key.endswith("_difference"):
                continue
            check_values(key if SHARES.search(key) or COEFFICIENTS.search(key) else own, member, faults)
    elif isinstance(value, list):
        for member in value:
            check_values(name, member, faults)


def check_metrics(metrics, faults):
    """Metrics by name, out of their range."""
    for name, value in metrics.items():
        number = value.get("value") if isinstance(value, dict) else value
        if not isinstance(number, (int, float)):
            continue
        low, high = (0, 1) if SHARES.search(name) else (-1, 1) if COEFFICIENTS.search(name) else (None, None)
        if POSITIVE.search(name):
            low, high = 0, None
        if low is not None and number < low or high is not None and number > high:
            faults.append(f"{name} = {number}")


def check_json(text):
    """What is wrong with a result."""
    def refuse(constant):
        raise ValueError(f"{constant} in the JSON")

    try:
        result = json.loads(text, parse_constant=refuse)["result"]
    except (ValueError, KeyError) as error:
        return [f"JSON: {error}"]
    faults = []
    check_values("", result, faults)
    if isinstance(result.get("metrics"), dict) and "streams" in result:
        check_metrics(result["metrics"], faults)
        for stream in ("plank", "form"):
            holds = result["streams"][stream]["over_time"]["holds"]
            error, signed = holds["error_s"], holds["signed_error_s"]
            if all(isinstance(number, (int, float)) for number in (error, signed)) and error < abs(signed) - 1e-9:
                faults.append(f"{stream}: timer {error} below {signed}")
    return faults


def check_run(command, situation, done, isText):
    """What is wrong with a run: exit code, traces, silence, values."""
    faults = []
    allowed = ALLOWED[command]
    if done.returncode not in allowed:
        faults.append(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    if command in NEVER_REFUSED and done.returncode and situation not in REFUSABLE:
        faults.append(f"refused with {done.returncode}: {done.stderr.strip()[-300:]}")
    if TRACES.search(done.stderr + done.stdout):
        faults.append("a trace: " + (done.stderr + done.stdout)[-300:])
    if not done.stdout.strip() and not done.stderr.strip():
        faults.append("nothing was said")
    for place, name, words in FORBIDDEN if isText else []:
        found = re.search(words, done.stdout + done.stderr)
        if (place, name) == (situation, command) and found:
            faults.append(f"says {found.group(0)!r}")
    if done.returncode and not done.stdout.strip():
        return faults
    if command == "evaluate" and isText and len(done.stdout.splitlines()) > LINES:
        faults.append(f"{len(done.stdout.splitlines())} lines")
    return faults + (check_text(done.stdout) if isText else check_json(done.stdout))


def relative(words, folder):
    """Arguments as somebody types them in the folder of the datasets."""
    return [str(word.relative_to(folder)) if isinstance(word, Path) else str(word) for word in words]


def run(planklab, folder, words):
    return subprocess.run([planklab, *words], cwd=folder, capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--planklab", default=REPOSITORY / ".build" / "release" / "planklab")
    parser.add_argument("--write", action="store_true", help="write docs/situations.md")
    parser.add_argument("--check", action="store_true", help="fail if docs/situations.md would change")
    arguments = parser.parse_args()
    planklab = str(Path(arguments.planklab).resolve())
    folder = Path(tempfile.mkdtemp(prefix="planklab-situations-")).resolve()
    screens, count, failed = [], 0, []
    try:
        for situation, dataset in situations(planklab, folder).items():
            for command, words, instead in commands(planklab, folder, situation, dataset):
                words = relative(words, folder)
                runs = [instead] if instead else [
                    run(planklab, folder, [*words, *extra]) for extra in ([], ["--format", "json"])]
                if instead:
                    words = ["baseline", "update", words[1], "--reason", "proof"]
                screen = situation_pages.Screen(situation, command, words, runs[0])
                screens.append(screen)
                count += len(runs)
                faults = [fault for done, isText in zip(runs, (True, False))
                          for fault in check_run(command, situation, done, isText)]
                typed = [run(planklab, folder, line) for line in screen.commands]
                count += len(typed)
                faults += [f"typed as printed: {shlex.join(done.args[1:])}: {done.stderr.strip()}"
                           for done in typed if done.returncode not in {0, 65}]
                failed += [f"{situation}, {command}: {fault}" for fault in faults]
    finally:
        shutil.rmtree(folder)
    if arguments.write:
        PAGE.write_text(situation_pages.page(screens))
    if arguments.check and PAGE.read_text() != situation_pages.page(screens):
        failed.append(f"{PAGE.relative_to(REPOSITORY)} is not what the commands print; write it again with --write")
    for line in failed:
        print(line.replace(f"{folder}/", ""), file=sys.stderr)
    print(f"{count} runs in awkward situations, {len(failed)} faults")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
