// Answers random detectors as pages do, without a browser, and compares every frame with what `planklab evaluate`
// answers; EngineAgreementPropertyTests writes the cases:
//   node scripts/browser/engine_answers.mjs CASES.jsonl
// The page's detector must give every answer, raw label and deciding rule; the thresholds page must count the frames of
// every setting alike. Exits 1 if anything differs.
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import vm from 'node:vm';

const sources = new URL('../../Sources/', import.meta.url);
const read = (path) => readFileSync(new URL(path, sources));
const scripts = [
  ...['unpack', 'layout', 'engine', 'metrics'].map(
    (name) => `PlankBench/Thresholds/Page/${name}.js`),
  'PlankBench/Report/Page/detector.js',
].map((path) => read(path).toString());
const context = vm.createContext({
  Blob, DecompressionStream, Response, TextEncoder, WebAssembly,
});
vm.runInContext(`${scripts.join('\n')}
  globalThis.pages = {
    PageDetector, StreamCounter, NO_PLACE, bytesOf, frameTimes, unpackData, unpacked };`, context);
const { pages } = context;

const program = read('CPages/detector.wasm');

let [answers, cells, differences] = [0, 0, 0];
function differ(text) {
  differences += 1;
  if (differences <= 20) console.log(text);
}

function compareFrames(name, detector, stream, shown, expected) {
  const { rules, comparisons } = expected;
  shown.forEach((frame, at) => {
    const rule = rules[at] ?? pages.NO_PLACE;
    const isSame = frame.raw === expected.raw[at] && frame.answer === expected.answers[at]
      && frame.isHeld === expected.held[at] && frame.rule === rule;
    if (!isSame) differ(`${name}, frame ${at}: ${JSON.stringify(frame)}, not rule ${rule}`);
    const isNear = frame.nearest !== pages.NO_PLACE;
    if (isNear === Number.isNaN(frame.margin)) differ(`${name}, frame ${at}: a margin without a place`);
    if (isNear && at % 10 === 0) {
      const steps = detector.comparisons(stream, at, comparisons);
      if (steps[frame.nearest]?.margin !== frame.margin) differ(`${name}, frame ${at}: another margin`);
    }
    answers += 1;
  });
  if (shown.length !== rules.length) differ(`${name}: ${shown.length} frames`);
}

async function compareCells(name, { thresholds, cells: expected }, index) {
  const kernel = new WebAssembly.Module(pages.bytesOf(thresholds.kernel));
  const data = await pages.unpackData(thresholds);
  const stream = data.streams[index];
  const counter = new pages.StreamCounter(kernel, data, stream);
  for (const { values, frames, transitions } of expected) {
    const [[count]] = counter.count([values], [values[stream.frames]]);
    const isSame = frames.every((number, cell) => number === count.frames[cell])
      && transitions === count.transitions;
    if (!isSame) differ(`${name}, thresholds page: ${count.frames} and not ${frames}`);
    cells += 1;
  }
}

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const one = JSON.parse(line);
  const detector = await pages.PageDetector.made(program, one.detector);
  const values = new Uint32Array((await pages.unpacked(one.columns, 4)).buffer);
  const times = await pages.frameTimes(one.times, [{ start: one.start, frames: one.frames }]);
  const shown = detector.open({ values, times, startsMid: one.startsMid });
  for (const index of [0, 1]) {
    const name = `detector ${one.seed}, ${['plank', 'form'][index]}`;
    compareFrames(name, detector, index, shown[index], one.streams[index]);
    if (one.streams[index].thresholds) await compareCells(name, one.streams[index], index);
  }
}
console.log(`compared ${answers} answers and ${cells} cells`);
process.exitCode = differences > 0 ? 1 : 0;
