#!/usr/bin/env python3
"""Compares ways to steady answers, source by source, for experiments/steady-answers.

    steady_answers.py PLANKLAB WORK RESULT.json TABLE.md SOURCE=DATASET=DETECTOR...

Every strategy runs with `planklab measure`, is scored with `planklab evaluate --predictions`, and is
compared with others, paired by person, with `planklab compare`. WORK holds the answers. All
strategies and their widths are stated here, before any number: nothing is chosen on the data.

Only one strategy is not in the program: two lists of rules for planks, the prototype that the
experiment judges. Its raw labels are those of the program with strict and with loose thresholds.
Only the standard library is used; the same data gives the same bytes.
"""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

EMA = "ema:cutoff=1.06Hz@joints"  # a time constant of 0.15 s
WIDTHS = [2, 4, 8]  # half the widths of bands around plank thresholds, in degrees
HOLD_SECONDS = 0.5
SLACK = 1e-9
RESAMPLES = 2000
METRICS = {
    "form": [
        "form.f1_macro_truth", "form.balanced_accuracy", "form.flickers_per_minute",
        "form.false_transitions_per_minute", "form.hit_rate", "form.detection_latency_p50_s",
        "form.detection_latency_p90_s", "form.release_latency_p50_s",
    ],
    "plank": [
        "plank.f1_macro_truth", "plank.balanced_accuracy", "session.false_plank_share",
        "plank.flickers_per_minute", "plank.false_transitions_per_minute", "plank.hit_rate",
        "plank.detection_latency_p50_s", "plank.detection_latency_p90_s",
        "plank.release_latency_p50_s",
    ],
}
DECIDING = {
    "form": ["form.f1_macro_truth", "form.false_transitions_per_minute"],
    "plank": [
        "plank.f1_macro_truth", "session.false_plank_share", "plank.false_transitions_per_minute",
    ],
}


class Program:
    """The program with a folder for its output."""

    def __init__(self, path, work):
        self.path, self.work = str(Path(path).resolve()), work

    def run(self, *words):
        done = subprocess.run([self.path, *words], cwd=self.work, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"planklab {' '.join(words)}: exit {done.returncode}\n{done.stderr}")
        return done.stdout

    def json(self, *words):
        return json.loads(self.run(*words, "--format", "json"))


class Detector:
    """A detector's thresholds by stream, with the direction in which a `none` rule gets looser."""

    def __init__(self, program, name):
        self.name = name
        listing = program.json("detectors", name)
        self.parameters = {entry["key"]: entry for entry in listing["parameters"]}
        self.thresholds = {stream: self.keys(rules) for stream, rules in listing["rules"].items()}
        self.rejecting = {}
        for sentence in listing["rules"]["plank"]:
            if sentence.startswith("none"):
                for operator, sign, key in self.comparisons(sentence):
                    upward = (operator[0] == ">") != (sign == "-")
                    self.rejecting[key] = 1 if upward else -1

    def comparisons(self, sentence):
        found = re.findall(r"(>=|<=|>|<)\s*(-?)\s*(\w+)", sentence)
        return [(operator, sign, key) for operator, sign, key in found if key in self.parameters]

    def keys(self, sentences):
        found = [key for text in sentences for _, _, key in self.comparisons(text)]
        return list(dict.fromkeys(found))

    def step(self, key, degrees):
        """What stands for an angle in a parameter's unit, as `smoothers compare` has it."""
        entry = self.parameters[key]
        low, high = entry["range"]
        unit = {"deg": 1, "m": 0.005, "body heights": 0.003}
        return round(degrees * unit.get(entry["unit"], (high - low) / 100), 6)

    def bands(self, degrees, *streams):
        keys = [key for stream in streams for key in self.thresholds[stream]]
        return "bands:" + ",".join(f"{key}={self.step(key, degrees)}" for key in dict.fromkeys(keys))

    def shifted(self, degrees):
        """Options that make the rules of `none` looser, or stricter for negative degrees."""
        words = []
        for key, direction in self.rejecting.items():
            entry = self.parameters[key]
            value = entry["value"] + direction * self.step(key, degrees)
            value = min(max(value, entry["range"][0]), entry["range"][1])
            words += ["--set", f"{key}={round(value, 9)}"]
        return words


