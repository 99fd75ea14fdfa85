const BAND_HEIGHT = 20;

const bandsOf = (sides) => (sides
  ? { truth: 'truth', before: sides[1], answer: sides[0], rule: 'rule' }
  : { truth: 'truth', answer: 'answer', rule: 'rule' });

function drawRibbons(canvas, { recording, window: view, palette }, stream) {
  const { context, width } = fitCanvas(canvas);
  drawRuler(context, width, view, palette);
  Object.keys(stream.runs).forEach((band, index) => {
    const top = RULER_HEIGHT + index * (BAND_HEIGHT + 2);
    for (const { code, start, end } of stream.runs[band]) {
      const [from, to] = [start, end].map((cut) => view.x(cutTime(recording, cut), width));
      if (to < 0 || from > width) continue;
      const { name, label } = stream.shown(band, code);
      const isClass = label !== '';
      context.fillStyle = isClass ? palette.classes[label] : hatch(context, palette.hole);
      context.fillRect(from, top, Math.max(to - from - 1, 1), BAND_HEIGHT);
      drawName(context, name, from, to - from, top + BAND_HEIGHT / 2 + 0.5,
        isClass ? palette.inks[label] : palette.text, 11);
    }
  });
  drawErrors(context, recording, view, width, stream, palette);
}

function drawErrors(context, recording, view, width, stream, palette) {
  const top = RULER_HEIGHT + Object.keys(stream.runs).length * (BAND_HEIGHT + 2);
  context.fillStyle = palette.threshold;
  for (const { start, end } of stream.errors) {
    const [from, to] = [start, end].map((cut) => view.x(cutTime(recording, cut), width));
    context.fillRect(from, top, Math.max(to - from, 2), 4);
  }
}

class StreamView {
  /** `before` are the answers of another side; undefined if nothing is compared. */
  constructor(facts, truth, frames, before) {
    [this.facts, this.truth, this.frames, this.before] = [facts, truth, frames, before];
    const count = frames.length;
    this.runs = {
      truth: runsOf(count, (frame) => truth[frame]),
      ...(before && { before: runsOf(count, (frame) => before[frame]) }),
      answer: runsOf(count, (frame) => frames[frame].answer),
      rule: runsOf(count, (frame) => frames[frame].rule),
    };
    this.errors = runsOf(count, (frame) => (
      truth[frame] < facts.labels.length && truth[frame] !== frames[frame].answer ? 1 : 0))
      .filter(({ code }) => code === 1);
  }

  shown(band, code) {
    const { labels, rules } = this.facts;
    if (band !== 'rule') return { name: className(labels, code), label: labels[code] ?? '' };
    if (code === NO_PLACE) return { name: 'undetermined', label: '' };
    return { name: `rule ${code + 1}: ${rules[code].label}`, label: rules[code].label };
  }
}

const fourDecimals = (value) => value.toFixed(4).replace(/^-(0\.0+)$/, '$1');

const RULE_COLUMNS = [
  'rule', 'label', 'condition', 'measured', 'parameter', 'margin', 'verdict',
];

class Reasons {
  constructor(facts, place) {
    [this.facts, this.place] = [facts, place];
    this.title = element('h3');
    // The heights are fixed; longer content scrolls, by keyboard too.
    this.decision = element('p', { className: 'decision', tabIndex: 0 });
    this.debounce = element('p', { className: 'words', tabIndex: 0 });
    this.body = element('tbody');
    const heads = RULE_COLUMNS;
    this.table = element('table', { className: 'rules' },
      element('caption', { textContent: `Rules of ${facts.name}` }),
      element('colgroup', {}, ...heads.map((text) => element('col', { className: `col-${text}` }))),
      element('thead', {}, element('tr', {},
        ...heads.map((text) => element('th', { scope: 'col', textContent: text })))), this.body);
    this.node = element('section', { 'data-stream': facts.name }, this.title,
      element('div', { className: 'scroll', role: 'group', tabIndex: 0,
        'aria-label': `Rules of ${facts.name}` }, this.table), this.debounce);
  }

