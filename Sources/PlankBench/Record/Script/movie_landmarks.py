"""Finds the person in the frames of a movie with MediaPipe and writes tables of landmarks.

    python3 -I movie_landmarks.py MOVIE WORLD.csv IMAGE.csv EVERY START END MODEL

`planklab record --with mediapipe` runs it; this file is built into the program. MODEL is a bundle for
MediaPipe's Pose Landmarker. If it is empty, the model in the wheel is taken: mediapipe 0.10.21 is the
last version that carries one.

WORLD.csv gets world landmarks (meters, x right, y down, z smaller when nearer; the origin is
between the hips), IMAGE.csv landmarks as shares of the picture; an empty name leaves one out. Both
have a row per frame: a label that says nothing, the frame's presentation time in seconds since the
beginning of the track, and NAME_x, NAME_y, NAME_z, NAME_v of 33 landmarks, empty where nobody is
found. EVERY takes one of so many frames, from START to before END (seconds; END may be empty).

The output has one JSON object per line: {"share": 0.5} while it works; at the end {"summary":
...}, or {"failure": {"kind": KIND, "text": ..., "python": "3.13.0", "is_environment": true}} and an exit
status of 1. KIND is "package", "no_model", "model" or "movie".
"""

import contextlib
import hashlib
import json
import os
import re
import sys
import zipfile

# What libraries print goes to the log, only messages go to the output.
messages = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(2, 1)
os.environ.setdefault("GLOG_minloglevel", "2")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

NUMBERS = 4  # per landmark: x, y, z, visibility
STEP = 0.01  # the share of a movie between two messages
PYTHON = ".".join(map(str, sys.version_info[:3]))
# What a bundle for the Pose Landmarker holds.
MODELS = {"pose_detector.tflite", "pose_landmarks_detector.tflite"}
NAMES = (
    "nose left_eye_inner left_eye left_eye_outer right_eye_inner right_eye right_eye_outer left_ear "
    "right_ear mouth_left mouth_right left_shoulder right_shoulder left_elbow right_elbow left_wrist "
    "right_wrist left_pinky right_pinky left_index right_index left_thumb right_thumb left_hip right_hip "
    "left_knee right_knee left_ankle right_ankle left_heel right_heel left_foot_index right_foot_index"
).split()

# How files of movies begin. Anything else is refused, above all a playlist that is called a movie: the
# decoder would open the files and addresses that it names.
BEGINNINGS = re.compile(
    rb"....(ftyp|moov|mdat|wide|free|skip)"  # MP4, QuickTime
    rb"|\x1aE\xdf\xa3"  # Matroska, WebM
    rb"|RIFF....AVI "
    rb"|\0\0\1[\xba\xb3]"  # MPEG
    rb"|G.{187}G",  # MPEG transport stream
    re.DOTALL)


def say(**message):
    print(json.dumps(message), file=messages, flush=True)


def fail(kind, text):
    say(failure={
        "kind": kind, "text": text, "python": PYTHON, "is_environment": sys.prefix != sys.base_prefix})
    sys.exit(1)


def libraries():
    try:
        import cv2
        import mediapipe
    except (ImportError, OSError) as error:
        fail("package", str(error))
    return cv2, mediapipe


@contextlib.contextmanager
def wheel_model(mediapipe):
    """Gives what finds world and image landmarks in a picture, with the model in the wheel."""
    solutions = getattr(mediapipe, "solutions", None)
    if not hasattr(solutions, "pose"):
        fail("no_model", f"mediapipe {mediapipe.__version__} has no model in its package")
    with solutions.pose.Pose(model_complexity=1) as detector:
        def find(picture, _):
            result = detector.process(picture)
            return [found and found.landmark
                    for found in (result.pose_world_landmarks, result.pose_landmarks)]

        yield find


