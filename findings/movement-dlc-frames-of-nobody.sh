#!/usr/bin/env bash
# The guess: a table of a DeepLabCut project whose persons share joints and which has unique points besides (a mark on
# the mat) is read, or else refused, since movement's documentation says that it does not support this.
# The truth: it depends on the number of frames. Cells are dealt out as if everybody had every point. If the numbers
# allow it, this gives fewer frames, in which numbers of different frames, joints and persons are mixed, and likelihoods
# are taken for coordinates or the other way about; nothing is warned. Otherwise there is an error about shapes.
# Version: movement 0.15.0, the last for Python 3.11 (PyPI). Run with Python 3.11.
# Seen (two persons of 2 joints and 1 unique point): 900 frames: 500 frames of 3 persons with 3 points each, the second
# starting in the middle of a row of the table; 901 frames: ValueError.
# Who is hurt: who tries it on one recording: whether it fails or lies is a matter of length, here of 1 in 9.
