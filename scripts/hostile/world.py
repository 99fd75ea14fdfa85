"""A small folder with one file of every kind that planklab reads, and the commands that read each.

Everything is made from `datasets/scripted` and by planklab itself, so that the files are valid: a mutation
then changes one thing, and the readers come far before they notice.
"""

import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "proofs"))
import dump_shapes

SCRIPTED = ROOT / "datasets" / "scripted"
CORPORA = ROOT / "Tests" / "FuzzTests" / "Corpora"
FRAMES = 24
#: The exit codes that a command may have (docs/decisions/0007-exit-codes.md).
ALLOWED = {0, 2, 3, 64, 65, 66, 73}
#: Where memory is refused, a process may end by one of these.
ABORTS = {signal.SIGABRT, signal.SIGILL, signal.SIGTRAP, signal.SIGSEGV, signal.SIGBUS}

SCRIPT = """name: desk
noise: {preset: phone, joints: {outlier_probability: 0.01}}
seed: 3
clock: {rate_hz: 10}
camera: {distance_m: 2, azimuth_deg: 90, orientation: portrait}
subject: {name: anna, height_m: 1.7}
holds:
  - {posture: forearm, duration_s: 1.5, form: {hip_offset_m: -0.05}}
  - {posture: standing, duration_s: 0.5}
"""

CANDIDATES = "measurements:\n  reach: distance(wrists, shoulders) / bodyHeight\n"

#: In the place of a Python that has MediaPipe: it finds somebody who stands, in all frames but the second.
PYTHON = """#!/bin/sh
set -e
[ "$1 $2" = "-I -c" ]
shift
cp "$(dirname "$0")/movie.csv" "$4"
[ -z "$5" ] || cp "$(dirname "$0")/movie.csv" "$5"
echo '{"share":0.5}'
echo '{"summary":{"frames":4,"found":3,"repeated":1,"without_picture":0,"width":640,"height":480,"read":0,\
"announced":0,"version":"0.10.21","python":"3.11.7"}}'
"""


@dataclass(frozen=True)
class Command:
    """A command line in the folder; `{out}` is an empty folder for results."""

    words: tuple[str, ...]
    #: Files of the folder that the command is there to change.
    changes: tuple[str, ...] = ()


def command(text: str, *changes: str) -> Command:
    """A command from words with single spaces between them."""
    return Command(tuple(text.split(" ")), changes)


