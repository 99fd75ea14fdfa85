#!/usr/bin/env bash
# The guess: detect_events finds foot strikes by the feet's distance from the sacrum along the walking direction (Zeni),
# which it computes from the hips, so it does not matter which way the person walks through the room.
# The truth: the markers are turned by the unsigned angle between the walking direction and x, always counterclockwise.
# Headings of 0 to -180 degrees come to lie on x. A heading of 45 degrees comes to lie on y, where x shows no steps. If
# the result points backward, the feet are mirrored but the sacrum is not, so the walked distance is added.
# Version: gaitalytics 0.2.2, pyomeca 2026.0.2, ezc3d 1.7.2, xarray 2026.9.0 (PyPI). Run with Python 3.11.
# Seen (the same walk, right foot strikes at 0.6, 1.8 ..., left at 1.2, 2.4 ...): right at headings of 0, -45, -60, 90
# and 180 degrees; at 40 degrees both feet strike at 0.6, 1.8 ...; at 60 degrees no event at all, and check_events is
# silent.
# Who is hurt: who records walking in a room whose axes are not those of the walkway: one direction is right, the other
# diagonal is not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet xarray==2026.9.0 pandas==3.1.1 numpy==2.4.6 scipy==1.17.1 ezc3d==1.7.2 \
  matplotlib==3.11.2 pyyaml==6.0.4 h5netcdf==1.8.2
venv/bin/pip install --quiet --no-deps pyomeca==2026.0.2 gaitalytics==0.2.2
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import math
import pathlib
import numpy
import xarray
from gaitalytics import api, model

print("gaitalytics", importlib.metadata.version("gaitalytics"))
names = ["l_heel", "r_heel", "l_toe", "r_toe", "l_ant_hip", "r_ant_hip", "l_post_hip", "r_post_hip", "sacrum"]
pathlib.Path("map.yaml").write_text("mapping:\n  markers:\n" + "".join(f"    {name}: {name}\n" for name in names))
config = api.load_config("map.yaml")
time = numpy.arange(600) / 100


def step(lag, half):
    return 0.35 * numpy.cos(2 * math.pi * (time - lag) / 1.2 + half)


def walk(degrees):
    """A walk at 1.2 m/s, a step every 0.6 s; ahead and to the left, turned into the room."""
    body, sway, ground = 1.2 * time, 0.02 * step(0, 0) / 0.35, 0 * time
    places = dict(sacrum=(body - 0.1, sway, ground + 0.95))
    for side, left, half in (("l", 1, 0), ("r", -1, math.pi)):
        places[f"{side}_heel"] = (body + step(0, half) - 0.05, left * 0.1 + ground, ground + 0.05)
        places[f"{side}_toe"] = (body + step(0.12, half) + 0.15, left * 0.1 + ground, ground + 0.05)
        places[f"{side}_ant_hip"] = (body + 0.1, left * 0.12 + sway, ground + 0.95)
        places[f"{side}_post_hip"] = (body - 0.1, left * 0.05 + sway, ground + 0.95)
    ahead, aside, up = numpy.array([places[name] for name in names]).swapaxes(0, 1)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    markers = xarray.DataArray(
        numpy.stack([cosine * ahead - sine * aside, sine * ahead + cosine * aside, up]),
        dims=["axis", "channel", "time"], coords=dict(axis=["x", "y", "z"], channel=names, time=time),
        attrs=dict(rate=100.0))
    trial = model.Trial()
    trial.add_data(model.DataCategory.MARKERS, markers)
    return trial


def strikes(degrees):
    events = api.detect_events(walk(degrees), config)
    found = events[events["label"] == "Foot Strike"]
    seen = [found[found["context"] == side]["time"].round(2).tolist() for side in ("Right", "Left")]
    try:
        api.check_events(events)
        said = "check_events is content"
    except ValueError:
        said = "check_events complains"
    print(f"heading {degrees}: right {seen[0]}, left {seen[1]}; {said}")
    return *seen, said


right = strikes(0)
assert right[0] == [0.6, 1.8, 3, 4.2, 5.4] and right[1] == [1.2, 2.4, 3.6, 4.8], "changed: a walk along x"
for heading in (-45, -60, 90, 180):
    assert strikes(heading) == right, f"changed: heading {heading}"
assert strikes(40)[:2] == (right[0], right[0]), "changed: heading 40"
assert strikes(60) == ([], [], "check_events is content"), "changed: heading 60"
print("as stated: the same walk has other steps, or none, when it heads elsewhere")
END_PYTHON
