/** The longest pause within one move, in milliseconds. */
const SAME_MOVE = 1000;

class Trail {
  constructor(settings, show) {
    [this.settings, this.show] = [settings, show];
    this.history = new History({ ...settings.values });
    this.end();
  }

  end() { [this.keys, this.since] = ['', -Infinity]; }

  /** A drag is one move, however often the value changes. */
  note(keys) {
    if (this.isGoing || keys.length === 0) return;
    const now = performance.now();
    const isSame = keys.join() === this.keys && now - this.since < SAME_MOVE;
    [this.keys, this.since] = [keys.join(), now];
    const { states, position } = this.history;
    const before = isSame ? states[position - 1].value : this.history.value;
    const what = this.words(before, this.settings.values);
    if (isSame) this.history.replace({ ...this.settings.values }, what);
    else this.history.push({ ...this.settings.values }, what);
    this.show('');
  }

  words(before, after) {
    const moved = Object.keys(after).filter((key) => after[key] !== before[key]);
    if (moved.length !== 1) return `${moved.length} values`;
    return `${moved[0]} ${numberText(before[moved[0]])} to ${numberText(after[moved[0]])}`;
  }

  undo() { this.go(this.history.undo(), 'undone', 'nothing to undo'); }

  redo() { this.go(this.history.redo(), 'redone', 'nothing to redo'); }

  go(what, done, nothing) {
    this.end();
    if (what === null) {
      this.show(nothing);
      return;
    }
    this.isGoing = true;
    this.settings.set(this.history.value);
    this.isGoing = false;
    this.show(`${done}: ${what}`);
  }

  /** Returns whether the key has a meaning here. */
  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
    const name = event.key.toLowerCase();
    if (name !== 'z' && name !== 'y') return false;
    if (name === 'y' || event.shiftKey) this.redo();
    else this.undo();
    return true;
  }
}

function showTrail({ states, position, canUndo, canRedo }, said) {
  const count = states.length - 1;
  byId('steps').textContent = count === 0 ? 'no moves' : `${position} of ${count} moves`;
  for (const [name, can, what] of [['undo', canUndo, states[position].what],
    ['redo', canRedo, states[position + 1]?.what]]) {
    const button = byId(name);
    button.disabled = !can;
    button.title = can ? what : '';
  }
  if (said) byId('status').textContent = said;
}

