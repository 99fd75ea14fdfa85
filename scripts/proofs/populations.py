"""Simulated people for proofs through the command: labeled recordings without poses, and answers of a detector
whose recall differs from person to person. Only the standard library is used.

A recording is one person, 10 frames per second, one stretch per class in the order given. The answers of a class
are right in stretches of random length, and otherwise `none` or another class. The same generator gives the same
files.
"""

import json
import math
import random
import subprocess
from pathlib import Path

RATE = 10
# Seconds after which a command is a failure: each takes a few seconds at most.
TIME_LIMIT = 300
CLASSES = ["none", "forearm", "high", "left_side", "right_side", "reverse"]
HEADER = '{"format":"planklab-poses","version":1,"skeleton":"vision3d","joints":["root"],"frame":"world"}\n'


def logistic(x):
    return 1 / (1 + math.exp(-x))


def logit(p):
    return math.log(p / (1 - p))


def write_dataset(folder, people, name="simulated", tags=None):
    """A dataset of people, each a list of (class, frames); `tags` has a mapping of tags per person, or is None."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for person, stretches in enumerate(people):
        total = sum(frames for _, frames in stretches)
        poses = "".join(f'{{"t":{frame / RATE:.1f},"p":null}}\n' for frame in range(total))
        (folder / f"p{person}.poses.jsonl").write_text(HEADER + poses)
        rows, start = ["start,end,plank,form\n"], 0
        for label, frames in stretches:
            form = "" if label in ("none", "") else "aligned"
            rows.append(f"{start / RATE:.1f},{(start + frames) / RATE:.1f},{label},{form}\n")
            start += frames
        (folder / f"p{person}.labels.csv").write_text("".join(rows))
        mark = f", tags: {json.dumps(tags[person])}" if tags else ""
        entries.append(f"  - {{poses: p{person}.poses.jsonl, labels: p{person}.labels.csv, subject: s{person}{mark}}}\n")
    (folder / "dataset.yaml").write_text(f"name: {name}\nsequences:\n" + "".join(entries))


def truth(stretches):
    """The class of every frame."""
    return [label for label, frames in stretches for _ in range(frames)]


def answers(generator, stretches, recall, wrong=None, stretch=5):
    """Answers to one person's recording.

    `recall` gives the probability that a class is answered right; `wrong` the answer given instead, by class
    (`none`, and for `none` the first plank of the recording, if left out); `stretch` is the mean number of frames
    that share a fate.
    """
    planks = [label for label, _ in stretches if label != "none"] or ["high"]
    result = []
    for label, frames in stretches:
        instead = (wrong or {}).get(label, planks[0] if label == "none" else "none")
        isRight, left = True, 0
        for _ in range(frames):
            if left == 0:
                isRight = generator.random() < recall[label]
                left = 1 + int(generator.expovariate(1 / max(stretch - 1, 1e-9))) if stretch > 1 else 1
            left -= 1
            result.append(label if isRight else instead)
    return result


def recalls(generator, classes, mean=0.85, person=0.8, personByClass=0.6):
    """Recall by class of one person: logit-normal around `mean`, with standard deviations on the logit scale."""
    own = generator.gauss(0, person)
    return {label: logistic(logit(mean) + own + generator.gauss(0, personByClass)) for label in classes}


def write_answers(folder, people, forms=None):
    """A folder of answers: for every person, the class of each frame, and the form, which is right if left out."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for person, labels in enumerate(people):
        form = forms[person] if forms else ["aligned"] * len(labels)
        rows = "".join(f"{frame / RATE:.1f},{label},{form[frame]}\n" for frame, label in enumerate(labels))
        (folder / f"p{person}.csv").write_text("t,plank,form\n" + rows)


def run(planklab, folder, *arguments, allowed=(0,)):
    """Runs the program in a folder and gives what it did; another exit code, or no end, ends the proof."""
    command = [str(planklab), *map(str, arguments)]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=TIME_LIMIT
        )
    except subprocess.TimeoutExpired:
        raise SystemExit(f"planklab {' '.join(command[1:])}: no end within {TIME_LIMIT} s") from None
    if done.returncode not in allowed:
        raise SystemExit(f"planklab {' '.join(map(str, arguments))}: {done.returncode}\n{done.stderr}")
    return done


def result(planklab, folder, *arguments, allowed=(0,)):
    """The result member of a command's JSON."""
    return json.loads(run(planklab, folder, *arguments, "--format", "json", allowed=allowed).stdout)["result"]


def standard_error(share, runs):
    """Of a share of runs, at least that of one run in all."""
    return max(share * (1 - share), 1 / runs) ** 0.5 / runs**0.5


def wilson(count, runs, z=1.96):
    """The 95 % interval of a share (Wilson 1927)."""
    center = (count + z * z / 2) / (runs + z * z)
    half = z / (runs + z * z) * (count * (runs - count) / runs + z * z / 4) ** 0.5
    return max(0.0, center - half), min(1.0, center + half)


def interval(count, runs):
    """A share with its 95 % interval, as text."""
    lower, upper = wilson(count, runs)
    return f"{count / runs:.3f} ({lower:.3f} ... {upper:.3f})"


def seeded(*parts):
    """A generator whose numbers depend on nothing but the parts."""
    return random.Random(" ".join(map(str, parts)))
