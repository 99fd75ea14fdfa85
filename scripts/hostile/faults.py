"""Makes the n-th call of every kind fail in every command that writes, and looks at what is there.

    scripts/prove-hostile faults [--budget 240]
    scripts/prove-hostile faults --every                     n up to 300 of each fault, hours
    scripts/prove-hostile faults --memory                    all n of malloc by copies of the process, two hours
    scripts/prove-hostile faults --sample                    five commands, a few n of each fault
    scripts/prove-hostile faults --only COMMAND,CALL,FAULT,N

scripts/hostile/fault_injection.c is preloaded and lets open, read, write, close, fsync, rename, unlink, mkdir, stat,
mmap, malloc, pthread_create and their like fail, once or from the n-th call on, be interrupted, or move seven bytes;
or the end of a thread is delayed, for which a process has to wait.
n goes from 1 to the number of calls of an undisturbed run and one further, which nothing reaches; an order that halves
the gaps covers the range wherever the budget (in seconds) ends it. What must hold: a result is there as it was
before or whole, whole after exit 0; inputs are unchanged; a store can be opened and completed; nothing is left behind;
the exit code is 0, 2, 3, 64, 65, 66 or 73, with a message unless it is 0; the end comes within 20 seconds, or 75 where
SQLite may wait for a lock. A process may abort only where memory is refused, and may then leave a staged file, as
it may where removing is refused.

A process asks for memory some 5,000 to 1,600,000 times, too often to start it anew for each. With --memory, it copies itself at
every malloc, and the copy, to which memory is refused, may reach nothing but its own memory. Where the copy ends by
a signal before it reaches anything, files are as they were at that moment, and a whole process shows once per state
of the files what it leaves. Where copies go on, a whole process is refused the n-th malloc for one n of each stack of calls
that they come from, and of each state of the files; where threads take turns, another call may have that n.

Calls that libdispatch makes for itself are left alone, but for memory and threads: on Linux it ends the process when
it cannot open its queues or look at its own threads in /proc, and no program can prevent that. Where it is refused memory
for good, it waits without end; the library then aborts the process.
"""

import argparse
import collections
import dataclasses
import errno
import heapq
import itertools
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator

import world
import writers

#: Seconds in which a command ends; where a lock of SQLite is refused, it waits for it as documented.
LIMIT_S, LOCK_LIMIT_S = 20, 75
#: Calls that a process may make this often in any number.
STORM = 50
#: How many milliseconds a late thread takes longer to end: longer than a process whose work is done.
LATE_MS = 100
#: How many reads or writes in a row are short: whole files of the small ones, the beginning of the program's own.
SHORT = 2_000
TALLY = struct.Struct("24sQQ")
#: What fault_injection.c notes of the copies at one call: its number, how many calls before it may have changed a file,
#: whether the copy goes on whose call failed once, and the one whose calls failed from there on, and a number of the place.
ENDING = struct.Struct("QI??2xQ")


@dataclasses.dataclass(frozen=True)
class Fault:
    """What happens to some calls from the n-th on (0: to all): an error, "short": they move seven bytes, or "late": what
    they start takes longer to end."""

    call: str
    error: str
    times: int = 1

    @property
    def name(self) -> str:
        return self.error + {0: " from there on", 1: ""}.get(self.times, f" {self.times} times")

    def environment(self, at: int) -> dict[str, str]:
        how = ({"SHORT": "7"} if self.error == "short" else {"LATE": str(LATE_MS)} if self.error == "late"
               else {"ERRNO": str(getattr(errno, self.error))})
        return {f"PLANKLAB_FAULT_{key}": value for key, value in {
            "CALL": self.call, "AT": str(at), "TIMES": str(self.times), **how}.items()} | self.spared

    @property
    def spared(self) -> dict[str, str]:
        """Whose calls are left alone."""
        return {} if self.call in ("malloc", "thread") else {"PLANKLAB_FAULT_SPARE": "libdispatch"}


