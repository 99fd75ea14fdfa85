#!/usr/bin/env bash
# The guess: a SubRip file that pytitle reads and saves has the times it had: its documentation says that a time is
# written as 00:00:00,000, hours to milliseconds.
# The truth: milliseconds are filled up with zeros on the right, as if they were the digits of a fraction. They are kept
# as a whole number, so 50 ms becomes 500 ms and 5 ms as well. Times of 100 ms and more are right, so most lines of a
# file look as before. A label may end before it starts, or overlap the next one. Nothing is raised or warned.
# Version: pytitle 0.1.6, pydantic 2.14.4 (PyPI). Run with Python 3.11.
# Seen (read and saved, nothing changed): 1.050 to 1.900 s is 1.500 to 1.900 s, 1.900 to 2.005 s is 1.900 to 2.500 s,
# 2.005 to 2.450 s is 2.500 to 2.450 s. Of the 1,000 times within a second, 99 are wrong, by up to 0.891 s.
# Who is hurt: who corrects labels that are kept as subtitles: one boundary in ten moves, by up to 0.9 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps pytitle==0.1.6 pydantic==2.14.4 pydantic-core==2.50.5 annotated-types==0.8.0 \
  typing-inspection==0.4.5 typing-extensions==4.16.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import re
from pytitle.srt import SrtSubtitle, Timestamp

print("pytitle", importlib.metadata.version("pytitle"))
spans = [("00:00:01,050", "00:00:01,900"), ("00:00:01,900", "00:00:02,005"), ("00:00:02,005", "00:00:02,450")]
with open("labels.srt", "w") as file:
    for index, (start, end) in enumerate(spans, 1):
        file.write(f"{index}\n{start} --> {end}\nplank\n\n")
labels = SrtSubtitle.open("labels.srt")
milliseconds = [(line.timing.start.milliseconds, line.timing.end.milliseconds) for line in labels.lines]
print("milliseconds as read:", milliseconds)
assert milliseconds == [(50, 900), (900, 5), (5, 450)], "changed: what is read"
labels.save("again.srt")
again = re.findall(r"(\S+) --> (\S+)", open("again.srt").read())
print("saved:", again)
assert again == [("00:00:01,500", "00:00:01,900"), ("00:00:01,900", "00:00:02,500"),
                 ("00:00:02,500", "00:00:02,450")], "changed: what is saved"
shift = {count: int(Timestamp(milliseconds=count).output[-3:]) - count for count in range(1000)}
wrong = [count for count, moved in shift.items() if moved]
print(f"{len(wrong)} of 1,000 times are wrong, by up to {max(shift.values())} ms; all below 100 ms: {wrong[-1]}")
assert len(wrong) == 99 and max(shift.values()) == 891 and wrong == list(range(1, 100)), "changed: which are wrong"
print("as stated: 50 ms is written as 500 ms")
END_PYTHON