#: Programs whose labels are read, and the endings of their files.
LABELS = {"elan": "eaf", "praat": "TextGrid", "boris": "tsv", "label_studio": "json", "subrip": "srt"}
#: Files of the corpora of the fuzzer, and what they are called here.
FROM_CORPORA = {
    "detector/cautious.yaml": "detector.yaml", "experiment/small.yaml": "experiment.yaml", "gate/gate.yaml": "gate.yaml",
    "script/studio.yaml": "studio.yaml", "vision/dump.jsonl": "dump.jsonl",
    "vision2d/two-people.jsonl": "images.jsonl", "tensors/two-images.npz": "session.npz",
    "bodies/joints.npz": "plank.npz", "bodies/poses.npz": "turns.npz", "arrays/rest.npy": "rest.npy",
    "table/session_with_metadata.json": "dump.json", "table/csv_wide.csv": "wide.csv",
}
#: What reads each kind of file: the name of the kind, the file, the commands.
READERS: dict[str, tuple[str, list[Command]]] = {
    "recording": ("data/a.poses.jsonl", [
        command("evaluate data"),
        command("evaluate data --verbose --smoothing median:frames=5 --format json"),
        command("dataset lint data"),
        command("dataset show data --sequence a --picture {out}/a.svg"),
        command("dataset show data"),
        command("dataset hash data"),
        command("measure data --output {out}/tables"),
        command("explain data/a.poses.jsonl --at 0.5"),
        command("replay data/a.poses.jsonl --picture {out}/session.svg"),
        command("label data/a.poses.jsonl --html {out}/page.html"),
        command("compare data article gravity --resamples 100"),
        command("gate gate.yaml --write junit={out}/gate.xml"),
        command("label agreement data/a.labels.csv data/a.second.labels.csv"
                " --recording data/a.poses.jsonl"),
        command("dataset update data", "data/dataset.yaml"),
    ]),
    "packed recording": ("data/b.poses.jsonl.gz", [
        command("evaluate data"), command("dataset lint data"),
        command("explain data/b.poses.jsonl.gz --at 0.5"),
    ]),
    "labels": ("data/a.labels.csv", [
        command("evaluate data"), command("dataset lint data"), command("evaluate data --verbose"),
        command("label agreement data/a.labels.csv data/a.second.labels.csv"),
        command("label data/a.poses.jsonl --html {out}/page.html"),
        command("dataset show data --sequence a"),
    ]),
    "second labels": ("data/a.second.labels.csv", [
        command("evaluate data"), command("dataset lint data"),
        command("label agreement data/a.labels.csv data/a.second.labels.csv --format json"),
    ]),
    "onsets": ("data/b.onsets.csv", [
        command("evaluate data"), command("dataset lint data"), command("dataset hash data"),
    ]),
    "activities": ("data/activities.csv", [
        command("evaluate data"), command("dataset lint data"), command("dataset hash data"),
    ]),
    "manifest": ("data/dataset.yaml", [
        command("evaluate data"), command("dataset lint data"), command("dataset show data"),
        command("dataset hash data --format json"), command("dataset update data", "data/dataset.yaml"),
        command("measure data --output {out}/tables"),
    ]),
    "detector": ("detector.yaml", [
        command("detectors detector.yaml"), command("detectors detector.yaml --format json"),
        command("evaluate data --detector detector.yaml"),
        command("explain data/a.poses.jsonl --at 0.5 --detector detector.yaml"),
        command("compare data gravity detector.yaml --resamples 100"),
    ]),
    "thresholds": ("thresholds.json", [
        command("evaluate data --parameters thresholds.json"),
        command("export thresholds.json --format swift"),
        command("export thresholds.json --format json --output {out}/t.json"),
        command("export thresholds.json --format plist"),
        command("gate gate.yaml --parameters thresholds.json"),
    ]),
    "experiment": ("experiment.yaml", [
        command("sweep experiment.yaml --store {out}/runs.sqlite"),
        command("tune experiment.yaml --thresholds {out}/t.json --picture {out}/t.svg"),
        command("sweep experiment.yaml --engine streaming --store {out}/runs.sqlite"),
    ]),
    "gate": ("gate.yaml", [
        command("gate gate.yaml"), command("gate gate.yaml --format github"),
        command("gate gate.yaml --format json --write markdown={out}/gate.md"),
        command("baseline update gate.yaml --reason again --allow-dirty", "baseline.json"),
    ]),
    "baseline": ("baseline.json", [
        command("gate gate.yaml"), command("baseline show baseline.json"),
        command("baseline diff baseline.json second.json"), command("baseline list ."),
    ]),
    "predictions": ("answers/a.csv", [
        command("evaluate data --predictions answers"),
        command("compare data gravity answers --resamples 100"),
        command("gate gate.yaml --predictions answers"),
    ]),
    "script": ("script.yaml", [command("synthesize script.yaml --output {out}/desk")]),
    "studio": ("studio.yaml", [command("synthesize studio.yaml --output {out}/studio")]),
    "bank of errors": ("errors.json", [
        command("synthesize script.yaml --errors-from errors.json --output {out}/desk"),
        command("synthesize --errors-from errors.json --write-bank {out}/errors.json"),
    ]),
    "audacity labels": ("track.txt", [
        command("label import track.txt --label down=forearm/sag --output {out}/a.labels.csv"),
    ]),
    "label table": ("table.csv", [
        command("label import table.csv --columns from,to,what --label down=high"
                " --output {out}/a.labels.csv"),
    ]),
    **{f"labels of {program}": (f"{program}.{ending}", [
        command(f"label import {program}.{ending} --rate 30 --label beep=ignore --output {{out}}/a.labels.csv"),
        command(f"doctor {program}.{ending}"),
    ]) for program, ending in LABELS.items()},
    "vision dump": ("dump.jsonl", [
        command("import vision3d dump.jsonl --output {out}/vision"),
        command("import vision3d dump.jsonl --subject anna --orientation portrait --camera front"
                " --output {out}/vision"),
    ]),
    "dump of 2D poses": ("images.jsonl", [
        command("import vision2d images.jsonl --output {out}/vision"),
        command("import vision2d images.jsonl --everyone --mirrored --image-size 640x480"
                " --output {out}/vision"),
    ]),
    "landmarks": ("landmarks.csv", [
        command("import landmarks.csv --image-size 1920x1080 --rate 30 --cut 0.02 --output {out}/planks"
                " --label C=forearm/aligned --label H=forearm/pike"),
        command("import landmarks.csv --image-size 1920x1080 --rate 30 --stills --output {out}/planks"
                " --label *=high"),
    ]),
    "dump of an app": ("dump.json", [
        command("import dump.json --map dump.map.yaml --output {out}/table"),
        command("doctor dump.json --write-map {out}/dump.map.yaml"), command("doctor dump.json --format json"),
    ]),
    "table of an app": ("wide.csv", [
        command("doctor wide.csv --write-map {out}/wide.map.yaml"), command("doctor wide.csv dump.json"),
        command("import wide.csv --map wide.map.yaml --output {out}/table"),
    ]),
    "markers": ("walk.trc", [command("import walk.trc --output {out}/table"), command("doctor walk.trc")]),
    "binary markers": ("walk.c3d", [command("import walk.c3d --output {out}/table"), command("doctor walk.c3d")]),
    "map": ("dump.map.yaml", [
        command("import dump.json --map dump.map.yaml --output {out}/table"),
        command("import dump.json --map dump.map.yaml --mirrored --rate 10 --keep-clock --output {out}/table"),
    ]),
    "tensors": ("session.npz", [
        command("import session.npz --map posenet --output {out}/people"),
        command("import session.npz --map posenet --everyone --image-size 1080x1920 --output {out}/people"),
        command("doctor session.npz"),
    ]),
    "motion of a body": ("plank.npz", [
        command("import amass plank.npz --up y --label forearm/aligned --output {out}/body"),
        command("doctor plank.npz"),
    ]),
    "turns of a body": ("turns.npz", [
        command("import amass turns.npz rest.npy --label high --output {out}/body"),
        command("import amass turns.npz rest.npy --up y --rate 30 --subject anna --output {out}/body"),
    ]),
    "body at rest": ("rest.npy", [
        command("import amass turns.npz rest.npy --output {out}/body"), command("doctor rest.npy"),
    ]),
    "table of a movie": ("movie.csv", [
        command("record movie.mp4 --with mediapipe --python ./python --output {out}/movie"),
        command("record movie.mp4 --with mediapipe --python ./python --2d --every 2 --output {out}/movie"),
    ]),
    "result": ("result.json", [
        command("report --from result.json --html {out}/report.html"),
        command("report --from result.json --from comparison.json --html {out}/report.html"),
    ]),
    "comparison": ("comparison.json", [
        command("report --from comparison.json --html {out}/report.html"),
    ]),
    "recording without a manifest": ("loose/one.poses.jsonl", [
        command("dataset update loose", "loose/dataset.yaml"),
        command("dataset update loose --name room --subject o*=anna", "loose/dataset.yaml"),
        command("evaluate loose/one.poses.jsonl"),
    ]),
    "measurements": ("candidates.yaml", [
        command("suggest data --detector gravity --measurements candidates.yaml"),
    ]),
    "skeleton": ("skeleton.txt", [
        command("import deepmimic skeleton.txt motion.txt --output {out}/motion"),
    ]),
    "motion": ("motion.txt", [
        command("import deepmimic skeleton.txt motion.txt --output {out}/motion"),
    ]),
    "store": ("runs.sqlite", [
        command("runs list --store runs.sqlite"), command("runs show --store runs.sqlite"),
        command("runs show --store runs.sqlite --format json"),
        command("runs export --store runs.sqlite --format csv --output {out}/cells.csv"),
        command("runs export --store runs.sqlite --format jsonl"),
        command("tune experiment.yaml --from-store runs.sqlite"),
        command("sweep experiment.yaml --store runs.sqlite --resume", "runs.sqlite"),
    ]),
}