class Page {
  constructor(data) {
    this.data = data;
    const module = new WebAssembly.Module(bytesOf(data.kernel));
    this.counters = data.streams.map((stream) => new StreamCounter(module, data, stream));
    this.settings = new Settings(data.parameters);
    this.controls = new Controls(byId('controls'), data, this.settings);
    this.scores = new ScoreTable(byId('scores'), data);
    this.tables = data.streams.map((stream) => new MatrixTable(stream));
    byId('matrices').append(...this.tables.map((table) => (
      element('div', {
        className: 'scroll', role: 'group', tabIndex: 0, ariaLabel: `${table.stream.name}, confusion matrix`,
      }, table.node))));
    this.distributions = new Distributions(
      byId('distributions'), byId('rows'), data, this.settings);
    this.plateau = new PlateauMap(byId('plateau'), data, this.settings, this.counters);
    this.copies = new CopyDialog(byId('copy'));
    this.counts = { start: this.count(this.settings.start), A: null, B: null };
    this.cells = this.cellList();
    fillBest(byId('best'), data, this.settings);
    this.describe();
    this.choices();
    this.buttons();
    this.settings.onChange((keys) => {
      if (this.trail) this.trail.note(keys);
      this.schedule();
    });
    window.addEventListener('hashchange', () => this.readAddress());
    window.addEventListener('resize', () => this.draw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    this.readAddress();
    this.trail = new Trail(this.settings, (said) => showTrail(this.trail.history, said));
    this.keys();
    this.draw();
  }

  /** Returns null in a page without the data of the viewer. */
  cellList() {
    const source = byId('viewer-data');
    if (!source) return null;
    const viewerData = JSON.parse(source.textContent);
    return new CellList(
      byId('cell'), byId('closeup'), this.data, this.tables, viewerData, () => this.writeAddressSoon());
  }

  keys() {
    byId('undo').addEventListener('click', () => this.trail.undo());
    byId('redo').addEventListener('click', () => this.trail.redo());
    byId('keys').addEventListener('click', () => this.cells?.viewer.sheet.toggle());
    document.addEventListener('pointerup', () => this.trail.end());
    document.addEventListener('keydown', (event) => {
      if (document.querySelector('dialog[open]')) return;
      const isSlider = event.target instanceof Element && event.target.matches('input[type=range]');
      if (isSlider && event.key === '?') this.cells?.viewer.sheet.toggle();
      else if (this.trail.key(event)) event.preventDefault();
    });
  }

  describe() {
    const { data } = this;
    const split = data.split ? `, split ${data.split}` : '';
    document.title = `Thresholds of ${data.detector} on ${data.dataset}`;
    byId('name').textContent = `${data.detector} on ${data.dataset}${split}`;
    byId('facts').textContent = `${grouped(data.frameCount, 0)} frames of ${data.sequences.length} `
      + `sequences; ${data.description}`;
    byId('provenance').textContent = `${data.program}. Smoothing: ${data.smoothing}. `
      + `Dataset ${data.dataset_hash}. The numbers equal those of ${data.command} with the same `
      + 'values.';
    for (const stream of data.streams) {
      byId('rules').append(element('h3', { textContent: stream.name }), element('ol', {},
        ...stream.sentences.map((sentence) => element('li', { textContent: sentence }))));
    }
  }

  choices() {
    this.view = select('Cells show',
      Object.entries(VIEWS).map(([name, { title }]) => [name, title]));
    this.of = select('of', [['now', 'now'], ['A', 'A'], ['B', 'B'], ['now start', 'now − start'],
      ['now A', 'now − A'], ['B A', 'B − A']]);
    this.diagonal = element('input', { type: 'checkbox', id: 'diagonal' });
    byId('choices').append(this.view.label, this.of.label,
      element('label', {}, this.diagonal, ' hide the diagonal'));
    for (const field of [this.view.field, this.of.field, this.diagonal]) {
      field.addEventListener('change', () => this.showMatrices());
    }
  }

  buttons() {
    byId('reset').addEventListener('click', () => this.settings.set(this.settings.start));
    byId('command').addEventListener('click', () => this.copies.open(
      'The command', commandOf(this.data, this.settings.values)));
    byId('thresholds').addEventListener('click', () => this.copies.open(
      'thresholds.json', thresholdsOf(this.data, this.settings.values)));
    for (const name of PINS) {
      byId(`pin-${name}`).addEventListener('click', () => {
        const isPinned = this.settings.pins[name];
        this.settings.pin(name, isPinned ? null : this.settings.values);
      });
    }
    byId('go-A').addEventListener('click', () => this.settings.set(this.settings.pins.A));
    byId('go-B').addEventListener('click', () => this.settings.set(this.settings.pins.B));
  }

  get address() {
    const parts = this.cells ? addressOf(this.cells.parts).replace('#', '') : '';
    return [this.settings.hash, parts].filter(Boolean).join('&');
  }

  readAddress() {
    const { hash } = location;
    if (hash.replace(/^#/, '') !== this.address) {
      const unread = this.settings.read(hash);
      this.cells?.take(this.settings.values);
      const wrong = this.cells?.read(readAddress(hash) ?? {}) ?? '';
      this.complain(unread.length > 0 ? 'The address has values that this detector does not accept: '
        + `${unread.join(', ')}.` : wrong);
    }
    this.update();
  }

  complain(text) {
    byId('alert').hidden = text === '';
    byId('alert').textContent = text;
  }

  writeAddressSoon() {
    clearTimeout(this.laterAddress);
    this.laterAddress = setTimeout(() => this.writeAddress(), ADDRESS_DELAY);
  }

  writeAddress() {
    const { address } = this;
    if (location.hash.replace(/^#/, '') === address) return;
    history.replaceState(null, '', address === '' ? location.pathname : `#${address}`);
  }

  /** Updates once before the next picture, however many changes there are. */
  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => { if (this.isScheduled) this.update(); });
  }

  count(values) {
    return this.counters.map((counter) => (
      counter.count([values], [values[counter.stream.frames]])[0][0]));
  }

  update() {
    this.isScheduled = false;
    const started = performance.now();
    this.countPins();
    this.counts.now = this.count(this.settings.values);
    this.cells?.take(this.settings.values);
    this.controls.show();
    this.scores.show(this.data.streams.map((_, stream) => this.scoresOf(stream)));
    this.showMatrices();
    this.distributions.show();
    document.documentElement.dataset.milliseconds = (performance.now() - started).toFixed(2);
    document.documentElement.dataset.shown = this.settings.hash;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.settle(), 150);
  }

  settle() {
    this.writeAddress();
    this.cells?.refresh(this.counts.now);
    this.plateau.begin();
  }

  countPins() {
    for (const name of PINS) {
      const values = this.settings.pins[name];
      const text = JSON.stringify(values);
      if (this.counts[`${name} values`] !== text) this.counts[name] = values && this.count(values);
      this.counts[`${name} values`] = text;
      byId(`pin-${name}`).setAttribute('aria-pressed', values !== null);
      byId(`pin-${name}`).textContent = values ? `Forget ${name}` : `Pin as ${name}`;
      byId(`go-${name}`).hidden = values === null;
    }
  }

  scoresOf(stream) {
    const of = (counts) => metricsOf(counts[stream], this.data.streams[stream], this.data.slack);
    const scores = { start: of(this.counts.start), now: of(this.counts.now) };
    for (const name of PINS) if (this.counts[name]) scores[name] = of(this.counts[name]);
    if (scores.A && scores.B) {
      scores['B − A'] = scores.B.map((value, index) => (
        value === null || scores.A[index] === null ? null : value - scores.A[index]));
    }
    return scores;
  }

  showMatrices() {
    for (const option of this.of.field.options) {
      option.disabled = option.value.split(' ').some((name) => !this.counts[name]);
    }
    if (this.of.field.selectedOptions[0].disabled) this.of.field.value = 'now';
    const [name, reference] = this.of.field.value.split(' ');
    const view = VIEWS[this.view.field.value];
    byId('view-words').textContent = view.words;
    this.tables.forEach((table, stream) => table.show(
      this.of.field.selectedOptions[0].textContent, this.counts[name][stream],
      reference && this.counts[reference][stream], view, this.diagonal.checked));
  }

  draw() {
    const palette = readPalette();
    palette.raised = getComputedStyle(document.documentElement).getPropertyValue('--raised').trim();
    this.distributions.draw(palette);
    this.plateau.draw(palette);
  }
}

function byId(id) { return document.getElementById(id); }

async function start() {
  const source = byId('data');
  const data = await unpackData(JSON.parse(source.textContent));
  source.remove();
  new Page(data);
  byId('waiting').remove();
  byId('page').hidden = false;
  window.dispatchEvent(new Event('resize'));
}

start().catch((error) => {
  byId('waiting').textContent = `This browser cannot show the page (${error.message}). It needs `
    + 'Chrome 111, Firefox 113, Safari 16.4, or later.';
});
