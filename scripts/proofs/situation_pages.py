"""The pages of situations.py: every first screen for proofreaders, and docs/situations.md for users."""

import re
import shlex
import textwrap

# Situation: what the data is; what to learn; which screens are shown, with the number of their lines (0 for all).
SITUATIONS = {
    "one person": (
        "One recording of one person.",
        "Scores describe this person. No interval and no comparison can be made, and every command says so; where a"
        " gate passes, it has compared this person with the same person.",
        {"evaluate": 0, "compare": 5, "tune": 11, "smoothers compare": 5, "gate": 8}),
    "two people": (
        "Two recordings, each of another person.",
        "There are intervals now, and they are honest: most of the range is possible. Two people who agree are no"
        " proof: a difference that is alike in everybody needs six of them, and more where several tests are made.",
        {"evaluate": 9, "compare": 16, "tune": 15}),
    "no labels": (
        "Five recordings without any label.",
        "Nothing can be said about right and wrong, but flicker, dropouts and jitter need no labels. Every other"
        " command refuses with exit code 3 or 65.",
        {"evaluate": 0, "compare": 0, "tune": 0, "gate": 0, "smoothers compare": 0}),
    "one class": (
        "Five people, and only the time in `high` is labeled.",
        "Accuracy is then recall, and a detector that always answers `high` would be perfect. Scores are shown with"
        " that warning; tuning refuses.",
        {"evaluate": 9, "compare": 15, "tune": 0, "gate": 15}),
    "all wrong": (
        "The labels of five people, with every class replaced by another.",
        "Scores below those of a constant answer point at the data: units, axes or labels. Two detectors that are both"
        " below it are not ranked in the first line, although one of them may be better beyond chance.",
        {"evaluate": 9, "compare": 9, "tune": 17}),
    "all right": (
        "The answers of the detector itself, taken as labels.",
        "A perfect score has an interval, too: five flawless people leave room for 45 % of all people who are not."
        " Which is why the interval ends at 0.549.",
        {"evaluate": 0, "compare": 5, "tune": 15}),
    "ties": (
        "One recording six times, as if it were of six people, and two candidates that are the same detector.",
        "Where everybody is alike there is no spread to judge by. Equal is then said to be equal, and a change that is"
        " alike in six people is not beyond chance when two streams are tuned at once.",
        {"evaluate": 8, "compare": 10, "tune": 16, "smoothers compare": 8}),
    "tiny": (
        "One recording of which a single frame is labeled.",
        "A score of 1.000 from one frame is not a score. The usual cause is labels in another unit of time.",
        {"evaluate": 0, "compare": 8, "tune": 0, "smoothers compare": 0}),
    "undetermined": (
        "Five labeled recordings in which no frame has a pose.",
        "The rules decided nothing, so the numbers say nothing about the rules. No command makes them a verdict.",
        {"evaluate": 0, "compare": 14, "tune": 0, "gate": 9, "smoothers compare": 0}),
    "unequal sources": (
        "One person recorded at home and four in a studio, as two sources.",
        "Every metric is the mean over the sources, so that the larger one does not drown the other; with one person"
        " in a source, little is known about it.",
        {"evaluate": 0, "compare": 0, "tune": 0}),
}

HEAD = """# Ten awkward situations

What the commands print first where the data is thin, one-sided or wrong: too few people, no labels, a single class, all
answers wrong or right, everybody alike, one frame, no poses, sources of unequal size. The data are the five recordings of
`datasets/scripted` or parts of them. `scripts/proofs/situations.py --write` makes this page; `make prove` compares it
with what the program prints, types every command that a screen tells to type, and checks the JSON of every result for
impossible values. Screens are cut at `...` where the rest says nothing new. Words are in the [glossary](glossary.md), and
metrics have [a page of their own](metrics.md).
"""


class Screen:
    """What a command printed first."""

    def __init__(self, situation, command, words, done):
        self.situation, self.command, self.status = situation, command, done.returncode
        self.words = words
        printed = done.stdout if done.stdout.strip() else done.stderr
        self.lines = printed.rstrip().splitlines()

    @property
    def commands(self):
        """The arguments of the commands that the screen tells to type."""
        text = re.sub(r"\\\n\s*", " ", "\n".join(self.lines))
        return [shlex.split(line)[1:] for line in re.findall(r"^  planklab .*$", text, re.M)]

    def markdown(self, count=0):
        """The first `count` lines, or all; a cut that leaves out one line is none."""
        lines = self.lines
        if count and len(lines) > count + 1:
            lines = lines[:count]
            while lines and not lines[-1].strip():
                lines = lines[:-1]
            lines = lines + ["  ..."]
        status = f" (exit code {self.status})" if self.status else ""
        text = "\n".join(lines)
        return f"`planklab {shlex.join(self.words)}`{status}\n\n```text\n{text}\n```\n"


def everything(screens):
    """Every first screen."""
    parts, last = ["# First screens\n"], None
    for screen in screens:
        if screen.situation != last:
            parts.append(f"\n## {screen.situation.capitalize()}\n")
            last = screen.situation
        parts.append(screen.markdown())
    return "\n".join(parts)


def page(screens):
    """docs/situations.md."""
    parts = [HEAD]
    for situation, (data, lesson, shown) in SITUATIONS.items():
        parts.append(f"## {situation.capitalize()}\n")
        parts.append(textwrap.fill(f"{data} {lesson}", 120, break_on_hyphens=False) + "\n")
        for command, count in shown.items():
            parts += [screen.markdown(count) for screen in screens
                      if (screen.situation, screen.command) == (situation, command)]
    return "\n".join(parts)