#: Commands with one text that is mutated: a valid text, and the words around `{text}`.
ARGUMENTS: list[tuple[str, Command]] = [
    ("sag=3cm", command("evaluate data --detector gravity --set {text}")),
    ("one-euro:minCutoff=1Hz,beta=0.5@joints", command("evaluate data --smoothing {text}")),
    ("hampel:frames=7,threshold=3@measurements", command("measure data --output {out}/t --smoothing {text}")),
    ("dwell:enter=0.3s,exit=0.5s", command("evaluate data --debounce {text}")),
    ("sag=0:8cm:5mm", command("sweep experiment.yaml --store {out}/r.sqlite --axis {text}")),
    ("elbow_split=quantiles:24", command("sweep experiment.yaml --store {out}/r.sqlite --axis {text}")),
    ("0.5", command("explain data/a.poses.jsonl --at {text}")),
    ("0.7", command("dataset show data --sequence a --picture {out}/a.svg --at {text}")),
    ("session_deadline=5s", command("replay data/a.poses.jsonl --session {text}")),
    ("gravity sag=3cm plank_frames=5", command("compare data article --resamples 100 {text}")),
    ("a*=anna", command("dataset update data --subject {text}", "data/dataset.yaml")),
    ("down=forearm/sag", command("label import track.txt --output {out}/l.csv --label {text}")),
    ("from,to,what", command("label import table.csv --label down=high --output {out}/l.csv --columns {text}")),
    ("-0.5", command("label import track.txt --label down=high --output {out}/l.csv --offset {text}")),
    ("1,1,0=45", command("import deepmimic skeleton.txt motion.txt --output {out}/m --rotate {text}")),
    ("0.02", command("import landmarks.csv --image-size 1920x1080 --rate 30 --label *=high --output {out}/m"
                     " --cut {text}")),
    ("30", command("import landmarks.csv --image-size 1920x1080 --label *=high --output {out}/m --rate {text}")),
    ("PlankThresholds", command("export thresholds.json --format swift --type-name {text}")),
    ("anna", command("import vision3d dump.jsonl --output {out}/v --subject {text}")),
    ("1080x1920", command("import vision2d images.jsonl --output {out}/v --image-size {text}")),
    ("living room", command("import vision3d dump.jsonl --output {out}/v --name {text}")),
    ("100", command("compare data article gravity --resamples {text}")),
    ("20", command("runs show --store runs.sqlite {text}")),
    ("a", command("dataset show data --sequence {text}")),
    ("first", command("evaluate data --split {text}")),
]