def strategies(detector):
    """Names with the smoothing and the debounce of the program."""
    dwell = lambda time: f"dwell:enter={time}s,switch={time}s,exit={time}s"
    every = ("plank", "form")
    found = {
        "as it is": ("none", "parameters"),
        "dwell 0.1 s": ("none", dwell(0.1)),
        "dwell 0.3 s": ("none", dwell(0.3)),
        "EMA 0.15 s": (EMA, "parameters"),
        "one-euro": ("one-euro:minCutoff=0.8Hz,beta=0.5@joints", "parameters"),
    }
    for width in WIDTHS:
        found[f"bands {width} deg"] = ("none", detector.bands(width, *every))
    found["bands 5 deg"] = ("none", detector.bands(5, *every))
    found["EMA 0.15 s, bands 5 deg"] = (EMA, detector.bands(5, *every))
    found["EMA 0.15 s, dwell 0.1 s"] = (EMA, dwell(0.1))
    found["bands 4 deg, dwell 0.3 s"] = ("none", detector.bands(4, *every) + "+" + dwell(0.3))
    found["EMA 0.15 s, dwell 0.3 s"] = (EMA, dwell(0.3))
    return found


class Debounce:
    """A dwell in seconds, as `docs/contract.md` has it."""

    def __init__(self, seconds, starts_mid):
        self.seconds, self.starts_mid = seconds, starts_mid
        self.state, self.candidate, self.elapsed = "none", None, 0.0
        self.last, self.after_dropout = float("-inf"), False

    def update(self, raw, time):
        within = time - self.last <= HOLD_SECONDS + SLACK
        if not raw:
            self.after_dropout = True
            return self.state if within else "none"
        if not within:
            self.state, self.candidate, self.elapsed = "none", None, 0.0
        if raw == self.candidate:
            self.elapsed += 0 if self.after_dropout else time - self.last
        else:
            self.candidate, self.elapsed = raw, 0.0
        if self.starts_mid or self.elapsed >= self.seconds - SLACK:
            self.state = raw
        self.starts_mid, self.after_dropout, self.last = False, False, time
        return self.state


def two_lists(strict, loose, times, starts_mid, dwell):
    """Answers of a class that is entered by one list and left by another, then debounced.

    A plank is entered if the strict list answers it, and another plank follows if the strict list
    answers that one. It is left for `none` only where the loose list answers `none`.
    """
    held, last = "none", float("-inf")
    debounce = Debounce(dwell, starts_mid)
    for enter, stay, time in zip(strict, loose, times):
        label = ""
        if enter and stay:
            if time - last > HOLD_SECONDS + SLACK:
                held = "none"
            if enter != "none":
                held = enter
            elif stay == "none":
                held = "none"
            label, last = held, time
        yield debounce.update(label, time)


def starting_mid(dataset):
    """The sequences of a manifest that start inside a hold."""
    text = (Path(dataset) / "dataset.yaml").read_text("utf-8")
    entries = re.split(r"\n\s*- (?=poses:)", text)[1:]
    names = set()
    for entry in entries:
        if re.search(r"^\s*starts:\s*mid", entry, re.MULTILINE):
            path = re.match(r"poses:\s*\"?([^\s\"]+)", entry).group(1)
            names.add(re.sub(r"\.poses\.jsonl(\.gz)?$", "", Path(path).name))
    return names


