"""The commands that write, and what must hold of their results however they end.

Under the name of a result there is what was there before, or the whole new one. Inputs are as they were. A store
can be opened, and holds what an undisturbed command writes, or the same command completes it.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

import world

#: What a result says of the machine and the moment: how long things took, and the date.
OF_THE_MOMENT = re.compile(
    rb'"(?:max_s|p[0-9]+_s|duration_s|frame_cost_ratio|date)": [^\n,]*|\btime(?:stamp)?="[^"]*"'
    rb"|[0-9]{8,9}T[0-9]{6}Z(?=-)|^(?:load [0-9]|Cost per frame).*$", re.MULTILINE)

#: Files in place of which a result is written.
BEFORE = b"what was there before\n"


@dataclass(frozen=True)
class Writer:
    """A command that writes; `{out}` is the folder of its results, in which it finds copies of some inputs."""

    text: str
    #: What it writes below {out}: files, and folders with a slash.
    names: tuple[str, ...]
    #: Inputs of which copies lie in {out}, because the command changes them.
    copies: tuple[str, ...] = ()
    #: Whether a file in the place of a result is replaced.
    replaces: bool = True

    def may_be_there(self, name: str) -> bool:
        return self.replaces and not name.endswith(("/", ".sqlite")) and name.split("/")[0] not in self.copies


def writer(text: str, *names: str, copies: tuple[str, ...] = (), replaces: bool = True) -> Writer:
    """A writer with its names in a row."""
    return Writer(text, names, copies, replaces)


WRITERS = [
    writer("evaluate data --format json --output {out}/result.json", "result.json"),
    writer("evaluate data --format markdown --output {out}/result.md", "result.md"),
    writer("evaluate data --html {out}/report.html", "report.html"),
    writer("explain data/a.poses.jsonl --at 0.5 --output {out}/why.json", "why.json"),
    writer("compare data article gravity --resamples 100 --format json --output {out}/result.json", "result.json"),
    writer("compare data article gravity --resamples 100 --html {out}/compare.html", "compare.html"),
    writer("gate gate.yaml --write json={out}/gate.json --write junit={out}/gate.xml --html {out}/gate.html",
           "gate.json", "gate.xml", "gate.html"),
    writer("baseline update gate.yaml --reason again --allow-dirty --baseline {out}/b.json", "b.json", replaces=False),
    writer("baseline update gate.yaml --reason again --allow-dirty --baseline {out}/baseline.json", "baseline.json",
           copies=("baseline.json",)),
    writer("sweep experiment.yaml --store {out}/runs.sqlite", "runs.sqlite"),
    writer("sweep experiment.yaml --store {out}/runs.sqlite", "runs.sqlite", copies=("runs.sqlite",)),
    writer("tune experiment.yaml --thresholds {out}/t.json --picture {out}/t.svg --html {out}/t.html",
           "t.json", "t.svg", "t.html"),
    writer("suggest data --detector gravity --html {out}/suggest.html", "suggest.html"),
    writer("suggest data --detector gravity --patch {out}/better.yaml --html {out}/suggest.html", "better.yaml",
           "suggest.html", replaces=False),
    writer("smoothers compare desk --folder {out}/smoothers", "smoothers/"),
    writer("thresholds data --html {out}/thresholds.html", "thresholds.html"),
    writer("export thresholds.json --format swift --output {out}/T.swift", "T.swift"),
    writer("runs export --store runs.sqlite --format csv --output {out}/cells.csv", "cells.csv"),
    writer("measure data --output {out}/tables", "tables/"),
    writer("measure data/a.poses.jsonl --output {out}/one", "one/"),
    writer("replay data/a.poses.jsonl --picture {out}/session.svg --html {out}/session.html",
           "session.svg", "session.html"),
    writer("report --from result.json --from comparison.json --html {out}/both.html", "both.html"),
    writer("dataset show data --sequence a --picture {out}/a.svg", "a.svg"),
    writer("dataset hash data --format json --output {out}/hash.json", "hash.json"),
    writer("dataset update {out}/loose", "loose/dataset.yaml", copies=("loose",)),
    writer("dataset update {out}/data --subject a*=anna", "data/dataset.yaml", copies=("data",)),
    writer("doctor dump.json --write-map {out}/dump.map.yaml", "dump.map.yaml", replaces=False),
    writer("import dump.json --map dump.map.yaml --output {out}/table", "table/"),
    writer("import vision3d dump.jsonl --output {out}/vision", "vision/"),
    writer("import vision2d images.jsonl --output {out}/images", "images/"),
    writer("import landmarks.csv --image-size 1920x1080 --rate 30 --label *=high --output {out}/planks", "planks/"),
    writer("import deepmimic skeleton.txt motion.txt --output {out}/motion", "motion/"),
    writer("import session.npz --map posenet --output {out}/people", "people/"),
    writer("import amass turns.npz rest.npy --label high --output {out}/body", "body/"),
    writer("record movie.mp4 --with mediapipe --python ./python --output {out}/movie", "movie/"),
    writer("label data/a.poses.jsonl --html {out}/page.html", "page.html"),
    writer("label import track.txt --label down=high --output {out}/l.labels.csv", "l.labels.csv", replaces=False),
    writer("label agreement data/a.labels.csv data/a.second.labels.csv --output {out}/agreement.html",
           "agreement.html"),
    writer("synthesize studio.yaml --output {out}/studio", "studio/"),
    writer("synthesize --errors-from desk --write-bank {out}/errors.json", "errors.json"),
]

#: What a result is: the bytes of its files by their path, or of a store what `runs export` prints of it.
Contents = dict[str, bytes]


@dataclass
class Whole:
    """The results of undisturbed runs of a writer, and those that are the same each time."""

    seconds: float
    code: int
    #: What it printed, without what is of the moment.
    output: bytes
    results: dict[str, Contents] = field(default_factory=dict)
    #: The files that are the same each time, and `stdout`.
    steady: set[str] = field(default_factory=set)


class Place:
    """A folder with valid inputs, and one for results."""

    def __init__(self, folder: pathlib.Path, planklab: str, with_made: bool = True):
        self.planklab, self.inputs, self.out = planklab, folder / "inputs", folder / "out"
        self.inputs.mkdir()
        world.write(self.inputs)
        if with_made:
            world.finish(self.inputs, planklab)
        self.before = world.files(self.inputs)
        self.there: Contents = {}
        self.faults: list[str] = []

    def fault(self, text: str, what: str) -> None:
        self.faults.append(f"{text}: {what}")
        print(f"FAULT {self.faults[-1]}", flush=True)

    def words(self, text: str) -> list[str]:
        return [self.planklab, *(word.replace("{out}", str(self.out)) for word in text.split())]

    def clean(self, writer: Writer, with_files: bool = False) -> None:
        """Empties the results, but for what the writer finds there."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        for name in writer.copies:
            copy = shutil.copytree if (self.inputs / name).is_dir() else shutil.copy
            copy(self.inputs / name, self.out / name)
        for name in writer.names if with_files else []:
            if writer.may_be_there(name):
                (self.out / name).write_bytes(BEFORE)
        self.there = self.contents("")

    def start(self, text: str, **options) -> subprocess.Popen:
        return subprocess.Popen(
            self.words(text), cwd=self.inputs, stdin=subprocess.DEVNULL,
            **({"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE} | options))

    def run(self, words: list[str], limit: float, **options) -> tuple[int | None, bytes, bytes]:
        """Exit code, None where the limit ended it, stdout and stderr."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                words, **({"cwd": self.inputs, "stdin": subprocess.DEVNULL, "stdout": output, "stderr": errors}
                          | options))
            try:
                code = process.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                code = None
            output.seek(0)
            errors.seek(0)
            return code, output.read(), errors.read()

    def contents(self, name: str) -> Contents:
        """The files of a result."""
        path = self.out / name
        if path.is_dir():
            return {
                name + below: self.timeless(path / below)
                for below in world.files(path) if not below.endswith("/")}
        return {name: self.timeless(path)} if path.exists() else {}

    @staticmethod
    def timeless(path: pathlib.Path) -> bytes:
        """A file's bytes without what differs from run to run; of a link that leads nowhere, where it leads."""
        if not path.exists():
            return b"a link to " + os.fsencode(os.readlink(path))
        content = path.read_bytes()
        return content if path.suffix in (".sqlite", ".gz") else OF_THE_MOMENT.sub(b"", content)

    def result(self, name: str) -> Contents:
        """The files of a result, or the cells of a store."""
        if not name.endswith(".sqlite"):
            return self.contents(name)
        return {name: self.exported(name)}

    def exported(self, name: str) -> bytes:
        """What a store holds, as far as it can be opened; nothing if it cannot."""
        runs = subprocess.run([self.planklab, "runs", "list", "--store", self.out / name], capture_output=True)
        if runs.returncode != 0:
            return b""
        with contextlib.closing(sqlite3.connect(self.out / name)) as store:
            if store.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return b""
        export = [self.planklab, "runs", "export", "--store", self.out / name, "--format", "jsonl"]
        return subprocess.run(export, capture_output=True).stdout

    def undisturbed(self, writer: Writer, environments: tuple[dict[str, str], dict[str, str]] = ({}, {})) -> Whole:
        """What a command writes and prints if nothing happens, and how long it takes; from two runs."""
        first, second = (self._undisturbed(writer, environment) for environment in environments)
        first.steady = {
            file for name, result in first.results.items() for file, content in result.items()
            if second.results[name].get(file) == content} | ({"stdout"} if first.output == second.output else set())
        return first

    def _undisturbed(self, writer: Writer, environment: dict[str, str]) -> Whole:
        self.clean(writer)
        begun = time.monotonic()
        process = self.start(writer.text, stdout=subprocess.PIPE, env=os.environ | environment)
        output, errors = process.communicate()
        whole = Whole(time.monotonic() - begun, process.returncode, OF_THE_MOMENT.sub(b"", output))
        if process.returncode not in (0, 2, 3):
            self.fault(writer.text, f"exit {process.returncode}: {errors.decode()[:300]}")
        for name in writer.names:
            if not (self.out / name).exists():
                self.fault(writer.text, f"did not write {name}")
            whole.results[name] = self.result(name)
        return whole

    def is_whole(self, name: str, whole: Whole) -> bool:
        """Whether a result is that of an undisturbed command: equal, or complete where each run's differs."""
        result, expected = self.result(name), whole.results[name]
        return set(result) == set(expected) and all(
            content == expected[file] if file in whole.steady else self._is_complete(file, content)
            for file, content in result.items())

    @staticmethod
    def _is_complete(file: str, text: bytes) -> bool:
        if file.endswith(".json"):
            try:
                return bool(json.loads(text))
            except ValueError:
                return False
        ends = {".svg": b"</svg>", ".html": b"</html>", ".xml": b"</testsuites>", ".swift": b"}"}
        return text.rstrip().endswith(ends.get(pathlib.Path(file).suffix, b"")) and text.endswith(b"\n")

    def check(self, writer: Writer, whole: Whole, may_litter: bool, is_done: bool = False) -> None:
        """Nothing half-written stands under a final name, and inputs are as they were."""
        known = set()
        for name in writer.names:
            there = {file: content for file, content in self.there.items() if self._belongs(file, name)}
            known |= set(there) | set(whole.results[name])
            if name.endswith(".sqlite"):
                self._check_store(writer, name, whole, is_done)
                continue
            now = self.contents(name)
            if there == now and not (is_done and there != whole.results[name]):
                continue
            if not self.is_whole(name, whole):
                self.fault(writer.text, f"{name} is not whole" if now else f"{name} is missing")
        now = self.contents("")
        for file in set(now) - known:
            # SQLite's log belongs to its store: whoever opens the store next takes it in.
            is_log = file.endswith(("-wal", "-shm", "-journal")) and file.rpartition("-")[0] in writer.names
            if file not in self.there and not is_log and not (may_litter and ".partial-" in file):
                self.fault(writer.text, f"left {file}")
        for file in set(self.there) - set(known):
            if now.get(file) != self.there[file]:
                self.fault(writer.text, f"changed {file}")
        self.check_inputs(writer.text)

    @staticmethod
    def _belongs(file: str, name: str) -> bool:
        return file == name or (name.endswith("/") and file.startswith(name))

    def _check_store(self, writer: Writer, name: str, whole: Whole, is_done: bool) -> None:
        """A store can be opened; what is not complete yet, the same command makes."""
        if not (self.out / name).exists():
            if is_done or name in self.there:
                self.fault(writer.text, f"{name} is missing")
            return
        if is_done and not self.is_whole(name, whole):
            self.fault(writer.text, f"{name} is not whole")
        elif not is_done:
            # The store may have been in the making.
            code = self.start(writer.text, stderr=subprocess.DEVNULL).wait()
            if code != 0 or not self.is_whole(name, whole):
                self.fault(writer.text, f"exit {code} on the {name} that was left, or it is not whole")

    def check_inputs(self, text: str) -> None:
        after = world.files(self.inputs)
        for log in [path for path in after if path.endswith(("-wal", "-shm"))]:
            # A reader of a store that is killed leaves the log that SQLite made for it, empty.
            if log.endswith("-wal") and after[log].st_size:
                self.fault(text, f"left {log}")
            (self.inputs / log).unlink()
            del after[log]
        for path in sorted(set(after) | set(self.before)):
            old, new = self.before.get(path), after.get(path)
            if not old or not new or (
                    not path.endswith("/") and (old.st_size, old.st_mtime_ns) != (new.st_size, new.st_mtime_ns)):
                self.fault(text, f"changed input {path}")
                self.before = after  # said once
