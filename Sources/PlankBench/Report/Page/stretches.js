// From a cell of a matrix to the stretches of time that it counts.

/** Where a stretch stands among the numbers that the page has of it. */
const [SEQUENCE, TRUTH, ANSWER, FIRST, END, START, SECONDS, BEFORE] = [0, 1, 2, 3, 4, 5, 6, 7];

/** How many stretches of all cells are listed. */
const MOST_STRETCHES = 100;

/** The list of wrong stretches: of all cells, or of the one that was chosen. */
class StretchPanel {
  /** @param node the panel of the page, which holds its longest stretches without a script */
  constructor(node, data) {
    [this.node, this.data] = [node, data];
    /** What opens a sequence at a frame, and what hears that all cells are listed. */
    [this.open, this.cleared] = [() => {}, () => {}];
    /** How many stretches only the other side has right. */
    this.lost = data.streams.reduce((sum, { lost }) => sum + lost, 0);
    this.title = element('h3', { tabIndex: -1 });
    this.note = element('p', { className: 'words' });
    this.list = element('ol');
    this.all = element('button', { type: 'button', className: 'all',
      textContent: this.lost > 0 ? 'What was lost' : 'All errors' });
    this.all.addEventListener('click', () => {
      this.fillWithAll();
      this.cleared();
      this.title.focus({ preventScroll: true });
    });
    // Where the page has none without a script, its result has not each stretch.
    if (!node.querySelector('li')) node.dataset.provedElsewhere = '';
    node.replaceChildren(element('header', {}, this.title, this.all), this.note, this.list);
  }

  /** Lists the wrong stretches of all cells, or what only the other side has right, longest first. */
  fillWithAll() {
    const { lost } = this;
    const found = this.data.streams.flatMap((stream) => stream.stretches
      .filter((one) => one[TRUTH] !== one[ANSWER] && (lost === 0 || one[BEFORE] === one[TRUTH]))
      .map((stretch) => ({ stream, stretch })))
      .sort((one, other) => other.stretch[SECONDS] - one.stretch[SECONDS]);
    const count = lost || this.data.streams.reduce((sum, { labels, counts }) => sum
      + counts.reduce((some, number, cell) => (
        isDiagonal(cell, labels.length) ? some : some + number), 0), 0);
    this.all.hidden = true;
    const amount = `${grouped(count, 0)}${lost > 0 ? '' : ' wrong'} stretch${count === 1 ? '' : 'es'}`;
    this.show(lost > 0 ? `${amount} that only ${this.data.sides[1]} has right` : amount,
      found.slice(0, MOST_STRETCHES), count);
    if (count === 0) this.note.textContent = 'Every scored frame is right.';
  }

  /**
   * Lists the stretches of a cell, longest first.
   *
   * @param frames how many frames the cell counts, of which a comparison may not list all
   */
  fill(stream, truth, answer, frames) {
    const { labels, name, stretches, counts } = stream;
    const found = stretches.filter((one) => one[TRUTH] === truth && one[ANSWER] === answer)
      .map((stretch) => ({ stream, stretch }));
    this.all.hidden = false;
    this.show(`${name}: truly ${labels[truth]}, answered ${labels[answer]}`, found,
      counts[truth * labels.length + answer]);
    const rest = frames - found.reduce((sum, { stretch }) => sum + stretch[END] - stretch[FIRST], 0);
    if (this.data.sides && counts[truth * labels.length + answer] === found.length && rest > 0) {
      this.note.textContent += ` ${grouped(rest, 0)} more frame${rest === 1 ? ' is' : 's are'} in`
        + ' recordings that differ less.';
    }
  }

  show(title, found, count) {
    this.title.textContent = title;
    const amount = count === 1 ? '1 stretch' : `${grouped(count, 0)} stretches`;
    const elsewhere = found.filter(({ stretch }) => (
      this.data.sequences[stretch[SEQUENCE]].block === null));
    const seconds = elsewhere.reduce((sum, { stretch }) => sum + stretch[SECONDS], 0);
    const missing = seconds > 0 ? `; ${seconds.toFixed(1)} s are in recordings not on this page` : '';
    const listed = count > found.length ? `The ${found.length} longest of ${amount}`
      : this.all.hidden ? 'Longest first' : `${amount}, longest first`;
    this.note.textContent = `${listed}${missing}.`;
    const longest = found.length > 0 ? found[0].stretch[SECONDS] : 1;
    this.list.replaceChildren(...found.map((one) => this.item(one, longest)));
    this.list.scrollTop = 0;
  }

