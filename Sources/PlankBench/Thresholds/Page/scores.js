class ScoreTable {
  constructor(root, data) {
    this.data = data;
    this.columns = ['start', 'now', 'A', 'B', 'B − A'];
    this.heads = this.columns.map((title) => element('th', { scope: 'col', textContent: title }));
    const bodies = data.streams.map((stream) => this.body(stream));
    root.append(element('table', { className: 'scores' },
      element('caption', { textContent: 'Scores' }),
      element('thead', {},
        element('tr', {}, element('th', { textContent: 'metric' }), ...this.heads)),
      ...bodies.map((body) => body.node)));
    this.bodies = bodies;
  }

  body(stream) {
    const cells = METRICS.map((metric) => this.columns.map(() => element('td', {
      'data-metric': `${stream.name}.${metric.name}`,
    })));
    const rows = METRICS.map((metric, index) => element('tr', {},
      element('th', { scope: 'row', textContent: metric.title, title: metric.name }),
      ...cells[index]));
    const head = element('tr', {}, element('th', {
      scope: 'rowgroup', colSpan: this.columns.length + 1, className: 'stream',
      textContent: `${stream.name}: ${stream.true_transitions} true transitions, `
        + `${stream.onsets.length} events`,
    }));
    return { cells, node: element('tbody', {}, head, ...rows) };
  }

  show(scores) {
    this.columns.forEach((title, column) => {
      const isShown = scores[0][title] !== undefined;
      this.heads[column].hidden = !isShown;
      this.bodies.forEach((body, stream) => {
        METRICS.forEach((metric, index) => {
          this.showCell(body.cells[index][column], metric, scores[stream], title, index);
        });
      });
    });
  }

  showCell(cell, metric, scores, title, index) {
    cell.hidden = scores[title] === undefined;
    if (cell.hidden) return;
    const value = scores[title][index];
    const isChange = title === 'B − A';
    const reference = isChange ? 0 : title === 'now' ? scores.start[index] : value;
    cell.textContent = value === null ? '–'
      : (isChange && value > 0 ? '+' : '') + value.toFixed(metric.digits).replace('-', '−');
    cell.dataset.value = value ?? '';
    cell.dataset.column = title;
    const sign = metric.isBetterHigh ? 1 : -1;
    const gain = value === null || reference === null ? 0 : sign * (value - reference);
    const least = 10 ** -metric.digits / 2;
    cell.className = gain > least ? 'better' : gain < -least ? 'worse' : '';
  }
}

const BINS = 120;
const ROW_HEIGHT = 24;
const AXIS_HEIGHT = 20;
/** The room for the rows' names; `.lines` in the style sheet starts there. */
const GUTTER = 68;

/** The measurements that a list compares, with thresholds and the classes of the rules. */
function comparedMeasurements(stream) {
  const columns = new Map();
  for (const { label, predicates } of stream.rules) {
    for (const { column, parameter, is_negated: isNegated } of predicates) {
      if (!columns.has(column)) columns.set(column, { thresholds: new Map(), classes: new Set() });
      const { thresholds, classes } = columns.get(column);
      thresholds.set(`${isNegated ? '-' : ''}${parameter}`, { parameter, sign: isNegated ? -1 : 1 });
      classes.add(label);
    }
  }
  return [...columns].map(([column, { thresholds, classes }]) => (
    { column, thresholds: [...thresholds], classes }));
}

function rowsOf(stream, classes, isEvery) {
  const every = stream.labels.map((label, code) => ({ title: label, color: label, codes: [code] }));
  const own = every.filter((_, code) => classes.has(code));
  const others = every.filter((_, code) => !classes.has(code)).flatMap(({ codes }) => codes);
  if (isEvery || others.length < 2) return every;
  return [...own, { title: 'others', color: '', codes: others }];
}

