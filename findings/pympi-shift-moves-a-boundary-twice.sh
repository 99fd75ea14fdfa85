#!/usr/bin/env bash
# The guess: Eaf.shift_annotations(5000) of pympi moves every annotation by 5 s and keeps its length.
# The truth: it moves the time slots, once for every annotation that refers to one. EAF lets annotations share a slot,
# and the parts of a time subdivision do: one slot ends a part and starts the next. So each inner boundary moves twice.
# The returned lists of squashed and removed annotations are empty. If a shift to the left moves an annotation partly
# before 0, its start becomes 0, but its end stays where it was, so the annotation overlaps the next one.
# Version: pympi-ling 1.71 (PyPI). Run with Python 3.11.
# Seen: a hold from 10 to 20 s, steady until 14 s, then shaking; moved by 5 s: hold 15 to 25, steady 15 to 24, shaking
# 24 to 25. Moved by -1 s, an annotation from 0.5 to 2 s is 0 to 2 s, and the next one starts at 1.5 s.
# Who is hurt: who aligns labels from ELAN with a video: the outer labels fit, the boundaries inside are off by the
# shift.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pympi-ling==1.71
cat >session.eaf <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-01-01T00:00:00+00:00" FORMAT="2.8" VERSION="2.8"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv2.8.xsd">
  <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
  <TIME_ORDER>
    <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="10000"/>
    <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="10000"/>
    <TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="14000"/>
    <TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="20000"/>
    <TIME_SLOT TIME_SLOT_ID="ts5" TIME_VALUE="20000"/>
  </TIME_ORDER>
  <TIER LINGUISTIC_TYPE_REF="whole" TIER_ID="hold">
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts4">
      <ANNOTATION_VALUE>plank</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
  </TIER>
  <TIER LINGUISTIC_TYPE_REF="part" PARENT_REF="hold" TIER_ID="phase">
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
      <ANNOTATION_VALUE>steady</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a3" TIME_SLOT_REF1="ts3" TIME_SLOT_REF2="ts5">
      <ANNOTATION_VALUE>shaking</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
  </TIER>
  <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="whole" TIME_ALIGNABLE="true"/>
  <LINGUISTIC_TYPE CONSTRAINTS="Time_Subdivision" GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="part"
    TIME_ALIGNABLE="true"/>
  <CONSTRAINT DESCRIPTION="Time subdivision of parent annotation's time interval, no time gaps allowed"
    STEREOTYPE="Time_Subdivision"/>
</ANNOTATION_DOCUMENT>
END
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from pympi.Elan import Eaf

print("pympi-ling", importlib.metadata.version("pympi-ling"))


def labels(document):
    found = [document.get_annotation_data_for_tier(name) for name in document.get_tier_names()]
    return [label for tier in found for label in tier]


session = Eaf("session.eaf")
print("before", labels(session))
squashed, removed = session.shift_annotations(5000)
print("moved by 5000", labels(session), "squashed", squashed, "removed", removed)
assert (squashed, removed) == ([], []), "changed: something is reported"
assert labels(session) == [(15000, 25000, "plank"), (15000, 24000, "steady"), (24000, 25000, "shaking")], "changed"

early = Eaf()
early.add_annotation("default", 500, 2000, "down")
early.add_annotation("default", 2500, 4000, "plank")
early.shift_annotations(-1000)
print("moved by -1000", labels(early))
assert labels(early) == [(0, 2000, "down"), (1500, 3000, "plank")], "changed: a label across 0"
print("as stated: the inner boundary moved by 10 s instead of 5 s, and the end of the label cut at 0 did not move")
END_PYTHON
