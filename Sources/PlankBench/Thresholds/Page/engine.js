// Counts a stream with the kernel of the program, compiled to WebAssembly.

const LANES = 8;
const NEVER = 0xffffffff;
/** The number of 32-bit numbers in the kernel's structures. */
const [RUN_NUMBERS, MASKED_NUMBERS] = [3, 6];
/** The memory that rows of bits may take before the oldest are dropped. */
const POOL_BYTES = 1 << 26;

class KernelMemory {
  constructor(exports) {
    this.memory = exports.memory;
    this.top = exports.__heap_base.value;
  }

  /** Aligns the memory for vectors. */
  take(bytes) {
    const start = Math.ceil(this.top / 64) * 64;
    this.top = start + bytes;
    const missing = this.top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    return start;
  }

  put(array) {
    const start = this.take(array.byteLength);
    new array.constructor(this.memory.buffer, start, array.length).set(array);
    return start;
  }

  putNumbers(numbers) { return this.put(Uint32Array.from(numbers)); }

  u32(start, count) { return new Uint32Array(this.memory.buffer, start, count); }
}

/** Rows of bits by comparison and threshold; the oldest are dropped. */
class BitRows {
  constructor(exports, memory, words, predicates) {
    this.pack = exports.sweep_pack;
    this.words = words;
    const affordable = Math.floor(POOL_BYTES / (words * 8));
    this.capacity = Math.max(predicates * (LANES + 1), Math.min(256, affordable));
    this.start = memory.take(this.capacity * words * 8);
    this.places = new Map();
  }

  row(column, values, comparison, threshold) {
    const key = `${column} ${comparison} ${threshold}`;
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.freePlace();
      this.pack(values, this.words, comparison, threshold, place);
    } else {
      this.places.delete(key);
    }
    this.places.set(key, place);
    return place;
  }

  freePlace() {
    if (this.places.size < this.capacity) return this.start + this.places.size * this.words * 8;
    const [oldest, place] = this.places.entries().next().value;
    this.places.delete(oldest);
    return place;
  }
}

class StreamCounter {
  constructor(module, data, stream) {
    this.module = module;
    this.data = data;
    this.stream = stream;
    this.facts = frameFacts(data, stream);
    this.planes = stream.labels.length > 4 ? 3 : 2;
    this.sums = this.planes === 3 ? 5 : 2;
    this.predicates = stream.rules.flatMap((rule) => rule.predicates);
    this.hold = NaN;
  }

  /** Lays the frames out for a hold, which works for all thresholds. */
  prepare(hold) {
    if (this.hold === hold) return;
    this.hold = hold;
    this.layout = layOut(this.data, this.stream, this.facts, hold);
    this.kernel = new WebAssembly.Instance(this.module).exports;
    const memory = new KernelMemory(this.kernel);
    this.putSequence(memory);
    this.putRules(memory);
    this.putColumns(memory);
    this.rows = new BitRows(this.kernel, memory, this.layout.words, this.predicates.length);
    this.memory = memory;
    this.lengths = 0;
  }

  putSequence(memory) {
    const { layout } = this;
    const pointers = [
      memory.put(layout.flags), memory.put(layout.valid), memory.put(layout.transitions),
      memory.put(layout.runs), memory.put(layout.masked),
      memory.putNumbers(layout.events.flatMap(eventNumbers)),
    ];
    this.sequence = memory.putNumbers([
      ...pointers, layout.words, layout.kernelRows, layout.runs.length / RUN_NUMBERS,
      layout.masked.length / MASKED_NUMBERS, layout.events.length,
    ]);
  }

  putRules(memory) {
    let end = 0;
    const ends = this.stream.rules.map((rule) => { end += rule.predicates.length; return end; });
    const labels = memory.put(Uint8Array.from(this.stream.rules, (rule) => rule.label));
    this.rules = memory.putNumbers([labels, memory.putNumbers(ends), ends.length, end]);
    this.pointers = memory.take(Math.max(end, 1) * LANES * 4);
    this.isShared = memory.take(Math.max(end, 1));
  }

  putColumns(memory) {
    this.values = new Map();
    const { frames } = this.layout;
    for (const { column } of this.predicates) {
      if (this.values.has(column)) continue;
      const start = memory.take(frames.length * 4);
      const values = new Float32Array(memory.memory.buffer, start, frames.length);
      const source = this.data.columns[column];
      for (let place = 0; place < frames.length; place++) values[place] = source[frames[place]];
      this.values.set(column, start);
    }
  }

  /**
   * Counts up to eight settings with the same hold, each with several debounce lengths.
   *
   * The result has a list for each setting, with one count for each length.
   */
  count(settings, lengths) {
    this.prepare(settings[0][this.stream.hold]);
    this.takeRoom(lengths);
    settings.forEach((setting, lane) => this.point(setting, lane));
    for (let lane = settings.length; lane < LANES; lane++) this.point(settings[0], lane);
    this.shareRows();
    this.kernel.sweep_count(
      this.sequence, this.rules, this.planes, this.pointers, this.isShared, this.frames,
      lengths.length, this.scratch, this.counts, this.hits);
    return settings.map((_, lane) => lengths.map((_, length) => this.result(lane, length)));
  }

