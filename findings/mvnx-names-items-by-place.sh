#!/usr/bin/env bash
# The guess: MVNX("walk.mvnx") of mvnx gives the item <acceleration> of every frame as .acceleration, and an item that
# was left out of the export as empty.
# The truth: the names of the items are not read. They are given by place, in an order that the package has built in.
# What an export holds is chosen item by item; one left out moves the names of all later ones: accelerations are called
# velocity, and the center of mass is called acceleration. An item that the package doesn't know moves them the other
# way. Shapes fit, for most items are three numbers per segment. Nothing is raised or warned.
# Version: mvnx 0.2, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (one segment; velocity not exported): <acceleration> 7 8 9 is .velocity; <centerOfMass> 4 5 6 is .acceleration;
# .centerOfMass is empty. With all of its items and jointAngleErgoXZY, .centerOfMass is the angles 31 32 33.
# Who is hurt: who takes speeds or the center of mass from a recording of a suit: the numbers are another quantity's.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps mvnx==0.2 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from mvnx.models import MVNX

print("mvnx", importlib.metadata.version("mvnx"))


def read(items):
    tags = "".join(f"<{name}>{values}</{name}>" for name, values in items.items())
    kinds = ["identity", "tpose", "tpose-isb", "normal"]
    frames = "".join(f'<frame type="{kind}" time="0" index="0" tc="0" ms="0">{tags}</frame>' for kind in kinds)
    with open("walk.mvnx", "w") as stream:
        stream.write(
            '<mvnx xmlns="http://www.xsens.com/mvn/mvnx" version="4"><mvn version="2021" build="1"/><comment/>'
            '<subject label="P" frameRate="60" segmentCount="1" recDate="-" configuration="-" userScenario="-">'
            '<comment/><segments><segment id="1" label="Pelvis"/></segments><sensors/><joints/>'
            f"<ergonomicJointAngles/><footContactDefinition/><frames>{frames}</frames></subject>"
            '<securityCode code="-"/></mvnx>')
    recording = MVNX("walk.mvnx")
    result = {name: values.ravel().tolist() for name in recording.mapping if (values := getattr(recording, name)).size}
    print("in the file", items, "read", result)
    return result


pose = {"orientation": "1 0 0 0", "position": "1 2 3"}
full = read({**pose, "velocity": "0 0 1", "acceleration": "7 8 9"})
assert full["velocity"] == [0, 0, 1] and full["acceleration"] == [7, 8, 9], "changed: the package's own order"
part = read({**pose, "acceleration": "7 8 9", "centerOfMass": "4 5 6"})
assert part["velocity"] == [7, 8, 9] and part["acceleration"] == [4, 5, 6], "changed: names by place"
assert "centerOfMass" not in part, "changed: the center of mass"
names = ["velocity", "acceleration", "angularVelocity", "angularAcceleration", "footContacts", "sensorFreeAcceleration",
         "sensorMagneticField", "sensorOrientation", "jointAngle", "jointAngleXZY", "jointAngleErgo"]
more = read({**pose, **dict.fromkeys(names, "0 0 0"), "jointAngleErgoXZY": "31 32 33", "centerOfMass": "4 5 6"})
assert more["centerOfMass"] == [31, 32, 33], "changed: an unknown item"
print("as stated: what an item is called depends on which others were exported")
END_PYTHON
