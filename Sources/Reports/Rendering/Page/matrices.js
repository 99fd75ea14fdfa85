const grouped = (value, digits) => value.toLocaleString('en-US', {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
});

/** Which number of a cell is shown, and what the number means. */
const VIEWS = {
  seconds: {
    title: 'seconds', digits: 1,
    words: 'Each cell is a time in seconds; each frame counts as the median frame interval of its recording.',
    of: (count) => count.seconds,
  },
  truth: {
    title: '% of truth', digits: 1, isShare: true,
    words: 'Each row adds up to 100 %. A cell is the share of the row\'s labeled time that gets '
      + 'the column\'s answer; the diagonal is the recall.',
    of: (count, classes) => shares(count.seconds, classes, true),
  },
  answer: {
    title: '% of answer', digits: 1, isShare: true,
    words: 'Each column adds up to 100 %. A cell is the share of the column\'s answered time that '
      + 'has the row\'s label; the diagonal is the precision.',
    of: (count, classes) => shares(count.seconds, classes, false),
  },
  frames: {
    title: 'frames', digits: 0, words: 'Each cell is a number of frames.',
    of: (count) => count.frames,
  },
};

/** Percentages of a row or column; frames are weighted by their time. */
function shares(seconds, classes, byRow) {
  return seconds.map((value, cell) => {
    const line = byRow ? Math.floor(cell / classes) : cell % classes;
    let sum = 0;
    for (let other = 0; other < classes; other++) {
      sum += byRow ? seconds[line * classes + other] : seconds[other * classes + line];
    }
    return sum > 0 ? 100 * value / sum : 0;
  });
}

class MatrixTable {
  constructor(stream) {
    this.stream = stream;
    const { labels } = stream;
    this.caption = element('caption');
    this.cells = labels.map(() => labels.map(() => element('td')));
    this.recalls = labels.map(() => element('td', { className: 'sum' }));
    this.precisions = labels.map(() => element('td', { className: 'sum' }));
    this.heads = labels.map((label) => element('th', { scope: 'col', textContent: label }));
    this.rows = labels.map((label, row) => element('tr', {},
      element('th', { scope: 'row', textContent: label }), ...this.cells[row], this.recalls[row]));
    this.node = element('table', { className: 'matrix', 'data-stream': stream.name }, this.caption,
      element('thead', {}, element('tr', {},
        element('th', { className: 'corner', textContent: 'truth \\ answer' }), ...this.heads,
        element('th', { scope: 'col', className: 'sum', textContent: 'recall' }))),
      element('tbody', {}, ...this.rows, element('tr', {},
        element('th', { scope: 'row', className: 'sum', textContent: 'precision' }),
        ...this.precisions, element('td'))));
  }

  show(title, count, reference, view, hidesDiagonal) {
    const classes = this.stream.labels.length;
    const values = view.of(count, classes);
    const before = reference && view.of(reference, classes);
    const changes = values.map((value, cell) => (before ? value - before[cell] : value));
    const strengths = before ? changes.map(Math.abs) : shares(count.seconds, classes, true);
    const largest = Math.max(
      ...strengths.filter((_, cell) => before || !isDiagonal(cell, classes)), 1e-9);
    this.caption.textContent = `${this.stream.name}, ${view.title}, ${title}`;
    changes.forEach((change, cell) => {
      const node = this.cells[Math.floor(cell / classes)][cell % classes];
      const isRight = isDiagonal(cell, classes);
      const isHidden = isRight && hidesDiagonal;
      node.textContent = isHidden ? '' : this.text(change, view, before);
      node.dataset.frames = count.frames[cell];
      node.className = (before ? isRight === change > 0 : isRight) ? 'right' : 'wrong';
      const strength = strengths[cell] / (isRight && !before ? 100 : largest);
      const shade = isHidden ? 0 : Math.round(strength * 40);
      node.style.setProperty('--strength', `${shade}%`);
    });
    this.hideUnused(count, reference);
    const recalls = shares(count.seconds, classes, true);
    const precisions = shares(count.seconds, classes, false);
    const hasTruth = (label) => this.sum(count, label, true) > 0;
    this.stream.labels.forEach((_, label) => {
      const cell = label * classes + label;
      this.recalls[label].textContent = hasTruth(label) ? `${recalls[cell].toFixed(1)} %` : '–';
      this.precisions[label].textContent = this.sum(count, label, false) > 0
        ? `${precisions[cell].toFixed(1)} %` : '–';
    });
  }

  hideUnused(...counts) {
    this.stream.labels.forEach((_, label) => {
      const isUsed = counts.some((count) => (
        count && (this.sum(count, label, true) > 0 || this.sum(count, label, false) > 0)));
      for (const node of [this.heads[label], this.rows[label], this.precisions[label],
        ...this.cells.map((row) => row[label])]) node.classList.toggle('unused', !isUsed);
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