def faults(call: str, once: str = "", on: str = "", interrupted: bool = False, short: bool = False) -> list[Fault]:
    """The faults of a family: errors that happen once, errors from there on, interruptions that end."""
    return ([Fault(call, error) for error in once.split()] + [Fault(call, error, 0) for error in on.split()]
            + ([Fault(call, "EINTR"), Fault(call, "EINTR", STORM)] if interrupted else [])
            + ([Fault(call, "short", SHORT)] if short else []))


FAULTS = [
    *faults("open", "EIO EACCES", "EMFILE", interrupted=True),
    *faults("read", "EIO EAGAIN", "EIO", interrupted=True, short=True),
    *faults("write", "EIO ENOSPC EAGAIN", "ENOSPC", interrupted=True, short=True),
    *faults("close", "EIO", interrupted=True),
    *faults("sync", "EIO", "EIO", interrupted=True),
    *faults("rename", "EIO EACCES ENOSPC", "EXDEV"),
    *faults("unlink", "EIO", "EACCES"),
    *faults("mkdir", "ENOSPC EACCES"),
    *faults("stat", "EIO EACCES", "EIO"),
    *faults("path", "EIO", "ENOENT"),
    *faults("folder", "EIO", "EMFILE"),
    *faults("mmap", "ENOMEM", "ENOMEM"),
    *faults("malloc", "ENOMEM", "ENOMEM"),
    *faults("thread", "EAGAIN late", "EAGAIN late"),
    *faults("truncate", "EIO ENOSPC", interrupted=True),
    *faults("pipe", "EMFILE", "EMFILE"),
    *faults("spawn", "EAGAIN", "ENOMEM"),
    *faults("lock", "EIO EACCES", "ENOLCK", interrupted=True),
    *faults("mode", "EPERM"),
    *faults("wait", interrupted=True),
]

#: In the sample: quick commands of five kinds, and the families that all of them use.
SAMPLE_WRITERS = ("label import ", "import landmarks.csv ", "dataset update {out}/loose", "measure data/a", "import deepmimic ")
SAMPLE_CALLS = {"open", "read", "write", "close", "rename"}
#: Numbers of each fault there: the first call, one past the last, and the middle; and with --every.
SAMPLE_NUMBERS, MOST_NUMBERS = 3, 300

#: A program that writes in place and asks nothing: the proof must find it guilty.
CARELESS = writers.writer("careless {out}/planted.json", "planted.json")
#: How often its thread is delayed until it is found: on a busy machine, the thread may end in time all the same.
PLANTED_TRIES = 30


@dataclasses.dataclass
class Trial:
    """What came of one command with one fault."""

    code: int | None
    output: bytes
    errors: bytes
    is_reached: bool


@dataclasses.dataclass
class Cell:
    """What came of one family of calls in one command."""

    calls: int = 0
    tried: int = 0
    ended: int = 0
    outcomes: collections.Counter = dataclasses.field(default_factory=collections.Counter)