  item({ stream, stretch }, longest) {
    const sequence = this.data.sequences[stretch[SEQUENCE]];
    const [from, to] = [stretch[START], stretch[START] + stretch[SECONDS]];
    const { labels } = stream;
    const parts = [
      element('b', { textContent: sequence.name }),
      element('span', { className: 'n', textContent: `${stretch[SECONDS].toFixed(2)} s` }),
      element('span', {}, chip(labels[stretch[TRUTH]], true),
        element('span', { textContent: ' → ', role: 'img', 'aria-label': ' answered as ' }),
        chip(labels[stretch[ANSWER]], true)),
      element('span', { className: 'n when', textContent: `${clockText(from, 2)} to ${clockText(to, 2)}` }),
    ];
    if (sequence.block === null) {
      return element('li', {}, element('div', { className: 'stretch' }, ...parts),
        element('code', { textContent: explainCommand(sequence, from) }));
    }
    const bar = element('i', { className: 'length' });
    bar.style.width = `${Math.max(100 * stretch[SECONDS] / longest, 1)}%`;
    if (stretch[TRUTH] === stretch[ANSWER]) bar.classList.add('right');
    const button = element('button', { type: 'button', className: 'stretch' }, ...parts, bar);
    button.addEventListener('click', () => {
      this.list.querySelector('[aria-current]')?.removeAttribute('aria-current');
      button.setAttribute('aria-current', 'true');
      this.open(stretch[SEQUENCE], stretch[FIRST]);
    });
    return element('li', {}, button);
  }
}

/** The cells of a stream's matrix, which choose what the list of stretches shows. */
class StretchList {
  constructor(table, stream, panel) {
    [this.table, this.stream, this.panel] = [table, stream, panel];
    /** What hears which cell was chosen. */
    this.chosen = () => {};
    this.title = panel.title;
    this.rows = [...table.tBodies[0].rows].slice(0, stream.labels.length)
      .map((row) => [...row.querySelectorAll('td[data-frames]')]);
    table.setAttribute('role', 'grid');
    table.setAttribute('aria-description', 'Enter on a cell lists its stretches of time');
    this.rows.flat().forEach((cell) => { cell.tabIndex = -1; });
    this.rows[0][0].tabIndex = 0;
    table.addEventListener('click', (event) => this.show(...this.place(event.target)));
    table.addEventListener('keydown', (event) => this.move(event));
  }

  /** The row and column of a cell; an empty list for anything else. */
  place(target) {
    const row = this.rows.findIndex((cells) => cells.includes(target));
    return row < 0 ? [] : [row, this.rows[row].indexOf(target)];
  }

  move(event) {
    const [row, column] = this.place(event.target);
    if (row === undefined) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.show(row, column);
      return;
    }
    const step = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
    }[event.key];
    const next = step && this.rows[row + step[0]]?.[column + step[1]];
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** Lists the stretches of a cell; the keyboard goes to the list. */
  show(truth, answer) {
    if (truth === undefined) return;
    this.fill(truth, answer);
    this.chosen(truth, answer);
    this.title.focus({ preventScroll: true });
  }

  /** Lists the stretches of a cell, longest first. */
  fill(truth, answer) {
    unmarkCells();
    const cell = this.rows[truth][answer];
    this.panel.fill(this.stream, truth, answer, Number(cell.dataset.frames));
    cell.setAttribute('aria-selected', 'true');
  }
}

/** No cell is chosen any more. */
function unmarkCells() {
  document.querySelectorAll('td[aria-selected]').forEach((cell) => cell.removeAttribute('aria-selected'));
}

/** The command that says the same of a moment. */
const explainCommand = ({ command: [before, after] }, time) => before + time.toFixed(6) + after;
