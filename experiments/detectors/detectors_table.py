#!/usr/bin/env python3
"""Sums up evaluations of every detector on every source into one table.

    detectors_table.py RESULT.json TABLE.md FOLDER DETECTOR... REFERENCE

The reference is a detector too, the one that is compared with the best of the others. FOLDER holds
N-SOURCE/CLUSTER/DETECTOR.json, which `planklab evaluate --format json` wrote. Sources appear in the order of
N; CLUSTER says what the subjects of the source's manifest are: people, clips, photos.
Intervals are percentiles of a bootstrap over these clusters. All detectors share the draws, so that
differences are paired. Only the standard library is used; the same evaluations give the same bytes.
"""

import json
import random
import sys
from pathlib import Path

RESAMPLES = 2000
SEED = 16
PLANKS = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]


def clusters(evaluation, stream):
    """Confusion matrices in frames, one per cluster."""
    sums = {}
    for row in evaluation["sequences"]:
        matrix = row["streams"][stream]["confusion"]
        subject = row.get("subject")
        sums[subject] = [
            [one + other for one, other in zip(*lines)]
            for lines in zip(sums.get(subject, [[0] * len(matrix)] * len(matrix)), matrix)
        ]
    return [sums[name] for name in sorted(sums, key=lambda name: (name is None, name or ""))]


def measures(stream, total):
    """What can be said of a stream: names of measures, each with the truth classes that it averages."""
    present = [code for code, row in enumerate(total) if sum(row)]
    if stream == "form":
        return [("form balanced accuracy", present)] if len(present) > 1 else []
    rows = [(f"recall `{PLANKS[code]}`", [code]) for code in present if code]
    if 0 in present:
        rows.append(("false planks", [0]))
    if len(present) > 1:
        rows.append(("plank balanced accuracy", present))
    return rows


def tallies(matrices, codes):
    """Per cluster and truth class: how many frames, and how many of them right."""
    return [[(sum(matrix[code]), matrix[code][code]) for code in codes] for matrix in matrices]


def value(tally, weights, classes):
    """The mean of the recalls, over the classes that were drawn; None if none was."""
    recalls = []
    for index in range(classes):
        frames = right = 0
        for weight, cluster in zip(weights, tally):
            frames += weight * cluster[index][0]
            right += weight * cluster[index][1]
        if frames:
            recalls.append(right / frames)
    return sum(recalls) / len(recalls) if recalls else None


def percentiles(numbers):
    numbers = sorted(number for number in numbers if number is not None)
    last = len(numbers) - 1
    return [numbers[round(share * last)] for share in (0.025, 0.975)]


def row(name, codes, matrices, kind):
    """A measure of every detector with its interval, and what separates the reference from the best."""
    held = {detector: tallies(parts, codes) for detector, parts in matrices.items()}
    any_held = next(iter(held.values()))
    used = [index for index, cluster in enumerate(any_held) if any(frames for frames, _ in cluster)]
    held = {detector: [tally[index] for index in used] for detector, tally in held.items()}
    draws, generator = [], random.Random(SEED)
    if len(used) > 1:
        for _ in range(RESAMPLES):
            weights = [0] * len(used)
            for _ in used:
                weights[int(generator.random() * len(used))] += 1
            draws.append(weights)
    whole, sign = [1] * len(used), -1 if name == "false planks" else 1
    flip = (lambda share: share) if sign > 0 else (lambda share: 1 - share)
    values, drawn, detectors = {}, {}, {}
    for detector, tally in held.items():
        values[detector] = value(tally, whole, len(codes))
        drawn[detector] = [value(tally, weights, len(codes)) for weights in draws]
        shown = {"value": flip(values[detector]), "interval": None}
        if draws:
            shown["interval"] = sorted(flip(bound) for bound in percentiles(drawn[detector]))
        detectors[detector] = shown
    result = {
        "measure": name,
        "frames": sum(frames for cluster in any_held for frames, _ in cluster),
        "clusters": len(used),
        "cluster": kind,
        "detectors": detectors,
    }
    *others, reference = held
    best = max(others, key=lambda detector: values[detector])
    pairs = [
        None if one is None else one - other for one, other in zip(drawn[reference], drawn[best])
    ]
    result["difference"] = {
        "from": best,
        "value": sign * (values[reference] - values[best]),
        "interval": sorted(sign * bound for bound in percentiles(pairs)) if draws else None,
    }
    return result


