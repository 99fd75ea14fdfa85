"""Runs commands in surroundings that do harm, and looks at how they end and what is there.

    scripts/prove-hostile surroundings [--only links ...]

- environment: variables, limits of the system, closed streams and clocks. Where a surrounding has no say, the result,
  what is printed and the exit code are those of an undisturbed run; limits and closed streams may end a command by an
  exit code of the list with a message, and by an abort only where memory is limited. Nothing is left behind.
- jobs: `--jobs` with numbers that are none, too small, or huge.
- links: a link in the place of a result: to a file, an input, nothing, itself, a folder, a device. Inputs stay, and an
  exit of 0 means that the result can be read there.
- updates: names of recordings that break lines, shells and paths, and several `dataset update` at the same time.
- completions: TAB in bash, zsh and fish, in a folder whose names are commands; none may run.
- sizes: many sequences, a header with 100 joints, and other numbers beyond what bodies have.
- limits: no frame, frames a nanosecond apart, gaps of days, 10,000 tags, 1,000,000 labels.
"""

import argparse
import collections
import json
import os
import pathlib
import pty
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import world
import writers

#: Seconds in which a command ends, of small data and of a million labels on a busy machine.
LIMIT_S, LARGE_LIMIT_S = 60, 300
#: How many sequences a large dataset has.
SEQUENCES = 2_000

#: Commands of every kind that take little time.
CHOSEN = (
    "evaluate data --format json", "evaluate data --html", "compare data article gravity --resamples 100 --format",
    "gate gate.yaml", "baseline update gate.yaml --reason again --allow-dirty --baseline {out}/b.json", "sweep", "tune",
    "export", "measure", "report", "dataset update", "import vision3d", "label data", "label import",
)

#: Variables that change nothing but, for some, the language of the system's own words.
VARIABLES: list[dict[str, str | None]] = [
    {"HOME": None}, {"HOME": ""}, {"HOME": "/nonexistent"}, {"HOME": "/dev/null"}, {"TMPDIR": "/nonexistent"},
    {"TMPDIR": ""}, {"TMPDIR": "/dev/null"}, {"PATH": ""}, {"PWD": "/nonexistent"}, {"SHELL": "/dev/null"},
    {"LC_ALL": "tr_TR.UTF-8"}, {"LC_ALL": "ar_EG.UTF-8"}, {"LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": "C"},
    {"LC_ALL": "x" * 10_000}, {"LANG": "../../etc/passwd"}, {"LANGUAGE": "%n%s"}, {"TZ": "garbage"}, {"TZ": ""},
    {"TZ": "../../etc/passwd"}, {"TZ": "Pacific/Kiritimati"}, {"COLUMNS": "0"}, {"COLUMNS": "-1"}, {"COLUMNS": "x"},
    {"COLUMNS": "9" * 30}, {"TERM": "garbage"}, {"NO_COLOR": "1"}, {"CI": "true"}, {"BROWSER": "touch pwned"},
    {"GITHUB_ACTIONS": "true"}, {"EMPTY": None, "LD_BIND_NOW": "1"}, {"A" * 1000: "b" * 100_000},
]
#: Seconds since 1970: before it, the year 1, beyond 32 bits, the year 10000.
CLOCKS = [-1, -62_135_596_800, 2_147_483_648, 253_402_300_800]
#: Limits by their name in `resource`, with whether memory is what they limit.
LIMITS = [
    ("NOFILE", 4, False), ("NOFILE", 5, False), ("NOFILE", 8, False), ("NOFILE", 16, False), ("FSIZE", 1000, False),
    ("AS", 1 << 27, True), ("AS", 1 << 29, True), ("DATA", 1 << 24, True), ("DATA", 1 << 27, True),
    ("STACK", 1 << 16, True), ("STACK", 1 << 20, True), ("CORE", 0, False),
]
STREAMS = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full", "</dev/zero", "</"]
JOBS = ["0", "1", "2", "-1", "1000000", "9223372036854775807", "9223372036854775808", "x", "", "1.5"]

