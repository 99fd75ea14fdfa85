"""Packs the pose models in the wheel of MediaPipe 0.10.21 as a bundle that later versions read.

    pose_bundle.py OUTPUT.task

Run it with a Python that has mediapipe 0.10.21. The bundle is laid out as the Pose Landmarker's that Google
publishes: two models, uncompressed and aligned, which say how their pictures are to be scaled.
"""

import pathlib
import sys

import mediapipe
from mediapipe.tasks.python.metadata.metadata_writers.metadata_writer import MetadataWriter
from mediapipe.tasks.python.metadata.metadata_writers.model_asset_bundle_utils import create_model_asset_bundle

#: In the bundle, in the wheel, the mean and the deviation of what becomes 0 and 1.
MODELS = [
    ("pose_detector.tflite", "pose_detection/pose_detection.tflite", 127.5, 127.5),
    ("pose_landmarks_detector.tflite", "pose_landmark/pose_landmark_full.tflite", 0.0, 255.0),
]


def main():
    modules = pathlib.Path(mediapipe.__file__).parent / "modules"
    models = {}
    for name, path, mean, deviation in MODELS:
        writer = MetadataWriter.create((modules / path).read_bytes())
        writer.add_image_input([mean], [deviation])
        models[name], _ = writer.populate()
    create_model_asset_bundle(models, sys.argv[1])


if __name__ == "__main__":
    main()
