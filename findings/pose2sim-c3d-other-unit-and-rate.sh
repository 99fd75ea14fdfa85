#!/usr/bin/env bash
# The guess: c3d_to_trc writes the same positions, in the unit that the TRC's header names, at the rate of the C3D, and
# leaves gaps empty.
# The truth: millimeters are divided by 1000 and `Units` says mm still. A rate is cut to a whole number, in the header
# and in the column of times, which starts at one step and not at 0. A point of residual -1, missing, is written like
# one that was seen. Nothing is warned.
# Version: pose2sim 0.10.49, c3d (py-c3d) 0.6.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (a hip at 900 mm, 29.97 Hz, 900 frames): Units mm and 0.9; rate 29; last time 31.034 s instead of 29.997 s.
# Who is hurt: who reads the header: the body is 1.8 mm tall; and who labels by time: labels of half a minute of video
# are a second off at its end (3.3 %), at 59.94 Hz half of that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pose2sim==0.10.49 c3d==0.6.0 numpy==2.4.6
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import warnings
import c3d
import numpy
from Pose2Sim.Utilities import c3d_to_trc

warnings.filterwarnings("ignore", message="No analog data")
print("pose2sim", importlib.metadata.version("pose2sim"), "c3d", importlib.metadata.version("c3d"))
writer = c3d.Writer(point_rate=29.97, point_units="mm  ")
writer.set_point_labels(["hip", "knee"])
for frame in range(900):
    residual = -1 if frame == 5 else 0
    points = numpy.array([[900, 800, 700, 0, 0], [500, 500, 500, residual, 0]], numpy.float32)
    writer.add_frames([(points, numpy.zeros((0, 0)))])
with open("session.c3d", "wb") as stream:
    writer.write(stream)
with open("session.c3d", "rb") as stream:
    reader = c3d.Reader(stream)
    rate, unit = reader.point_rate, reader.get("POINT").get("UNITS").string_value.strip()
    residual = list(reader.read_frames())[5][1][1, 3]
print(f"the C3D says {rate:.2f} Hz, {unit}; residual of the knee in the sixth frame {residual:.0f}")
assert abs(rate - 29.97) < 1e-3 and unit == "mm" and residual == -1, "changed: the C3D that is made here"

c3d_to_trc.c3d_to_trc_func("session.c3d")
with open("session.trc") as stream:
    lines = stream.read().splitlines()
header = dict(zip(lines[1].split("\t"), lines[2].split("\t")))
rows = [[float(cell) for cell in line.split("\t")] for line in lines[5:]]
print("the TRC says", header["DataRate"], "Hz,", header["Units"], "and holds", rows[0], "to", rows[-1])
print("its sixth frame:", rows[5])
assert header["Units"] == "mm" and abs(rows[0][2] - 0.9) < 1e-6, "changed: unit and numbers agree"
assert header["DataRate"] == "29", "changed: the rate in the header"
assert abs(rows[0][1] - 1 / 29) < 1e-6 and abs(rows[-1][1] - 900 / 29) < 1e-6, "changed: the times"
assert abs(rows[5][5] - 0.5) < 1e-6, "changed: the missing knee"
print("as stated: meters called mm, 29 Hz for 29.97, and a missing knee like one that was seen")
END_PYTHON
