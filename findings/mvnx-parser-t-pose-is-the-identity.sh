#!/usr/bin/env bash
# The guess: tpose and tpose_isb of mvnx-parser are the header frames of these types, as its documentation says; so a
# segment's turn since the T-pose is its orientation in a frame against the one in tpose["orientation"].
# The truth: all three are looked up with the type "identity". There every segment is unturned, so the "T-pose" has no
# turned feet or arms and no height of the pelvis, whatever the file says. Nothing is raised or warned.
# Version: mvnx-parser 0.0.5 (PyPI). Run with Python 3.11.
# Seen (one segment): identity at 0 0 0, tpose at 0 0 0.95 turned by 90 degrees, tpose-isb at 0 0.95 0: read, all three
# are at 0 0 0 and not turned. The frames of the movement are right.
# Who is hurt: who takes joint angles relative to the T-pose of a calibrated suit: they are relative to no pose that the
# person took.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps mvnx-parser==0.0.5
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import mvnx_parser

print("mvnx-parser", importlib.metadata.version("mvnx-parser"))
poses = {
    "identity": ("1 0 0 0", "0 0 0"),
    "tpose": ("0.7071 0 0 0.7071", "0 0 0.95"),
    "tpose-isb": ("0.7071 0.7071 0 0", "0 0.95 0"),
    "normal": ("0.9239 0 0 0.3827", "1 2 0.93"),
}
frames = "".join(
    f'<frame type="{kind}" time="0" index="0"><orientation>{orientation}</orientation>'
    f"<position>{position}</position></frame>" for kind, (orientation, position) in poses.items())
with open("walk.mvnx", "w") as stream:
    stream.write(
        '<mvnx xmlns="http://www.xsens.com/mvn/mvnx" version="4"><mvn version="2021" build="1"/>'
        '<subject label="P" frameRate="60" segmentCount="1"><segments><segment id="1" label="Pelvis"/></segments>'
        f"<frames>{frames}</frames></subject></mvnx>")
recording = mvnx_parser.Mvnx_p("walk.mvnx")


def plain(frame):
    return " ".join(frame["orientation"][0]), " ".join(frame["position"][0])


read = {
    "identity": plain(recording.identity),
    "tpose": plain(recording.tpose),
    "tpose-isb": plain(recording.tpose_isb),
    "normal": plain(recording.frames[0]),
}
for kind, pose in poses.items():
    print(kind, "in the file", pose, "read", read[kind])
assert read["identity"] == poses["identity"] and read["normal"] == poses["normal"], "changed: what was right"
assert read["tpose"] == read["tpose-isb"] == poses["identity"], "changed: the T-pose"
print("as stated: the T-pose that is read is the pose in which nothing is turned")
END_PYTHON