#: Names that do harm where they are taken for something else; none ends in what a recording is called.
NAMES = [
    "$(touch pwned)", "`touch pwned`", "a;touch pwned;", "a b", "a'b", "a\"b", "a\\b", "-x", "--output", "~",
    "*", "?", "[a]", "a:b", "a#b", "a,b", "{a}", "&a", "!a", "%n%s", "a\tb", "a\nb", "a\rb", "\x1b[2J", "\u202ea", "\u0085a",
    "é", "e\u0301", "::error::a", "##[error]a", "<script>", "__proto__", "con", "a" * 200, ".a", "..a", "null", "1e9",
]


class Proof(writers.Place):
    """Commands in surroundings; counts what was tried by its category."""

    def __init__(self, folder: pathlib.Path, planklab: str):
        super().__init__(folder, planklab)
        self.tried: collections.Counter = collections.Counter()
        self.shim = world.shim(folder)

    def run(self, words: list[str], limit: float = LIMIT_S, **options) -> tuple[int | None, bytes, bytes]:
        return super().run(words, limit, **options)

    def judge(self, writer: writers.Writer, whole: writers.Whole, how: str, category: str, must_be_same: bool,
              words: list[str] | None = None, may_abort: bool = False, may_be_silent: bool = False, **options) -> None:
        """Runs a writer in a surrounding, and says what is wrong with the end."""
        self.tried[category] += 1
        self.clean(writer)
        code, output, errors = self.run(words or self.words(writer.text), **options)
        text = f"{writer.text}: {how}"
        if code is None:
            self.fault(text, f"no end after {LIMIT_S} s")
        elif code < 0:
            if not (may_abort and -code in world.ABORTS):
                self.fault(text, f"signal {signal.Signals(-code).name}")
        elif must_be_same and code != whole.code or code not in world.ALLOWED:
            self.fault(text, f"exit {code}: {errors.decode(errors='replace')[:200]}")
        elif code not in (0, 2, 3) and b"error:" not in errors.lower() and not may_be_silent:
            self.fault(text, f"exit {code} without a message")
        elif must_be_same and "stdout" in whole.steady and writers.OF_THE_MOMENT.sub(b"", output) != whole.output:
            self.fault(text, f"it printed {output[:200]!r}")
        self.check(writer, whole, may_litter=code is None or code < 0, is_done=code == whole.code)


def environment(proof: Proof) -> None:
    """Variables, clocks, limits and streams."""
    for writer in writers.WRITERS:
        if not writer.text.startswith(CHOSEN):
            continue
        whole = proof.undisturbed(writer)
        for variables in VARIABLES:
            changed = {name: value for name, value in (os.environ | variables).items() if value is not None}
            proof.judge(writer, whole, f"{next(iter(variables.items()))!r:.80}", "environment", True, env=changed)
        for second in CLOCKS:
            clock = os.environ | {"LD_PRELOAD": str(proof.shim), "PLANKLAB_FAULT_CLOCK": str(second)}
            proof.judge(writer, whole, f"the clock at {second} s", "clocks", True, env=clock)
        for name, limit, is_memory in LIMITS:
            number = getattr(resource, f"RLIMIT_{name}")
            proof.judge(writer, whole, f"{name} {limit}", "limits", False, may_abort=is_memory,
                        preexec_fn=lambda: resource.setrlimit(number, (limit, limit)))
        for streams in STREAMS:
            shell = ["sh", "-c", f"\"$@\" {streams}", "sh", *proof.words(writer.text)]
            proof.judge(writer, whole, streams, "streams", False, words=shell, may_be_silent="2>" in streams)


def jobs(proof: Proof) -> None:
    """Numbers of threads."""
    for text in ["evaluate data --html {out}/report.html", "suggest data --detector gravity --html {out}/suggest.html",
                 "tune experiment.yaml --thresholds {out}/t.json"]:
        name = text.rpartition("/")[2]
        writer = writers.writer(text, name)
        whole = proof.undisturbed(writer)
        for number in JOBS:
            changed = writers.Writer(f"{text} --jobs={number}", writer.names)
            proof.judge(changed, whole, "jobs", "jobs", False)