  show(detector, view, frame) {
    const { labels, rules, name } = this.facts;
    const found = view.frames[frame];
    const count = rules.reduce((sum, { comparisons }) => sum + comparisons.length, 0);
    const steps = detector.comparisons(this.place, frame, count);
    const truth = className(labels, view.truth[frame]);
    this.title.textContent = `${name}: truth ${truth}, answer ${labels[found.answer]}`;
    this.title.className = view.truth[frame] < labels.length
      && view.truth[frame] !== found.answer ? 'bad' : '';
    this.node.dataset.rule = found.rule;
    this.node.dataset.answer = labels[found.answer];
    this.decision.replaceChildren(element('b', { textContent: `${name}: ` }), this.sentence(found, steps));
    this.debounce.textContent = this.debounced(view, frame);
    let place = 0;
    this.body.replaceChildren(...rules.flatMap((rule, index) => {
      const own = steps.slice(place, place + rule.comparisons.length);
      place += rule.comparisons.length;
      return this.rows(rule, index, own, found);
    }));
  }

  sentence({ rule, nearest, margin }, steps) {
    if (rule === NO_PLACE) return 'No rule is evaluated, because a measurement is missing.';
    const all = this.facts.rules.flatMap(({ comparisons }) => comparisons);
    const { label, comparisons } = this.facts.rules[rule];
    const condition = comparisons.map(({ text }) => text).join(' and ');
    const decided = `Rule ${rule + 1} decides: ${label} ${condition ? `if ${condition}` : 'otherwise'}.`;
    if (nearest === NO_PLACE) return decided;
    const { text, unit } = all[nearest];
    const distance = `${fourDecimals(Math.abs(margin))}${unit === '-' ? '' : ` ${unit}`}`;
    return `${decided} Closest to a change: ${text}, which ${steps[nearest].holds ? 'holds' : 'fails'} `
      + `by ${distance}.`;
  }

  rows({ label, comparisons }, index, steps, { rule }) {
    const isDeciding = index === rule;
    let verdict = isDeciding ? 'decides' : index < rule ? 'does not hold' : 'not asked';
    if (rule === NO_PLACE) verdict = 'not asked';
    const cells = (numbers) => numbers.map((text) => (
      element('td', { className: 'n', textContent: text })));
    const first = [element('td', { textContent: index + 1 }), element('td', { textContent: label })];
    const className = isDeciding ? 'decides' : verdict === 'not asked' ? 'dim' : '';
    if (comparisons.length === 0) {
      return [element('tr', { className }, ...first, element('td', { textContent: 'otherwise' }),
        ...cells(['', '', '']), element('td', { textContent: verdict }))];
    }
    return comparisons.map(({ text, unit }, place) => {
      const step = steps[place];
      const measured = step.absence
        || `${fourDecimals(step.measured)}${unit === '-' ? '' : ` ${unit}`}`;
      const row = element('tr', { className },
        ...(place === 0 ? first : [element('td'), element('td', { textContent: 'and' })]),
        element('td', { textContent: text }), ...cells([measured, fourDecimals(step.threshold),
          step.absence ? '' : fourDecimals(step.margin)]),
        element('td', { textContent: place === 0 ? verdict : '' }));
      Object.assign(row.dataset, {
        measured: step.absence || step.measured, threshold: step.threshold,
        margin: step.absence ? '' : step.margin, holds: step.holds,
      });
      return row;
    });
  }

  /** The sentence of `planklab explain`. */
  debounced(view, frame) {
    const { labels, needs, hold } = this.facts;
    const { raw, answer, isHeld, run, seconds } = view.frames[frame];
    const name = labels[answer];
    if (raw === NO_LABEL) {
      return isHeld ? 'Debounce: the rules did not decide; '
        + `the last answer, ${name}, is kept for at most ${hold} s.`
        : `Debounce: the rules have not decided for more than ${hold} s (or since the start), so the `
          + `answer is empty, ${name}.`;
    }
    const before = frame > 0 ? view.frames[frame - 1].answer : 0;
    const need = before === 0 ? needs.enter : raw === 0 ? needs.exit : needs.switch;
    const change = answer !== before ? `becomes ${name} here`
      : `${raw === answer ? 'stays' : 'is still'} ${name}`;
    const frames = run === 1 ? 'determined frame' : 'determined frames in a row';
    return `Debounce: the raw label has been ${labels[raw]} for ${run} ${frames} `
      + `(${seconds.toFixed(3)} s); ${need}. The answer ${change}.`;
  }
}

