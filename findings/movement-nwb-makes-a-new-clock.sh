#!/usr/bin/env bash
# The guess: an NWB file holds a time stamp for every frame, so movement reads the times from it that it wrote there.
# The truth: to_nwb_file writes them right; from_nwb_file reads them for the median of their steps only, and counts
# frames from 0 at that rate. So a cut starts at 0, and frames that were left out close up: all after them comes earlier.
# Without a frame rate the time stamps are frame numbers, which are read as seconds. Nothing is warned.
# Version: movement 0.15.0, the last for Python 3.11, with pynwb PYNWB and ndx-pose NDX (PyPI). Run with Python 3.11.
# Seen (30 Hz, seconds 1 to 2 and 3 to 4 of a session): time stamps 1.0, ... 1.967, 3.0, ... 3.967; times read 0.0 to
# 1.967 without a step.
# Who is hurt: who keeps only frames with a person in them and labels by time: here labels are off by 1 s, then by 2 s.
