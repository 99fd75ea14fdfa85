#!/usr/bin/env bash
# The guess: pupyC3D reads both kinds of C3D files that the format has, with positions as floats and as signed integers
# times a scale, and gives the positions that other readers give.
# The truth: the integers are read without a sign. So every negative coordinate comes back as 65,536 times the scale too
# large. A missing point, marked by -1 in its fourth word, has there a large positive number, so nothing marks it as
# missing. Files with floats are read right. Nothing is raised or warned.
# Version: pupyC3D 0.1.3, c3d (py-c3d) 0.6.0, ezc3d 1.7.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (scale 0.1 mm; a hip at 100, -200, 900, then at -100, 200, -5): 100, 6353.6, 900, then 6453.6, 200, 6548.6; the
# missing heel 0, 0, 0 and 6553.5. py-c3d and ezc3d read -200, -100 and -5, and the heel as missing.
# Who is hurt: who reads older recordings, mostly integers: a limb that crosses an axis of the room jumps by 6.5 m.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pupyc3d==0.1.3 c3d==0.6.0 ezc3d==1.7.2 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import struct
import warnings
import c3d
import ezc3d
import numpy
from pupyC3D import C3DFile

warnings.filterwarnings("ignore", message="missing parameter|No analog data")
print("pupyc3d", importlib.metadata.version("pupyc3d"), "c3d", importlib.metadata.version("c3d"),
      "ezc3d", importlib.metadata.version("ezc3d"))
scale, rate = 0.1, 30
hip = [[100, -200, 900], [-100, 200, -5]]
heel = [None, [50, 60, 70]]


def entry(name, group, body):
    return struct.pack("<bb", len(name), group) + name.encode() + struct.pack("<H", 2 + len(body)) + body


def parameter(name, kind, sizes, data):
    return entry(name, 1, struct.pack("<bB", kind, len(sizes)) + bytes(sizes) + data + b"\0")


def write(path, floats):
    stored = -scale if floats else scale
    group = entry("POINT", -1, b"\0") + parameter("USED", 2, [], struct.pack("<h", 2)) \
        + parameter("FRAMES", 2, [], struct.pack("<h", 2)) + parameter("SCALE", 4, [], struct.pack("<f", stored)) \
        + parameter("RATE", 4, [], struct.pack("<f", rate)) + parameter("DATA_START", 2, [], struct.pack("<h", 3)) \
        + parameter("LABELS", -1, [4, 2], b"hip heel") + parameter("UNITS", -1, [2], b"mm")
    header = struct.pack("<BBHHHHHfHHf", 2, 80, 2, 0, 1, 2, 0, stored, 3, 0, rate)
    data = b""
    for joints in zip(hip, heel):
        for joint in joints:
            values = [*(joint or [0, 0, 0]), 0 if joint else -1]
            if not floats:
                values = [round(value / scale) for value in values[:3]] + values[3:]
            data += struct.pack("<4f" if floats else "<4h", *values)
    parameters = bytes([1, 80, 1, 84]) + group + b"\0\0"
    with open(path, "wb") as stream:
        stream.write(header.ljust(512, b"\0") + parameters.ljust(512, b"\0") + data.ljust(512, b"\0"))


def read(path):
    points = C3DFile(path).data["POINTS"]
    with open(path, "rb") as stream:
        other = [points for _, points, _ in c3d.Reader(stream).read_frames()]
    third = ezc3d.c3d(path)["data"]["points"]
    for frame in range(2):
        assert numpy.allclose(other[frame][0, :3], hip[frame]), "changed: py-c3d reads something else"
        assert numpy.allclose(third[:3, 0, frame], hip[frame]), "changed: ezc3d reads something else"
    assert other[0][1, 3] == -1 and numpy.isnan(third[:3, 1, 0]).all(), "changed: the others see the missing heel"
    return points["hip"][:, :3].round(1).tolist(), points["heel"][0].round(1).tolist()


write("floats.c3d", True)
write("integers.c3d", False)
floats, integers = read("floats.c3d"), read("integers.c3d")
print("floats: hip", floats[0], "missing heel", floats[1])
print("integers: hip", integers[0], "missing heel", integers[1])
assert floats == (hip, [0, 0, 0, -1]), "changed: a file with floats"
assert integers == ([[100, 6353.6, 900], [6453.6, 200, 6548.6]], [0, 0, 0, 6553.5]), "changed: a file with integers"
print("as stated: of integers the minus is lost")
END_PYTHON