def determined_share(frames):
    scored = frames["scored_frames"]
    return frames["scored_determined_frames"] / scored if scored else None


def source(folder, names):
    (inner,) = folder.iterdir()
    evaluations = {name: json.loads((inner / f"{name}.json").read_text())["result"] for name in names}
    any_evaluation = next(iter(evaluations.values()))
    entry = {
        "source": folder.name.split("-", 1)[1],
        "sequences": any_evaluation["data"]["sequences"],
        "scored_frames": any_evaluation["data"]["counts"]["scored_frames"],
        "determined_share": {
            name: determined_share(evaluation["streams"]["plank"]["counts"]["frames"])
            for name, evaluation in evaluations.items()
        },
        "rows": [],
    }
    if not any(entry["determined_share"].values()):
        return entry
    for stream in ("plank", "form"):
        matrices = {name: clusters(evaluation, stream) for name, evaluation in evaluations.items()}
        for name, codes in measures(stream, any_evaluation["streams"][stream]["counts"]["confusion"]["rows"]):
            entry["rows"].append(row(name, codes, matrices, inner.name))
    return entry


def percent(share, signed=False):
    text = f"{100 * share:{'+' if signed else ''}.1f}"
    return "0.0" if float(text) == 0 else text


def cell(number, signed=False):
    text = percent(number["value"], signed)
    if number["interval"]:
        text += " [" + ", ".join(percent(bound, signed) for bound in number["interval"]) + "]"
    return text


def counted(count, plural):
    """A count with what is counted: `1 recording`, `1,100 people`."""
    one = "person" if plural == "people" else plural.removesuffix("s")
    return f"{count:,} {one if count == 1 else plural}"


def table(result):
    names = result["detectors"]
    lines = [
        "| source | measure, % | frames | clusters | "
        + " | ".join(f"`{name}`" for name in names)
        + f" | `{names[-1]}` minus the best other |",
        "| --- | --- | ---: | ---: |" + " ---: |" * (len(names) + 1),
    ]
    for entry in result["sources"]:
        if not entry["rows"]:
            lines.append(
                f"| {entry['source']} | no evidence: no frame is determined | "
                f"{entry['scored_frames']:,} | |" + " |" * (len(names) + 1))
        for item in entry["rows"]:
            difference = item["difference"]
            lines.append(
                f"| {entry['source']} | {item['measure']} | {item['frames']:,} | "
                f"{counted(item['clusters'], item['cluster'])} | "
                + " | ".join(cell(item["detectors"][name]) for name in names)
                + f" | {cell(difference, signed=True)} (`{difference['from']}`) |")
    return "\n".join(lines) + "\n"


def rounded(number):
    if isinstance(number, float):
        return float(f"{number:.5g}") + 0.0
    if isinstance(number, list):
        return [rounded(part) for part in number]
    if isinstance(number, dict):
        return {key: rounded(part) for key, part in number.items()}
    return number


def main():
    target, markdown, folder = (Path(argument) for argument in sys.argv[1:4])
    names = sys.argv[4:]
    folders = sorted(folder.iterdir())
    result = {
        "detectors": names,
        "interval": f"95 % percentiles of {RESAMPLES} resamples of the clusters, seed {SEED}",
        "sources": [source(path, names) for path in folders],
    }
    target.write_text(json.dumps(rounded(result), indent=1) + "\n")
    markdown.write_text(table(result))


if __name__ == "__main__":
    main()
