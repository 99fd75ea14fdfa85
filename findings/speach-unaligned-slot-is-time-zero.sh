#!/usr/bin/env bash
# The guess: duration of an annotation that speach reads from ELAN is its length, or None where the file has no time. In
# a time subdivision ELAN writes the slots between the parts without a time as long as nobody has placed them, which is
# valid; the parts share the parent's time.
# The truth: a slot without a time is taken as 0 s. The first part gets minus its start as length, those in the middle
# 0, the last one the whole time from the start of the recording to its end. Nothing is raised or warned. The sum is
# right, so a check of the total finds nothing. But to_csv_rows raises an error.
# Version: speach 0.1a15.post1, chirptext 0.1.2, puchikarui 0.1 (PyPI). Run with Python 3.11.
# Seen (a hold from 10 to 40 s in three parts whose borders are not placed): hold 30 s; parts -10, 0 and 40 s.
# Who is hurt: who adds up how long people held well or badly: the last part of each hold counts from the start of the
# video on, the first one is subtracted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps speach==0.1a15.post1 chirptext==0.1.2 puchikarui==0.1
cat >session.eaf <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-01-01T00:00:00+00:00" FORMAT="2.8" VERSION="2.8"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv2.8.xsd">
  <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
  <TIME_ORDER>
    <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="10000"/>
    <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="10000"/>
    <TIME_SLOT TIME_SLOT_ID="ts3"/>
    <TIME_SLOT TIME_SLOT_ID="ts4"/>
    <TIME_SLOT TIME_SLOT_ID="ts5" TIME_VALUE="40000"/>
    <TIME_SLOT TIME_SLOT_ID="ts6" TIME_VALUE="40000"/>
  </TIME_ORDER>
  <TIER LINGUISTIC_TYPE_REF="whole" TIER_ID="hold">
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts6">
      <ANNOTATION_VALUE>plank</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
  </TIER>
  <TIER LINGUISTIC_TYPE_REF="part" PARENT_REF="hold" TIER_ID="phase">
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
      <ANNOTATION_VALUE>steady</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a3" TIME_SLOT_REF1="ts3" TIME_SLOT_REF2="ts4">
      <ANNOTATION_VALUE>shaking</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a4" TIME_SLOT_REF1="ts4" TIME_SLOT_REF2="ts5">
      <ANNOTATION_VALUE>hips low</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
  </TIER>
  <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="whole" TIME_ALIGNABLE="true"/>
  <LINGUISTIC_TYPE CONSTRAINTS="Time_Subdivision" GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="part"
    TIME_ALIGNABLE="true"/>
  <CONSTRAINT DESCRIPTION="Time subdivision of parent annotation's time interval, no time gaps allowed"
    STEREOTYPE="Time_Subdivision"/>
</ANNOTATION_DOCUMENT>
END
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from speach import elan

print("speach", importlib.metadata.version("speach"))
session = elan.read_eaf("session.eaf")
lengths = {annotation.value: annotation.duration for tier in session for annotation in tier}
print(lengths)
assert lengths.pop("plank") == 30, "changed: the parent"
assert lengths == {"steady": -10, "shaking": 0, "hips low": 40}, "changed: the parts"
assert sum(lengths.values()) == 30, "changed: the sum of the parts"
assert session["phase"][1].from_ts.sec is None and session["phase"][1].to_ts.sec is None, "changed: a slot without time"
try:
    session.to_csv_rows()
    raise SystemExit("changed: a table of slots without times")
except TypeError as error:
    print("to_csv_rows:", error)
print("as stated: a slot without a time counts as 0 s")
END_PYTHON
