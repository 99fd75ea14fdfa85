#!/usr/bin/env python3
"""How much of what a real source teaches about another one, the studio teaches as well.

    analysis.py PLANKLAB WORK RESULT.json TABLE.md EXPERIMENT SOURCES RECORDINGS

Limits are tuned on each real source in turn, on a studio with the errors of that source (`planklab synthesize
--errors-from`), and on studios with the errors of presets; each other real source says what they are worth there.
EXPERIMENT is experiments/studio-transfer, SOURCES the folder of datasets that scripts/experiments makes, and RECORDINGS
that of the real recordings. Only the standard library is used.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

PRESETS = ["phone", "vision3d", "mediapipe"]
# A gain of fewer points of balanced accuracy has no share.
LEAST_GAIN = 0.01
RESAMPLES = 1000
# What the image detector calls the limits that `coach` has in space.
IN_THE_IMAGE = {"coach_sag_angle": "profile_sag_angle", "coach_pike_angle": "profile_pike_angle"}


class Stream:
    """A question: its experiment, its detector, and the real sources that have its labels, by name. `teachers` choose
    limits for the others (all, unless named); `flat` sources have 2D poses."""

    def __init__(self, detector, experiment, metric, sources, flat=(), teachers=()):
        self.detector, self.experiment, self.metric = detector, experiment, metric
        self.name = f"{'form' if metric.startswith('form') else 'planks'}, `{detector}`"
        self.sources, self.flat, self.teachers = sources, flat, teachers or sources


def run(planklab, *arguments, allowed=(0,)):
    """What a command writes to stdout; None if it ends with an exit code that is allowed but not 0."""
    done = subprocess.run([planklab, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in allowed:
        sys.exit(f"planklab {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout if done.returncode == 0 else None


def streams(sources, recordings):
    films = {"films": recordings / "films"}
    clips = {"clips": sources / "clips", **films}
    planks = {**films, "yoga photos": sources / "yoga", "push-up photos": sources / "pushup-photos",
              "gym photos": sources / "gym-photos"}  # fmt: skip
    form, plank = "form.balanced_accuracy", "plank.balanced_accuracy"
    app_users = {"app users": recordings / "app-users"}
    # Photos have no errors over time that a studio could take over: they judge, but do not teach.
    return [
        Stream("coach", "form.yaml", form, {**clips, **app_users}, set(app_users)),
        Stream("gravity", "form-in-meters.yaml", form, clips),
        Stream("coach", "planks-of-coach.yaml", plank, planks, teachers=films),
        Stream("gravity", "planks-of-gravity.yaml", plank, planks, teachers=films),
    ]


def make_studios(planklab, experiment, work, banks):
    """A studio for each preset, and for each source that has errors over time, by name. None where a source has no
    errors that can be replayed."""
    script = (experiment / "studio.yaml").read_text()
    made = {}
    for preset in PRESETS:
        path = work / f"{preset}.yaml"
        path.write_text(script.replace("preset: clean", f"preset: {preset}"))
        run(planklab, "synthesize", path, "--output", work / f"studio-{preset}")
        made[preset] = work / f"studio-{preset}"
    for source, dataset in banks.items():
        place = work / f"studio-of-{source.replace(' ', '-')}"
        written = run(planklab, "synthesize", experiment / "studio.yaml", "--errors-from", dataset, "--output", place,
                      allowed=(0, 64, 65))  # fmt: skip
        made[f"bank: {source}"] = None if written is None else place
    return made


def chosen(planklab, stream, experiment, dataset, is_flat, work, name):
    """The limits that a dataset chooses, by the axes' names."""
    teacher = name.replace(" ", "-").replace(":", "")
    place = work / "chosen" / f"{stream.experiment.removesuffix('.yaml')}@{teacher}.json"
    place.parent.mkdir(exist_ok=True)
    axes = axes_of(experiment / stream.experiment)
    arguments = ["tune", experiment / stream.experiment, "--dataset", dataset,
                 "--take", stream.metric.split(".")[0], "--thresholds", place]
    if is_flat:
        flat = work / "form-in-the-image.yaml"
        text = (experiment / stream.experiment).read_text().replace("detector: coach", "detector: profile")
        for key, other in IN_THE_IMAGE.items():
            text = text.replace(key, other)
        flat.write_text(text)
        arguments[1] = flat
    run(planklab, *arguments)
    parameters = json.loads(place.read_text())["evidence"]["result"]["parameters"]
    values = {item["parameter"]: item["value"] for item in parameters}
    return {key: values[IN_THE_IMAGE[key] if is_flat else key] for key in axes}


def axes_of(experiment):
    lines = experiment.read_text().splitlines()
    return [line.split(":")[0].strip() for line in lines[lines.index("axes:") + 1 :] if line.startswith("  ")]


def side(stream, limits, is_flat):
    """A detector with limits, as `compare` takes it."""
    detector = "profile" if is_flat else stream.detector
    values = [f"{IN_THE_IMAGE[key] if is_flat else key}={value}" for key, value in limits.items()]
    return " ".join([detector, *values, "plank_frames=1", "form_frames=1"])


