// Reads packed numbers: a zlib stream of bytes that are sorted by place, in base 85.

const DIGITS = new Uint8Array(128);
[...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,.)*+-;/=[?@^_`]|}~']
  .forEach((digit, value) => { DIGITS[digit.charCodeAt(0)] = value; });

/** Five digits are four bytes; a shorter last group has one digit more than bytes. */
function bytesOf(base85) {
  const text = base85.padEnd(Math.ceil(base85.length / 5) * 5, '~');
  const bytes = new DataView(new ArrayBuffer(text.length / 5 * 4));
  for (let at = 0; at < text.length; at += 5) {
    let number = 0;
    for (let place = at; place < at + 5; place++) {
      number = number * 85 + DIGITS[text.charCodeAt(place)];
    }
    bytes.setUint32(at / 5 * 4, number);
  }
  return new Uint8Array(bytes.buffer, 0, Math.floor(base85.length * 4 / 5));
}

async function unpacked(text, width) {
  const stream = new Blob([bytesOf(text)]).stream();
  const inflated = stream.pipeThrough(new DecompressionStream('deflate'));
  const planes = new Uint8Array(await new Response(inflated).arrayBuffer());
  if (width === 1) return planes;
  const count = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let place = 0; place < width; place++) {
    const start = place * count;
    for (let index = 0; index < count; index++) {
      bytes[index * width + place] = planes[start + index];
    }
  }
  return bytes;
}

/** Steps between frames have the sign in the last bit. */
async function unpackedSteps(text, stride) {
  const steps = new Uint16Array((await unpacked(text, 2)).buffer);
  const numbers = new Int16Array(steps.length);
  for (let at = 0; at < steps.length; at++) {
    const step = (steps[at] >>> 1) ^ -(steps[at] & 1);
    numbers[at] = step + (at < stride ? 0 : numbers[at - stride]);
  }
  return numbers;
}

/** NaN where the measurement is undefined. */
async function unpackedValues(text, unit) {
  const [kind, packed] = text.split(':');
  if (kind === 'bits') return new Float32Array((await unpacked(packed, 4)).buffer);
  const numbers = await unpackedSteps(packed, 1);
  return Float32Array.from(numbers, (number) => (number === -32768 ? NaN : number * unit));
}

async function frameTimes(text, sequences) {
  const [kind, packed] = text.split(':');
  if (kind === 'bits') return new Float64Array((await unpacked(packed, 8)).buffer);
  const steps = new Uint32Array((await unpacked(packed, 4)).buffer);
  const times = new Float64Array(steps.length);
  let frame = 0;
  for (const sequence of sequences) {
    let microseconds = Math.round(sequence.start * 1e6);
    for (const end = frame + sequence.frames; frame < end; frame++) {
      microseconds += steps[frame];
      times[frame] = microseconds / 1e6;
    }
  }
  return times;
}

async function unpackData(data) {
  let first = 0;
  for (const sequence of data.sequences) {
    sequence.first = first;
    first += sequence.frames;
  }
  const columns = [];
  for (const text of data.columns) {
    columns.push(new Float32Array((await unpacked(text, 4)).buffer));
  }
  const streams = [];
  for (const stream of data.streams) {
    streams.push({
      ...stream,
      truth: await unpacked(stream.truth, 1),
      determined: await unpacked(stream.determined, 1),
    });
  }
  const times = await frameTimes(data.times, data.sequences);
  return { ...data, frameCount: first, times, columns, streams };
}
