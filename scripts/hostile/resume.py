"""Kills a sweep at random moments, continues it, and compares its export with an undisturbed one's.

    scripts/prove-hostile resume --planklab .build/release/planklab [--seed 1] [--kills 20]

A run of at least 30 seconds is killed with SIGKILL at moments drawn uniformly over it, as often as
asked. Transactions are short, so few of these fall into one; then the run is killed again, each time
a drawn while after its start and as soon as the write-ahead log grows, until enough kills were inside
a write: the log ends in frames that no commit follows. After every kill the sweep continues with
--resume. In the end both exports are equal byte for byte, and no cell is stored twice.
"""
import argparse
import hashlib
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

EXPERIMENT = "experiments/sag-and-pike/experiment.yaml"
STUDIO = "datasets/studio/studio.yaml"
AXES = [
    "--axis", "elbow_split=60:179:1", "--axis", "side_rise=0.02:0.4:0.01",
    "--axis", "horizontal_ratio=0.3:0.8:0.01",
]


def experiment(planklab, folder):
    """A copy of the experiment on a studio of its own."""
    data = os.path.join(folder, "studio")
    subprocess.run([planklab, "synthesize", STUDIO, "--output", data], check=True, stdout=subprocess.DEVNULL)
    path = os.path.join(folder, "experiment.yaml")
    with open(EXPERIMENT) as own, open(path, "w") as copy:
        copy.writelines("dataset: studio\n" if line.startswith("dataset:") else line for line in own)
    return path


def sweep(planklab, trial, store, extra):
    return [planklab, "sweep", trial, "--store", store, "--top", "0", *AXES, *extra]


def ends_inside_a_write(wal):
    """Whether the log's last valid frames belong to a transaction that was not committed."""
    try:
        with open(wal, "rb") as file:
            header = file.read(32)
            if len(header) < 32:
                return False
            page = struct.unpack(">I", header[8:12])[0]
            salts = header[16:24]
            uncommitted = 0
            while True:
                frame = file.read(24)
                if len(frame) < 24:
                    # A header that was cut is itself a write that did not end.
                    return uncommitted > 0 or len(frame) > 0
                if frame[8:16] != salts:
                    return uncommitted > 0
                body = file.read(page)
                if len(body) < page:
                    return True
                uncommitted = 0 if struct.unpack(">I", frame[4:8])[0] else uncommitted + 1
    except FileNotFoundError:
        return False


def export(planklab, store):
    run = sqlite3.connect(store).execute("SELECT id FROM runs").fetchall()
    if len(run) != 1:
        sys.exit(f"{store} holds {len(run)} runs; one was expected")
    path = store + ".csv"
    subprocess.run(
        [planklab, "runs", "export", run[0][0], "--store", store, "--format", "csv", "--output", path],
        check=True, stderr=subprocess.DEVNULL)
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    lines = sum(1 for _ in open(path)) - 1
    os.remove(path)
    return digest, lines


def stored(store):
    database = sqlite3.connect(store)
    count = database.execute("SELECT count(*) FROM cells").fetchone()[0]
    distinct = database.execute(
        "SELECT count(*) FROM (SELECT DISTINCT run, stream, cell FROM cells)").fetchone()[0]
    database.close()
    return count, distinct


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--planklab", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--inside", type=int, default=5)
    options = parser.parse_args()
    planklab = os.path.abspath(options.planklab)
    numbers = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
        trial = experiment(planklab, data)
        reference = os.path.join(folder, "reference.sqlite")
        process = start(planklab, trial, reference, [])
        wait_until_opened(process, reference, 1)
        begun = time.monotonic()
        if process.wait() != 0:
            sys.exit(f"the undisturbed run ended with exit code {process.returncode}")
        whole = time.monotonic() - begun
        print(f"seed {options.seed}; the undisturbed run swept for {whole:.1f} s")
        if whole < 30:
            sys.exit("the run is too short to prove anything: it must take at least 30 s")
        expected = export(planklab, reference)
        os.remove(reference)
        store = os.path.join(folder, "killed.sqlite")
        kills = inside = runs = 0
        while kills < options.kills or inside < options.inside:
            runs += 1
            aims = kills >= options.kills
            moments = sorted(numbers.uniform(0, whole) for _ in range(options.kills))
            waits = [b - a for a, b in zip([0.0] + moments, moments)]
            for opened, wait in enumerate(waits, start=1):
                process = start(planklab, trial, store, ["--resume"])
                wait_until_opened(process, store, opened)
                try:
                    process.wait(timeout=min(wait, 1) if aims else wait)
                    break
                except subprocess.TimeoutExpired:
                    if aims:
                        wait_for_growth(process, store + "-wal")
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                kills += 1
                was_inside = ends_inside_a_write(store + "-wal")
                inside += was_inside
                place = "inside a write" if was_inside else "between writes"
                how = "when the log grew" if aims else f"{wait:.2f} s into the sweep"
                print(f"kill {kills}, {how}, {place}", flush=True)
                if aims and inside >= options.inside:
                    start(planklab, trial, store, ["--resume"]).wait()
                    break
            else:
                process = start(planklab, trial, store, ["--resume"])
                process.wait()
            check(planklab, store, expected, kills)
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))
        print(
            f"resume: {kills} kills in {runs} run(s), {inside} inside a write, seed "
            f"{options.seed}: {expected[1]} cells, exports equal, no cell twice")


def start(planklab, trial, store, extra):
    return subprocess.Popen(
        sweep(planklab, trial, store, extra), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_growth(process, wal):
    """Waits until the log was written to once more."""
    before = os.stat(wal).st_mtime_ns if os.path.exists(wal) else 0
    while process.poll() is None:
        if os.path.exists(wal) and os.stat(wal).st_mtime_ns != before:
            return


def wait_until_opened(process, store, opened):
    """Waits for the run to be opened for the nth time: loading the data is no part of the sweep."""
    while process.poll() is None:
        time.sleep(0.005)
        if not os.path.exists(store):
            continue
        try:
            database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
            row = database.execute("SELECT max(opened) FROM runs").fetchone()
            database.close()
            if row[0] is not None and row[0] >= opened:
                return
        except sqlite3.Error:
            continue


def check(planklab, store, expected, kills):
    count, distinct = stored(store)
    found = export(planklab, store)
    if count != distinct:
        sys.exit(f"{count - distinct} cells are stored twice")
    if found != expected:
        sys.exit(f"the export differs after {kills} kills: {found} instead of {expected}")