def compared(planklab, stream, dataset, sides):
    """What every teacher's limits are worth on a dataset, by name, and what those of the first teacher gain against
    them: the difference and its 95 % interval, paired by person."""
    unequal = list(dict.fromkeys(sides.values()))
    if len(unequal) == 1:
        unequal.append(unequal[0] + " hold_seconds=0.5")
    written = run(planklab, "compare", dataset, *unequal, "--resamples", RESAMPLES, "--format", "json")
    result = json.loads(written)["result"]
    worth, gains = {}, {result["reference"]: [0, 0, 0]}
    for pair in result["pairs"]:
        metric = next(item for item in pair["comparison"]["metrics"] if item["metric"] == stream.metric)
        worth[result["reference"]], worth[pair["name"]] = metric["before"], metric["after"]
        # With few people, or no difference, there is one kind of interval or none.
        found = [kind for kind in (metric["interval"] or {}).values() if isinstance(kind, dict) and "upper" in kind]
        widest = max(found, key=lambda kind: kind["upper"] - kind["lower"], default=None)
        bounds = [round(-widest[side], 4) for side in ("upper", "lower")] if widest else [None, None]
        gains[pair["name"]] = [round(-metric["difference"], 4), *bounds]
    return {name: worth[side] for name, side in sides.items()}, {name: gains[side] for name, side in sides.items()}


def answered(planklab, stream, experiment, studios, work):
    """A row per ordered pair of real sources: balanced accuracy on the second by who chose the limits."""
    limits = {"untuned": {}}
    for name, dataset in [*stream.sources.items(), *studios.items()]:
        if dataset is not None and (name in stream.sources or name in PRESETS or name[6:] in stream.sources):
            limits[name] = chosen(planklab, stream, experiment, dataset, name in stream.flat, work, name)
    rows = []
    for source in stream.teachers:
        for target, dataset in stream.sources.items():
            if source == target:
                continue
            bank = f"bank: {source}"
            names = [*([bank] if bank in limits else []), "untuned", *PRESETS, source, target]
            sides = {name: side(stream, limits[name], target in stream.flat) for name in names}
            worth, gains = compared(planklab, stream, dataset, sides)
            words = {bank: "bank", source: "real", target: "itself"}
            row = {"stream": stream.name, "source": source, "target": target}
            row["scores"] = {words.get(name, name): round(value, 4) for name, value in worth.items()}
            if bank in limits:
                row["gains_of_bank"] = {words.get(name, name): gains[name] for name in names if name != bank}
            row["share"] = share(row["scores"])
            rows.append(row)
    return limits, rows


def share(scores):
    """Which part of the gain of a real source the bank reaches; None where there is no gain, or no bank."""
    gain = scores["real"] - scores["untuned"]
    if "bank" not in scores or gain < LEAST_GAIN:
        return None
    return round((scores["bank"] - scores["untuned"]) / gain, 2)


COLUMNS = ["untuned", "real", "bank", *PRESETS, "itself"]


def table(rows, limits):
    heads = ["untuned", "real source", "bank of it", *(f"`{preset}`" for preset in PRESETS), "tuned on it"]
    lines = ["| limits of | taught by | judged on | " + " | ".join(heads) + " | share | bank - best preset (95 %) |"]
    lines += ["|---|---|---|" + "---:|" * (len(heads) + 2)]
    for row in rows:
        cells = [f"{row['scores'][name]:.3f}" if name in row["scores"] else "-" for name in COLUMNS]
        cells.append("-" if row["share"] is None else f"{row['share']:.2f}")
        cells.append("-")
        if "gains_of_bank" in row:
            best = max(PRESETS, key=lambda preset: row["scores"][preset])
            gain, low, high = row["gains_of_bank"][best]
            cells[-1] = f"{gain:.3f}" + ("" if low is None else f" ({low:.3f} to {high:.3f})")
        lines.append(f"| {row['stream']} | {row['source']} | {row['target']} | {' | '.join(cells)} |")
    for stream in dict.fromkeys(row["stream"] for row in rows):
        # The mean is over the pairs that have everything, so that its columns are of the same pairs.
        whole = [row["scores"] for row in rows if row["stream"] == stream and "bank" in row["scores"]]
        if whole:
            means = [f"{statistics.mean(scores[name] for scores in whole):.3f}" for name in COLUMNS]
            lines.append(f"| {stream} | mean of {len(whole)} pairs with a bank | | {' | '.join(means)} | | |")
    lines += ["", "Limits that each teacher chose:", "", "| limits of | taught by | limits |", "|---|---|---|"]
    for stream, teachers in limits.items():
        for name, values in teachers.items():
            if values:
                words = ", ".join(f"`{key}` {value:g}" for key, value in values.items())
                lines.append(f"| {stream} | {name} | {words} |")
    return "\n".join(lines) + "\n"


def main():
    planklab, work, result, page, experiment, sources, recordings = sys.argv[1], *map(Path, sys.argv[2:])
    work.mkdir(exist_ok=True)
    asked = streams(sources, recordings)
    banks = {name: dataset for stream in asked for name, dataset in stream.sources.items()}
    studios = make_studios(planklab, experiment, work, banks)
    limits, rows = {}, []
    for stream in asked:
        limits[stream.name], found = answered(planklab, stream, experiment, studios, work)
        rows += found
    content = {"schema_version": 1, "rows": rows, "limits": limits}
    result.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")
    page.write_text(table(rows, limits))


if __name__ == "__main__":
    main()
