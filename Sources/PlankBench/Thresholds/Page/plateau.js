/** Cells per side, a multiple of the kernel's lanes. */
const MAP_CELLS = 2 * LANES;
/** In seconds; the layout for a hold shorter than a frame is slow. */
const SHORTEST_MAPPED_HOLD = 0.1;
/** How far below the best a cell of the plateau may be. */
const PLATEAU_TOLERANCE = 0.01;

function mapAxis(parameter, value, span, shortest) {
  const { greatest, digits, ...slider } = sliderOf(parameter);
  const least = Math.max(slider.least, shortest);
  const end = parameter.is_integer ? Math.min(greatest, Math.max(20, value)) : greatest;
  const width = (end - least) * span;
  const low = Math.max(least, Math.min(value - width / 2, end - width));
  const values = Array.from({ length: MAP_CELLS }, (_, index) => (
    Number((low + index * width / (MAP_CELLS - 1)).toFixed(span < 1 ? digits + 1 : digits))));
  if (parameter.is_integer) values.forEach((one, index) => { values[index] = Math.round(one); });
  const nearest = values.reduce((best, one, index) => (
    Math.abs(one - value) < Math.abs(values[best] - value) ? index : best), 0);
  values[nearest] = value;
  return { values: [...new Set(values)].sort((left, right) => left - right), value };
}

/** Lets the browser do other work; a timer would wait four more milliseconds. */
function pause() {
  return new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { channel.port1.close(); done(); };
    channel.port2.postMessage(null);
  });
}

/** The ends of the values, null if none is defined, and which values are as good as the best. */
function bestOf(values, { isBetterHigh }) {
  const all = values.filter((value) => value !== null).sort((one, other) => one - other);
  const [worst = null, best = null] = isBetterHigh ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  const isNear = (value) => value !== null
    && Math.abs(value - best) <= PLATEAU_TOLERANCE * Math.max(1, Math.abs(best));
  return { worst, best, isNear };
}

/** Counts row by row, so that the page stays usable. */
class PlateauMap {
  constructor(root, data, settings, counters) {
    [this.data, this.settings, this.counters] = [data, settings, counters];
    this.canvas = element('canvas', {
      tabIndex: 0, role: 'application', 'aria-describedby': 'map-words',
      'aria-label': 'Map; arrow keys move the values',
    });
    this.words = element('p', { id: 'map-words', 'aria-live': 'polite' });
    this.metric = select('Metric', METRICS.map((metric) => [metric.name, metric.title]));
    this.span = select('Around', [['1', 'the whole range'], ['0.25', 'a quarter of it'],
      ['0.0625', 'a sixteenth of it']]);
    root.append(element('div', { className: 'choices' }, this.metric.label, this.span.label),
      element('div', { className: 'map' }, this.canvas), this.words);
    this.metric.field.addEventListener('change', () => this.begin());
    this.span.field.addEventListener('change', () => this.begin());
    this.canvas.addEventListener('click', (event) => this.click(event));
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerleave', () => this.tell());
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.run = 0;
  }

  subject() {
    const { parameters, touched } = this.settings;
    const order = [...touched, ...parameters.map(({ key }) => key)];
    const keysOf = ({ stream }) => new Set([
      ...stream.rules.flatMap((rule) => rule.predicates.map((predicate) => predicate.parameter)),
      stream.frames, stream.hold]);
    const counter = this.counters.find((one) => keysOf(one).has(order[0]));
    const used = keysOf(counter);
    const own = order.filter((key, index) => used.has(key) && order.indexOf(key) === index);
    const keys = own.slice(0, 2);
    // Each hold needs a new layout of all frames, so each row has one hold.
    if (keys[0] === counter.stream.hold) keys.reverse();
    return { counter, keys };
  }

