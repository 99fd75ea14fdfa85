#!/usr/bin/env python3
"""Sums up evaluations of films over time: false planks by activity, planks found by class and view, and delays.

    films_table.py RESULT.json TABLE.md FOLDER DETECTOR...

FOLDER holds DETECTOR.json and DETECTOR@steady.json, which `planklab evaluate --format json` wrote for the same
films, as the detector answers and with a debounce. Films come from `activities` and `slices` of these results. Only
the standard library is used; the same evaluations give the same bytes.
"""

import json
import sys
from pathlib import Path


def evaluations(folder, names):
    return {name: json.loads((folder / f"{name}.json").read_text())["result"] for name in names}


def false_planks(evaluation):
    """Per activity: the seconds of `none`, and those in which a plank is answered."""
    seconds = {}
    for entry in evaluation["activities"]:
        matrix = entry["confusion_seconds"]
        none = matrix["rows"][matrix["labels"].index("none")]
        if sum(none) > 0:
            seconds[entry["activity"]] = (sum(none), sum(none) - none[matrix["labels"].index("none")])
    return seconds


def matrices(evaluation, by):
    """Per value of a slice: seconds of the plank stream, rows by truth."""
    listed = evaluation["streams"]["plank"]["slices"]["listed"]
    return {entry["value"]: entry["scores"]["counts"]["confusion_seconds"] for entry in listed if entry["by"] == by}


def found(evaluation):
    """Per class and view: seconds of the truth, seconds found, seconds answered as another plank."""
    rows = {}
    for view, matrix in matrices(evaluation, "tag:view").items():
        for label, row in zip(matrix["labels"], matrix["rows"]):
            if label != "none" and sum(row) > 0:
                right = row[matrix["labels"].index(label)]
                none = row[matrix["labels"].index("none")]
                rows[(label, view)] = (sum(row), right, sum(row) - right - none)
    return rows


def delays(evaluation):
    over_time = evaluation["streams"]["plank"]["over_time"]
    result = {"false_plank_s": sum(one for _, one in false_planks(evaluation).values())}
    for name in ("detection", "release"):
        event = over_time[name]
        result[name] = {
            key: event[key] if not isinstance(event[key], dict) else None
            for key in ("changes", "hits", "observed", "early_share_of_hits", "p50_s", "p90_s")
        }
    return result


def seconds(number):
    return f"{number:.1f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def activities_table(results, names):
    by = {name: false_planks(results[name]) for name in names}
    first = by[names[0]]
    total = sum(one for one, _ in first.values())
    order = sorted(first, key=lambda activity: (-first[activity][0], activity))
    rows = [
        [activity, seconds(first[activity][0])] + [seconds(by[name][activity][1]) for name in names]
        for activity in order
    ]
    sums = [sum(one for _, one in by[name].values()) for name in names]
    rows.append(["all of `none`", seconds(total)] + [f"{seconds(one)} ({100 * one / total:.1f} %)" for one in sums])
    return table(["activity", "s of `none`"] + [f"`{name}`" for name in names], rows)


def found_table(results, names):
    by = {name: found(results[name]) for name in names}
    rows = []
    for key in sorted(by[names[0]]):
        total = by[names[0]][key][0]
        cells = []
        for name in names:
            _, right, other = by[name][key]
            cells.append(f"{100 * right / total:.1f}" + (f" ({100 * other / total:.1f})" if other / total >= 0.0005 else ""))
        rows.append([f"`{key[0]}`, {key[1]}", seconds(total)] + cells)
    return table(["class and view", "s"] + [f"`{name}`" for name in names], rows)


def delays_table(results, names):
    def cell(number, digits=2):
        return "-" if number is None else f"{number:.{digits}f}"

    rows = []
    for name in names:
        for suffix, words in (("", ""), ("@steady", ", dwell 0.3 s")):
            one = delays(results[name + suffix])
            detection, release = one["detection"], one["release"]
            rows.append([
                f"`{name}`{words}", seconds(one["false_plank_s"]),
                f"{detection['hits']} of {detection['changes']}",
                "-" if detection["early_share_of_hits"] is None else f"{100 * detection['early_share_of_hits']:.0f}",
                cell(detection["p50_s"]), cell(detection["p90_s"]),
                f"{release['hits']} of {release['changes']}", cell(release["p50_s"]), cell(release["p90_s"]),
            ])
    return table(
        ["detector", "false plank, s", "planks answered", "early, % of observed starts", "onset p50, s", "p90, s",
         "planks released", "release p50, s", "p90, s"], rows)


def rounded(number):
    if isinstance(number, float):
        return float(f"{number:.5g}") + 0.0
    if isinstance(number, (list, tuple)):
        return [rounded(part) for part in number]
    if isinstance(number, dict):
        return {key: rounded(part) for key, part in number.items()}
    return number


def main():
    target, markdown, folder = (Path(argument) for argument in sys.argv[1:4])
    names = sys.argv[4:]
    results = evaluations(folder, names + [f"{name}@steady" for name in names])
    target.write_text(json.dumps({
        name: rounded({
            "false_planks_s": false_planks(result),
            "found_s": {f"{label}, {view}": entry for (label, view), entry in found(result).items()},
            "delays": delays(result),
        }) for name, result in results.items()
    }, indent=1, sort_keys=True) + "\n")
    markdown.write_text("\n".join(
        ["Seconds in which a plank is answered while the truth is `none`:", ""] + activities_table(results, names)
        + ["", "Share of a class's seconds found, in percent; in parentheses the share answered as another plank:", ""]
        + found_table(results, names)
        + ["", "Delays against the starts and ends that the film shows:", ""] + delays_table(results, names)) + "\n")


if __name__ == "__main__":
    main()
