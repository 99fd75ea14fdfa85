"""Mutates one input of every kind, runs the commands that read it, and checks how they end.

    scripts/prove-hostile mutations [--inputs 500] [--seed 1]

Each input is made from a valid file (scripts/hostile/world.py) by a few mutations drawn from a stream of its
own, so that number N of a seed is the same whatever ran before it. A command may then exit 0, 2, 3, 64, 65,
66 or 73, within 10 seconds of processor time and 60 of waiting. Anything else is a finding: a signal, a hang, exit 1 or an unlisted code; a
file that was there and changed; a file left behind by a command that failed; a failure without a message;
control characters, or a line that a CI service obeys, on the terminal. --only N runs input N again and prints it.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys

import mutate
import world

DONE = {0, 2, 3}
#: Of processor time, so that a busy machine does not look like a hang; and of the clock.
LIMIT_S, PATIENCE_S = 10, 60
OBEYED = re.compile(rb"^\s*(::|##\[)", re.MULTILINE)
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
ANNOUNCED = re.compile(rb"([0-9][0-9,]*) (?:plank |form )?cells")
#: Cells from which a sweep may take its time: that many were asked for.
MANY_CELLS = 20_000


class Workbench:
    """The folder with valid files, in which one file at a time is a mutated one."""

    def __init__(self, folder: pathlib.Path, planklab: str):
        self.folder, self.planklab = folder, planklab
        self.valid, self.out = folder / "valid", folder / "out"
        self.valid.mkdir()
        world.make(self.valid, planklab)
        self.out.mkdir()
        self.contents = {
            path: (self.valid / path).read_bytes()
            for path in world.files(self.valid) if not path.endswith("/")}
        self.before = world.files(self.valid)

    def run(self, path: str | None, content: bytes, command: world.Command, text: bytes | None):
        """Runs a command on an input; returns exit code, seconds, and what is wrong."""
        if path is not None:
            (self.valid / path).write_bytes(content)
            self.before[path] = (self.valid / path).lstat()
        words = [self._word(word, text) for word in command.words]
        with open(self.folder / "stdout", "w+b") as output, open(self.folder / "stderr", "w+b") as errors:
            process = subprocess.Popen(
                [self.planklab, *words], cwd=self.valid, stdin=subprocess.DEVNULL, stdout=output,
                stderr=errors)
            code, seconds = self._end(process)
            output.seek(0)
            errors.seek(0)
            faults = self._faults(code, output.read(), errors.read(), command)
        self._restore(path, command)
        return code, seconds, faults

    def _end(self, process: subprocess.Popen) -> tuple[int | None, float]:
        """The exit code, None where a limit ended the command, and the processor time."""
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 1))
        except ProcessLookupError:
            pass
        signal.signal(signal.SIGALRM, lambda *_: process.kill())
        signal.alarm(PATIENCE_S)
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        is_late = code in (-signal.SIGXCPU, -signal.SIGKILL)
        return None if is_late else code, seconds

    def _word(self, word: str, text: bytes | None) -> bytes:
        if word == "{text}" and text is not None:
            return text
        return word.replace("{out}", str(self.out)).encode()

    def _faults(self, code, output: bytes, errors: bytes, command: world.Command) -> list[str]:
        faults = []
        if code is None:
            cells = max((int(number.replace(b",", b"")) for number in ANNOUNCED.findall(errors)), default=0)
            if cells < MANY_CELLS:
                faults.append(f"no end after {LIMIT_S} s")
            return faults
        if code < 0:
            faults.append(f"signal {-code}")
        elif code not in world.ALLOWED:
            faults.append(f"exit {code}")
        elif code not in DONE and not (errors + output).strip():
            faults.append(f"exit {code} without a message")
        faults += self._changes(code, command)
        if b".partial-" in errors and command.words[0] != "record":  # whose own table lies there
            faults.append("a message names a staged file")
        for stream, name in [(output, "stdout"), (errors, "stderr")]:
            if found := CONTROLS.search(stream):
                faults.append(f"control character {found.group()!r} on {name}")
            if OBEYED.search(stream) and "github" not in command.words:
                faults.append(f"a line that services obey on {name}")
        return faults

    def _changes(self, code: int, command: world.Command) -> list[str]:
        """Inputs that changed, and files that a failed command left."""
        faults = []
        after = world.files(self.valid)
        # A sweep notes in the store that it continues a run before it meets a damaged cell.
        may_change = [
            path for path in command.changes if code in DONE or path.endswith(".sqlite")]
        for path in sorted(set(self.before) | set(after)):
            old, new = self.before.get(path), after.get(path)
            same = old and new and (
                path.endswith("/") or (old.st_ino, old.st_size, old.st_mtime_ns)
                == (new.st_ino, new.st_size, new.st_mtime_ns))
            if same or path in may_change:
                continue
            # A gate may name another file for its baseline, and then that one is written.
            if new and not old and code == 0 and "update" in command.words and (
                    b'"planklab-baseline"' in (self.valid / path).read_bytes()):
                continue
            faults.append(f"{'lost' if not new else 'changed' if old else 'left'} {path}")
        left = world.files(self.out)
        # What doctor says of a bad file is its result, and so is the map.
        if code not in DONE and left and command.words[0] != "doctor":
            faults.append(f"left {', '.join(sorted(left))}")
        faults += [f"left {path}" for path in left if ".partial" in path]
        return faults

    def _restore(self, path: str | None, command: world.Command) -> None:
        shutil.rmtree(self.out)
        self.out.mkdir()
        for extra in set(world.files(self.valid)) - set(self.before):
            target = self.valid / extra
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        for file in {path, *command.changes} & set(self.contents):  # one that was made is gone already
            (self.valid / file).write_bytes(self.contents[file])
            self.before[file] = (self.valid / file).lstat()

    def trial(self, seed: int, number: int):
        """The input of a number: its reader, command, exit code, seconds, faults and bytes."""
        draw = random.Random(f"{seed}:{number}")
        kind = draw.choice([*world.READERS, "argument", "argument"])
        if kind == "argument":
            valid, command = draw.choice(world.ARGUMENTS)
            self.path, self.content = None, b""
            text = mutate.argument(draw, valid.encode())
            code, seconds, faults = self.run(None, b"", command, text)
            return kind, command, code, seconds, faults, text
        self.path, commands = world.READERS[kind]
        command = draw.choice(commands)
        self.content = mutate.mutated(
            draw, self.contents[self.path], self.path, list(self.contents.values()))
        code, seconds, faults = self.run(self.path, self.content, command, None)
        return kind, command, code, seconds, faults, self.content


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--inputs", type=int, default=500)
    parser.add_argument("--only", type=int, help="run one input and print what it is")


def prove(options: argparse.Namespace, folder: pathlib.Path) -> int:
    """Runs all inputs, or one; how many findings there were."""
    bench = Workbench(folder, options.planklab)
    if options.only is not None:
        kind, command, code, seconds, faults, content = bench.trial(options.seed, options.only)
        sys.stdout.buffer.write(content + b"\n")
        print(f"{kind}: {' '.join(command.words)}: exit {code}, {seconds:.2f} s, {faults}")
        return 0
    total = slowest = 0.0
    findings = 0
    codes = collections.defaultdict(collections.Counter)
    for number in range(options.inputs):
        kind, command, code, seconds, faults, _ = bench.trial(options.seed, number)
        codes[kind][str(code)] += 1
        total, slowest = total + seconds, max(slowest, seconds)
        if faults:
            findings += 1
            print(f"input {number}, {kind}: {' '.join(command.words)}: {'; '.join(faults)}", flush=True)
    for kind in sorted(codes):
        ends = ", ".join(f"{code}: {count}" for code, count in sorted(codes[kind].items()))
        print(f"{kind:>18}  {sum(codes[kind].values()):>6}  exit {ends}")
    print(
        f"mutations: {options.inputs} inputs, seed {options.seed}, {total:.0f} s of processor time, the "
        f"slowest {slowest:.2f} s, {findings} findings")
    return findings
