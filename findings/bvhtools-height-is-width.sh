#!/usr/bin/env bash
# The guess: getFKAtFrameNormalized(frame), whose second argument is "height" if left out, gives positions divided by
# the height of the skeleton, so that bodies of every size are 1 high.
# The truth: getSkeletonDim("height") returns the extent in x and getSkeletonDim("width") the one in y, while
# getSkeletonDims() has them in the order height, width, depth. So positions are divided by the width. In a T-pose, as
# in most samples, the span of the arms and the height are about the same and nothing shows; in any other first frame
# the scale is wrong.
# Version: bvhtools 1.6.0, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (a body 1.8 high): arms out, 1.8 wide: 1 high. Arms down, 0.4 wide: 4.5 high.
# Who is hurt: who normalizes poses before they are compared or learned from: the scale depends on how wide the person
# stood in frame 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bvhtools==1.6.0 numpy==2.4.6 scipy==1.17.1
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
from bvhTools.bvhIO import readBvh

print("bvhtools", importlib.metadata.version("bvhtools"))


def height(reach):
    ends = dict(head=(0, 0.9, 0), feet=(0, -0.9, 0), left_hand=(reach, 0, 0), right_hand=(-reach, 0, 0))
    lines = ["HIERARCHY", "ROOT hips", "{", "\tOFFSET 0 0 0",
             "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"]
    for name, offset in ends.items():
        lines += [f"\tJOINT {name}", "\t{", "\t\tOFFSET %s %s %s" % offset,
                  "\t\tCHANNELS 3 Zrotation Xrotation Yrotation", "\t\tEnd Site", "\t\t{", "\t\t\tOFFSET 0 0 0",
                  "\t\t}", "\t}"]
    lines += ["}", "MOTION", "Frames: 1", "Frame Time: 0.033333", " ".join(["0"] * 18)]
    with open("body.bvh", "w") as stream:
        stream.write("\n".join(lines) + "\n")
    body = readBvh("body.bvh")
    extents = [round(float(extent), 6) for extent in body.getSkeletonDims()]
    named = {name: round(float(body.getSkeletonDim(name)), 6) for name in ("height", "width", "depth")}
    y = [position[1] for _, position in body.getFKAtFrameNormalized(0).values()]
    result = round(float(max(y) - min(y)), 6)
    print(f"{2 * reach} wide: getSkeletonDims {extents}, by name {named}; normalized, the body is {result} high")
    return extents, named, result


assert height(0.9)[2] == 1, "changed: a body as wide as high"
extents, named, result = height(0.2)
assert extents == [1.8, 0.4, 0], "changed: the order of getSkeletonDims"
assert named == dict(height=0.4, width=1.8, depth=0), "changed: height is height"
assert result == 4.5, "changed: the normalized body is 1 high"
print("as stated: normalized by height, the body is divided by its width")
END_PYTHON