def make(folder: pathlib.Path, planklab: str) -> None:
    """Fills an empty folder."""
    write(folder)
    finish(folder, planklab)


def _input(path: pathlib.Path) -> bytes:
    """An input of a corpus: a file, or a text in `inputs.json`."""
    return path.read_bytes() if path.exists() else json.loads((path.parent / "inputs.json").read_text())[path.name].encode()


def write(folder: pathlib.Path) -> None:
    """Fills an empty folder with what people and other programs write."""
    _dataset(folder / "data")
    for corpus, name in FROM_CORPORA.items():
        (folder / name).write_bytes(_input(CORPORA / corpus))
    head, *rows = (CORPORA / "landmarks/table.csv").read_text().splitlines(keepends=True)
    # Fuzzers know where the file of a motion ends by this byte.
    skeleton, motion = (CORPORA / "motion/standing.txt").read_text().split("\x1e")
    for name, text in [
        ("script.yaml", SCRIPT), ("track.txt", "0\t0.3\tnone\n0.4\t0.8\tdown\n"),
        ("table.csv", "from,to,what\n0,0.3,none\n0.4,0.8,down\n"),
        ("landmarks.csv", "".join([head, *rows, *("H" + row[1:] for row in rows)])), ("movie.csv", _movie(head, rows)),
        ("skeleton.txt", skeleton), ("motion.txt", motion), ("candidates.yaml", CANDIDATES), ("python", PYTHON),
        ("movie.mp4", "pictures"),
    ]:
        (folder / name).write_text(text)
    (folder / "python").chmod(0o755)
    walk = dump_shapes.Recording("s01-floor")
    walk.times, walk.poses = walk.times[90:90 + FRAMES], walk.poses[90:90 + FRAMES]
    for name, save in [("walk.trc", dump_shapes.markers("mm", 1000)), ("walk.c3d", dump_shapes.c3d)]:
        save(walk, folder / name)
    for labels in dump_shapes.LABELS:
        program = labels.name.removeprefix("labels_of_")
        if program in LABELS:
            text = labels.write([(0, 0.3, "none"), (0.4, 0.8, "high/sag")])
            (folder / f"{program}.{LABELS[program]}").write_text(text)
    (folder / "loose").mkdir()
    for ending in ["poses.jsonl", "labels.csv"]:
        shutil.copy(folder / f"data/a.{ending}", folder / f"loose/one.{ending}")
    (folder / "answers").mkdir()
    for letter in "abc":
        rows = [f"{index / 30:.4f},{'none' if index < 9 else 'high'},aligned" for index in range(FRAMES)]
        (folder / "answers" / f"{letter}.csv").write_text(
            "\n".join(["t,plank,form", *rows]) + "\n")