class Proof(writers.Place):
    """Writers whose calls fail."""

    def __init__(self, folder: pathlib.Path, planklab: str, with_made: bool = True):
        super().__init__(folder, planklab, with_made)
        self.shim, self.report = world.shim(folder), folder / "report"
        self.wholes: dict[writers.Writer, writers.Whole] = {}
        self.cells: dict[tuple[writers.Writer, str], Cell] = {}
        self.is_planted = False
        self.disturbance = "undisturbed"

    def disturbed(self, writer: writers.Writer, environment: dict[str, str], limit: float) -> tuple:
        """What `run` gives of a writer with the library."""
        return self.run(self.words(writer.text), limit, env=os.environ | self.environment() | environment)

    def tallies(self) -> dict[str, tuple[int, int]]:
        """The calls of each family, and how many were disturbed."""
        return {
            name.rstrip(b"\0").decode(): (calls, disturbed)
            for name, calls, disturbed in TALLY.iter_unpack(self.report.read_bytes())}

    def environment(self) -> dict[str, str]:
        """What loads the library, to count anew."""
        self.report.unlink(missing_ok=True)
        return {"LD_PRELOAD": str(self.shim), "PLANKLAB_FAULT_REPORT": str(self.report),
                "SWIFT_BACKTRACE": "enable=no"}

    def count(self, writer: writers.Writer) -> None:
        """Runs a writer undisturbed, for what it writes, prints and calls."""
        self.wholes[writer] = self.undisturbed(writer, ({}, self.environment()))
        for call, (calls, _) in self.tallies().items():
            self.cells[writer, call] = Cell(calls)
        if not self.cells[writer, "malloc"].calls:
            sys.exit("faults: the library was not loaded; is the program linked statically?")

    def trial(self, writer: writers.Writer, fault: Fault, at: int) -> Trial:
        """One command with one fault; says what is wrong with how it ended."""
        found = len(self.faults)
        self.clean(writer, with_files=True)
        limit = LOCK_LIMIT_S if fault.call == "lock" or "sqlite" in writer.text else LIMIT_S
        limit += 20 * self.wholes[writer].seconds  # a busy machine, on which the undisturbed run took long as well
        code, output, errors = self.disturbed(writer, fault.environment(at), limit)
        trial = Trial(code, output, errors, self.tallies()[fault.call][1] > 0)
        self.disturbance = f"{fault.call} {at}, {fault.name}"
        is_aborted = code is not None and code < 0 and -code in world.ABORTS and fault.call == "malloc"
        if code is None:
            self.fault(writer.text, f"no end after {limit:.0f} s")
        elif not is_aborted:
            self.ends(writer, trial, fault)
        may_litter = code is None or is_aborted or fault.call in ("unlink", "folder")
        self.check(writer, self.wholes[writer], may_litter, is_done=code == self.wholes[writer].code)
        cell = self.cells[writer, fault.call]
        cell.tried += 1
        cell.outcomes["wrong" if len(self.faults) > found else "aborted" if is_aborted else "whole" if code in (0, 2, 3)
                      else "refused"] += 1
        return trial

    def copies(self, writer: writers.Writer, once: Fault, on: Fault) -> None:
        """Every n of a call by copies of the process, and whole processes where that does not show how they end."""
        self.clean(writer, with_files=True)
        notes = self.report.with_name("copies")
        limit = 60 + 0.02 * self.cells[writer, once.call].calls
        code, _, errors = self.disturbed(writer, on.environment(1) | {"PLANKLAB_FAULT_COPY": str(notes)}, limit)
        self.disturbance = f"copies at every {once.call}"
        if code != self.wholes[writer].code:
            self.fault(writer.text, f"exit {code}: {errors.decode(errors='replace')[-500:]}")
        self.check(writer, self.wholes[writer], may_litter=False, is_done=True)
        cell = self.cells[writer, once.call]
        cell.calls = 0
        groups: dict[tuple, list[int]] = collections.defaultdict(list)
        for number, changes, *goes_on, place in ENDING.iter_unpack(notes.read_bytes()):
            cell.calls += 1
            for fault, is_on in zip((once, on), goes_on, strict=True):
                cell.ended += not is_on
                groups[fault, changes, place if is_on else None].append(number)
        print(f"{writer.text}: {2 * cell.calls:,} refusals in copies; {len(groups):,} whole processes follow",
              file=sys.stderr, flush=True)
        for tried, ((fault, _, _), numbers) in enumerate(groups.items(), 1):
            self.trial(writer, fault, numbers[len(numbers) // 2])
            if tried % 500 == 0:
                print(f"{writer.text}: {tried:,} of {len(groups):,}", file=sys.stderr, flush=True)

    def ends(self, writer: writers.Writer, trial: Trial, fault: Fault) -> None:
        """The exit code, the message, and what was printed."""
        whole = self.wholes[writer]
        if trial.code < 0:
            said = trial.errors.decode(errors="replace")[-500:]
            self.fault(writer.text, f"signal {signal.Signals(-trial.code).name}: {said or 'nothing on stderr'}")
        elif trial.code not in world.ALLOWED:
            self.fault(writer.text, f"exit {trial.code}: {trial.errors.decode(errors='replace')[:200]}")
        elif fault.error == "late" and trial.code != whole.code:
            self.fault(writer.text, f"exit {trial.code} instead of {whole.code}, though nothing failed")
        elif trial.code in (2, 3) and trial.code != whole.code:
            self.fault(writer.text, f"exit {trial.code}, a verdict, instead of {whole.code}")
        elif trial.code not in (0, 2, 3) and b"error:" not in trial.errors and fault.call != "write":
            # Where nothing can be written, the message cannot, either.
            self.fault(writer.text, f"exit {trial.code} without a message")
        elif trial.code == 0 and "stdout" in whole.steady and (
                writers.OF_THE_MOMENT.sub(b"", trial.output) != whole.output):
            self.fault(writer.text, f"exit 0, but it printed {trial.output[:300]!r}")

    def fault(self, text: str, what: str) -> None:
        self.faults.append(what)
        if not self.is_planted:
            print(f"FAULT {text}: {self.disturbance}: {what}", flush=True)


def order(calls: int) -> Iterator[int]:
    """Numbers of calls from 1 to one past the last, each halving the largest gap."""
    yield from (1, calls + 1)
    gaps = [(-calls, 1, calls + 1)]
    while gaps:
        _, low, high = heapq.heappop(gaps)
        middle = (low + high) // 2
        if middle > low:
            yield middle
            heapq.heappush(gaps, (low - middle, low, middle))
            heapq.heappush(gaps, (middle - high, middle, high))


def campaign(proof: Proof, chosen: list[writers.Writer], allowed: list[Fault], most: int | None,
             budget: float | None, seed: int) -> None:
    """Rounds over all commands and faults: each takes the next n of its order, until all are done or time is up."""
    for writer in chosen:
        proof.count(writer)
    waiting = [
        (writer, fault, itertools.islice(order(proof.cells[writer, fault.call].calls), most))
        for writer in chosen for fault in allowed if proof.cells[writer, fault.call].calls]
    draw, begun = random.Random(seed), time.monotonic()
    while waiting:
        draw.shuffle(waiting)
        rest = []
        for writer, fault, numbers in waiting:
            if budget is not None and time.monotonic() - begun > budget:
                return
            if (number := next(numbers, None)) is not None:
                proof.trial(writer, fault, number)
                rest.append((writer, fault, numbers))
        waiting = rest


def summary(proof: Proof) -> str:
    """A table by call."""
    calls = collections.defaultdict(Cell)
    for (_, call), cell in proof.cells.items():
        calls[call].calls += cell.calls
        calls[call].tried += cell.tried
        calls[call].outcomes += cell.outcomes
    lines = [f"{'call':>10} {'calls':>9} {'tried':>7} {'whole':>7} {'refused':>8} {'aborted':>8} {'wrong':>6}"]
    for call, cell in calls.items():
        if cell.tried:
            lines.append(f"{call:>10} {cell.calls:>9} {cell.tried:>7} {cell.outcomes['whole']:>7} "
                         f"{cell.outcomes['refused']:>8} {cell.outcomes['aborted']:>8} {cell.outcomes['wrong']:>6}")
    return "\n".join(lines)


def plant(folder: pathlib.Path) -> None:
    """Finds a program guilty that ignores errors of writing and does not wait for its thread, or proves nothing."""
    careless = folder / "careless"
    careless.write_text(
        f"#!{sys.executable}\nimport os, sys, threading\nthreading.Thread(target=len, args=['']).start()\n"
        "file = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\n"
        "for part in [b'{\"whole\":', b' true}\\n']:\n    try: os.write(file, part)\n    except OSError: pass\n")
    careless.chmod(0o755)
    (folder / "planted").mkdir()
    proof = Proof(folder / "planted", str(careless), with_made=False)
    proof.is_planted = True
    proof.count(CARELESS)
    for fault, tries in ((Fault("write", "ENOSPC"), 1), (Fault("thread", "late", 0), PLANTED_TRIES)):
        found = len(proof.faults)
        for _ in range(tries):
            for number in order(proof.cells[CARELESS, fault.call].calls):
                proof.trial(CARELESS, fault, number)
            if len(proof.faults) > found:
                break
        else:
            sys.exit(f"faults: a careless program was not found by {fault.call}, {fault.name}")
    print(f"a careless program: {len(proof.faults)} faults found, as must be", flush=True)


def plant_forgetful(folder: pathlib.Path) -> None:
    """Finds a program guilty that ends well, its work undone, where memory is refused, or proves nothing."""
    source, forgetful = folder / "forgetful.c", folder / "forgetful"
    source.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int count, char **words) {\n"
        "  FILE *file = fopen(words[count - 1], \"w\");\n  fputs(\"{\\\"whole\\\":\", file);\n  fflush(file);\n"
        "  char *memory = malloc(100);\n  if (memory == NULL) return 0;\n"
        "  memory[0] = '1';\n  fprintf(file, \" %c}\\n\", memory[0]);\n  return fclose(file);\n}\n")
    subprocess.run([world.compiler(), "-O0", "-o", str(forgetful), str(source)], check=True)
    (folder / "forgotten").mkdir()
    proof = Proof(folder / "forgotten", str(forgetful), with_made=False)
    proof.is_planted = True
    proof.count(CARELESS)
    proof.copies(CARELESS, *(fault for fault in FAULTS if fault.call == "malloc"))
    if not proof.faults:
        sys.exit("faults: a program that forgets its work without memory was not found")
    print(f"a forgetful program: {len(proof.faults)} faults found, as must be", flush=True)


def again(proof: Proof, text: str) -> None:
    """Runs one trial, `COMMAND,CALL,FAULT,N`, and shows all of it; the command by its first words."""
    command, call, name, number = (part.strip() for part in text.rsplit(",", 3))
    writer = next(writer for writer in writers.WRITERS if writer.text.startswith(command))
    fault = next(fault for fault in FAULTS if fault.call == call and fault.name == name)
    proof.count(writer)
    trial = proof.trial(writer, fault, int(number))
    sys.stdout.write(trial.output.decode(errors="replace") + trial.errors.decode(errors="replace"))
    print(f"exit {trial.code}, {'disturbed' if trial.is_reached else 'not reached'}; "
          f"{proof.cells[writer, call].calls} calls if undisturbed")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--budget", type=float, default=240, help="seconds for all trials")
    parser.add_argument("--every", action="store_true", help="no budget, but 300 n of each fault")
    parser.add_argument("--memory", action="store_true", help="every malloc, by copies of the process")
    parser.add_argument("--sample", action="store_true", help="five commands and three numbers of each fault")
    parser.add_argument("--command", action="append", help="only commands that begin so; may be repeated")
    parser.add_argument("--only", help="one trial: COMMAND,CALL,FAULT,N")


def prove(options: argparse.Namespace, folder: pathlib.Path) -> int:
    """Runs what the options ask for; how many faults there were."""
    (folder / "place").mkdir()
    proof = Proof(folder / "place", options.planklab, with_made=not options.sample)
    if options.only:
        again(proof, options.only)
        return len(proof.faults)
    (plant_forgetful if options.memory else plant)(folder)
    begins = SAMPLE_WRITERS if options.sample else tuple(options.command or [""])
    chosen = [writer for writer in writers.WRITERS if writer.text.startswith(begins)]
    allowed = [fault for fault in FAULTS if not options.sample or fault.call in SAMPLE_CALLS]
    budget = None if options.sample or options.every else options.budget
    most = SAMPLE_NUMBERS if options.sample else MOST_NUMBERS if options.every else None
    try:
        if options.memory:
            for writer in chosen:
                proof.count(writer)
                proof.copies(writer, *(fault for fault in FAULTS if fault.call == "malloc"))
                cell = proof.cells[writer, "malloc"]
                print(f"{writer.text}: of {cell.calls:,} calls refused once or on, {cell.ended:,} copies ended; whole "
                      f"processes {dict(cell.outcomes)}", flush=True)
        else:
            campaign(proof, chosen, allowed, most, budget, options.seed)
    finally:  # what was tried before somebody stops it counts
        print(summary(proof), flush=True)
    tried = sum(cell.tried for cell in proof.cells.values())
    print(f"faults: {len(chosen)} commands, {tried} trials, seed {options.seed}: {len(proof.faults)} faults")
    return len(proof.faults)
