#!/usr/bin/env bash
# The guess: compute_joint_angles(df, joints) of dlc2kinematics computes the angles of the table that it is given, and,
# as by default it saves them, writes them to a file.
# The truth: the file is named after the network (the scorer), not after the recording, and lies in the working folder.
# If it is there, it is read instead, even if it was written by another table; so of all recordings of one network, each
# gets the angles of the first. A line is printed that the file is read; that it is another recording's isn't said or
# checked, and neither is its number of frames.
# Version: dlc2kinematics 0.0.7, tables 3.11.1, numpy 1.24.4, pandas 1.5.3 (PyPI). Run with Python 3.11.
# Seen (a bent leg for 3 frames, then a straight one for 5 frames, same network): 53.1 degrees for 3 frames, both times;
# with save=False 53.1 and 0.0 degrees for 3 and 5 frames.
# Who is hurt: who goes through a folder of recordings in a loop, as one does: everyone moves like the first person.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps dlc2kinematics==0.0.7 numpy==1.24.4 pandas==1.5.3 scipy==1.15.3 \
  scikit-learn==1.2.1 scikit-kinematics==0.10.4 umap-learn==0.5.7 pynndescent==0.7.0 numba==0.68.1 llvmlite==0.50.0 \
  c3d==0.6.0 joblib==1.6.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 tqdm==4.70.1 ruamel.yaml==0.19.1 pyyaml==6.0.4 \
  sympy==1.14.0 mpmath==1.3.0 matplotlib==3.10.9 contourpy==1.3.2 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 \
  packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 six==1.17.0 pytz==2026.6 \
  tables==3.11.1 blosc2==2.7.1 msgpack==1.2.4 ndindex==1.10.1 numexpr==2.14.1 py-cpuinfo==9.0.0 \
  typing_extensions==4.16.0
venv/bin/python -W ignore::FutureWarning - <<'END_PYTHON'
import importlib.metadata
import dlc2kinematics
import pandas

print("dlc2kinematics", importlib.metadata.version("dlc2kinematics"))


def angles(ankle, frames, **options):
    places = {"hip": (0.0, 100.0), "knee": (0.0, 50.0), "ankle": ankle}
    table = pandas.DataFrame({
        ("network", joint, name): [value] * frames
        for joint, place in places.items() for name, value in zip(("x", "y", "likelihood"), (*place, 0.99))})
    table.columns.names = ["scorer", "bodyparts", "coords"]
    result = dlc2kinematics.compute_joint_angles(table, {"knee": list(places)}, **options)
    result = [round(float(value), 1) + 0 for value in result["knee"]]
    print("ankle at", ankle, "in", frames, "frames", options, "angles", result)
    return result


bent, straight = ((40.0, 20.0), 3), ((0.0, 0.0), 5)
assert angles(*bent, save=False) == [53.1] * 3, "changed: not saved, bent"
assert angles(*straight, save=False) == [0] * 5, "changed: not saved, straight"
assert angles(*bent) == [53.1] * 3, "changed: the first recording"
assert angles(*straight) == [53.1] * 3, "changed: the second recording"
print("as stated: the second recording has the angles and the length of the first")
END_PYTHON
