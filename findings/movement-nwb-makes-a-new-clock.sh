#!/usr/bin/env bash
# The guess: an NWB file holds a time stamp for every frame, so movement reads from it the times that it wrote there.
# The truth: to_nwb_file writes them right; from_nwb_file takes no more from them than the median of their steps, and
# counts frames from 0 at that rate. So a cut starts at 0, and frames that were left out close up: all after them comes
# earlier. Without a frame rate the time stamps are frame numbers, and are read as seconds. Nothing is warned.
# Version: movement 0.15.0 (the last for Python 3.11), pynwb 4.2.0, ndx-pose 0.4.0 (PyPI). Run with Python 3.11.
# Seen (30 Hz; seconds 1 to 2 and 3 to 4 of a session): time stamps 1.0 ... 1.967, 3.0 ... 3.967; times read 0.0 to
# 1.967 without a step.
# Who is hurt: who keeps only the frames with a person in them and labels by time: here labels are off by 1 s, then 2 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps movement==0.15.0 \
  attrs==26.1.0 h5py==3.16.0 hdmf==6.2.0 imageio==2.38.1 jsonschema==4.26.0 jsonschema-specifications==2025.9.1 \
  lazy-loader==0.6 loguru==0.7.3 ndx-pose==0.4.0 numpy==2.4.6 packaging==26.4 pandas==3.1.1 pillow==13.0.0 \
  platformdirs==4.14.9 pynwb==4.2.0 python-dateutil==4.0.0 pyyaml==6.0.4 referencing==0.37.0 rpds-py==2026.9.1 \
  ruamel.yaml==0.19.1 simplejson==4.3.0 sleap-io==0.9.5 tqdm==4.70.1 typing_extensions==4.16.0 xarray==2026.9.0
venv/bin/python - <<'END_PYTHON'
import datetime
import importlib.metadata
import warnings
import numpy
import pynwb
from movement.io import load_poses, save_poses
from movement.io.nwb import NWBFileSaveConfig

warnings.filterwarnings("error", module="movement")
print(*(f"{name} {importlib.metadata.version(name)}" for name in ("movement", "pynwb", "ndx-pose")))
noon = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)
config = NWBFileSaveConfig(nwbfile_kwargs={"session_start_time": noon})
x = numpy.arange(120.0)[:, None, None, None] * numpy.ones((1, 2, 1, 1))


def trip(rate):
    session = load_poses.from_numpy(
        x, numpy.ones((120, 1, 1)), individual_names=["person"], keypoint_names=["hip"], fps=rate)
    seen = session.isel(time=[*range(30, 60), *range(90, 120)])
    with pynwb.NWBHDF5IO("seen.nwb", "w") as stream:
        stream.write(save_poses.to_nwb_file(seen, config))
    with pynwb.NWBHDF5IO("seen.nwb", "r") as stream:
        poses = stream.read().processing["behavior"]["PoseEstimation"]
        stamps = numpy.array(poses.pose_estimation_series["hip"].timestamps)
    again = load_poses.from_nwb_file("seen.nwb")
    assert (again.position.values == seen.position.values).all(), "changed: the positions"
    picked = [0, 29, 30, 59]
    print(f"rate {rate}: times in the dataset {seen.time.values[picked].round(3).tolist()}, time stamps in the file",
          f"{stamps[picked].round(3).tolist()}, read {again.time.values[picked].round(3).tolist()} {again.time_unit}")
    return seen.time.values, stamps, again


times, stamps, again = trip(30)
assert numpy.allclose(stamps, times) and numpy.isclose(stamps[30], 3), "changed: the time stamps in the file"
assert numpy.allclose(again.time.values, numpy.arange(60) / 30, atol=1e-3), "changed: the times in the file are read"
times, stamps, again = trip(None)
assert stamps.tolist() == times.tolist() and again.time_unit == "seconds", "changed: frames stay frames"
assert again.time.values.tolist() == list(range(60)), "changed: frame numbers are not read as seconds from 0"
print("as stated: the file has the times, and what is read from it has others")
END_PYTHON
