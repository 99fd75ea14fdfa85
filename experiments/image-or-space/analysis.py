#!/usr/bin/env python3
"""What a third dimension is worth: hip angles from pixels, from normalized points, and from 3D joints.

    analysis.py PLANKLAB OUTPUT [RECORDINGS]

Bodies, cameras, projections and errors are the studio's (`planklab synthesize`). The angles without errors are also
taken from `planklab measure`, in space and in pixels, which must agree. Writes result.json, azimuth.svg and sag.svg into OUTPUT, and real.json if the
folder of real recordings is given. Needs the standard library only.
"""

import json
import math
import statistics
import subprocess
import sys
import tempfile
from bisect import bisect_left
from csv import DictReader
from pathlib import Path

BENDS = [0, -5, -9, -15, 12]
AZIMUTHS = list(range(0, 91, 10))
DISTANCES = [0.8, 1, 1.5, 2, 3, 4]
HEIGHTS = [0.1, 0.3, 0.8, 1.2, 1.4]
SAGS_CM = [3, 5, 8]
#: Hip offsets for the detection of sag, between those that are asked for.
OFFSETS = [round(-0.125 + 0.01 * index, 3) for index in range(17)]
WIDTH, HEIGHT = 1080, 1920
#: Pixels are those of a 1080x1920 image with 69 degrees across, on a sensor that cuts nothing off.
SENSOR = 4500, 8000
KINDS = ["pixels", "normalized", "space"]
CHANGE_S = 0.2
#: A detector of image points, to measure with.
PIXELS = Path(__file__).resolve().with_name("pixels.yaml")


# Angles.

def middle(joints, name):
    left, right = joints["left" + name], joints["right" + name]
    return [(a + b) / 2 for a, b in zip(left, right)]


def line(joints, hips="hips"):
    """Shoulders, hips (the middle of both, or the joint `root`) and ankles; None where one is missing."""
    try:
        root = joints["root"] if hips == "root" else middle(joints, "Hip")
        return [middle(joints, "Shoulder"), root, middle(joints, "Ankle")]
    except KeyError:
        return None


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def angle(points):
    """The angle at the hips in degrees, 0 to 180; None where it is undefined."""
    shoulders, hips, ankles = points
    a, b = minus(shoulders, hips), minus(ankles, hips)
    lengths = math.sqrt(dot(a, a) * dot(b, b))
    return math.degrees(math.acos(max(-1, min(1, dot(a, b) / lengths)))) if lengths > 0 else None


def signed_angle(points, up):
    """180 and more where the hips are above the line, less below; None where up is no help."""
    shoulders, hips, ankles = points
    along = minus(ankles, shoulders)
    length = math.sqrt(dot(along, along))
    if not length:
        return None
    along = [x / length for x in along]
    normal = [u - dot(up, along) * x for u, x in zip(up, along)]
    if dot(normal, normal) < 0.2 ** 2:
        return None
    bend = 180 - angle(points)
    return 180 + math.copysign(bend, dot(minus(hips, shoulders), normal))


# The studio.

