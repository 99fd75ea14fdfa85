"""The page of situations.py: docs/situations.md."""

import re
import shlex
import textwrap

# Situation: what the data is; what to learn; which screens are shown, with the number of their lines (0 for all).
SITUATIONS = {
    "one person": (
        "One person made one recording.",
        "The scores describe only this person and have no intervals, and every command says so. A gate compares"
        " the person only with that person's own baseline.",
        {"evaluate": 9, "tune": 7}),
    "two people": (
        "Two people made one recording each.",
        "Scores now have intervals, but these leave nearly everything open. Two people who agree prove nothing:"
        " proving a difference that is the same for everybody takes six people, or more if several tests are made.",
        {"compare": 7}),
    "no labels": (
        "Five recordings have no labels.",
        "Nothing is known about right and wrong, but flicker, dropouts and jitter need no labels. Commands that"
        " need labels refuse to run, with exit code 3 or 65.",
        {"evaluate": 6, "compare": 0}),
    "one class": (
        "For five people, only the time in `high` is labeled.",
        "Accuracy then equals recall, and a detector that always answers `high` is perfect. Scores come with a"
        " warning, and `tune` refuses to run.",
        {"evaluate": 8, "tune": 0}),
    "all wrong": (
        "In the labels of five people, every class is replaced by another.",
        "Scores below those of a constant answer point to an error in the data: units, axes or labels. If both"
        " detectors score lower than that, take neither, even if one is clearly better.",
        {"compare": 6}),
    "all right": (
        "The detector's own answers are taken as labels.",
        "Even a perfect score has an interval: five flawless people are compatible with errors in 45 % of all"
        " people, so the interval begins at 0.549.",
        {"evaluate": 5}),
    "ties": (
        "One recording appears six times, as if six people had made it, and two candidates are the same detector.",
        "If everybody is alike, there is no spread from which to judge a difference. The output calls equal scores"
        " equal. A change that is the same for six people proves nothing if two streams are tuned at once.",
        {"compare": 8}),
    "tiny": (
        "In one recording, a single frame is labeled.",
        "A score of 1.000 from one frame means nothing. The usual cause of a single scored frame is"
        " labels in another unit of time.",
        {"evaluate": 9}),
    "undetermined": (
        "In five labeled recordings, no frame has a pose.",
        "The rules decided nothing, so scores say nothing about the rules. No command reaches a verdict.",
        {"evaluate": 6, "tune": 0}),
    "unequal sources": (
        "One person was recorded at home and four in a studio, as two sources.",
        "Every metric is the mean over the sources, so the larger source does not drown out the smaller one. With"
        " a single person in a source, little is known about that source: a threshold change that is proven without"
        " sources may not be proven with them.",
        {"evaluate": 9}),
}

HEAD = """# Ten awkward situations

This page shows what commands print first when data are thin, one-sided or wrong. The data are `datasets/scripted` or
parts of it, some of them altered. Screens are cut at `...`; `scripts/proofs/situations.py --write` makes this page.
"""


class Screen:
    """What a command printed first."""

    def __init__(self, situation, command, words, done):
        self.situation, self.command, self.status = situation, command, done.returncode
        self.words = words
        printed = done.stdout if done.stdout.strip() else done.stderr
        # How long work will take is said on a slow machine only.
        self.lines = [line for line in printed.rstrip().splitlines() if not line.startswith("estimate: ")]

    @property
    def commands(self):
        """The arguments of the commands that the screen tells to type."""
        text = re.sub(r"\\\n\s*", " ", "\n".join(self.lines))
        return [shlex.split(line)[1:] for line in re.findall(r"^  planklab .*$", text, re.M)]

    def text(self, count):
        """The command and the first `count` lines, or all for 0; a cut that leaves out one line is none."""
        lines = self.lines
        if count and len(lines) > count + 1:
            lines = lines[:count]
            while lines and not lines[-1].strip():
                lines = lines[:-1]
            lines = lines + ["  ..."]
        status = f"  # exit code {self.status}" if self.status else ""
        return "\n".join([f"$ planklab {shlex.join(self.words)}{status}", *lines])


def block(texts):
    return "```text\n" + "\n\n".join(texts) + "\n```\n"


def page(screens):
    """docs/situations.md."""
    parts = [HEAD]
    for situation, (data, lesson, shown) in SITUATIONS.items():
        parts.append(f"## {situation.capitalize()}\n")
        parts.append(textwrap.fill(f"{data} {lesson}", 120, break_on_hyphens=False) + "\n")
        parts.append(block([
            screen.text(count) for command, count in shown.items() for screen in screens
            if (screen.situation, screen.command) == (situation, command)]))
    return "\n".join(parts)