def links(proof: Proof) -> None:
    """A link in the place of each result that is one file."""
    for writer in writers.WRITERS:
        names = [name for name in writer.names if "/" not in name and not writer.copies]
        if not names or writer.text.startswith("smoothers"):
            continue
        whole = proof.undisturbed(writer)
        for target in ["there", "nothing", names[0], "folder", "/dev/null", "/dev/full", "/proc/self/mem",
                       str(proof.inputs / "data/a.poses.jsonl"), str(proof.inputs / "detector.yaml"),
                       str(proof.inputs / "runs.sqlite"), "../inputs/data/a.labels.csv"]:
            if target.endswith("/runs.sqlite") and names[0].endswith(".sqlite"):
                continue  # a store is there to be written into, by a link too
            if target == "folder" and writer.text.startswith("label import"):
                continue  # which writes into a folder
            proof.tried["links"] += 1
            proof.clean(writer)
            (proof.out / "there").write_bytes(writers.BEFORE)
            (proof.out / "folder").mkdir()
            for name in names:
                (proof.out / name).symlink_to(target)
            code, _, errors = proof.run(proof.words(writer.text))
            text = f"{writer.text}: a link to {target}"
            if code not in world.ALLOWED:
                proof.fault(text, f"exit {code}: {errors.decode(errors='replace')[:200]}")
            for name in names if code == whole.code and not target.startswith(("/dev", "/proc")) else []:
                if not (proof.out / name).exists() or not proof.is_whole(name, whole):
                    proof.fault(text, f"exit {code}, and {name} is not whole")
            left = [entry.name for entry in proof.out.iterdir() if ".partial" in entry.name]
            if left:
                proof.fault(text, f"left {left}")
            if code != whole.code and (proof.out / "there").read_bytes() != writers.BEFORE:
                proof.fault(text, f"exit {code}, and the file behind the link changed")
            proof.check_inputs(text)


def updates(proof: Proof) -> None:
    """Recordings with names of their own, and updates at the same time."""
    source = proof.inputs / "loose/one.poses.jsonl"
    for name in NAMES:
        proof.tried["names"] += 1
        folder = proof.out.with_name("named")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(source, folder / "first.poses.jsonl")
        shutil.copy(source, folder / f"{name}.poses.jsonl")
        steps = [["dataset", "update", "."], ["dataset", "lint", "."], ["evaluate", "."]]
        for words in steps:
            code, output, errors = proof.run([proof.planklab, *words], cwd=folder)
            if code not in {0, 65, 66}:
                proof.fault(" ".join(words), f"exit {code} with the name {name!r}: {errors[:200]!r}")
            if words[1] == "init" and code != 0:
                break  # a name that a manifest cannot hold
        if b"\x1b" in output + errors or any(folder.rglob("pwned")):
            proof.fault("dataset", f"the name {name!r} did something")
    for attempt in range(10):
        proof.tried["races"] += 1
        folder = proof.out.with_name("raced")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(proof.inputs / "data", folder)
        for number in range(8):
            shutil.copy(source, folder / f"new-{number}.poses.jsonl")
        running = [subprocess.Popen([proof.planklab, "dataset", "update", folder], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL) for _ in range(8)]
        codes = [process.wait() for process in running]
        manifest = (folder / "dataset.yaml").read_text()
        if set(codes) != {0} or any(manifest.count(f"new-{number}.poses") != 1 for number in range(8)):
            proof.fault("dataset update", f"8 at the same time exit {codes}")


#: How a shell takes the completion script, and what it is started as.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "source ./.complete; bind 'set page-completions off'; bind 'set completion-query-items 0'"),
    "zsh": (["zsh", "-f", "-i"], "fpath=($PWD/.zsh $fpath); autoload -Uz compinit; compinit -u -D"),
    "fish": (["fish", "--no-config", "-i"], "source ./.complete"),
}
LINES = [
    "evaluate --detector ", "evaluate ", "compare data ", "detectors ", "import --map ", "label page ", "gate ",
    "evaluate data --set ", "report --from ",
]