/** The indices of a stretch's numbers. */
const [SEQUENCE, TRUTH, ANSWER, FIRST, END, START, SECONDS, BEFORE] = [0, 1, 2, 3, 4, 5, 6, 7];

const MOST_STRETCHES = 100;

class StretchPanel {
  constructor(node, data) {
    [this.node, this.data] = [node, data];
    [this.open, this.cleared] = [() => {}, () => {}];
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
    // Without a list here, the result does not have every stretch.
    if (!node.querySelector('li')) node.dataset.provedElsewhere = '';
  }

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
    this.show(lost > 0 ? `${amount} in which only ${this.data.sides[1]} is right` : amount,
      found.slice(0, MOST_STRETCHES), count);
    if (count === 0) this.note.textContent = 'The answer is right in every scored frame.';
  }

  /** `frames` is how many frames the cell counts; a comparison may not list all of them. */
  fill(stream, truth, answer, frames) {
    const { labels, name, stretches, counts } = stream;
    const found = stretches.filter((one) => one[TRUTH] === truth && one[ANSWER] === answer)
      .map((stretch) => ({ stream, stretch }));
    this.all.hidden = false;
    this.show(`${name}: ${labels[truth]} answered as ${labels[answer]}`, found,
      counts[truth * labels.length + answer]);
    const rest = frames - found.reduce((sum, { stretch }) => sum + stretch[END] - stretch[FIRST], 0);
    if (this.data.sides && counts[truth * labels.length + answer] === found.length && rest > 0) {
      this.note.textContent += ` ${grouped(rest, 0)} more frame${rest === 1 ? ' is' : 's are'} in`
        + ' recordings that differ less.';
    }
  }

  show(title, found, count) {
    if (!this.title.isConnected) {
      this.node.replaceChildren(element('header', {}, this.title, this.all), this.note, this.list);
    }
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

/** Cells of a matrix that a click or Enter chooses; arrow keys move between them. */
class CellGrid {
  /** `choose` gets the row and the column of a cell. */
  constructor(table, cells, what, choose) {
    [this.cells, this.choose] = [cells, choose];
    table.setAttribute('role', 'grid');
    table.setAttribute('aria-description', `Enter on a cell lists its ${what}`);
    cells.flat().forEach((cell) => { cell.tabIndex = -1; });
    cells[0][0].tabIndex = 0;
    table.addEventListener('click', ({ target }) => {
      const place = this.place(target);
      if (place) choose(...place);
    });
    table.addEventListener('keydown', (event) => this.key(event));
  }

  place(target) {
    const row = this.cells.findIndex((cells) => cells.includes(target));
    return row < 0 ? null : [row, this.cells[row].indexOf(target)];
  }

  key(event) {
    const place = this.place(event.target);
    if (!place) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose(...place);
      return;
    }
    const step = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
    }[event.key];
    if (!step) return;
    event.preventDefault();
    let [row, column] = place;
    let next;
    // Classes that are never answered are not shown.
    do {
      [row, column] = [row + step[0], column + step[1]];
      next = this.cells[row]?.[column];
    } while (next?.classList.contains('unused'));
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

class StretchList {
  constructor(table, stream, panel) {
    [this.stream, this.panel] = [stream, panel];
    this.chosen = () => {};
    this.title = panel.title;
    this.rows = [...table.tBodies[0].rows].slice(0, stream.labels.length)
      .map((row) => [...row.querySelectorAll('td[data-frames]')]);
    new CellGrid(table, this.rows, 'stretches of time',
      (truth, answer) => this.show(truth, answer));
  }

  show(truth, answer) {
    this.fill(truth, answer);
    this.chosen(truth, answer);
    this.title.focus({ preventScroll: true });
  }

  fill(truth, answer) {
    unmarkCells();
    const cell = this.rows[truth][answer];
    this.panel.fill(this.stream, truth, answer, Number(cell.dataset.frames));
    cell.setAttribute('aria-selected', 'true');
  }
}

function unmarkCells() {
  document.querySelectorAll('td[aria-selected]').forEach((cell) => cell.removeAttribute('aria-selected'));
}

const explainCommand = ({ command: [before, after] }, time) => before + time.toFixed(6) + after;
