"""Kills a recording program at random moments and reads what it left.

Every complete line must be readable, no frame that the program had finished may be missing, and
at most the last line may be cut off. The program is built in a scratch package that links
PoseModel and PoseRecording as an app does.

    scripts/prove-hostile recorder [--kills 50] [--seed 1] [--planklab .build/release/planklab]

With --planklab the files are also linted, whole and with their last line cut in half.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NUMBERS = 51  # 17 joints

PACKAGE = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Recorder", platforms: [.macOS(.v15)],
  dependencies: [.package(name: "repository", path: "%s", traits: [])],
  targets: [
    .executableTarget(
      name: "Recorder",
      dependencies: [
        .product(name: "PoseModel", package: "repository"),
        .product(name: "PoseRecording", package: "repository"),
      ])
  ])
"""

PROGRAM = """import PoseModel
import PoseRecording

/// Records without end and prints how many frames are finished.
let writer = try PoseRecordingWriter(path: CommandLine.arguments[1], header: .observations)
var pose = Pose()
let camera = CameraMatrix(rotation: .identity, translation: Vector3(0, 0, -2))
var frame = 0
while true {
  for joint in Skeleton.vision3d.joints {
    pose[joint] = Vector3(Double(frame % 997) / 997, Double(joint.index) / 7, 1 / 3)
  }
  try writer.append(
    time: Seconds(Double(frame) / 60), pose: frame % 50 == 49 ? nil : pose,
    extras: FrameExtras(
      up: .unitY, camera: camera, bodyHeight: Meters(1.8), heightEstimation: .reference,
      answer: DeviceAnswer(plank: .high, form: .aligned)))
  frame += 1
  print(frame)
}
"""


def build(folder: pathlib.Path) -> pathlib.Path:
    """Builds the recording program and returns its path."""
    source = folder / "Sources" / "Recorder"
    source.mkdir(parents=True, exist_ok=True)
    (folder / "Package.swift").write_text(PACKAGE % ROOT)
    (source / "main.swift").write_text(PROGRAM)
    command = ["swift", "build", "-c", "release", "--package-path", str(folder)]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return folder / ".build" / "release" / "Recorder"


def record_and_kill(program: pathlib.Path, path: pathlib.Path, delay: float) -> int:
    """Runs the program for a while, kills it, and returns how many frames it had finished."""
    acknowledged = path.with_suffix(".count")
    with acknowledged.open("wb") as output:
        # Every count is one write of its own, so that the kill cannot lose it.
        unbuffered = ["stdbuf", "-oL"] if sys.platform == "linux" else []
        process = subprocess.Popen(unbuffered + [str(program), str(path)], stdout=output)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    lines = acknowledged.read_bytes().split(b"\n")[:-1]
    return int(lines[-1]) if lines else 0


def check(path: pathlib.Path, finished: int) -> tuple[int, bool]:
    """Reads what is left; returns its frames and whether the last line was cut off."""
    if not path.exists():
        assert finished == 0, "finished frames and no file"
        return 0, False
    *lines, rest = path.read_bytes().split(b"\n")
    frames = 0
    last = -1.0
    for number, line in enumerate(lines, start=1):
        value = json.loads(line)  # a line that cannot be read ends the proof
        if number == 1:
            assert value["format"] == "planklab-poses" and len(value["joints"]) == 17, value
            continue
        assert value["t"] > last, f"line {number}: time goes back"
        last = value["t"]
        assert value["p"] is None or len(value["p"]) == NUMBERS, f"line {number}: joints"
        assert len(value["camera"]) == 16 and len(value["up"]) == 3, f"line {number}: extras"
        assert value["a"] == ["high", "aligned"], f"line {number}: answer"
        frames += 1
    assert frames >= finished, f"{finished} frames were finished, {frames} are in the file"
    return frames, bool(rest)


def lint(planklab: pathlib.Path, path: pathlib.Path, is_cut: bool) -> None:
    """Checks that the linter accepts a whole file and names the loss in a cut one."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "killed.poses.jsonl"
        data = path.read_bytes()
        copy.write_bytes(data)
        (pathlib.Path(folder) / "killed.labels.csv").write_text("start,end,plank,form\n")
        subprocess.run(
            [planklab, "dataset", "init", folder], check=True, capture_output=True)
        for cut in [is_cut] + ([] if is_cut else [True]):
            if cut and not is_cut:
                copy.write_bytes(data[: -(len(data.split(b"\n")[-2]) // 2)])
            result = subprocess.run(
                [planklab, "dataset", "lint", folder], capture_output=True, text=True)
            text = result.stdout + result.stderr
            expected = 65 if cut else 0
            assert result.returncode == expected, f"exit {result.returncode}: {text}"
            assert not cut or "cut off" in " ".join(text.split()), text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=pathlib.Path, help="a program that is built already")
    parser.add_argument("--planklab", type=pathlib.Path, help="lint what is left, too")
    options = parser.parse_args()
    program = options.program or build(ROOT / ".build" / "prove-recorder")
    planklab = options.planklab and options.planklab.resolve()
    moments = random.Random(options.seed)
    total = cut = 0
    with tempfile.TemporaryDirectory() as folder:
        for kill in range(options.kills):
            path = pathlib.Path(folder) / f"{kill}.poses.jsonl"
            finished = record_and_kill(program, path, moments.uniform(0.002, 0.3))
            frames, was_cut = check(path, finished)
            if planklab and frames > 0:
                lint(planklab, path, was_cut)
            total += frames
            cut += was_cut
            for file in (path, path.with_suffix(".count")):
                if file.exists():
                    os.remove(file)
    assert total > 0, "no frame was recorded"
    print(
        f"{options.kills} kills, {total} frames, all complete lines readable, no finished frame "
        f"lost, {cut} last lines cut off")
