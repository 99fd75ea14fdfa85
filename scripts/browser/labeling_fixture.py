"""Recordings for the proof of the labeling page: one with hostile names, one ten minutes long."""

import json
import math

RATE = 30
#: Ends the data block, starts an image, breaks out of attributes and lines, if anything lets it.
HOSTILE = "</script><img src=x onerror=\"window.hacked=1\">'\"`\u2028{{script}}&lt;b>"
#: The same for a file's name, which cannot hold a slash.
HOSTILE_FILE = "<img src=x onerror=window.hacked=1>'{{data}}\u2028.poses.jsonl"

#: A standing body in meters: x to the left hip, y up, z forward; the root is the origin.
STANDING = {
    "root": (0, 0, 0), "rightHip": (-0.1, 0, 0), "rightKnee": (-0.1, -0.44, 0.02),
    "rightAnkle": (-0.1, -0.87, 0), "leftHip": (0.1, 0, 0), "leftKnee": (0.1, -0.44, 0.02),
    "leftAnkle": (0.1, -0.87, 0), "spine": (0, 0.26, 0), "centerShoulder": (0, 0.52, 0),
    "centerHead": (0, 0.66, 0), "topHead": (0, 0.78, 0), "leftShoulder": (0.19, 0.52, 0),
    "leftElbow": (0.2, 0.22, 0.02), "leftWrist": (0.2, -0.04, 0.05),
    "rightShoulder": (-0.19, 0.52, 0), "rightElbow": (-0.2, 0.22, 0.02),
    "rightWrist": (-0.2, -0.04, 0.05),
}
#: The arms of a high plank: straight down once the body lies.
PLANK_ARMS = {
    "leftElbow": (0.19, 0.51, 0.28), "leftWrist": (0.19, 0.5, 0.55),
    "rightElbow": (-0.19, 0.51, 0.28), "rightWrist": (-0.19, 0.5, 0.55),
}


def times(seconds):
    """Frame times as a recorder writes them: six decimals."""
    return [round(frame / RATE, 6) for frame in range(int(seconds * RATE) + 1)]


def pose(share):
    """The numbers of a body between standing (0) and a high plank (1), seen half from the side."""
    lean, view = math.radians(78) * share, math.radians(40)
    numbers = []
    for name, standing in STANDING.items():
        goal = PLANK_ARMS.get(name, standing)
        x, y, z = (a + (b - a) * share for a, b in zip(standing, goal))
        y, z = y * math.cos(lean) - z * math.sin(lean), y * math.sin(lean) + z * math.cos(lean)
        x, z = x * math.cos(view) + z * math.sin(view), z * math.cos(view) - x * math.sin(view)
        numbers += [round(x, 4), round(y, 4), round(z, 4)]
    return numbers


def write_recording(path, seconds, subject):
    """Writes a recording: upright, then a plank; no pose from 5 to 5.5 s, an ankle lost at 8 s."""
    header = {
        "format": "planklab-poses", "version": 1, "skeleton": "vision3d",
        "joints": list(STANDING), "frame": "camera", "orientation": "portrait",
        "subject": subject, "body_height_m": 1.8, "nominal_rate_hz": RATE,
    }
    ankle = 3 * list(STANDING).index("leftAnkle")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(header) + "\n")
        for time in times(seconds):
            numbers = pose(min(max(time - 2, 0), 1))
            if 8 <= time < 8.5:
                numbers[ankle:ankle + 3] = [None] * 3
            found = not 5 <= time < 5.5
            file.write(json.dumps({"t": time, "p": numbers if found else None}) + "\n")


def write_dataset(folder):
    """Writes a dataset of three recordings: one labeled, one with a hostile name, one in a folder."""
    (folder / "takes").mkdir(parents=True)
    names = ["a.poses.jsonl", HOSTILE_FILE, "takes/c.poses.jsonl"]
    for name in names:
        write_recording(folder / name, 4, "s01")
    (folder / "a.labels.csv").write_text(
        "start,end,plank,form\n0.0,2.0,none,\n2.0,4.033333,high,aligned\n", encoding="utf-8")
    entries = [{"poses": name} for name in names]
    # JSON is YAML.
    (folder / "dataset.yaml").write_text(
        json.dumps({"name": HOSTILE, "sequences": entries}), encoding="utf-8")
    return names


#: A folder as the File System Access API shows one; `window.disk` holds its files by path, and what
#: the page did with it. `window.disk.choose` is what the pickers do.
FOLDER_API = """
(() => {
  const files = new Map([['dataset.yaml', 'version: 1']]);
  const disk = { files: {}, asked: 0, choose: 'folder' };
  Object.defineProperty(disk, 'files', { get: () => Object.fromEntries(files) });
  disk.put = (path, text) => files.set(path, text);
  class FileHandle {
    constructor(path) { this.path = path; }
    async getFile() { return new File([files.get(this.path) ?? ''], this.path); }
    async createWritable() {
      let text = '';
      return {
        write: async (part) => { text += part; },
        close: async () => { files.set(this.path, text); },
      };
    }
  }
  class Folder {
    constructor(path, isEmpty = false) { [this.path, this.isEmpty] = [path, isEmpty]; }
    get name() { return 'chosen'; }
    async *keys() { if (!this.isEmpty) yield* files.keys(); }
    async getDirectoryHandle(name) {
      if (name !== 'takes') throw new DOMException('no such folder', 'NotFoundError');
      return new Folder(`${this.path}${name}/`);
    }
    async getFileHandle(name) { return new FileHandle(this.path + name); }
  }
  const choice = (made) => async () => {
    disk.asked += 1;
    if (disk.choose === 'nothing') throw new DOMException('no', 'AbortError');
    return made();
  };
  window.disk = disk;
  window.showDirectoryPicker = choice(() => new Folder('', disk.choose === 'other'));
  window.showSaveFilePicker = choice(() => new FileHandle('chosen.csv'));
})();
"""

#: A browser that cannot write files.
NO_FOLDER_API = "delete window.showDirectoryPicker; delete window.showSaveFilePicker;"
