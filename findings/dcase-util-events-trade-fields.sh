#!/usr/bin/env bash
# The guess: process_events(minimum_event_gap=0.5) of dcase_util merges events of one label that are closer than 0.5 s
# and leaves all others as they are.
# The truth: every event that it returns, except the last of each label, has onset and offset of its own but all other
# fields of the next event: identifier, tags, source, and any field of one's own, such as a score. Events far apart,
# with nothing to merge, trade them just the same. Nothing is raised or warned.
# Version: dcase_util 0.2.20, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (three holds, 10 s apart, take 1, 2 and 3 with scores 0.9, 0.2 and 0.7): take 2, 0.2; take 3, 0.7; take 3, 0.7.
# With only a minimum length all stay as they were.
# Who is hurt: who cleans predictions before they are scored: a sure event gets a low score and falls below a threshold.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps dcase_util==0.2.20 cffi==2.1.1 future==1.0.0 lazy-loader==0.6 librosa==0.11.0 \
  numpy==2.4.6 PyYAML==6.0.4 scipy==1.17.1 six==1.17.0 soundfile==0.14.0 typing_extensions==4.16.0 validators==0.36.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
from dcase_util.containers import MetaDataContainer

print("dcase_util", importlib.metadata.version("dcase_util"))
holds = [(0.0, 5.0, "take 1", 0.9), (10.0, 15.0, "take 2", 0.2), (20.0, 25.0, "take 3", 0.7)]


def clean(**limits):
    container = MetaDataContainer([
        {"filename": "session.wav", "event_label": "plank", "onset": start, "offset": end, "identifier": name,
         "score": score} for start, end, name, score in holds])
    result = [(item.onset, item.offset, item.identifier, item["score"])
              for item in container.process_events(**limits)]
    print(limits, result)
    return result


assert clean(minimum_event_length=0.5) == holds, "changed: a minimum length"
expected = [(0, 5, "take 2", 0.2), (10, 15, "take 3", 0.7), (20, 25, "take 3", 0.7)]
assert clean(minimum_event_gap=0.5) == expected, "changed: a minimum gap"
print("as stated: times stay, names and scores are those of the next event")
END_PYTHON
