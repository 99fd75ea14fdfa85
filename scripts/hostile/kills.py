"""Stops every command that writes, at random moments and for want of room, and looks at what is there.

    scripts/prove-hostile kills [--seed 1]

Each command runs once undisturbed. Then SIGKILL, SIGINT and SIGTERM end it at moments drawn over the time
that it took: under the final names there is what was there before, or a whole result. Only SIGKILL may leave
a staged file beside, which nothing reads. Then there is no room: on a disk with room for none to 256 KiB (where mounts
are allowed, as they must be in CI), with files limited to no byte, and with /dev/full as stdout; or stdout is
closed. The command then exits 73 with a message, and leaves nothing; it exits 0 only if the whole result fits.
"""

import argparse
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys

import writers

SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]

#: How often each signal ends each command.
KILLS = 6

#: How a command gets mounts of its own: in a user namespace, or as root where those are not allowed.
OWN_MOUNTS = [["unshare", "--user", "--map-root-user", "--mount"], ["unshare", "--mount"]]

#: Bytes for which a disk has room.
ROOMS = [0, 4096, 8192, 16_384, 65_536, 262_144]


class Proof(writers.Place):
    """Writers that are stopped, or find no room."""

    #: How often there was no room, or not enough.
    without = 0

    def kill(self, writer: writers.Writer, whole: writers.Whole, draw: random.Random, number: signal.Signals) -> bool:
        """Ends a command at a moment; returns whether it was still running."""
        self.clean(writer, with_files=True)
        process = self.start(writer.text)
        try:
            process.wait(timeout=draw.uniform(0, whole.seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        code = process.wait()
        process.stderr.close()
        if code not in (0, -number):
            self.fault(writer.text, f"exit {code} after {number.name}")
        self.check(writer, whole, may_litter=number == signal.SIGKILL, is_done=code == 0)
        return code == -number

    def no_room(self, text: str, how: str, process: subprocess.Popen, may_fit: bool = False) -> None:
        """A command that cannot write says so."""
        _, errors = process.communicate()
        self.without += 1
        if process.returncode == 0 and may_fit:
            return
        if process.returncode != 73:
            self.fault(text, f"exit {process.returncode} with {how}: {errors.decode()[:200]}")
        if b"error:" not in errors:
            self.fault(text, f"no message with {how}")

    def without_room(self, writer: writers.Writer, whole: writers.Whole, own_mounts: list[str] | None) -> None:
        text = writer.text
        if "runs.sqlite" not in text.split():  # whose reading writes to memory that SQLite shares
            self.clean(writer)
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # noqa: E731
            self.no_room(text, "files without a byte", self.start(text, preexec_fn=limit))
            self.check(writer, whole, may_litter=False)
        for room in ROOMS if own_mounts else []:
            self.full_disk(writer, whole, own_mounts, room)
        self.clean(writer)
        with open("/dev/full", "wb") as full:
            code = self.start(text, stdout=full, stderr=subprocess.DEVNULL).wait()
        if code not in (0, 73):
            self.fault(text, f"exit {code} with /dev/full as stdout")

    def full_disk(self, writer: writers.Writer, whole: writers.Whole, own_mounts: list[str], room: int) -> None:
        """Results go to a disk with so much room: they fit, or the command says so and nothing of them is there."""
        self.clean(writer, with_files=room > 0)
        kept = self.out.with_name("kept")
        shutil.copytree(self.out, kept)
        script = f"""
            out=$1 kept=$2 inputs=$3; shift 3
            mount -t tmpfs -o size=16m planklab "$out" && cp -R "$kept/." "$out" || exit 99
            cat /dev/zero > "$out/filled" 2> /dev/null
            truncate -s -{room} "$out/filled" && cd "$inputs" || exit 99
            "$@"; code=$?
            rm -r "$out/filled" "$kept" && cp -R "$out" "$kept" || exit 99
            exit $code"""
        process = subprocess.Popen(
            [*own_mounts, "sh", "-c", script, "sh", self.out, kept, self.inputs, *self.words(writer.text)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.no_room(writer.text, f"a disk with room for {room} bytes", process, may_fit=room > 0)
        shutil.rmtree(self.out)
        kept.rename(self.out)
        self.check(writer, whole, may_litter=False, is_done=process.returncode == 0)


def add_options(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def prove(options: argparse.Namespace, folder: pathlib.Path) -> int:
    """Stops all writers; how many faults there were."""
    draw = random.Random(options.seed)
    own_mounts = find_own_mounts()
    if own_mounts is None:
        print("skipped: full disks, as mounts are not allowed here; files are limited instead", flush=True)
        if os.environ.get("CI"):
            sys.exit("kills: in CI a proof that is skipped has failed; run the container with --privileged")
    proof = Proof(folder, options.planklab)
    running = total = 0
    for writer in writers.WRITERS:
        whole = proof.undisturbed(writer)
        for number in SIGNALS * KILLS:
            running += proof.kill(writer, whole, draw, number)
            total += 1
        proof.without_room(writer, whole, own_mounts)
        print(f"{total} signals, {running} of them in time, {proof.without} times without room, "
              f"{len(proof.faults)} faults, after {writer.text}", flush=True)
    closed(proof)
    print(
        f"kills: {len(writers.WRITERS)} commands, {total} signals, {running} of them in time, {proof.without} "
        f"times without room, seed {options.seed}: {len(proof.faults)} faults")
    return len(proof.faults)


def find_own_mounts() -> list[str] | None:
    """The first way to mounts of its own that works here."""
    if shutil.which("unshare") is None:
        return None
    for words in OWN_MOUNTS:
        if subprocess.run([*words, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0:
            return words
    return None


def closed(proof: Proof) -> None:
    """Commands that only print: their result must not be lost silently."""
    for text in [
        "evaluate data", "detectors", "--help", "--version", "runs list --store runs.sqlite", "dataset hash data",
        "export thresholds.json --format swift", "smoothers", "synthesize --list", "dataset lint data",
    ]:
        for how, redirection in [("/dev/full", ">/dev/full"), ("a closed stdout", ">&-"),
                                 ("closed stdin and stdout", "<&- >&-")]:
            process = subprocess.Popen(
                ["sh", "-c", f"\"$@\" {redirection}", "sh", *proof.words(text)], cwd=proof.inputs,
                stderr=subprocess.PIPE)
            proof.no_room(text, how, process)
        proof.check_inputs(text)
