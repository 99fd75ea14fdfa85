#!/usr/bin/env bash
# The guess: set_initial_position([0, 90, 0]) of mcp-persor moves a recording so that the first frame's hips are there,
# and set_initial_rotation([0, 0, 0]) turns it so that the first frame isn't turned.
# The truth: the position that is moved there is that of frame 100, counted from 0, and the rotation is that of frame 1.
# Both look at the recording as it was read, not as it is now. So the first frame is off by what the person did in the
# first two seconds, and setting a position twice moves twice. Recordings of up to 100 frames raise a KeyError.
# Version: mcp-persor 1.0.6, pandas 3.1.1, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (hips at x 0, 1, 2 ... cm, turned by as many degrees): after both calls frame 0 is at -100, turned by -1; frame
# 100 is at 0 and turned by 99. After setting the position once more, frame 100 is at -100.
# Who is hurt: who starts several recordings at one place to compare or train on them: they start where chance has it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps mcp-persor==1.0.6 pandas==3.1.1 numpy==2.4.6 python-dateutil==2.9.0.post0 \
  six==1.17.0
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from mcp_persor import BVHparser

print("mcp-persor", importlib.metadata.version("mcp-persor"))
head = """HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 50 0
  }
}
MOTION
"""


def write(frames):
    with open("walk.bvh", "w") as stream:
        stream.write(head + f"Frames: {frames}\nFrame Time: 0.02\n")
        stream.writelines(f"{frame} 90 0 0 0 {frame}\n" for frame in range(frames))
    return BVHparser("walk.bvh")


def look(walk):
    table = walk.get_motion_df()
    result = table["hips_Xposition"][[0, 1, 100]].tolist(), table["hips_Yrotation"][[0, 1, 100]].tolist()
    print("frames 0, 1 and 100: x", result[0], "turned", result[1])
    return result


walk = write(150)
assert look(walk) == ([0, 1, 100], [0, 1, 100]), "changed: what is read"
walk.set_initial_position([0, 90, 0])
walk.set_initial_rotation([0, 0, 0])
assert look(walk) == ([-100, -99, 0], [-1, 0, 99]), "changed: the frames that are called initial"
walk.set_initial_position([0, 90, 0])
assert look(walk)[0] == [-200, -199, -100], "changed: a second time"
try:
    write(100).set_initial_position([0, 90, 0])
except KeyError as error:
    print("100 frames: KeyError", error)
else:
    raise SystemExit("changed: 100 frames")
print("as stated: frame 100 is where the recording was to start")
END_PYTHON