  /** A run stops when another one starts. */
  async begin() {
    const run = ++this.run;
    const { counter, keys } = this.subject();
    if (keys.length < 2) return;
    const span = Number(this.span.field.value);
    const axes = keys.map((key) => {
      const least = key === counter.stream.hold ? SHORTEST_MAPPED_HOLD : -Infinity;
      return mapAxis(this.settings.byKey.get(key), this.settings.values[key], span, least);
    });
    const base = { ...this.settings.values };
    const metric = METRICS.find(({ name }) => name === this.metric.field.value);
    const started = performance.now();
    const rows = [];
    for (const y of axes[1].values) {
      const settings = axes[0].values.map((x) => ({ ...base, [keys[0]]: x, [keys[1]]: y }));
      rows.push(this.metrics(counter, settings, metric));
      await pause();
      if (run !== this.run) return;
    }
    counter.prepare(this.settings.values[counter.stream.hold]);
    this.map = { counter, keys, axes, rows, metric, ...bestOf(rows.flat(), metric) };
    this.canvas.dataset.milliseconds = Math.round(performance.now() - started);
    this.draw(this.palette);
  }

  metrics(counter, settings, metric) {
    const { stream } = counter;
    const of = (count) => metricsOf(count, stream, this.data.slack)[METRICS.indexOf(metric)];
    const [first] = settings;
    if (settings.some((one) => one[stream.frames] !== first[stream.frames])) {
      return this.byLength(counter, settings).map(of);
    }
    const isOneHold = settings.every((one) => one[stream.hold] === first[stream.hold]);
    const size = isOneHold ? LANES : 1;
    const values = [];
    for (let start = 0; start < settings.length; start += size) {
      const some = settings.slice(start, start + size);
      for (const [count] of counter.count(some, [first[stream.frames]])) values.push(of(count));
    }
    return values;
  }

  byLength(counter, settings) {
    const counts = [];
    for (let start = 0; start < settings.length; start += 8) {
      const lengths = settings.slice(start, start + 8).map((one) => one[counter.stream.frames]);
      counts.push(...counter.count([settings[0]], lengths)[0]);
    }
    return counts;
  }

  draw(palette) {
    this.palette = palette;
    if (!this.map) return;
    const { context, width, height } = fitCanvas(this.canvas);
    const box = this.box(width, height);
    // Before the page is laid out, there is no room for cells; the map is drawn once there is.
    if (Math.min(box.width, box.height) < MAP_CELLS) return;
    const { rows, worst, best, isNear } = this.map;
    rows.forEach((row, y) => row.forEach((value, x) => {
      const cell = this.cell(box, x, y);
      context.fillStyle = palette.raised;
      context.fillRect(...cell);
      if (value === null) return;
      context.globalAlpha = 0.06 + 0.94 * (best === worst ? 1 : (value - worst) / (best - worst));
      context.fillStyle = palette.accent;
      context.fillRect(...cell);
      context.globalAlpha = 1;
      if (isNear(value)) this.dot(context, cell, palette);
    }));
    this.axes(context, box, palette);
    this.outline(context, box, palette);
    this.tell();
  }

  box(width, height) { return { left: 52, top: 6, width: width - 60, height: height - 46 }; }

  cell(box, x, y) {
    const [columns, rows] = this.map.axes.map((axis) => axis.values.length);
    const [w, h] = [box.width / columns, box.height / rows];
    return [box.left + x * w, box.top + box.height - (y + 1) * h, w - 1, h - 1];
  }

  dot(context, [x, y, w, h], palette) {
    context.fillStyle = palette.surface;
    context.beginPath();
    context.arc(x + w / 2, y + h / 2, Math.min(w, h) / 7, 0, 2 * Math.PI);
    context.fill();
  }

