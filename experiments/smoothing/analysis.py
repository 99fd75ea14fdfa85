#!/usr/bin/env python3
"""Sums up comparisons of smoothers into experiments/smoothing/result.json.

    analysis.py RESULT.json FOLDER... EVALUATION.json...

Reads the result.json of each folder, which `planklab smoothers compare --folder FOLDER` made, and the
evaluations, which `planklab evaluate --format json` wrote, and keeps what the conclusion rests on.
"""

import json
import sys
from pathlib import Path

ANSWERS = [
    "plank.event_f1",
    "plank.false_transitions_per_minute",
    "plank.flickers_per_minute",
    "plank.detection_latency_p50_s",
    "plank.detection_latency_p90_s",
    "plank.release_latency_p50_s",
    "form.balanced_accuracy",
    "form.event_f1",
    "form.false_transitions_per_minute",
    "session.hold_error_s",
]
NUMBERS = ["jitter_ratio", "spread_ratio", "lag_s", "white_gain", "colored_gain", "overshoot"]


def short(point):
    row = {"smoother": point["smoother"]}
    numbers = point["calm"] | point["delay"]
    row.update({name: number(numbers[name]) for name in NUMBERS})
    row.update({name: number(point["metrics"][name]) for name in ANSWERS if "metrics" in point})
    return row


def number(value):
    """A number, or None for one that is null with a reason."""
    return None if isinstance(value, dict) else value


def summary(envelope):
    report = envelope["result"]
    points = {point["smoother"]: point for point in report["points"]}
    causal = [point for point in report["points"] if point["causal"]]
    gains = [gain for point in causal if (gain := number(point["delay"]["colored_gain"])) is not None]
    return {
        "dataset": dataset(envelope),
        "detector": report["detector"],
        "target": report["target"],
        "lag_cost_per_s": report["lag_cost_per_s"],
        "best_trade": report.get("best_trade"),
        "front": [short(points[text]) for text in report["front"]],
        "raw": short(points["none"]),
        "colored_gain_range": [min(gains), max(gains)],
        "equal_lag": report["equal_lag"],
        "equal_jitter": report["equal_jitter"],
        "stress": [
            {"frames": row["frames"], **short(row["point"])} for row in report["stress"]
        ],
        "unsigned_angle": report["unsigned_angle"],
        "equal_terms": report["equal_terms"],
    }


def dataset(envelope):
    """What the comparison was made on."""
    report, identity = envelope["result"], envelope["dataset"]
    return {
        "frames": report["size"]["frames"],
        "hash": identity["hash"],
        "name": identity["name"],
        "rate_hz": report["rate_hz"],
        "sequences": report["size"]["sequences"],
        "split": identity.get("split"),
        "transitions": report["size"]["transitions"],
    }


def answers(evaluation):
    metrics = {key: number(value) for key, value in evaluation["result"]["metrics"].items()}
    return {
        "dataset": evaluation["dataset"]["name"],
        "smoothing": evaluation["provenance"]["smoothing"],
        "debounce": evaluation["provenance"]["debounce"],
        "plank.balanced_accuracy": metrics["plank.balanced_accuracy"],
        "plank.false_transitions_per_minute": metrics["plank.false_transitions_per_minute"],
        "plank.event_f1": metrics["plank.event_f1"],
        "form.balanced_accuracy": metrics["form.balanced_accuracy"],
        "form.false_transitions_per_minute": metrics["form.false_transitions_per_minute"],
        "form.detection_latency_p50_s": metrics["form.detection_latency_p50_s"],
        "form.detection_latency_p90_s": metrics["form.detection_latency_p90_s"],
    }


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, list):
        return [rounded(part) for part in value]
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return value


def main():
    target = Path(sys.argv[1])
    parts, evaluations = {}, []
    for path in map(Path, sys.argv[2:]):
        if path.is_dir():
            report = json.loads((path / "result.json").read_text("utf-8"))
            parts[path.name] = rounded(summary(report))
        else:
            evaluations.append(rounded(answers(json.loads(path.read_text("utf-8")))))
    content = {"schema_version": 1, "comparisons": parts, "debounced": evaluations}
    target.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
