"""Finds the person in the frames of a movie with MediaPipe and writes tables of landmarks.

    python3 movie_landmarks.py MOVIE WORLD.csv IMAGE.csv EVERY START END

`planklab record --with mediapipe` runs it; this file is built into the program. It needs
mediapipe 0.10.21, the last version whose wheel carries the model, so that nothing is downloaded.

WORLD.csv gets world landmarks (meters, x right, y down, z smaller when nearer; the origin is
between the hips), IMAGE.csv landmarks as shares of the picture; an empty name leaves one out. Both
have a row per frame: a label that says nothing, the frame's presentation time in seconds since the
beginning of the track, and NAME_x, NAME_y, NAME_z, NAME_v of 33 landmarks, empty where nobody is
found. EVERY takes one of so many frames, from START to before END (seconds; END may be empty).

The output has one JSON object per line: {"share": 0.5} while it works; at the end {"summary":
...}, or {"failure": {"kind": "package" or "movie", "text": ...}} and an exit status of 1.
"""

import json
import os
import re
import sys

# The folder in which the user happens to be must not lend its modules to the program.
sys.path[:] = [folder for folder in sys.path if folder not in ("", os.getcwd())]
# What libraries print goes to the log, only messages go to the output.
messages = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(2, 1)
os.environ.setdefault("GLOG_minloglevel", "2")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

NUMBERS = 4  # per landmark: x, y, z, visibility
STEP = 0.01  # the share of a movie between two messages

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
    say(failure={"kind": kind, "text": text})
    sys.exit(1)


def libraries():
    try:
        import cv2
        import mediapipe
    except ImportError as error:
        fail("package", str(error))
    solutions = getattr(mediapipe, "solutions", None)
    if not hasattr(solutions, "pose"):
        fail("package", f"mediapipe {mediapipe.__version__} has no model in its package")
    return cv2, mediapipe, solutions.pose


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
        values = [f"{number:.6f}" for point in landmarks.landmark
                  for number in (point.x, point.y, point.z, point.visibility)]
    return ",".join(["frame", f"{time:.6f}", *values]) + "\n"


def main():
    movie, *tables, every, start, end = sys.argv[1:]
    cv2, mediapipe, pose = libraries()
    names = [landmark.name.lower() for landmark in pose.PoseLandmark]
    header = ",".join(["label", "seconds"] + [
        f"{name}_{axis}" for name in names for axis in "xyzv"]) + "\n"
    files = [open(table, "w", encoding="ascii") if table else None for table in tables]
    for file in filter(None, files):
        file.write(header)
    summary = {
        "frames": 0, "found": 0, "repeated": 0, "without_picture": 0, "width": 0, "height": 0,
        "read": 0, "announced": 0, "version": mediapipe.__version__,
        "python": ".".join(map(str, sys.version_info[:3]))}
    last, said = None, 0.0
    with pose.Pose(model_complexity=1) as detector:
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
            result = None
            if picture is None:
                summary["without_picture"] += 1
            else:
                summary["height"], summary["width"] = picture.shape[:2]
                result = detector.process(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
            world = result and result.pose_world_landmarks
            summary["found"] += bool(world)
            for file, landmarks in zip(files, (world, result and result.pose_landmarks)):
                if file:
                    file.write(row(time, landmarks or None, len(names)))
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
