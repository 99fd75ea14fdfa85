#!/usr/bin/env python3
"""Sums up what experiments and detectors say under other error models and on real recordings.

    analysis.py RESULT.json TABLE.md FOLDER

FOLDER holds tuned/EXPERIMENT@DATA.json, which `planklab tune` wrote, and judged/DATA@DETECTOR.json and
steady/DATA@VARIANT.json, which `planklab evaluate --format json` wrote. Only the standard library is used.
"""

import json
import sys
from pathlib import Path

NAMES = ("phone", "vision3d", "mediapipe", "real")


def parts(folder):
    """The files of a folder with both halves of their names, by experiment, then phone first."""
    found = [(*path.stem.split("@"), json.loads(path.read_text())) for path in folder.glob("*.json")]
    return sorted(found, key=lambda part: [NAMES.index(word) if word in NAMES else word for word in part[:2]])


def tuned(name, data, result):
    """What tuning says of each stream: a score, what it found, what new people gain, and whether to change."""
    rows = []
    for stream in result["evidence"]["result"]["streams"]:
        found = stream["found"]
        values = {fact["parameter"]: fact["value"] for fact in found["parameters"]}
        if not stream["plateau"]:
            continue
        axes = [axis["parameter"] for axis in stream["plateau"]["axes"]]
        check, goal = stream["validation"]["held_out"], stream["objective"]
        interval = check.get("change_interval")
        rows.append({
            "experiment": name, "data": data, "stream": stream["stream"], "detector": found["detector"],
            "verdict": stream["decision"]["verdict"],
            "found": {axis: values[axis] for axis in axes}, "as_published": goal["starting_point"],
            "with_found": goal["found"], "gain_held_out": check["change"],
            "interval": [interval["lower"], interval["upper"]] if interval else None,
            "plateau": {axis["parameter"]: [axis["from"], axis["to"]] for axis in stream["plateau"]["axes"]},
        })  # fmt: skip
    return rows


def balanced(confusion):
    recalls = [row[code] / sum(row) for code, row in enumerate(confusion) if sum(row)]
    return sum(recalls) / len(recalls) if recalls else None


def slices(evaluation, stream, tag):
    listed = evaluation["streams"][stream]["slices"]["listed"]
    return {item["value"]: item["scores"]["counts"] for item in listed if item["by"] == f"tag:{tag}"}


def judged(data, detector, evaluation):
    """Accuracy by how the phone stands, and the share of false planks by what else people do."""
    row = {"data": data, "detector": detector}
    for stream in ("plank", "form"):
        row[stream] = {"all": balanced(evaluation["streams"][stream]["counts"]["confusion_seconds"]["rows"])}
        for value, item in slices(evaluation, stream, "orientation").items():
            row[stream][value] = balanced(item["confusion_seconds"]["rows"])
    # What is called none, posture by posture; sessions of a posture also have moments of others.
    row["false_planks"] = {
        value: 1 - none[0] / sum(none)
        for value, item in slices(evaluation, "plank", "hard_negative").items()
        if sum(none := item["confusion"]["rows"][0])}
    row["planks_in_motion"] = {
        value: sum(line[code] for code, line in enumerate(item["confusion"]["rows"]) if code)
        / sum(sum(line) for code, line in enumerate(item["confusion"]["rows"]) if code)
        for value, item in slices(evaluation, "plank", "activity").items()}
    return row


def steady(data, variant, evaluation):
    row = {"data": data, "variant": variant}
    for stream in ("plank", "form"):
        row[stream] = {
            name: None if isinstance(value := evaluation["metrics"][f"{stream}.{name}"], dict) else value
            for name in ("false_transitions_per_minute", "detection_latency_p50_s", "balanced_accuracy")}
    return row


def number(value, digits=3):
    return "-" if value is None else f"{value:.{digits}f}"


def text(value):
    return f"{value:.4g}"


def table(result):
    lines = ["| experiment | data | stream | as published | found | with it | gain on new people | answer |"]
    lines += ["| --- | --- | --- | ---: | --- | ---: | ---: | --- |"]
    for row in result["tuning"]:
        chosen = ", ".join(f"`{axis}` {text(value)}" for axis, value in row["found"].items())
        low, high = row["interval"] or (None, None)
        lines.append(
            f"| {row['experiment']} | {row['data']} | {row['stream']} | {number(row['as_published'])} | {chosen} | "
            f"{number(row['with_found'])} | {number(row['gain_held_out'])} ({number(low)} to {number(high)}) | "
            f"{row['verdict'].replace('_', ' ')} |")
    stands = ["portrait", "landscapeLeft", "landscapeRight", "all"]
    lines += ["", "| balanced accuracy by how the phone stands | data | " + " | ".join(stands) + " |"]
    lines += ["| --- | --- |" + " ---: |" * len(stands)]
    for stream in ("plank", "form"):
        for row in result["detectors"]:
            cells = " | ".join(number(row[stream].get(stand)) for stand in stands)
            lines.append(f"| `{row['detector']}`, {stream} | {row['data']} | {cells} |")
    titles = (("false planks, %; under 5 left out", "false_planks"), ("planks in motion found, %", "planks_in_motion"))
    for title, key in titles:
        names = sorted({name for row in result["detectors"] for name, share in row[key].items() if share >= 0.05})
        heads = [f"`{row['detector']}`, {row['data']}" for row in result["detectors"]]
        lines += ["", f"| {title} | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(heads)]
        for name in names:
            shares = (row[key].get(name) for row in result["detectors"])
            cells = " | ".join("-" if share is None else f"{100 * share:.0f}" for share in shares)
            lines.append(f"| `{name}` | {cells} |")
    head = "| what steadies the answers | data | false plank changes/min | form | form answered after | plank, form |"
    lines += ["", head]
    lines += ["| --- | --- | ---: | ---: | ---: | ---: |"]
    for row in result["steadiness"]:
        plank, form = row["plank"], row["form"]
        lines.append(
            f"| {row['variant']} | {row['data']} | {number(plank['false_transitions_per_minute'], 1)} | "
            f"{number(form['false_transitions_per_minute'], 1)} | {number(form['detection_latency_p50_s'], 2)} s | "
            f"{number(plank['balanced_accuracy'])}, {number(form['balanced_accuracy'])} |")
    return "\n".join(lines) + "\n"


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.5g}") + 0.0
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return {key: rounded(part) for key, part in value.items()} if isinstance(value, dict) else value


def main():
    target, markdown, folder = (Path(argument) for argument in sys.argv[1:4])
    result = {
        "schema_version": 1,
        "tuning": [row for part in parts(folder / "tuned") for row in tuned(*part)],
        "detectors": [judged(*names, told["result"]) for *names, told in parts(folder / "judged")],
        "steadiness": [steady(*names, told["result"]) for *names, told in parts(folder / "steady")]}
    target.write_text(json.dumps(rounded(result), indent=1) + "\n")
    markdown.write_text(table(result))


if __name__ == "__main__":
    main()
