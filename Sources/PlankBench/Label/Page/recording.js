const POSE_FOUND = 0;
const NO_POSE = 1;
const NO_CAMERA = 2;
const MISSING = -32768;

function readQueue() {
  return JSON.parse(document.getElementById('queue-data').textContent);
}

async function readRecording(index) {
  const data = JSON.parse(document.getElementById(`recording-${index}-data`).textContent);
  const strips = [];
  for (const strip of data.strips) {
    strips.push({ ...strip, values: await unpackedValues(strip.values, strip.step) });
  }
  return {
    ...data,
    times: await frameTimes(data.times, [data]),
    frameCount: data.frames,
    states: await unpacked(data.states, 1),
    positions: await unpackedSteps(data.positions, data.joints.length * data.dimension),
    strips,
  };
}

/** The index of the first element that is not below a value; the length if there is none. */
function lowerBound(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last frame that is not after a time, within the recording. */
function frameAt(recording, time) {
  const next = lowerBound(recording.times, time + 1e-9);
  return Math.min(Math.max(next - 1, 0), Math.max(recording.frameCount - 1, 0));
}

/** The frame with the nearest time; `frameCount` stands for the end of the recording. */
function nearestCut(recording, time) {
  const next = lowerBound(recording.times, time);
  if (next === 0) return 0;
  return time - cutTime(recording, next - 1) <= cutTime(recording, next) - time ? next - 1 : next;
}

/** The time of a boundary before a frame; `frameCount` gives the end of the recording. */
function cutTime(recording, frame) {
  return frame < recording.frameCount ? recording.times[frame] : recording.end;
}

/** In meters, or in image units for 2D; null where missing. */
function jointsAt(recording, frame) {
  const { dimension, unit, positions } = recording;
  const stride = recording.joints.length * dimension;
  return recording.joints.map((_, slot) => {
    const at = frame * stride + slot * dimension;
    if (positions[at] === MISSING) return null;
    const z = dimension === 3 ? positions[at + 2] * unit : 0;
    return [positions[at] * unit, positions[at + 1] * unit, z];
  });
}

/** Returns an empty text if a pose was found. */
function missingReason(state) {
  if (state === NO_POSE) return 'no pose found in this frame';
  return state === NO_CAMERA ? 'pose without a camera matrix: not evaluated' : '';
}