def finish(folder: pathlib.Path, planklab: str) -> None:
    """Adds what planklab itself writes."""
    for words in [
        "tune experiment.yaml --thresholds thresholds.json",
        "sweep experiment.yaml --store runs.sqlite",
        "baseline update gate.yaml --reason first --allow-dirty",
        "synthesize script.yaml --output desk", "synthesize --errors-from desk --write-bank errors.json",
        "doctor dump.json --write-map dump.map.yaml",
        "doctor wide.csv --write-map wide.map.yaml",
        "evaluate data --format json --output result.json",
        "compare data article gravity --resamples 100 --format json --output comparison.json",
    ]:
        done = subprocess.run([planklab, *words.split()], cwd=folder, check=False, capture_output=True)
        if done.returncode:
            sys.exit(f"planklab {words}: {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    shutil.copy(folder / "baseline.json", folder / "second.json")


def _dataset(folder: pathlib.Path) -> None:
    """Three people with 24 frames each, two with every field of the format, with all that is found beside them.

    What they do is in `activities.csv`, when classes began in onsets, and the manifest does not list the labels of b.
    """
    folder.mkdir()
    entries = []
    for letter, source, view in [("a", "s04-pelvis", "side"), ("b", "s01-floor", "front"), ("c", "s02-sides", "side")]:
        lines = (SCRIPTED / f"{source}.poses.jsonl").read_text().splitlines()
        frames = [json.loads(line) for line in lines[40 : 40 + FRAMES]]
        for index, frame in enumerate(frames):
            frame["t"] = round(index / 30, 4)
        header = json.loads(lines[0]) | {"subject": f"person-{letter}"}
        text = "".join(json.dumps(line) + "\n" for line in [header, *frames])
        ending = ""
        if letter == "b":
            ending = ".gz"
            with open(folder / "b.poses.jsonl.gz", "wb") as file:
                file.write(gzip.compress(text.encode(), mtime=0))
        else:
            (folder / f"{letter}.poses.jsonl").write_text(text)
        (folder / f"{letter}.labels.csv").write_text(
            "start,end,plank,form\n0,0.25,none,\n0.3,0.6,high,aligned\n0.65,0.8,forearm,sag\n")
        (folder / f"{letter}.onsets.csv").write_text("time,plank,form\n0.28,high,\n0.62,forearm,sag\n")
        labels = "" if letter == "b" else f"    labels: {letter}.labels.csv\n"
        entries.append(
            f"  - poses: {letter}.poses.jsonl{ending}\n{labels}"
            f"    subject: person-{letter}\n    split: first\n    starts: mid\n"
            f"    tags: {{view: {view}, noise_mm: \"5\"}}\n")
    (folder / "a.second.labels.csv").write_text(
        "start,end,plank,form\n0,0.35,none,\n0.35,0.8,high,aligned\n")
    (folder / "activities.csv").write_text("sequence,start,end,activity\n" + "".join(
        f"{letter},0,0.3,on-all-fours\n{letter},0.3,0.8,planking\n" for letter in "abc"))
    (folder / "dataset.yaml").write_text(
        "name: small\ndescription: three people\nlicense: MIT\nsequences:\n" + "".join(entries))


def _movie(head: str, rows: list[str]) -> str:
    """A table of landmarks with times, as the script of `record` writes it; nobody is in the second frame."""
    found = [row.partition(",")[2] for row in rows]
    found.insert(1, "," * (head.count(",") - 1) + "\n")
    return head.replace("label,", "label,seconds,") + "".join(
        f"frame,{place / 10},{cells}" for place, cells in enumerate(found))


def compiler() -> str:
    """The compiler of C; ends the proof where there is none."""
    return shutil.which("cc") or shutil.which("clang") or sys.exit("prove-hostile: needs a C compiler")


def shim(folder: pathlib.Path) -> pathlib.Path:
    """The library that disturbs calls, compiled into a folder."""
    library, source = folder / "fault_injection.so", pathlib.Path(__file__).with_name("fault_injection.c")
    subprocess.run([compiler(), "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
    return library


def files(folder: pathlib.Path) -> dict[str, os.stat_result]:
    """What lies below a folder, by its path there; folders end in a slash."""
    found = {}
    waiting = [""]
    while waiting:
        place = waiting.pop()
        for entry in os.scandir(folder / place):
            path = place + entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path + "/")
                path += "/"
            found[path] = entry.stat(follow_symlinks=False)
    return found