class Studio:
    """Forearm planks by the studio, one hold after the other."""

    def __init__(self, planklab):
        self.planklab = planklab

    def run(self, *arguments):
        done = subprocess.run([self.planklab, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"planklab {arguments[0]}: {done.stderr}")

    def frames(self, offsets, recording, azimuth=90, distance=2, height=0.3, pitch=0, noise="clean", seconds=1.0,
               rate=10, seed=1, detector=None):
        """A list per offset of (joints, up) of frames, or of bodyAngle if there is a detector to measure with."""
        holds = "".join(
            f"  - {{posture: forearm, duration_s: {seconds}, form: {{hip_offset_m: {offset}, knee_flexion_deg: 0}}}}\n"
            for offset in offsets)
        script = f"""seed: {seed}
subject: {{height_m: 1.75, proportion_spread: 0, asymmetry: 0}}
camera: {{distance_m: {distance}, azimuth_deg: {azimuth}, height_m: {height}, pitch_deg: {pitch}, aim: subject,
  buffer: upright, gravity: true, image_short_side_px: {SENSOR[0]}, image_long_side_px: {SENSOR[1]}}}
clock: {{rate_hz: {rate}}}
output: {{recording: {recording}, skeleton: anatomical, height: measured}}
noise: {{preset: {noise}}}
motion: {{sway_m: 0, tremor_m: 0, late_tremor_m: 0, breath_at_spine_m: 0, breath_at_root_m: 0}}
transitions: {{correction_s: {CHANGE_S}}}
holds:
{holds}"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            (path / "script.yaml").write_text(script)
            self.run("synthesize", path / "script.yaml", "--output", path / "data")
            if detector:
                self.run("measure", path / "data", "--detector", detector, "--output", path / "tables")
                table = next(table for table in sorted((path / "tables").rglob("*.csv"))
                             if not {"spectra", "allan"} & set(table.parts))
                rows = [(float(row["t"]), float(row["bodyAngle_deg"])) for row in DictReader(open(table))]
            else:
                rows = list(poses(next((path / "data").rglob("*.poses.jsonl"))))
        holds = [[] for _ in offsets]
        for time, value in rows:
            hold, rest = divmod(time, seconds + CHANGE_S)
            if hold < len(offsets) and 0.05 < rest < seconds - 0.05 and value is not None:
                holds[int(hold)].append(value)
        return holds


def poses(path):
    """(time, (joints, up)) of every frame of a recording; None in place of a pose that is missing."""
    with open(path) as lines:
        header = json.loads(next(lines))
        names, up = header["joints"], header.get("up", [0, 1, 0])
        for text in lines:
            frame = json.loads(text)
            numbers = frame["p"]
            if numbers is None:
                yield frame["t"], None
                continue
            size = len(numbers) // len(names)
            joints = {name: numbers[size * i:size * i + size] for i, name in enumerate(names)
                      if numbers[size * i] is not None}
            yield frame["t"], (joints, frame.get("up", up))


def upward(points):
    """Pixels with y up instead of down."""
    return [[x, -y] for x, y in points]


def normalized(points):
    """Shares of width and height, whose units differ: the trap."""
    return [[x / WIDTH, y / HEIGHT] for x, y in points]


def views(joints, kind):
    """The line of a frame of pixels as pixels or as shares; None unless every joint is in front of the camera."""
    points = line(joints) if len(joints) == 17 else None
    if points is None:
        return None
    points = upward(points)
    return normalized(points) if kind == "normalized" else points


def line_of(joints, kind, hips):
    """The line of a frame with errors: of 3D joints, or of shares of the sensor as pixels or as shares of the image."""
    points = line(joints, hips)
    if points is None or kind == "space":
        return points
    points = [[x * SENSOR[0], y * SENSOR[1]] for x, y in points]
    return normalized(points) if kind == "normalized" else points


def offsets_of(studio):
    """The hip offset of each bend, by the secant method on the studio's 3D joints, and the angle that it gives."""
    def bend(offset):
        joints, _ = studio.frames([offset], "camera")[0][0]
        return math.copysign(180 - angle(line(joints)), offset)
    found = {}
    for wanted in BENDS:
        low, high = 0.0, 0.0055 * wanted
        if wanted:
            for _ in range(3):
                a, b = (0 if low == 0 else bend(low)), bend(high)
                if abs(b - wanted) < 0.02 or a == b:
                    break
                low, high = high, round(high + (wanted - b) * (high - low) / (b - a), 4)
        found[wanted] = high
    return found


#: Height of the root of a straight forearm plank of 1.75 m above the floor, as the studio stands it.
ROOT_HEIGHT = 0.2757


def pitch_at_root(height, distance, root_height):
    """From the studio's aim, 0.3 m above the floor, to the root."""
    return math.degrees(math.atan2(root_height - height, distance) - math.atan2(0.3 - height, distance))


def noise_free(studio, offsets):
    """True angles by bend, their largest change with the view, and angles in the image by view."""
    holds = [offsets[bend] for bend in BENDS]
    true = [angle(line(hold[0][0])) for hold in studio.frames(holds, "camera")]
    rows, spread = [], 0
    for azimuth in AZIMUTHS:
        space = [angle(line(hold[0][0])) for hold in studio.frames(holds, "camera", azimuth)]
        spread = max(spread, max(abs(a - b) for a, b in zip(true, space)))
        for distance in DISTANCES:
            for height in HEIGHTS:
                pitch = pitch_at_root(height, distance, ROOT_HEIGHT)
                for bend, hold in zip(BENDS, studio.frames(holds, "coco17", azimuth, distance, height, pitch)):
                    joints = hold[0][0] if hold else {}  # nobody is in front of the camera
                    row = {"bend": bend, "azimuth": azimuth, "distance": distance, "height": height,
                           "fits": fits(joints)}
                    for kind in KINDS[:2]:
                        points = views(joints, kind)
                        row[kind] = points and angle(points)
                    rows.append(row)
    return true, spread, rows


def require_agreement(studio, offsets):
    """Ends the program unless `planklab measure` has the same angles, in space and in pixels."""
    holds = [offsets[bend] for bend in BENDS]
    for azimuth in (90, 60, 30):
        for recording, detector in [("camera", "gravity"), ("coco17", PIXELS)]:
            own = [angle(line(hold[0][0])) for hold in studio.frames(holds, recording, azimuth)]
            measured = [hold[0] for hold in studio.frames(holds, recording, azimuth, detector=detector)]
            difference = max(abs(a - b) for a, b in zip(own, measured))
            if difference > 0.01:
                sys.exit(f"{recording}, azimuth {azimuth}: planklab measure differs by {difference} degrees")


def fits(joints):
    """Whether every limb joint is in the image of 1080 by 1920."""
    limbs = [joints.get(side + part) for side in ("left", "right")
             for part in ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle")]
    return all(point and abs(point[0] - SENSOR[0] / 2) <= WIDTH / 2 and abs(point[1] - SENSOR[1] / 2) <= HEIGHT / 2
               for point in limbs)


def noisy(studio, offsets, true):
    """RMSE and bias of the angle by azimuth: 4 px in the image; 1 cm across and 2.5 cm in depth in space; 2 m.

    Once with the middle of both hips, whose errors partly cancel, and once with the single joint `root`.
    """
    holds = [offsets[bend] for bend in BENDS]
    rows = {"hips": [], "root": []}
    for azimuth in NOISY_AZIMUTHS:
        image = studio.frames(holds, "vision2d", azimuth, noise="article", seconds=40, rate=30, seed=11)
        space = studio.frames(holds, "camera", azimuth, noise="article", seconds=40, rate=30, seed=12)
        for hips, found in rows.items():
            row = {"azimuth": azimuth}
            for kind in KINDS:
                by_bend = {}
                for bend, reference, frames in zip(BENDS, true, space if kind == "space" else image):
                    points = [line_of(frame[0], kind, hips) for frame in frames]
                    errors = [angle(point) - reference for point in points if point]
                    by_bend[bend] = {"bias": statistics.fmean(errors), "rmse": rms(errors)}
                row[kind] = {
                    "by_bend": by_bend,
                    "bias": statistics.fmean(part["bias"] for part in by_bend.values()),
                    "rmse": math.sqrt(statistics.fmean(part["rmse"] ** 2 for part in by_bend.values())),
                }
            found.append(row)
    return rows


NOISY_AZIMUTHS = list(range(90, -1, -5))


def rms(values):
    return math.sqrt(statistics.fmean(value * value for value in values))


def crossover(rows, better="space", worse="pixels"):
    """The azimuth below which space has the smaller error for the rest of the way to 0, interpolated."""
    rows = sorted(rows, key=lambda row: -row["azimuth"])
    for before, after in zip(rows, rows[1:]):
        gaps = [row[worse]["rmse"] - row[better]["rmse"] for row in (before, after)]
        if gaps[0] < 0 <= gaps[1]:
            share = gaps[0] / (gaps[0] - gaps[1])
            return before["azimuth"] + share * (after["azimuth"] - before["azimuth"])
    return None


def detection(studio):
    """F1 of finding sags of at least so many centimeters by the signed angle, by azimuth."""
    exact = [signed_angle(line(hold[0][0]), hold[0][1]) for hold in studio.frames(OFFSETS, "camera")]

    def limit(sag_cm):
        """The angle of a sag, between those of the offsets beside it."""
        wanted = -sag_cm / 100
        index = bisect_left(OFFSETS, wanted)
        share = (wanted - OFFSETS[index - 1]) / (OFFSETS[index] - OFFSETS[index - 1])
        return exact[index - 1] + share * (exact[index] - exact[index - 1])

    rows = []
    for azimuth in AZIMUTHS[::-1]:
        image = studio.frames(OFFSETS, "vision2d", azimuth, noise="article", seconds=8, rate=30, seed=21)
        space = studio.frames(OFFSETS, "camera", azimuth, noise="article", seconds=8, rate=30, seed=22)
        angles = {kind: [[signed(frame, kind) for frame in hold] for hold in (space if kind == "space" else image)]
                  for kind in KINDS}
        row = {"azimuth": azimuth}
        for kind in KINDS:
            row[kind] = {sag: f1(angles[kind], [offset < -sag / 100 for offset in OFFSETS], limit(sag))
                         for sag in SAGS_CM}
        rows.append(row)
    return {sag: limit(sag) for sag in SAGS_CM}, rows


def signed(frame, kind):
    points = line_of(frame[0], kind, "hips")
    return points and signed_angle(points, frame[1] if kind == "space" else [0, 1])


def f1(holds, truths, limit):
    """The F1 score of angles below a limit; an undefined angle is no sag."""
    hits = false = missed = 0
    for angles, is_sag in zip(holds, truths):
        found = sum(1 for value in angles if value is not None and value < limit)
        if is_sag:
            hits, missed = hits + found, missed + len(angles) - found
        else:
            false += found
    return 2 * hits / (2 * hits + false + missed)


# Real recordings.

BINS = [(0, 30), (30, 60), (60, 75), (75, 91)]


def estimated_azimuth(points):
    """The angle between the body and the direction of view, 0 to 90, by the joints themselves."""
    along = minus(points[2], points[0])
    return math.degrees(math.atan2(math.hypot(along[0], along[1]), abs(along[2])))


def real(studio, recordings, folder):
    """How far the angle in the image and in space agree, by source and by estimated azimuth."""
    data = Path(recordings)
    sources = {}
    for depth, suffix in [("1", ""), ("anatomical", ", depth corrected")]:
        clips = Path(folder) / f"clips-{depth}"
        maps = {}
        for name in ("exercise-correction/clips.map.yaml", "pushup-photos.map.yaml"):
            maps[name] = Path(folder) / name.replace("/", f"-{depth}-")
            maps[name].write_text((Path("datasets") / name).read_text() + f"depth: {depth}\n")
        studio.run("import", *sorted((data / "exercise-correction/history").glob("*.csv")), "--map",
                   maps["exercise-correction/clips.map.yaml"], "--output", clips)
        photos = Path(folder) / f"photos-{depth}"
        studio.run("import", data / "kalatz/train.csv", "--map", maps["pushup-photos.map.yaml"],
                   "--label", "pushups_down=none", "--output", photos)
        sources["Exercise-Correction, forearm clips" + suffix] = (clips, None, "image")
        sources["push-up photos (Kalatz), high" + suffix] = (photos, {"high"}, "image")
    planks = {"high", "forearm", "reverse", "sideLeft", "sideRight"}
    sources["yoga photos, planks"] = (data / "stills/yoga", planks, "world")
    sources["films, planks"] = (data / "films", planks, "world")
    return [compared(name, *source) for name, source in sources.items()]


def compared(name, folder, labels, landmarks):
    bins = {f"{low}-{min(high, 90)}": [] for low, high in BINS}
    everything = []
    for path in sorted(Path(folder).rglob("*.poses.jsonl")):
        spans = labels_of(path)
        for time, frame in poses(path):
            if labels is not None and not any(start <= time < end and label in labels for start, end, label in spans):
                continue
            points = frame and line(frame[0])
            if not points:
                continue
            flat = [point[:2] for point in points]
            pair = angle(flat), angle(points)
            if None in pair:
                continue
            azimuth = estimated_azimuth(points)
            key = next(f"{low}-{min(high, 90)}" for low, high in BINS if low <= azimuth < high)
            bins[key].append(pair)
            everything.append(pair)
    return {"source": name, "landmarks": landmarks, "all": agreement(everything),
            "by_azimuth": {key: agreement(pairs) for key, pairs in bins.items()}}


def labels_of(path):
    table = path.with_name(path.name.replace(".poses.jsonl", ".labels.csv"))
    rows = DictReader(open(table)) if table.exists() else []
    return [(float(row["start"]), float(row["end"]), row["plank"]) for row in rows]


def agreement(pairs):
    if len(pairs) < 10:
        return {"frames": len(pairs)}
    differences = sorted(image - space for image, space in pairs)
    quarter = statistics.quantiles(differences, n=4)
    return {"frames": len(pairs), "median": quarter[1], "quartiles": [quarter[0], quarter[2]],
            "within_5_deg": sum(abs(value) <= 5 for value in differences) / len(pairs)}


# Figures.

COLORS = {"pixels": "#0072b2", "normalized": "#a63a78", "space": "#b04a06"}
TITLES = {"pixels": "image, in pixels", "normalized": "image, in shares", "space": "3D joints"}


def figure(title, curves, unit, low, high, ticks):
    """Curves over the azimuth: (name, color, dash, [(azimuth, value)])."""
    width, height, left, top, right, bottom = 720, 420, 64, 48, 24, 120
    def x(azimuth):
        return left + (90 - azimuth) / 90 * (width - left - right)
    def y(value):
        return top + (high - min(max(value, low), high)) / (high - low) * (height - top - bottom)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' role="img" font-family="system-ui, \'Segoe UI\', Helvetica, Arial, sans-serif">', f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="26" font-size="15" font-weight="600" fill="#16181d">{title}</text>']
    for tick in ticks:
        parts.append(f'<path d="M{left} {y(tick):.1f}H{width - right}" stroke="#c9ced8"/>')
        parts.append(f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" font-size="12" text-anchor="end" fill="#565d6b">'
                     f"{tick:g}{unit}</text>")
    for azimuth in AZIMUTHS:
        parts.append(f'<text x="{x(azimuth):.1f}" y="{height - bottom + 20}" font-size="12" text-anchor="middle"'
                     f' fill="#565d6b">{azimuth}°</text>')
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - bottom + 40}" font-size="12"'
                 ' text-anchor="middle" fill="#565d6b">azimuth: 90° is a true side view, 0° is from the head</text>')
    for index, (name, color, dash, points) in enumerate(curves):
        path = "L".join(f"{x(azimuth):.1f} {y(value):.1f}" for azimuth, value in points)
        style = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2.5"{style}/>')
        column, row = index % 3, index // 3
        at, down = left + column * 212, height - bottom + 62 + row * 18
        parts.append(f'<path d="M{at} {down - 4}h22" stroke="{color}" stroke-width="2.5"{style}/>')
        parts.append(f'<text x="{at + 28}" y="{down}" font-size="12" fill="#16181d">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def draw(output, result):
    errors = result["noisy_at_2_m"]["hips"]["rows"]
    curves = [(TITLES[kind], COLORS[kind], "", [(row["azimuth"], row[kind]["rmse"]) for row in errors])
              for kind in KINDS]
    (output / "azimuth.svg").write_text(figure(
        "RMSE of the hip angle at 2 m, by the direction of view", curves, "°", 0, 30, [0, 5, 10, 15, 20, 25, 30]))
    dashes = {3: "2 4", 5: "", 8: "10 5"}
    curves = [(f"{TITLES[kind]}, {sag} cm", COLORS[kind], dashes[sag],
               [(row["azimuth"], row[kind][str(sag)]) for row in result["sag"]["f1"]])
              for sag in SAGS_CM for kind in KINDS]
    (output / "sag.svg").write_text(figure(
        "F1 of finding a sag at 2 m, by the direction of view", curves, "", 0, 1, [0, 0.25, 0.5, 0.75, 1]))


# Results.

def rounded(value):
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {str(key): rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, (list, tuple)) else value


def extremes(rows, kind, **where):
    """Mean, standard deviation, smallest and largest angle of the views that match."""
    values = [row[kind] for row in rows
              if row[kind] is not None and all(row[key] == value for key, value in where.items())]
    return {"views": len(values), "mean": statistics.fmean(values), "sd": statistics.pstdev(values),
            "least": min(values), "most": max(values)}


def summary(true, spread, rows):
    """The tables of the noise-free part."""
    def at(kind, bend=-9, azimuth=90, distance=2, height=0.3):
        return next(row[kind] for row in rows if (row["bend"], row["azimuth"], row["distance"], row["height"])
                    == (bend, azimuth, distance, height))
    level = 0.3
    return {
        "true_deg": dict(zip(BENDS, true)), "largest_difference_of_3d_between_views_deg": spread,
        "straight_body": {kind: extremes(rows, kind, bend=0) for kind in KINDS[:2]},
        "bent_9_deg": {
            kind: {
                "side_view_by_distance_m": {d: at(kind, distance=d) for d in DISTANCES},
                "by_azimuth_at_2_m": {a: at(kind, azimuth=a) for a in AZIMUTHS},
                "side_view_at_1_m_by_camera_height_m": {h: at(kind, distance=1, height=h) for h in HEIGHTS},
            } for kind in KINDS[:2]},
        "side_view_at_2_m_by_bend": {
            kind: {bend: at(kind, bend=bend) for bend in BENDS} for kind in KINDS[:2]},
        "views_in_which_the_whole_body_fits": {
            azimuth: [d for d in DISTANCES
                      if all(row["fits"] for row in rows
                             if (row["azimuth"], row["distance"], row["height"]) == (azimuth, d, level))]
            for azimuth in AZIMUTHS},
    }


def write(path, value):
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def main():
    studio, output = Studio(sys.argv[1]), Path(sys.argv[2])
    offsets = offsets_of(studio)
    require_agreement(studio, offsets)
    true, spread, rows = noise_free(studio, offsets)
    errors = noisy(studio, offsets, true)
    limits, sags = detection(studio)
    result = rounded({
        "schema_version": 1, "hip_offsets_mm": {bend: 1000 * offset for bend, offset in offsets.items()},
        "noise_free": summary(true, spread, rows),
        "noisy_at_2_m": {hips: {"rows": found, "crossover_azimuth_deg": crossover(found),
                                "crossover_against_normalized_deg": crossover(found, worse="normalized")}
                         for hips, found in errors.items()},
        "sag": {"limits_deg": limits, "f1": sags},
    })
    write(output / "result.json", result)
    draw(output, result)
    if len(sys.argv) > 3:
        with tempfile.TemporaryDirectory() as folder:
            write(output / "real.json", rounded(real(studio, sys.argv[3], folder)))


if __name__ == "__main__":
    main()