def table_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Source:
    """A dataset with a detector and the answers of every strategy."""

    def __init__(self, program, name, dataset, detector):
        self.program, self.name = program, name
        self.dataset = str(Path(dataset).resolve())
        self.detector = Detector(program, detector)
        self.folder = re.sub(r"\W+", "-", f"{name}-{detector}")
        self.slugs = {}

    def place(self, name):
        self.slugs[name] = re.sub(r"\W+", "-", name).strip("-")
        return f"{self.folder}/{self.slugs[name]}"

    def measure(self, name, *words):
        place = self.place(name)
        if not (self.program.work / place).exists():
            self.program.run("measure", self.dataset, *words, "--output", place)
        return place

    def answer(self):
        detector = ["--detector", self.detector.name]
        once = ["--set", "plank_frames=1", "--set", "form_frames=1"]
        for name, (smoothing, debounce) in strategies(self.detector).items():
            frames = once if debounce != "parameters" else []
            self.measure(
                name, *detector, *frames, "--smoothing", smoothing, "--debounce", debounce)
        strategies_of_two = {}
        strict = self.measure("as it is", *detector)
        for width in WIDTHS:
            loose = self.measure(f"loose {width}", *detector, *self.detector.shifted(width))
            tight = self.measure(f"strict {width}", *detector, *self.detector.shifted(-width))
            strategies_of_two[f"two lists, leave {width} deg later"] = (strict, loose, 0)
            strategies_of_two[f"two lists, +-{width} deg"] = (tight, loose, 0)
            if width == 4:
                strategies_of_two["two lists, +-4 deg, dwell 0.3 s"] = (tight, loose, 0.3)
                strategies_of_two["two lists, leave 4 deg later, dwell 0.3 s"] = (strict, loose, 0.3)
        if self.detector.name == "coach":
            other = self.measure("list of trunk", "--detector", "trunk")
            strategies_of_two["two lists, leave by trunk"] = (strict, other, 0)
            strategies_of_two["two lists, leave by trunk, dwell 0.3 s"] = (strict, other, 0.3)
        for name, parts in strategies_of_two.items():
            self.write(name, *parts)
        hidden = [name for name in self.slugs if re.match(r"loose|strict|list of", name)]
        for name in hidden:
            del self.slugs[name]

    def write(self, name, strict, loose, dwell):
        """The answers of a prototype in the format of `measure`."""
        folder = self.program.work / self.place(name)
        mid = starting_mid(self.dataset)
        for path in sorted((self.program.work / strict).rglob("*.csv")):
            place = path.relative_to(self.program.work / strict)
            if place.parts[0] in ("spectra", "allan"):
                continue
            rows = table_rows(path)
            others = table_rows(self.program.work / loose / place)
            answers = two_lists(
                [row["raw_plank"] for row in rows], [row["raw_plank"] for row in others],
                [float(row["t"]) for row in rows], place.stem in mid, dwell)
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
                writer.writeheader()
                for row, answer in zip(rows, answers):
                    writer.writerow(row | {"plank": answer})

    def scores(self):
        """The metrics of every strategy."""
        found = {}
        for name, slug in self.slugs.items():
            evaluation = self.program.json(
                "evaluate", self.dataset, "--predictions", f"{self.folder}/{slug}")["result"]
            found[name] = evaluation
        return found

    def differences(self, reference):
        """Every strategy minus the reference, paired by person: value and 95 % interval."""
        others = [name for name in self.slugs if name != reference]
        sides = [f"{self.folder}/{self.slugs[name]}" for name in [reference] + others]
        words = ["--resamples", str(RESAMPLES)]
        report = self.program.json("compare", self.dataset, *sides, *words)["result"]
        return {name: pair["comparison"] for name, pair in zip(others, report["pairs"])}


def number(value):
    """A number, or None for one that is null with a reason."""
    return None if isinstance(value, dict) else value


def release_ninetieth(evaluation, stream):
    """The time by which nine of ten releases are answered; None if too many are not."""
    return number(evaluation["streams"][stream]["temporal"]["release"]["p90_s"])


def entry(source, program_scores, references):
    """What is kept of a source."""
    any_evaluation = next(iter(program_scores.values()))
    result = {
        "source": source.name,
        "detector": source.detector.name,
        "people": len({row.get("subject") for row in any_evaluation["sequences"]}),
        "sequences": len(any_evaluation["sequences"]),
        "strategies": {},
        "differences": {},
    }
    for name, evaluation in program_scores.items():
        metrics = evaluation["metrics"]
        row = {key: number(metrics[key]) for keys in METRICS.values() for key in keys}
        for stream in METRICS:
            row[f"{stream}.release_latency_p90_s"] = release_ninetieth(evaluation, stream)
        result["strategies"][name] = row
    for reference in references:
        compared = source.differences(reference)
        result["differences"][reference] = {
            name: {
                key: difference(comparison, key) for keys in DECIDING.values() for key in keys
            }
            for name, comparison in compared.items()
        }
    return result