  takeRoom(lengths) {
    const slots = this.layout.kernelRows * this.sums + 1;
    if (this.lengths < lengths.length) {
      this.lengths = lengths.length;
      this.scratch = this.memory.take(this.kernel.sweep_scratch_size(lengths.length));
      this.counts = this.memory.take(lengths.length * slots * LANES * 8);
      const events = Math.max(1, this.layout.events.length);
      this.hits = this.memory.take(lengths.length * events * LANES * 4);
      this.frames = this.memory.take(lengths.length * 4);
    }
    this.memory.u32(this.frames, lengths.length).set(lengths);
  }

  point(setting, lane) {
    const pointers = this.memory.u32(this.pointers, this.predicates.length * LANES);
    this.predicates.forEach(({ column, comparison, parameter, is_negated: isNegated }, index) => {
      const threshold = Math.fround(setting[parameter]);
      pointers[index * LANES + lane] = this.rows.row(
        column, this.values.get(column), comparison, isNegated ? -threshold : threshold);
    });
  }

  shareRows() {
    const pointers = this.memory.u32(this.pointers, this.predicates.length * LANES);
    const isShared = new Uint8Array(this.memory.memory.buffer, this.isShared);
    this.predicates.forEach((_, index) => {
      const own = pointers.subarray(index * LANES, (index + 1) * LANES);
      isShared[index] = own.every((row) => row === own[0]) ? 1 : 0;
    });
  }

  result(lane, length) {
    const { layout, stream } = this;
    const classes = stream.labels.length;
    const slots = layout.kernelRows * this.sums + 1;
    const counts = this.memory.u32(this.counts + length * slots * LANES * 8, slots * LANES * 2);
    const result = {
      frames: new Float64Array(classes * classes), seconds: new Float64Array(classes * classes),
      determined: new Float64Array(classes * classes),
      transitions: counts[((slots - 1) * LANES + lane) * 2],
    };
    for (let row = 0; row < layout.kernelRows; row++) {
      const isHeld = row >= layout.rows.length;
      const { truth, weight } = layout.rows[row % layout.rows.length];
      const answers = this.answers(counts, row, lane);
      for (let answer = 0; answer < classes; answer++) {
        const cell = truth * classes + answer;
        result.frames[cell] += answers[answer];
        result.seconds[cell] += answers[answer] * weight;
        if (!isHeld) result.determined[cell] += answers[answer];
      }
    }
    layout.rows.forEach(({ truth, weight }, row) => {
      result.frames[truth * classes] += layout.alwaysEmpty[row];
      result.seconds[truth * classes] += layout.alwaysEmpty[row] * weight;
    });
    result.latencies = this.latencies(lane, length);
    return result;
  }

  answers(counts, row, lane) {
    const sum = (index) => counts[((row * this.sums + index) * LANES + lane) * 2];
    const answers = [0, sum(0), sum(1)];
    if (this.planes === 3) {
      const [first, second, third, both, ends] = [sum(0), sum(1), sum(2), sum(3), sum(4)];
      answers.splice(1, 2, first - both - ends, second - both, both, third - ends, ends);
    }
    answers[0] = this.layout.totals[row] - answers.reduce((left, right) => left + right, 0);
    return answers;
  }

  /**
   * Seconds from true onsets to their first answers; for an unanswered onset, its duration.
   *
   * An event is answered if an answer falls on one of its scored frames; the first answer on any of
   * its frames counts.
   */
  latencies(lane, length) {
    const { layout, stream, data } = this;
    const all = stream.onsets.map(([, , , , isObserved, duration]) => (
      { seconds: duration, isMissed: true, isObserved }));
    const firstFrames = new Map();
    const start = this.hits + length * layout.events.length * LANES * 4;
    const hits = this.memory.u32(start, layout.events.length * LANES);
    layout.events.forEach(({ onset, isScored }, event) => {
      const hit = hits[event * LANES + lane];
      if (hit === NEVER) return;
      if (!firstFrames.has(onset)) firstFrames.set(onset, layout.frames[hit]);
      if (!isScored || !all[onset].isMissed) return;
      const [sequence, , first] = stream.onsets[onset];
      const begin = data.sequences[sequence].first + first;
      const frame = Math.max(begin, firstFrames.get(onset));
      all[onset].seconds = data.times[frame] - data.times[begin];
      all[onset].isMissed = false;
    });
    return all;
  }
}

function eventNumbers({ label, low, high }) {
  const from = low % FRAMES_PER_WORD;
  const to = high % FRAMES_PER_WORD;
  const bitsFrom = (bit) => (bit <= 0 ? -1 : bit >= 32 ? 0 : -1 << bit);
  const bitsTo = (bit) => (bit < 0 ? 0 : bit >= 31 ? -1 : ~(-1 << (bit + 1)));
  return [
    bitsFrom(from), bitsFrom(from - 32), bitsTo(to), bitsTo(to - 32),
    Math.floor(low / FRAMES_PER_WORD), Math.floor(high / FRAMES_PER_WORD), label, 0,
  ];
}