function axisRange(values, thresholds, settings) {
  const sorted = Float32Array.from(values).sort();
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  let [low, high] = sorted.length > 0 ? [at(0.004), at(0.996)] : [0, 1];
  for (const [, { parameter, sign }] of thresholds) {
    low = Math.min(low, sign * settings.start[parameter]);
    high = Math.max(high, sign * settings.start[parameter]);
  }
  const margin = 0.04 * (high - low || 1);
  return [low - margin, high + margin];
}

function histogram(data, stream, column, [low, high]) {
  const classes = stream.labels.length;
  const bins = stream.labels.map(() => new Float64Array(BINS));
  const totals = new Float64Array(classes);
  const values = data.columns[column];
  for (let frame = 0; frame < values.length; frame++) {
    const truth = stream.truth[frame];
    if (truth >= classes || stream.determined[frame] === 0 || Number.isNaN(values[frame])) continue;
    totals[truth] += 1;
    const bin = Math.floor((values[frame] - low) / (high - low) * BINS);
    if (bin >= 0 && bin < BINS) bins[truth][bin] += 1;
  }
  return { bins, totals };
}

function scoredValues(data, stream, column) {
  const values = data.columns[column];
  const chosen = [];
  const step = Math.max(1, Math.floor(values.length / 20000));
  for (let frame = 0; frame < values.length; frame += step) {
    if (stream.truth[frame] < stream.labels.length && stream.determined[frame] === 1
      && !Number.isNaN(values[frame])) chosen.push(values[frame]);
  }
  return chosen;
}

class Distribution {
  constructor(data, stream, { column, thresholds, classes }, settings) {
    [this.stream, this.classes] = [stream, classes];
    this.settings = settings;
    this.range = axisRange(scoredValues(data, stream, column), thresholds, settings);
    this.histogram = histogram(data, stream, column, this.range);
    const { name, unit } = data.measurements[column];
    this.canvas = element('canvas', { 'aria-hidden': 'true' });
    this.plot = element('div', { className: 'plot' }, this.canvas);
    this.showRows(false);
    this.lines = thresholds.map(([text, threshold]) => new ThresholdLine(this, text, threshold));
    this.field = element('div', { className: 'lines' }, ...this.lines.map((line) => line.node));
    this.plot.append(this.field);
    this.node = element('figure', { className: 'distribution' },
      element('figcaption', {}, element('b', { textContent: name }),
        unit === '-' ? ' ' : `, ${unit} `, element('span', { textContent: `for ${stream.name}` })),
      this.plot);
  }

  showRows(isEvery) {
    this.rows = rowsOf(this.stream, this.classes, isEvery);
    this.plot.style.height = `${this.rows.length * ROW_HEIGHT + AXIS_HEIGHT}px`;
  }

  share(value) {
    const [low, high] = this.range;
    return Math.min(Math.max((value - low) / (high - low), 0), 1);
  }

  value(share) { return this.range[0] + share * (this.range[1] - this.range[0]); }

  draw(palette) {
    const { context, width: whole } = fitCanvas(this.canvas);
    const width = whole - GUTTER;
    const { bins, totals } = this.histogram;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    this.rows.forEach(({ title, color, codes }, row) => {
      const base = (row + 1) * ROW_HEIGHT;
      const sums = Float64Array.from({ length: BINS }, (_, bin) => (
        codes.reduce((sum, code) => sum + bins[code][bin], 0)));
      const largest = Math.max(...sums, 1e-12);
      const isTrue = codes.some((code) => totals[code] > 0);
      context.fillStyle = color === '' ? palette.middle : palette.classes[color];
      context.beginPath();
      context.moveTo(GUTTER, base);
      sums.forEach((count, bin) => {
        const top = base - count / largest * (ROW_HEIGHT - 4);
        context.lineTo(GUTTER + bin / BINS * width, top);
        context.lineTo(GUTTER + (bin + 1) / BINS * width, top);
      });
      context.lineTo(GUTTER + width, base);
      context.fill();
      context.strokeStyle = palette.dim;
      context.lineWidth = 0.75;
      context.stroke();
      context.fillStyle = palette.line;
      context.fillRect(0, base, GUTTER + width, 1);
      context.fillStyle = isTrue ? palette.text : palette.dim;
      context.textAlign = 'left';
      context.fillText(isTrue ? title : `(${title})`, 0, base - ROW_HEIGHT / 2);
    });
    this.axis(context, width, palette);
  }