def completions(proof: Proof) -> None:
    """TAB in a folder whose names are commands."""
    for shell, (words, setup) in SHELLS.items():
        if shutil.which(shell) is None:
            print(f"skipped: completions of {shell}, which is not here", flush=True)
            if os.environ.get("CI"):
                sys.exit("surroundings: in CI a proof that is skipped has failed; install bash, zsh and fish")
            continue
        folder = proof.out.with_name(f"tab-{shell}")
        for place in ["bin", ".zsh", "data"]:
            (folder / place).mkdir(parents=True)
        (folder / "bin/planklab").symlink_to(proof.planklab)
        script = subprocess.run(
            [proof.planklab, "--generate-completion-script", shell], capture_output=True, check=True)
        (folder / ".complete").write_bytes(script.stdout)
        (folder / ".zsh/_planklab").write_bytes(script.stdout)
        for name in NAMES:
            if name not in (".a", "..a"):
                (folder / name).mkdir(exist_ok=True)
                for ending in ["yaml", "json", "poses.jsonl", "sqlite"]:
                    (folder / f"{name}.{ending}").touch()
        shown = typed(words, setup, folder, LINES, proof)
        if shown.count(b"gravity") < 1:
            proof.fault(f"completions of {shell}", f"nothing was offered: {shown[-300:]!r}")
        if (folder / "pwned").exists():
            proof.fault(f"completions of {shell}", "a name was run")


def typed(words: list[str], setup: str, folder: pathlib.Path, lines: list[str], proof: Proof) -> bytes:
    """What a shell shows in which lines are begun and TAB is pressed twice."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(words[0], words, os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "vt100"})
    shown = bytearray()

    def wait(until: Callable[[], bool], quiet_s: float, most_s: float) -> None:
        begun = last = time.monotonic()
        while not until() and time.monotonic() - last < quiet_s and time.monotonic() - begun < most_s:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    shown.extend(os.read(terminal, 65_536))
                except OSError:
                    return
                last = time.monotonic()

    os.write(terminal, f"{setup}; echo rea''dy\n".encode())
    wait(lambda: b"ready" in shown, 20, 30)
    for line in lines:
        proof.tried["completions"] += 1
        os.write(terminal, f"planklab {line}\t\t".encode())
        wait(lambda: False, 1.5, 6)
        os.write(terminal, b"n\x03\x03")  # no, not all of them; and away with the line
        wait(lambda: False, 0.5, 2)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)
    return bytes(shown)


def sizes(proof: Proof) -> None:
    """Many sequences, many joints, and bodies that there are not."""
    folder = proof.out.with_name("many")
    folder.mkdir()
    header, *frames = (proof.inputs / "loose/one.poses.jsonl").read_text().splitlines()
    text = "\n".join([header, *frames[:2]]) + "\n"
    for number in range(SEQUENCES):
        (folder / f"s{number}.poses.jsonl").write_text(text.replace("person-a", f"person-{number % 100}"))
        (folder / f"s{number}.labels.csv").write_text("start,end,plank,form\n0,0.3,none,\n")
    for words in ["update", "lint", "hash", "show", "evaluate"]:
        proof.tried["sizes"] += 1
        begun = time.monotonic()
        line = [words, str(folder)] if words == "evaluate" else ["dataset", words, str(folder)]
        process = subprocess.Popen([proof.planklab, *line], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        print(f"{SEQUENCES} sequences: {' '.join(line[:-1])}: {usage.ru_utime + usage.ru_stime:.1f} s of processor time, "
              f"{time.monotonic() - begun:.1f} s, {usage.ru_maxrss // 1024} MB", flush=True)
        if os.waitstatus_to_exitcode(status) != 0:
            proof.fault(" ".join(line), f"exit {os.waitstatus_to_exitcode(status)}: {errors[:200]!r}")
    shutil.rmtree(folder)
    bodies(proof, json.loads(header))


def bodies(proof: Proof, header: dict) -> None:
    """Headers with joints that no skeleton has: each an error with the file's name, never an end of another kind."""
    folder = proof.out.with_name("bodies")
    folder.mkdir()
    known = header["joints"]
    for joints in [[f"joint{number}" for number in range(100)], known + [f"joint{number}" for number in range(83)],
                   known * 6, [], ["x" * 100_000], known + [None], known[:1], list(reversed(known)), [[known]]]:
        proof.tried["sizes"] += 1
        path = folder / "a.poses.jsonl"
        frame = json.dumps({"t": 0, "p": [0.1] * (3 * len(joints))})
        path.write_text(json.dumps(header | {"joints": joints}) + "\n" + frame + "\n")
        code, _, errors = proof.run([proof.planklab, "evaluate", str(path)])
        if code not in {0, 65} or (code == 65 and b"a.poses.jsonl" not in errors):
            proof.fault("evaluate", f"exit {code} with {len(joints)} joints: {errors[:200]!r}")


