// Counts as the page of `planklab thresholds` does, without a browser:
//   node scripts/browser/thresholds_counts.mjs PAGE.html '{"sag": 0.03}'
// Prints, by stream, the frames and determined frames by truth and answer, and the metrics.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const [page, values] = process.argv.slice(2);
const scripts = ['unpack', 'layout', 'engine', 'metrics'].map((name) => readFileSync(
  new URL(`../../Sources/PlankBench/Thresholds/Page/${name}.js`, import.meta.url), 'utf8'));
const context = vm.createContext({ Blob, DecompressionStream, Response, WebAssembly });
vm.runInContext(`${scripts.join('\n')}
  globalThis.pages = { unpackData, bytesOf, StreamCounter, METRICS, metricsOf };`, context);
const { pages } = context;

const html = readFileSync(page, 'utf8');
const open = '<script type="application/json" id="data">';
const start = html.indexOf(open) + open.length;
const packed = JSON.parse(html.slice(start, html.indexOf('</script>', start)));
const data = await pages.unpackData(packed);
const module = new WebAssembly.Module(pages.bytesOf(packed.kernel));
const setting = Object.fromEntries(data.parameters.map(({ key, start: value }) => [key, value]));
Object.assign(setting, JSON.parse(values));

const result = {};
for (const stream of data.streams) {
  const counter = new pages.StreamCounter(module, data, stream);
  const [[count]] = counter.count([setting], [setting[stream.frames]]);
  const metrics = pages.metricsOf(count, stream, data.slack);
  result[stream.name] = {
    frames: [...count.frames],
    determined: [...count.determined].reduce((left, right) => left + right, 0),
    transitions: count.transitions,
    metrics: Object.fromEntries(pages.METRICS.map(({ name }, index) => [name, metrics[index]])),
  };
}
console.log(JSON.stringify(result));