def difference(comparison, key):
    """A paired difference with its interval, or None where it is undefined."""
    for metric in comparison["metrics"]:
        if metric["metric"] == key and metric.get("difference") is not None:
            ends = metric["intervals"]["wider"]
            has_ends = isinstance(ends, dict) and "lower" in ends
            return {
                "value": metric["difference"],
                "interval": [ends["lower"], ends["upper"]] if has_ends else None,
            }
    return None


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.5g}") + 0.0
    if isinstance(value, list):
        return [rounded(part) for part in value]
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return value


def text(value, decimals):
    return "n/a" if value is None else f"{value:.{decimals}f}"


def difference_text(found, decimals, factor=1):
    if found is None:
        return "n/a"
    shown = f"{factor * found['value']:+.{decimals}f}"
    if float(shown) == 0:
        shown = shown.replace("+", "").replace("-", "")
    if found["interval"]:
        low, high = (f"{factor * end:.{decimals}f}" for end in found["interval"])
        shown += f" [{low}, {high}]"
    return shown


def latencies(row, stream, kind):
    return " / ".join(text(row[f"{stream}.{kind}_latency_{part}_s"], 2) for part in ("p50", "p90"))


def form_table(source):
    lines = [
        "| strategy | macro F1 | flickers / min | wrong changes / min | answered, p50 / p90 s | "
        "released, p50 / p90 s | F1 minus as it is | wrong changes minus as it is |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, row in source["strategies"].items():
        if name.startswith("two lists"):
            continue
        change = source["differences"]["as it is"].get(name)
        lines.append(
            f"| {name} | {text(row['form.f1_macro_truth'], 3)} | "
            f"{text(row['form.flickers_per_minute'], 1)} | "
            f"{text(row['form.false_transitions_per_minute'], 1)} | "
            f"{latencies(row, 'form', 'detection')} | {latencies(row, 'form', 'release')} | "
            + (
                f"{difference_text(change['form.f1_macro_truth'], 3)} | "
                f"{difference_text(change['form.false_transitions_per_minute'], 1)} |"
                if change else "| |"))
    return lines


def plank_table(source, reference):
    lines = [
        "| strategy | macro F1 | false planks, % of `none` | planks found | flickers / min | "
        "answered, p50 / p90 s | released, p50 / p90 s | "
        f"F1 minus {reference} | false planks minus {reference} | "
        f"wrong changes / min minus {reference} |",
        "| --- |" + " ---: |" * 9,
    ]
    for name, row in source["strategies"].items():
        change = source["differences"][reference].get(name)
        share = row["session.false_plank_share"]
        lines.append(
            f"| {name} | {text(row['plank.f1_macro_truth'], 3)} | "
            f"{text(None if share is None else 100 * share, 1)} | {text(row['plank.hit_rate'], 2)} | "
            f"{text(row['plank.flickers_per_minute'], 1)} | "
            f"{latencies(row, 'plank', 'detection')} | {latencies(row, 'plank', 'release')} | "
            + (
                f"{difference_text(change['plank.f1_macro_truth'], 3)} | "
                f"{difference_text(change['session.false_plank_share'], 1, 100)} | "
                f"{difference_text(change['plank.false_transitions_per_minute'], 1)} |"
                if change else "| | |"))
    return lines


def table(result):
    lines = []
    for source in result["sources"]:
        scored = source["strategies"]["as it is"]
        people = "1 person" if source["people"] == 1 else f"{source['people']} people"
        title = f"{source['source']}, `{source['detector']}`, {people}"
        if scored["form.f1_macro_truth"] is not None:
            lines += [f"## Form: {title}", "", *form_table(source), ""]
        if scored["session.false_plank_share"] is not None:
            for reference in source["differences"]:
                lines += [f"## Planks: {title}, against {reference}", ""]
                lines += [*plank_table(source, reference), ""]
    return "\n".join(lines)


def main():
    planklab, work, target, markdown, *sources = sys.argv[1:]
    work = Path(work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    program = Program(planklab, work)
    found = []
    for words in sources:
        source = Source(program, *words.split("="))
        source.answer()
        found.append(entry(source, source.scores(), ["as it is", "dwell 0.3 s"]))
    result = rounded({"schema_version": 1, "resamples": RESAMPLES, "sources": found})
    Path(target).write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", "utf-8")
    Path(markdown).write_text(table(result), "utf-8")


if __name__ == "__main__":
    main()