#: Seconds of frames: none, one, too near, too fast, too far, before and long after the clock's zero.
TIMES = {
    "no frame": [], "one frame": [0], "a nanosecond": [n * 1e-9 for n in range(50)],
    "10 kHz": [n / 1e4 for n in range(50)],
    "1e-300 s": [n * 1e-300 for n in range(50)], "a gap of 1,000,000 s": [0, 0.1, 1e6], "before zero": [-2.5, -2.4],
    "since 1970": [1.7e9 + n / 30 for n in range(50)], "beyond whole seconds": [2.0**53, 2.0**53 + 2],
}


def limits(proof: Proof) -> None:
    """Recordings and manifests at the limits of what there can be."""
    folder = proof.out.with_name("limits")
    folder.mkdir()
    header, frame = (proof.inputs / "loose/one.poses.jsonl").read_text().splitlines()[:2]
    poses, labels, manifest = (folder / name for name in ["a.poses.jsonl", "a.labels.csv", "dataset.yaml"])

    def tried(what: str, times: list[float], segments: list[str], tags: int = 0) -> None:
        frames = [json.dumps(json.loads(frame) | {"t": time}) for time in times]
        poses.write_text("\n".join([header, *frames]) + "\n")
        labels.write_text("\n".join(["start,end,plank,form", *segments]) + "\n")
        words = ", ".join(f"tag{number}: value{number}" for number in range(tags))
        manifest.write_text(
            "name: limits\nsequences:\n  - {poses: a.poses.jsonl, labels: a.labels.csv, subject: a, tags: {"
            + words + "}}\n")
        for line in ["evaluate .", "dataset lint .", "dataset show . --sequence a", "replay a.poses.jsonl",
                     "measure . --output out"]:
            proof.tried["limits"] += 1
            shutil.rmtree(folder / "out", ignore_errors=True)
            code, output, errors = proof.run([proof.planklab, *line.split()], limit=LARGE_LIMIT_S, cwd=folder)
            if code not in world.ALLOWED or (code != 0 and not errors + output):
                proof.fault(line, f"exit {code} with {what}: {errors[:200]!r}")

    for what, times in TIMES.items():
        first = times[0] if times else 0
        tried(what, times, [f"{first!r},{first + 1!r},high,aligned"])
    tried("10,000 tags", [0, 0.1], ["0,1,none,"], tags=10_000)
    tried("1,000,000 labels", [n / 30 for n in range(3_000)],
          [f"{n / 1e4:.4f},{(n + 1) / 1e4:.4f},{['none', 'high'][n % 2]}," for n in range(1_000_000)])
    shutil.rmtree(folder)


#: The parts by their names.
PARTS = {part.__name__: part for part in (environment, jobs, links, updates, completions, limits, sizes)}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", nargs="*", choices=PARTS, default=[*PARTS], help="parts")


def prove(options: argparse.Namespace, folder: pathlib.Path) -> int:
    """Runs the parts; how many faults there were."""
    proof = Proof(folder, options.planklab)
    for part in options.only:
        PARTS[part](proof)
    tried = ", ".join(f"{name} {count}" for name, count in proof.tried.items())
    print(f"surroundings: {sum(proof.tried.values())} runs ({tried}), {len(proof.faults)} faults")
    return len(proof.faults)
