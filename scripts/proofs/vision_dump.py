#!/usr/bin/env python3
"""Writes the frames of a pelvis recording as an app would dump them, with image points.

    scripts/proofs/vision_dump.py RECORDING.poses.jsonl >> walk.jsonl
    scripts/proofs/vision_dump.py --images RECORDING.poses.jsonl >> floor.jsonl

With --images it writes what Vision's 2D request would: the same image points by the keys of the 19 joints, with
the head in place of the nose, no valid eyes and ears, and a smaller person who stands beside.

The camera has no distortion, a focal length of 1500 pixels and an image of 1080 by 1920. A matrix M maps
a point to the camera's axes by p_cam = M p; the image of p_cam is then f x / -z and f y / -z pixels from
the middle. A frame in which a joint or the matrix is missing has no joints, as Vision finds all or none.
"""
import json
import sys

FOCAL, WIDTH, HEIGHT = 1500.0, 1080, 1920
#: 2D joints by the 3D joint whose place they take.
KEYS = {
    "nose": "centerHead", "neck": "centerShoulder", "root": "root",
    **{side + part: side + part for side in ("left", "right")
       for part in ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle")},
}
UNSEEN = ["leftEye", "rightEye", "leftEar", "rightEar"]
#: Where somebody else stands: feet and size.
BYSTANDER = (0.06, 0.05, 0.12)


def image_point(matrix: list[float], point: list[float]) -> list[float]:
    """The image of a pelvis point as shares of width and height; the matrix is column-major."""
    x, y, z = (
        sum(matrix[4 * column + row] * point[column] for column in range(3)) + matrix[12 + row]
        for row in range(3))
    return [0.5 + FOCAL * x / -z / WIDTH, 0.5 + FOCAL * y / -z / HEIGHT]


def people(image: dict[str, list[float]]) -> list[dict]:
    """The observations of an image: a bystander, and the person if there is one."""
    left, bottom, size = BYSTANDER
    heights = {"nose": 1, "neck": 0.85, "root": 0.5, "leftKnee": 0.25, "leftAnkle": 0, "rightAnkle": 0}
    found = [{"joints": {
        name: [left + 0.01 * name.startswith("right"), bottom + size * height, 0.7]
        for name, height in heights.items()}}]
    if image:
        joints = {key: [*image[name], 0.9] for key, name in KEYS.items()}
        found.append({"joints": joints | {name: [0, 0, 0] for name in UNSEEN}})
    return found


def main() -> None:
    is_image = sys.argv[1] == "--images"
    with open(sys.argv[-1]) as recording:
        names = json.loads(next(recording))["joints"]
        for line in recording:
            frame = json.loads(line)
            numbers, matrix = frame.get("p"), frame.get("camera")
            joints, image = None, {}
            if numbers and matrix and None not in numbers:
                points = [numbers[3 * index:3 * index + 3] for index in range(len(names))]
                image = {name: image_point(matrix, point) for name, point in zip(names, points)}
                joints = {
                    name: {"position": point, "pointInImage": image[name]}
                    for name, point in zip(names, points)}
            if is_image:
                print(json.dumps({"timestamp": frame["t"], "observations": people(image)}))
                continue
            dumped: dict = {"timestamp": frame["t"], "joints": joints}
            if joints:
                dumped["cameraOriginMatrix"] = [matrix[4 * i:4 * i + 4] for i in range(4)]
            print(json.dumps(dumped))


if __name__ == "__main__":
    main()