  axes(context, box, palette) {
    const [across, up] = this.map.axes;
    context.fillStyle = palette.dim;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (let index = 0; index < across.values.length; index += 4) {
      context.textAlign = 'center';
      const [x, , w] = this.cell(box, index, 0);
      context.fillText(numberText(across.values[index]), x + w / 2, box.top + box.height + 10);
    }
    for (let index = 0; index < up.values.length; index += 4) {
      context.textAlign = 'right';
      const [, y, , h] = this.cell(box, 0, index);
      context.fillText(numberText(up.values[index]), box.left - 6, y + h / 2);
    }
    context.fillStyle = palette.text;
    context.textAlign = 'center';
    context.fillText(`→ ${this.map.keys[0]}    ↑ ${this.map.keys[1]}`, box.left + box.width / 2,
      box.top + box.height + 30);
  }

  outline(context, box, palette) {
    const [x, y] = this.map.axes.map((axis) => axis.values.indexOf(axis.value));
    context.strokeStyle = palette.threshold;
    context.lineWidth = 2;
    context.strokeRect(...this.cell(box, x, y));
  }

  at(event) {
    if (!this.map) return null;
    const bounds = this.canvas.getBoundingClientRect();
    const box = this.box(bounds.width, bounds.height);
    const [columns, rows] = this.map.axes.map((axis) => axis.values.length);
    const x = Math.floor((event.clientX - bounds.left - box.left) / box.width * columns);
    const y = rows - 1 - Math.floor((event.clientY - bounds.top - box.top) / box.height * rows);
    return x >= 0 && x < columns && y >= 0 && y < rows ? [x, y] : null;
  }

  click(event) {
    const place = this.at(event);
    if (place) this.go(place);
  }

  go(place) {
    const { keys, axes } = this.map;
    this.settings.set({
      [keys[1]]: axes[1].values[place[1]], [keys[0]]: axes[0].values[place[0]],
    });
  }

  key(event) {
    const step = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1],
    }[event.key];
    if (!step || !this.map) return;
    event.preventDefault();
    this.go(this.map.axes.map(({ values, value }, side) => (
      Math.min(Math.max(values.indexOf(value) + step[side], 0), values.length - 1))));
  }

  point(event) {
    const place = this.at(event);
    if (place) this.tell(place);
  }

  tell(place) {
    if (!this.map) return;
    const { keys, axes, rows, counter, metric, best, isNear } = this.map;
    const text = (value) => (value === null ? 'undefined' : value.toFixed(metric.digits));
    const at = place ?? axes.map((axis) => axis.values.indexOf(axis.value));
    const pair = keys.map((key, side) => `${key} ${numberText(axes[side].values[at[side]])}`);
    const cells = rows.flat();
    this.words.textContent = `${place ? 'There' : 'Now'} ${pair.join(', ')}: `
      + `${counter.stream.name} ${metric.title} ${text(rows[at[1]][at[0]])}. `
      + (best === null ? 'It is undefined on the whole map.'
        : `Best on the map: ${text(best)}; ${cells.filter(isNear).length} of ${cells.length} cells `
          + '(dots) are within 0.01 of the best, or within 1 % for numbers above 1.');
  }
}

function commandOf(data, values) {
  const settings = data.parameters.filter(({ key, base }) => values[key] !== base)
    .map(({ key }) => `--set ${key}=${numberText(values[key])}`);
  return [data.command, ...settings].join(' ');
}

function thresholdsOf(data, values) {
  const file = structuredClone(data.thresholds);
  for (const { key } of data.parameters) file.parameters[key] = values[key];
  return `${JSON.stringify(file, null, 2)}\n`;
}

class CopyDialog {
  constructor(root) {
    this.root = root;
    this.title = root.querySelector('h2');
    this.text = root.querySelector('textarea');
    this.status = root.querySelector('[role=status]');
    root.querySelector('button').addEventListener('click', () => root.close());
  }

  async open(title, text) {
    this.title.textContent = title;
    this.text.value = text;
    this.status.textContent = '';
    this.root.showModal();
    this.text.focus();
    this.text.select();
    try {
      await navigator.clipboard.writeText(text);
      this.status.textContent = 'Copied.';
    } catch {
      this.status.textContent = 'The browser does not allow copying; copy the selected text yourself.';
    }
  }
}