  axis(context, width, palette) {
    const [low, high] = this.range;
    const rough = (high - low) / 6;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * unit).find((one) => one >= rough);
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    context.fillStyle = palette.dim;
    context.textAlign = 'center';
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
      const x = this.share(value) * width;
      if (x < 12 || x > width - 12) continue;
      context.fillText(
        value.toFixed(digits), GUTTER + x, this.rows.length * ROW_HEIGHT + 11);
    }
  }

  /** Puts names on the side with more room, in several rows where they would overlap. */
  show() {
    const width = this.field.clientWidth;
    const ends = [];
    for (const line of [...this.lines].sort((one, other) => one.share - other.share)) {
      const [start, end] = line.show(line.share > 0.5, width);
      const row = [...ends, -Infinity].findIndex((taken) => taken < start);
      ends[row] = end;
      line.text.style.setProperty('--row', row + 1);
    }
    this.plot.style.setProperty('--rows', ends.length);
  }
}

class ThresholdLine {
  constructor(picture, text, { parameter, sign }) {
    [this.picture, this.parameter, this.sign] = [picture, parameter, sign];
    const { least, greatest, step } = sliderOf(picture.settings.byKey.get(parameter));
    this.step = step;
    this.text = element('span', { textContent: text });
    this.node = element('div', {
      className: 'threshold', tabIndex: 0, role: 'slider', 'aria-label': text,
      'aria-valuemin': least, 'aria-valuemax': greatest,
    }, this.text);
    this.node.addEventListener('pointerdown', (event) => this.grab(event));
    this.node.addEventListener('pointermove', (event) => {
      if (this.node.hasPointerCapture(event.pointerId)) this.move(event);
    });
    this.node.addEventListener('keydown', (event) => this.key(event));
  }

  grab(event) {
    event.preventDefault();
    this.node.focus();
    this.node.setPointerCapture(event.pointerId);
  }

  move(event) {
    const box = this.picture.field.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    this.set(this.sign * this.picture.value(share));
  }

  key(event) {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const size = this.step * (event.shiftKey ? 10 : 1);
    this.set(this.picture.settings.values[this.parameter] + this.sign * direction * size);
  }

  set(value) {
    const { settings } = this.picture;
    settings.set({ [this.parameter]: settings.snapped(this.parameter, value) });
  }

  get value() { return this.picture.settings.values[this.parameter]; }

  get share() { return this.picture.share(this.sign * this.value); }

  /** Returns where the name starts and ends, in pixels. */
  show(isFlipped, width) {
    this.node.style.left = `${this.share * 100}%`;
    this.node.classList.toggle('flipped', isFlipped);
    this.node.setAttribute('aria-valuenow', this.value);
    const [x, length] = [this.share * width, this.text.offsetWidth];
    return isFlipped ? [x - length, x] : [x, x + length];
  }
}

class Distributions {
  constructor(root, choices, data, settings) {
    this.kind = select('Rows', [['own', 'class of the rule and others'], ['all', 'every class']]);
    choices.append(this.kind.label);
    this.kind.field.addEventListener('change', () => {
      for (const picture of this.pictures) picture.showRows(this.kind.field.value === 'all');
      this.draw(this.palette);
    });
    this.pictures = data.streams.flatMap((stream) => comparedMeasurements(stream)
      .map((compared) => new Distribution(data, stream, compared, settings)));
    root.append(...this.pictures.map((picture) => picture.node));
  }

  draw(palette) {
    this.palette = palette;
    for (const picture of this.pictures) picture.draw(palette);
  }

  show() { for (const picture of this.pictures) picture.show(); }
}
