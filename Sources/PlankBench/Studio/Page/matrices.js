// The scores and the confusion matrices of the values now, and of what is pinned.

/** A number of frames or seconds as people read it. */
const grouped = (value, digits) => value.toLocaleString('en-US', {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
});

/** What a matrix can show: which number of a cell, and what that number means. */
const VIEWS = {
  frames: {
    title: 'frames', digits: 0, words: 'Each cell is a number of frames.',
    of: (count) => count.frames,
  },
  seconds: {
    title: 'seconds', digits: 1,
    words: 'Each cell is a time in seconds: a frame counts for the median interval of its '
      + 'recording.',
    of: (count) => count.seconds,
  },
  truth: {
    title: '% of truth', digits: 1, isShare: true,
    words: 'Each row adds up to 100 %: of the frames that truly are the row\'s class, the share '
      + 'that gets the column\'s answer. The diagonal is the recall.',
    of: (count, classes) => shares(count.frames, classes, true),
  },
  answer: {
    title: '% of answer', digits: 1, isShare: true,
    words: 'Each column adds up to 100 %: of the frames that get the column\'s answer, the share '
      + 'that truly is the row\'s class. The diagonal is the precision.',
    of: (count, classes) => shares(count.frames, classes, false),
  },
};

function shares(frames, classes, byRow) {
  return frames.map((value, cell) => {
    const line = byRow ? Math.floor(cell / classes) : cell % classes;
    let sum = 0;
    for (let other = 0; other < classes; other++) {
      sum += byRow ? frames[line * classes + other] : frames[other * classes + line];
    }
    return sum > 0 ? 100 * value / sum : 0;
  });
}

/** One stream's matrix as a table whose cells are written anew. */
class MatrixTable {
  constructor(stream) {
    this.stream = stream;
    const { labels } = stream;
    this.caption = element('caption');
    this.cells = labels.map(() => labels.map(() => element('td')));
    this.recalls = labels.map(() => element('td', { className: 'sum' }));
    this.precisions = labels.map(() => element('td', { className: 'sum' }));
    const head = labels.map((label) => element('th', { scope: 'col', textContent: label }));
    const rows = labels.map((label, row) => element('tr', {},
      element('th', { scope: 'row', textContent: label }), ...this.cells[row], this.recalls[row]));
    this.node = element('table', { className: 'matrix' }, this.caption,
      element('thead', {}, element('tr', {},
        element('th', { className: 'corner', textContent: 'truth \\ answer' }), ...head,
        element('th', { scope: 'col', className: 'sum', textContent: 'recall' }))),
      element('tbody', {}, ...rows, element('tr', {},
        element('th', { scope: 'row', className: 'sum', textContent: 'precision' }),
        ...this.precisions, element('td'))));
  }

  /** Shows a count, or how it differs from another one. */
  show(title, count, reference, view, hidesDiagonal) {
    const classes = this.stream.labels.length;
    const values = view.of(count, classes);
    const before = reference && view.of(reference, classes);
    const strengths = shares(count.frames, classes, true);
    const largest = Math.max(...strengths.filter((_, cell) => !isDiagonal(cell, classes)), 1e-9);
    this.caption.textContent = `${this.stream.name}, ${view.title}, ${title}`;
    values.forEach((value, cell) => {
      const node = this.cells[Math.floor(cell / classes)][cell % classes];
      const isRight = isDiagonal(cell, classes);
      const change = before ? value - before[cell] : value;
      node.textContent = isRight && hidesDiagonal ? '' : this.text(change, view, before);
      node.dataset.frames = count.frames[cell];
      const strength = isRight ? strengths[cell] / 100 : strengths[cell] / largest;
      node.className = isRight ? 'right' : 'wrong';
      const shade = isRight && hidesDiagonal ? 0 : Math.round(strength * 55);
      node.style.setProperty('--strength', `${shade}%`);
    });
    const recalls = shares(count.frames, classes, true);
    const precisions = shares(count.frames, classes, false);
    const hasTruth = (label) => this.sum(count, label, true) > 0;
    this.stream.labels.forEach((_, label) => {
      const cell = label * classes + label;
      this.recalls[label].textContent = hasTruth(label) ? `${recalls[cell].toFixed(1)} %` : '–';
      this.precisions[label].textContent = this.sum(count, label, false) > 0
        ? `${precisions[cell].toFixed(1)} %` : '–';
    });
  }

  sum(count, label, byRow) {
    const classes = this.stream.labels.length;
    let sum = 0;
    for (let other = 0; other < classes; other++) {
      sum += count.frames[byRow ? label * classes + other : other * classes + label];
    }
    return sum;
  }

  text(value, view, isChange) {
    if (isChange && Math.abs(value) < 10 ** -view.digits / 2) return '·';
    if (value === 0) return '·';
    return (isChange && value > 0 ? '+' : '') + grouped(value, view.digits).replace('-', '−');
  }
}

const isDiagonal = (cell, classes) => Math.floor(cell / classes) === cell % classes;

/** The table of metrics: start, now, pinned, and the change from one pin to the other. */
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
      textContent: `${stream.name}: ${stream.true_transitions} true changes, `
        + `${stream.onsets.length} events`,
    }));
    return { cells, node: element('tbody', {}, head, ...rows) };
  }

  /** Shows metrics by stream and column; a column without any is hidden. */
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
