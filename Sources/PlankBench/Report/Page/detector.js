// The detection library, compiled to WebAssembly, gives the same answers as `planklab explain`.

const [FRAME_NUMBERS, COMPARISON_NUMBERS] = [8, 4];
/** The codes for no rule or comparison, and for no label. */
const [NO_PLACE, NO_LABEL] = [0xffffffff, 255];
/** The number for an inapplicable value; every other NaN is missing. */
const INAPPLICABLE = 0x7fc00001;

class PageDetector {
  static async load({ program, detector }) {
    return PageDetector.made(await unpacked(program, 1), detector);
  }

  static async made(program, detector) {
    const { instance } = await WebAssembly.instantiate(program, {});
    const made = new PageDetector(instance.exports);
    const lines = new TextEncoder().encode(detector);
    const room = made.put(lines);
    made.measurements = made.exports.open_detector(room, lines.length);
    made.exports.release(room);
    if (made.measurements < 0) throw new Error('the detector of this page cannot be read');
    return made;
  }

  constructor(exports) {
    this.exports = exports;
  }

  put(numbers) {
    const room = this.exports.allocate(numbers.byteLength);
    new numbers.constructor(this.exports.memory.buffer, room, numbers.length).set(numbers);
    return room;
  }

  /** `values` are the bits of the columns, one after the other. */
  open({ values, times, startsMid, calibration }) {
    const rooms = [this.put(values), this.put(times)];
    const { column, offset } = calibration || { column: -1, offset: 0 };
    this.exports.open_sequence(...rooms, times.length, startsMid ? 1 : 0, column, offset);
    rooms.forEach((room) => this.exports.release(room));
    return [0, 1].map((stream) => this.frames(stream, times.length));
  }

  frames(stream, count) {
    const numbers = this.read(count * FRAME_NUMBERS, (room) => (
      this.exports.write_frames(stream, room)));
    const floats = new Float32Array(numbers.buffer);
    return Array.from({ length: count }, (_, frame) => {
      const at = frame * FRAME_NUMBERS;
      const [raw, answer, isHeld, rule, nearest] = numbers.subarray(at, at + 5);
      return {
        raw, answer, isHeld: isHeld === 1, rule, nearest, margin: floats[at + 5],
        run: numbers[at + 6], seconds: floats[at + 7],
      };
    });
  }

  comparisons(stream, frame, count) {
    const numbers = this.read(count * COMPARISON_NUMBERS, (room) => (
      this.exports.write_comparisons(stream, frame, room)));
    const floats = new Float32Array(numbers.buffer);
    return Array.from({ length: count }, (_, place) => {
      const at = place * COMPARISON_NUMBERS;
      const absence = numbers[at] === INAPPLICABLE ? 'inapplicable' : 'missing';
      return {
        measured: floats[at], absence: Number.isNaN(floats[at]) ? absence : '',
        threshold: floats[at + 1], margin: floats[at + 2], holds: numbers[at + 3] === 1,
      };
    });
  }

  read(count, write) {
    const room = this.exports.allocate(count * 4);
    const written = write(room);
    const numbers = new Uint32Array(this.exports.memory.buffer, room, written).slice();
    this.exports.release(room);
    return numbers;
  }
}

/** Codes of the truth that name no class, by their distance from 255. */
const NO_TRUTH = ['unlabeled', 'ignore', 'not judged'];

const className = (labels, code) => labels[code] ?? NO_TRUTH[255 - code];

async function readSequence(index, { measurements }) {
  const data = JSON.parse(document.getElementById(`sequence-${index}-data`).textContent);
  const facts = [{ start: data.start, frames: data.frames }];
  const { buffer } = await unpacked(data.columns, 4);
  return {
    ...data,
    frameCount: data.frames,
    startsMid: data.starts_mid,
    times: await frameTimes(data.times, facts),
    states: await unpacked(data.states, 1),
    truth: [await unpacked(data.truth[0], 1), await unpacked(data.truth[1], 1)],
    before: data.before && [await unpacked(data.before[0], 1), await unpacked(data.before[1], 1)],
    positions: await unpackedSteps(data.positions, data.joints.length * data.dimension),
    values: new Uint32Array(buffer),
    strips: measurements.map((measurement, place) => ({
      ...measurement, values: new Float32Array(buffer, 4 * place * data.frames, data.frames),
    })),
  };
}

function runsOf(count, codeAt) {
  const runs = [];
  for (let frame = 0; frame < count; frame++) {
    const code = codeAt(frame);
    const last = runs[runs.length - 1];
    if (last && last.code === code) last.end = frame + 1;
    else runs.push({ code, start: frame, end: frame + 1 });
  }
  return runs;
}
