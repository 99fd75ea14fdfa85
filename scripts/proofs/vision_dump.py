#!/usr/bin/env python3
"""Writes the frames of a pelvis recording as an app would dump them, with image points.

    scripts/proofs/vision_dump.py RECORDING.poses.jsonl >> walk.jsonl

The camera has no distortion, a focal length of 1500 pixels and an image of 1080 by 1920. A matrix M maps
a point to the camera's axes by p_cam = M p; the image of p_cam is then f x / -z and f y / -z pixels from
the middle. A frame in which a joint or the matrix is missing has no joints, as Vision finds all or none.
"""
import json
import sys

FOCAL, WIDTH, HEIGHT = 1500.0, 1080, 1920


def image_point(matrix: list[float], point: list[float]) -> list[float]:
    """The image of a pelvis point as shares of width and height; the matrix is column-major."""
    x, y, z = (
        sum(matrix[4 * column + row] * point[column] for column in range(3)) + matrix[12 + row]
        for row in range(3))
    return [0.5 + FOCAL * x / -z / WIDTH, 0.5 + FOCAL * y / -z / HEIGHT]


def main() -> None:
    with open(sys.argv[1]) as recording:
        names = json.loads(next(recording))["joints"]
        for line in recording:
            frame = json.loads(line)
            dumped: dict = {"timestamp": frame["t"], "joints": None}
            numbers, matrix = frame.get("p"), frame.get("camera")
            if numbers and matrix and None not in numbers:
                points = [numbers[3 * index:3 * index + 3] for index in range(len(names))]
                dumped["joints"] = {
                    name: {"position": point, "pointInImage": image_point(matrix, point)}
                    for name, point in zip(names, points)}
                dumped["cameraOriginMatrix"] = [matrix[4 * i:4 * i + 4] for i in range(4)]
            print(json.dumps(dumped))


if __name__ == "__main__":
    main()
