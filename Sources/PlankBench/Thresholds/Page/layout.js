// Lays the frames of a stream out in words of 64, as the kernel counts them; thresholds do not
// change this. The layout follows `WordLayout` of the program, except that all sequences follow one
// another and share rows if their frames weigh the same.

const FRAMES_PER_WORD = 64;
const BLOCK_WORDS = 32;
const EMPTY = -1;
const [BEGINS_PIECE, CONTINUES, STARTS_MID, DROPS] = [1, 2, 4, 8];

/** Codes a held frame by the position of its answer; the function is its own inverse. */
const held = (position) => -2 - position;

class NumberList {
  constructor() {
    this.numbers = new Uint32Array(1024);
    this.count = 0;
  }

  push(...values) {
    if (this.count + values.length > this.numbers.length) {
      const larger = new Uint32Array(2 * this.numbers.length);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    for (const value of values) this.numbers[this.count++] = value;
  }

  get all() { return this.numbers.subarray(0, this.count); }
}

/**
 * Facts about a stream's frames that no parameter changes.
 *
 * `rows` are a true class and the seconds of a frame; `rowOf` has the row of every frame, -1 if it
 * is not scored; `counts` has 1 where a change from the frame before counts.
 */
function frameFacts(data, stream) {
  const rows = [];
  const numbers = new Map();
  const rowOf = new Int32Array(data.frameCount).fill(-1);
  const counts = new Uint8Array(data.frameCount);
  const classes = stream.labels.length;
  for (const { first, frames, weight } of data.sequences) {
    const own = stream.labels.map(() => -1);
    for (let frame = first; frame < first + frames; frame++) {
      const truth = stream.truth[frame];
      if (truth >= classes) continue;
      if (own[truth] < 0) own[truth] = rowNumber(rows, numbers, truth, weight);
      rowOf[frame] = own[truth];
      if (frame > first && stream.truth[frame - 1] < classes) counts[frame] = 1;
    }
  }
  return { rows, rowOf, counts };
}

function rowNumber(rows, numbers, truth, weight) {
  const key = `${truth} ${weight}`;
  if (!numbers.has(key)) numbers.set(key, rows.push({ truth, weight }) - 1);
  return numbers.get(key);
}

/**
 * Places the frames of all sequences.
 *
 * `places` has a number per frame: its position, `EMPTY` for the empty answer, or the position
 * whose answer a dropout within the hold shows, coded by `held`.
 */
function placeFrames(data, stream, facts, holdSeconds) {
  const places = new Int32Array(data.frameCount);
  const flags = [];
  for (const sequence of data.sequences) {
    placeSequence(data, stream, facts, holdSeconds, sequence, places, flags);
  }
  return { places, flags: Uint8Array.from(flags) };
}

function placeSequence(data, stream, facts, holdSeconds, sequence, places, flags) {
  const { times, slack } = data;
  const { determined } = stream;
  let bit = FRAMES_PER_WORD;
  let last = -1;
  let lastTime = -Infinity;
  let hasDropped = false;
  for (let frame = sequence.first; frame < sequence.first + sequence.frames; frame++) {
    const isWithinHold = times[frame] - lastTime <= holdSeconds + slack;
    if (determined[frame] === 1) {
      if (!isWithinHold) {
        const continues = last >= 0 && !hasDropped ? CONTINUES : 0;
        const startsMid = sequence.starts_mid && last < 0 ? STARTS_MID : 0;
        flags.push(BEGINS_PIECE | continues | startsMid);
        bit = 0;
        hasDropped = false;
      } else if (bit === FRAMES_PER_WORD) {
        flags.push(0);
        bit = 0;
      }
      last = (flags.length - 1) * FRAMES_PER_WORD + bit;
      bit += 1;
      lastTime = times[frame];
      places[frame] = last;
    } else if (isWithinHold && last >= 0) {
      places[frame] = held(last);
    } else {
      places[frame] = EMPTY;
      if (last >= 0 && !hasDropped) {
        hasDropped = true;
        if (facts.counts[frame] === 1) flags[flags.length - 1] |= DROPS;
      }
    }
  }
}

function layOut(data, stream, facts, holdSeconds) {
  const { places, flags } = placeFrames(data, stream, facts, holdSeconds);
  const words = flags.length;
  const layout = {
    places, flags, words, rows: facts.rows, valid: new Uint32Array(2 * words),
    transitions: new Uint32Array(2 * words), frames: new Uint32Array(words * FRAMES_PER_WORD),
  };
  const rowAt = new Int32Array(words * FRAMES_PER_WORD).fill(-1);
  const heldFrames = new Map();
  layout.alwaysEmpty = new Float64Array(facts.rows.length);
  for (let frame = 0; frame < places.length; frame++) {
    const place = places[frame];
    const row = facts.rowOf[frame];
    if (place >= 0) {
      layout.valid[place >>> 5] |= 1 << (place & 31);
      if (facts.counts[frame] === 1) layout.transitions[place >>> 5] |= 1 << (place & 31);
      layout.frames[place] = frame;
      rowAt[place] = row;
    } else if (row >= 0 && place === EMPTY) {
      layout.alwaysEmpty[row] += 1;
    } else if (row >= 0) {
      countHeld(heldFrames, held(place), row);
    }
  }
  countRows(layout, rowAt, heldFrames);
  layout.events = eventsOf(data, stream, facts, places);
  return layout;
}

function countHeld(heldFrames, position, row) {
  if (!heldFrames.has(position)) heldFrames.set(position, new Map());
  const rows = heldFrames.get(position);
  rows.set(row, (rows.get(row) ?? 0) + 1);
}

/**
 * Decides which bits count for which row; rows of held frames follow those of determined ones.
 *
 * `runs` are first word, number of words and row; `masked` are both halves of a mask, word, row,
 * the power of two by which the bits count, and padding.
 */
function countRows(layout, rowAt, heldFrames) {
  const count = layout.rows.length;
  layout.kernelRows = heldFrames.size > 0 ? 2 * count : count;
  layout.totals = new Float64Array(layout.kernelRows);
  const heldMasks = masksOfHeld(layout, heldFrames);
  const runs = new NumberList();
  const masked = new NumberList();
  for (let word = 0; word < layout.words; word++) {
    const start = word * FRAMES_PER_WORD;
    if (isOneRow(rowAt, start)) {
      layout.totals[rowAt[start]] += FRAMES_PER_WORD;
      addRun(runs, word, rowAt[start]);
    } else {
      addMasks(layout, masked, rowAt, word);
    }
    for (const task of heldMasks.get(word) ?? []) {
      masked.push(...task.mask, word, task.row, task.shift, 0);
    }
  }
  layout.runs = runs.all;
  layout.masked = masked.all;
}

function isOneRow(rowAt, start) {
  const row = rowAt[start];
  if (row < 0) return false;
  for (let bit = 1; bit < FRAMES_PER_WORD; bit++) if (rowAt[start + bit] !== row) return false;
  return true;
}

function addMasks(layout, masked, rowAt, word) {
  const start = word * FRAMES_PER_WORD;
  let bit = 0;
  const done = [];
  while (bit < FRAMES_PER_WORD) {
    const row = rowAt[start + bit];
    bit += 1;
    if (row < 0 || done.includes(row)) continue;
    done.push(row);
    const mask = [0, 0];
    for (let other = bit - 1; other < FRAMES_PER_WORD; other++) {
      if (rowAt[start + other] !== row) continue;
      mask[other >>> 5] |= 1 << (other & 31);
      layout.totals[row] += 1;
    }
    masked.push(mask[0], mask[1], word, row, 0, 0);
  }
}

/**
 * By word, the positions whose answers held frames show, once for each power of two in their
 * number.
 */
function masksOfHeld(layout, heldFrames) {
  const byWord = new Map();
  for (const [position, rows] of heldFrames) {
    const word = Math.floor(position / FRAMES_PER_WORD);
    if (!byWord.has(word)) byWord.set(word, []);
    const tasks = byWord.get(word);
    for (const [row, times] of rows) {
      const kernelRow = layout.rows.length + row;
      layout.totals[kernelRow] += times;
      for (let shift = 0; times >>> shift > 0; shift++) {
        if ((times >>> shift & 1) === 0) continue;
        let task = tasks.find((other) => other.row === kernelRow && other.shift === shift);
        if (!task) {
          task = { mask: [0, 0], row: kernelRow, shift };
          tasks.push(task);
        }
        task.mask[position % FRAMES_PER_WORD >>> 5] |= 1 << (position & 31);
      }
    }
  }
  return byWord;
}

/** Extends the run before it if the kernel can take both in one block. */
function addRun(runs, word, row) {
  const { numbers, count } = runs;
  const isNext = count > 0 && numbers[count - 1] === row
    && numbers[count - 3] + numbers[count - 2] === word && word % BLOCK_WORDS !== 0;
  if (isNext) numbers[count - 2] += 1;
  else runs.push(word, 1, row);
}

/**
 * Finds where the kernel looks for the answers of true events.
 *
 * Scored and other frames of an event are separate stretches: the kernel takes them in order,
 * neither overlapping nor nested.
 */
function eventsOf(data, stream, { rowOf }, places) {
  const events = [];
  stream.onsets.forEach(([sequence, label, first, behind], onset) => {
    const offset = data.sequences[sequence].first;
    const eventEnd = offset + behind;
    for (let start = offset + first; start < eventEnd;) {
      const isScored = rowOf[start] >= 0;
      let end = start + 1;
      while (end < eventEnd && (rowOf[end] >= 0) === isScored) end += 1;
      const bits = bitsOf(start, end, places);
      if (bits) events.push({ onset, label, isScored, ...bits });
      start = end;
    }
  });
  return events;
}

/** Returns null if no frame has a bit. */
function bitsOf(start, end, places) {
  let [low, high] = [-1, -1];
  for (let frame = start; frame < end; frame++) {
    if (places[frame] === EMPTY) continue;
    high = places[frame] >= 0 ? places[frame] : held(places[frame]);
    if (low < 0) low = high;
  }
  return low < 0 ? null : { low, high };
}
