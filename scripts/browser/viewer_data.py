"""What the proof of the viewer knows of a page without its scripts: frames, joints, answers."""

import base64
import json
import math
import struct
import zlib

MISSING = -32768
#: Radii of the marks of joints in pixels of the page.
WIDE, NARROW = 8, 4


def unpacked(text, width):
    """The bytes of a packed column, whose bytes were sorted by place."""
    digits = text.translate(str.maketrans(",./[]", "&(<>{"))
    planes = zlib.decompress(base64.b85decode(digits))
    count = len(planes) // width
    return bytes(planes[place * count + index] for index in range(count) for place in range(width))


class SequenceData:
    """One sequence of a page."""

    def __init__(self, page, index):
        head = json.loads(page.text_content("#viewer-data"))
        entry = head["sequences"][index]
        self.name = entry["name"]
        block = json.loads(page.text_content(f"#sequence-{entry['block']}-data"))
        self.joints, self.unit = block["joints"], block["unit"]
        self.states = unpacked(block["states"], 1)
        raw = unpacked(block["positions"], 2)
        # The sign of a step is its last bit.
        steps = [(step >> 1) ^ -(step & 1) for step in struct.unpack(f"<{len(raw) // 2}H", raw)]
        stride = len(self.joints) * block["dimension"]
        self.frames, before = [], [0] * stride
        for start in range(0, len(steps), stride):
            before = [(one + step + 32768) % 65536 - 32768
                      for one, step in zip(before, steps[start:start + stride])]
            self.frames.append(before)

    def marks(self, frame, yaw, pitch):
        """Where joints are across and up, in meters, with the radii of their marks."""
        numbers = self.frames[frame]
        for slot, name in enumerate(self.joints):
            x, y, z = numbers[3 * slot:3 * slot + 3]
            if x == MISSING:
                continue
            x, y, z = x * self.unit, y * self.unit, z * self.unit
            across = x * math.cos(yaw) + z * math.sin(yaw)
            toward = z * math.cos(yaw) - x * math.sin(yaw)
            is_wide = name in ("centerHead", "nose") or name.endswith(("Wrist", "Ankle"))
            yield across, y * math.cos(pitch) - toward * math.sin(pitch), WIDE if is_wide else NARROW

    def height_of(self, frame, width, yaw, pitch):
        """How high a figure is drawn that is drawn so many pixels wide."""
        marks = list(self.marks(frame, yaw, pitch))

        def span(axis, scale):
            return (max(mark[axis] * scale + mark[2] for mark in marks)
                    - min(mark[axis] * scale - mark[2] for mark in marks))

        low, high = 1, 5000
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if span(0, middle) < width else (low, middle)
        return span(1, low)
