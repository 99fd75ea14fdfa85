#!/usr/bin/env bash
# The guess: Events.rotate of floodlight turns the place of each event in its table, whichever rows it has: those of one
# kind that were picked from a table turn as they turn in the whole table.
# The truth: the turned places are put back as a table with rows 0, 1, 2 ..., and pandas aligns by row. In a table whose
# rows are numbered otherwise, as after choosing or dropping some, an event gets another event's place or NaN. It is
# right if no row was left out or only the last ones. translate and reflect are right. Nothing is raised or
# warned.
# Version: floodlight 1.2.0, numpy 2.4.6, pandas 2.3.3, matplotlib 3.11.2 (PyPI). Run with Python 3.11.
# Seen (five events at x 10 to 50, turned by 180 degrees): all: -10 to -50; those of rows 0, 2 and 4: -10, -50 and NaN
# where -10, -30 and -50 are right; of rows 1 and 3: -40 and NaN where -20 and -40 are right.
# Who is hurt: who turns the second half so that both play in one direction, after picking the events of interest.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps floodlight==1.2.0 numpy==2.4.6 pandas==2.3.3 matplotlib==3.11.2 \
  contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 pillow==13.0.0 \
  pyparsing==3.3.3 python-dateutil==2.9.0.post0 pytz==2025.2 six==1.17.0 tzdata==2025.3
export MPLBACKEND=Agg MPLCONFIGDIR="$folder"
venv/bin/python -W ignore - <<'END_PYTHON'
import importlib.metadata
import math
import pandas
from floodlight import Events

print("floodlight", importlib.metadata.version("floodlight"), "pandas", pandas.__version__)
table = pandas.DataFrame({
    "eID": ["pass", "shot", "pass", "shot", "pass"],
    "gameclock": [1.0, 2.0, 3.0, 4.0, 5.0],
    "at_x": [10.0, 20.0, 30.0, 40.0, 50.0],
    "at_y": [1.0, 2.0, 3.0, 4.0, 5.0],
})


def places(name, rows, change):
    events = Events(events=rows.copy())
    change(events)
    found = [None if math.isnan(x) else x + 0 for x in events.events["at_x"]]
    print(f"{name}, rows {list(rows.index)}: {found}")
    return found


passes, shots = table[table["eID"] == "pass"], table[table["eID"] == "shot"]
turn = lambda events: events.rotate(180)
assert places("all turned", table, turn) == [-10, -20, -30, -40, -50], "changed: all rows"
assert places("passes turned", passes, turn) == [-10, -50, None], "changed: rows 0, 2 and 4"
assert places("shots turned", shots, turn) == [-40, None], "changed: rows 1 and 3"
assert places("shots turned", shots.reset_index(drop=True), turn) == [-20, -40], "changed: rows numbered anew"
assert places("shots reflected", shots, lambda events: events.reflect("y")) == [-20, -40], "changed: reflect"
assert places("shots moved", shots, lambda events: events.translate((1, 0))) == [21, 41], "changed: translate"
print("as stated: places go to other rows")
END_PYTHON
