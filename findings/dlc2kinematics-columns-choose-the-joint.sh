#!/usr/bin/env bash
# The guess: compute_joint_angles(df, {"knee": ["hip", "knee", "ankle"]}) of dlc2kinematics gives the angle at the
# second joint that is named, as in its documentation's example, for every table that has these joints.
# The truth: of the three, only which they are is used. Their order is that of the table's columns, so the angle is at
# whichever of them stands second there: one at the hip or the ankle, under the name "knee". The order of columns comes
# from the list in the configuration of the network. Nothing is warned.
# Version: dlc2kinematics 0.0.7, numpy 1.24.4, pandas 1.5.3 (PyPI). Run with Python 3.11.
# Seen (a leg bent by 53.1 degrees at the knee, three frames): columns hip, knee, ankle: 53.1; columns knee, hip, ankle
# or ankle, hip, knee: 153.4; columns hip, ankle, knee: 153.4 at the ankle; the names given the other way round: no
# change.
# Who is hurt: who sets thresholds on angles of joints and then trains a network with its joints in another order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps dlc2kinematics==0.0.7 numpy==1.24.4 pandas==1.5.3 scipy==1.15.3 \
  scikit-learn==1.2.1 scikit-kinematics==0.10.4 umap-learn==0.5.7 pynndescent==0.7.0 numba==0.68.1 llvmlite==0.50.0 \
  c3d==0.6.0 joblib==1.6.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 tqdm==4.70.1 ruamel.yaml==0.19.1 pyyaml==6.0.4 \
  sympy==1.14.0 mpmath==1.3.0 matplotlib==3.10.9 contourpy==1.3.2 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 \
  packaging==26.4 pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 six==1.17.0 pytz==2026.6
venv/bin/python -W ignore::FutureWarning - <<'END_PYTHON'
import importlib.metadata
import dlc2kinematics
import pandas

print("dlc2kinematics", importlib.metadata.version("dlc2kinematics"))
places = {"hip": (0.0, 100.0), "knee": (0.0, 50.0), "ankle": (40.0, 20.0)}


def angle(columns, names=("hip", "knee", "ankle")):
    table = pandas.DataFrame({
        ("network", joint, name): [value] * 3
        for joint in columns for name, value in zip(("x", "y", "likelihood"), (*places[joint], 0.99))})
    table.columns.names = ["scorer", "bodyparts", "coords"]
    angles = dlc2kinematics.compute_joint_angles(table, {"knee": list(names)}, save=False)
    result = round(float(angles["knee"].mean()), 1)
    print("columns", columns, "names", names, "angle", result)
    return result


assert angle(["hip", "knee", "ankle"]) == angle(["ankle", "knee", "hip"]) == 53.1, "changed: the knee in between"
assert angle(["knee", "hip", "ankle"]) == angle(["ankle", "hip", "knee"]) == 153.4, "changed: the hip in between"
assert angle(["hip", "ankle", "knee"]) == 153.4, "changed: the ankle in between"
assert angle(["hip", "knee", "ankle"], ("knee", "hip", "ankle")) == 53.1, "changed: the order of names counts"
print("as stated: the table decides at which joint the angle is")
END_PYTHON
