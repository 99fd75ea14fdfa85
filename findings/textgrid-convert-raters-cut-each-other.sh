#!/usr/bin/env bash
# The guess: textgrid-convert writes the captions of each speaker of a SubViewer file into a tier of their own, with the
# times of the file; at most, as documented, a caption ends before the next one of its tier starts. And
# to_darla_textgrid(speaker_name="MARY") has the captions of Mary.
# The truth: a caption ends where the next one of anyone starts, though they are in different tiers and may overlap.
# What is cut off is gone. And to_darla_textgrid selects a speaker and then adds all the others again. Nothing is raised
# or warned.
# Version: textgrid-convert 1.2.0, pytest 9.2.0 (PyPI; it is imported by the package). Run with Python 3.11.
# Seen (Ann: plank from 1 to 60 s; Mary: plank from 2 to 61 s): Ann's tier is 1 to 1.999 s, Mary's 2 to 61 s: the raters
# agree on nothing. A note of 1 s by Mary at 30 s: Ann's plank ends at 29.999 s. For Mary alone: both.
# Who is hurt: who compares raters that label in one file of captions: the better they agree, the less is left.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps textgrid-convert==1.2.0 pytest==9.2.0 iniconfig==2.3.1 pluggy==1.7.0 \
  packaging==26.4 pygments==2.21.0
venv/bin/python - 2>/dev/null <<'END_PYTHON'
import importlib.metadata
import re
from textgrid_convert.sbvParser import sbvParser

print("textgrid-convert", importlib.metadata.version("textgrid-convert"))
both = "0:00:01.000,0:01:00.000\nANN: plank\n\n0:00:02.000,0:01:01.000\nMARY: plank\n\n"
note = "0:00:01.000,0:01:00.000\nANN: plank\n\n0:00:30.000,0:00:31.000\nMARY: phone\n\n"


def tiers(text):
    result = {}
    for tier in re.split(r"\titem \[\d+\]:", text)[1:]:
        times = re.findall(r"intervals \[\d+\]:\s+xmin = (\S+)\s+xmax = (\S+)", tier)
        result[re.search(r'name = "(.*)"', tier)[1]] = [(float(start), float(end)) for start, end in times]
    print(result)
    return result


read = [(item["speaker_name"], item["start"], item["end"]) for item in sbvParser(both).transcription_dict.values()]
print("as read:", read)
assert read == [("ANN", 1000, 60_000), ("MARY", 2000, 61_000)], "changed: what is read"
assert tiers(sbvParser(both).to_textgrid()) == {"ANN": [(1, 1.999)], "MARY": [(2, 61)]}, "changed: two raters"
assert tiers(sbvParser(note).to_textgrid()) == {"ANN": [(1, 29.999)], "MARY": [(30, 31)]}, "changed: a note"
whole = sbvParser(both).to_textgrid(adapt_endstamps=None)
assert tiers(whole) == {"ANN": [(1, 60)], "MARY": [(2, 61)]}, "changed: without adapting"
alone = tiers(sbvParser(both).to_darla_textgrid(speaker_name="MARY"))
assert alone == {"sentence": [(1, 1.999), (2, 61)]}, "changed: Mary alone"
print("as stated: captions of one speaker end where another's start")
END_PYTHON
