// The detection library itself, compiled to WebAssembly: it says what `planklab explain` says.

/** How many numbers there are per frame and per comparison. */
const [FRAME_NUMBERS, COMPARISON_NUMBERS] = [8, 4];
/** What stands for no rule and no comparison, and for no label. */
const [NO_PLACE, NO_LABEL] = [0xffffffff, 255];
/** A column's number for what is inapplicable; every other NaN is missing. */
const INAPPLICABLE = 0x7fc00001;

/** The detector with one sequence open in it. */
class PageDetector {
  /** Starts the program with a detector. */
  static async load({ program, detector }) {
    const { instance } = await WebAssembly.instantiate(await unpacked(program, 1), {});
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

  /** Puts numbers into the program's memory. */
  put(numbers) {
    const room = this.exports.allocate(numbers.byteLength);
    new numbers.constructor(this.exports.memory.buffer, room, numbers.length).set(numbers);
    return room;
  }

  /** Runs the detector over a sequence; what became of every frame, by stream. */
  open({ columns, times, startsMid, calibration }) {
    const values = new Uint32Array(columns.length * times.length);
    columns.forEach((column, index) => (
      values.set(new Uint32Array(column.buffer), index * times.length)));
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

  /** What every comparison of a stream made of a frame. */
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

  /** Reads what a call writes: whole numbers of 32 bits. */
  read(count, write) {
    const room = this.exports.allocate(count * 4);
    const written = write(room);
    const numbers = new Uint32Array(this.exports.memory.buffer, room, written).slice();
    this.exports.release(room);
    return numbers;
  }
}

// A sequence of the report as the figure, the strips and the detector read it.

/** What a code of the truth that names no class means, by its distance to 255. */
const NO_TRUTH = ['unlabeled', 'ignore', 'not judged'];

/** The class of a code, or why there is none. */
const className = (labels, code) => labels[code] ?? NO_TRUTH[255 - code];

/** Unpacks the block of a sequence. */
async function readSequence(index, { measurements }) {
  const data = JSON.parse(document.getElementById(`sequence-${index}-data`).textContent);
  const facts = [{ start: data.start, frames: data.frames }];
  const columns = [];
  for (const text of data.columns) {
    columns.push(new Float32Array((await unpacked(text, 4)).buffer));
  }
  return {
    ...data,
    frameCount: data.frames,
    startsMid: data.starts_mid,
    times: await frameTimes(data.times, facts),
    states: await unpacked(data.states, 1),
    truth: [await unpacked(data.truth[0], 1), await unpacked(data.truth[1], 1)],
    before: data.before && [await unpacked(data.before[0], 1), await unpacked(data.before[1], 1)],
    positions: await unpackedSteps(data.positions, data.joints.length * data.dimension),
    columns,
    strips: measurements.map((measurement, place) => ({ ...measurement, values: columns[place] })),
  };
}

/** The runs of frames with one code, as half-open ranges. */
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