@contextlib.contextmanager
def bundled_model(mediapipe, content):
    """As `wheel_model`, with the models of a bundle."""
    import numpy

    tasks = mediapipe.tasks
    try:
        landmarker = tasks.vision.PoseLandmarker.create_from_options(tasks.vision.PoseLandmarkerOptions(
            base_options=tasks.BaseOptions(model_asset_buffer=content),
            running_mode=tasks.vision.RunningMode.VIDEO))
    except Exception as error:  # of many classes, by the status that the library has
        # The class itself is for a library of the system that is missing.
        fail("package" if type(error) is OSError else "model", str(error).partition("\n")[0].rstrip("."))
    last = -1
    with landmarker:
        def find(picture, time):
            nonlocal last
            last = max(last + 1, round(time * 1000))  # whole milliseconds, which must grow
            # MediaPipe takes the memory of a view for that of a whole picture.
            image = mediapipe.Image(
                image_format=mediapipe.ImageFormat.SRGB, data=numpy.ascontiguousarray(picture))
            result = landmarker.detect_for_video(image, last)
            return [next(iter(people), None)
                    for people in (result.pose_world_landmarks, result.pose_landmarks)]

        yield find


def bundle(path):
    """What is in a file with models."""
    try:
        with zipfile.ZipFile(path) as file:
            missing = sorted(MODELS - set(file.namelist()))
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, zipfile.BadZipFile) as error:
        fail("model", f"it cannot be read as a bundle of models: {error}")
    if missing:
        fail("model", f"it is no bundle for the Pose Landmarker, as it lacks {', '.join(missing)}")
    return content


def frames(cv2, movie, every, start, end):
    """The chosen frames as (time, picture or None), with the share of the movie that is read."""
    with open(movie, "rb") as file:
        beginning = file.read(256)
    if not BEGINNINGS.match(beginning):
        fail("movie", "it is no movie of a known kind (MP4, QuickTime, Matroska, WebM, AVI, MPEG)")
    capture = cv2.VideoCapture(movie, cv2.CAP_FFMPEG)
    if not capture.isOpened():
        fail("movie", "it cannot be opened as a movie")
    # Otherwise the pictures of a phone in portrait lie on their side.
    capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
    total = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    read = place = 0
    while capture.grab():
        read += 1
        time = round(capture.get(cv2.CAP_PROP_POS_MSEC) * 1000) / 1e6
        if time < start:
            continue
        if end is not None and time >= end:
            return
        place += 1
        if (place - 1) % every == 0:
            found, picture = capture.retrieve()
            yield time, picture if found else None, read / total if total > 0 else 0
    if total > 0 and read < 0.9 * total:
        yield None, read, total


def row(time, landmarks, count):
    if landmarks is None:
        values = [""] * (NUMBERS * count)
    else:
        values = [f"{number:.6f}" for point in landmarks
                  for number in (point.x, point.y, point.z, point.visibility)]
    return ",".join(["frame", f"{time:.6f}", *values]) + "\n"


def main():
    movie, *tables, every, start, end, model = sys.argv[1:]
    content = bundle(model) if model else None
    cv2, mediapipe = libraries()
    header = ",".join(["label", "seconds"] + [
        f"{name}_{axis}" for name in NAMES for axis in "xyzv"]) + "\n"
    files = [open(table, "w", encoding="ascii") if table else None for table in tables]
    for file in filter(None, files):
        file.write(header)
    summary = {
        "frames": 0, "found": 0, "repeated": 0, "without_picture": 0, "width": 0, "height": 0,
        "read": 0, "announced": 0, "version": mediapipe.__version__, "python": PYTHON,
        "model": hashlib.sha256(content).hexdigest() if content else None}
    last, said = None, 0.0
    with bundled_model(mediapipe, content) if content else wheel_model(mediapipe) as find:
        for time, picture, share in frames(
                cv2, movie, int(every), float(start), float(end) if end else None):
            if time is None:
                summary["read"], summary["announced"] = picture, int(share)
                break
            if last is not None and time <= last:
                summary["repeated"] += 1
                continue
            last = time
            summary["frames"] += 1
            world = image = None
            if picture is None:
                summary["without_picture"] += 1
            else:
                summary["height"], summary["width"] = picture.shape[:2]
                world, image = find(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), time)
            summary["found"] += bool(world)
            for file, landmarks in zip(files, (world, image)):
                if file:
                    file.write(row(time, landmarks or None, len(NAMES)))
            if share - said >= STEP:
                said = share
                say(share=share)
    for file in filter(None, files):
        file.close()
    say(summary=summary)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(1)  # the program that asked for this is gone
