// From a cell of a matrix to the stretches of time that it counts.

/** Where a stretch stands among the numbers that the page has of it. */
const [SEQUENCE, TRUTH, ANSWER, FIRST, , START, SECONDS] = [0, 1, 2, 3, 4, 5, 6];

/** The cells of a stream's matrix, which open the list of their stretches. */
class StretchList {
  constructor(table, stream, data) {
    [this.table, this.stream, this.data] = [table, stream, data];
    /** What opens a sequence at a frame, and what hears which cell was chosen. */
    [this.open, this.chosen] = [() => {}, () => {}];
    this.title = element('h3', { tabIndex: -1 });
    this.note = element('p', { className: 'words' });
    this.list = element('ol');
    this.node = element('section', { className: 'stretches', 'aria-label': `Stretches of ${stream.name}` },
      this.title, this.note, this.list);
    const box = table.parentElement;
    box.before(element('p', { className: 'words hint',
      textContent: 'Click a cell, or press Enter on it, for the stretches of time that it counts.' }));
    const bench = element('div', { className: 'workbench' });
    box.before(bench);
    bench.append(box, this.node);
    this.rows = [...table.tBodies[0].rows].slice(0, stream.labels.length)
      .map((row) => [...row.querySelectorAll('td[data-frames]')]);
    table.setAttribute('role', 'grid');
    table.setAttribute('aria-description', 'Enter on a cell lists its stretches of time');
    this.rows.flat().forEach((cell) => { cell.tabIndex = -1; });
    this.rows[0][0].tabIndex = 0;
    table.addEventListener('click', (event) => this.show(...this.place(event.target)));
    table.addEventListener('keydown', (event) => this.move(event));
    this.fill(...this.worst());
  }

  /** The wrong cell that counts most frames; the first cell where nothing is wrong. */
  worst() {
    const cells = this.rows.flatMap((row, truth) => row.map((cell, answer) => (
      { truth, answer, frames: truth === answer ? 0 : Number(cell.dataset.frames) })));
    const { truth, answer } = cells.reduce((most, cell) => (cell.frames > most.frames ? cell : most));
    return [truth, answer];
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

  /** Lists the stretches of a cell and goes to the list. */
  show(truth, answer) {
    if (truth === undefined) return;
    this.fill(truth, answer);
    this.chosen(truth, answer);
    this.title.focus();
  }

  /** Lists the stretches of a cell, longest first. */
  fill(truth, answer) {
    const { labels, name, stretches, counts } = this.stream;
    const found = stretches.filter((one) => one[TRUTH] === truth && one[ANSWER] === answer);
    const count = counts[truth * labels.length + answer];
    this.title.textContent = `${name}: truly ${labels[truth]}, answered ${labels[answer]}`;
    const known = found.some((one) => this.data.sequences[one[SEQUENCE]].block === null);
    const amount = count === 1 ? '1 stretch' : `${grouped(count, 0)} stretches`;
    this.note.textContent = [
      count > found.length ? `The ${found.length} longest of ${amount}.` : `${amount}.`,
      known ? 'Where the poses are not in this page, the command shows the rules.' : '',
    ].join(' ').trim();
    this.list.replaceChildren(...found.map((one) => this.item(one)));
    this.rows.flat().forEach((cell) => cell.removeAttribute('aria-selected'));
    this.rows[truth][answer].setAttribute('aria-selected', 'true');
    this.list.scrollTop = 0;
  }

  item(stretch) {
    const sequence = this.data.sequences[stretch[SEQUENCE]];
    const [from, to] = [stretch[START], stretch[START] + stretch[SECONDS]];
    const text = `${clockText(from, 2)} to ${clockText(to, 2)}, ${stretch[SECONDS].toFixed(2)} s`;
    if (sequence.block === null) {
      return element('li', {}, element('b', { textContent: sequence.name }), ` ${text} `,
        element('code', { textContent: explainCommand(sequence, from) }));
    }
    const button = element('button', { type: 'button' },
      element('b', { textContent: sequence.name }), ` ${text}`);
    button.addEventListener('click', () => (
      this.open(stretch[SEQUENCE], stretch[FIRST], this.stream.name)));
    return element('li', {}, button);
  }
}

/** The command that says the same of a moment. */
const explainCommand = ({ command: [before, after] }, time) => before + time.toFixed(6) + after;
