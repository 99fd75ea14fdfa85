// The handler and the sheet of keys are both made from this table.

/** Titles with rows: what is written, what each key does, and its description. */
const SHORTCUTS = [
  ['Play', [
    ['L', { l: (viewer) => viewer.playback.press(1) }, 'play; press again for 2× and 4×'],
    ['K', { k: (viewer) => viewer.playback.hold() }, 'pause'],
    ['J', { j: (viewer) => viewer.playback.press(-1) }, 'play backward; press again for 2× and 4×'],
    ['K + L, K + J', {}, 'play slowly while both are held'],
    ['Shift L, Shift J', {
      'Shift+l': (viewer) => viewer.playback.slow(1),
      'Shift+j': (viewer) => viewer.playback.slow(-1),
    }, 'play at quarter speed'],
    ['Space', { ' ': (viewer) => viewer.playback.toggle() }, 'play or pause'],
  ]],
  ['Go', [
    [', .', { ',': stepBy(-1), '.': stepBy(1), ArrowLeft: stepBy(-1), ArrowRight: stepBy(1) },
      'one frame back or forward; also ← →'],
    ['Shift ← →', { 'Shift+ArrowLeft': stepBy(-10), 'Shift+ArrowRight': stepBy(10) },
      'ten frames back or forward'],
    ['[ ]', {
      '[': (viewer) => viewer.toError(-1), ']': (viewer) => viewer.toError(1),
      p: (viewer) => viewer.toError(-1), n: (viewer) => viewer.toError(1),
    }, 'previous or next error in any recording; also P N'],
    ['{ }', {
      '{': (viewer) => viewer.toChange(-1), '}': (viewer) => viewer.toChange(1),
      '<': (viewer) => viewer.toChange(-1), '>': (viewer) => viewer.toChange(1),
    }, 'previous or next change of an answer; also < >'],
    ['T', { t: (viewer) => viewer.transport.askTime() }, 'type a time: 1:20, 80 or 80.5'],
    ['Home End', { Home: (viewer) => viewer.goTo(0), End: (viewer) => viewer.goTo(Infinity) },
      'first or last frame'],
  ]],
  ['View', [
    ['+ −', { '+': (viewer) => viewer.zoom(0.5), '-': (viewer) => viewer.zoom(2) },
      'zoom the timeline'],
    ['0', { 0: (viewer) => viewer.zoom(Infinity) }, 'show the whole recording'],
    ['V', { v: (viewer) => viewer.turnOn() }, 'turn the figure; when the figure is focused, the arrow keys also turn it'],
    ['?', { '?': (viewer) => viewer.sheet.toggle() }, 'show these keys'],
    ['Esc', {}, 'close this list'],
  ]],
];

/** Keys that scroll the page unless the viewer has the focus. */
const PAGE_KEYS = /^( |Arrow.*|Home|End)$/;
/** Keys that repeat while they are held. */
const REPEATED = /^(Shift\+)?Arrow|^[,.+-]$/;

const RUNS = new Map(SHORTCUTS.flatMap(([, rows]) => (
  rows.flatMap(([, runs]) => Object.entries(runs)))));

function stepBy(frames) {
  return (viewer) => viewer.step(frames);
}

function keyName({ key, shiftKey }) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return shiftKey && (/^[a-z]$/.test(name) || name.length > 1) ? `Shift+${name}` : name;
}

function shortcutOf(event) {
  if (event.target.closest('input, select, textarea, [contenteditable]')) return undefined;
  // Brackets and braces need AltGr, or the option key, on many keyboards.
  const isSign = /^[[\]{}]$/.test(event.key);
  const isPlain = event.getModifierState('AltGraph')
    || !(event.ctrlKey || event.metaKey || (event.altKey && !isSign));
  if (!isPlain || (/^( |Enter)$/.test(event.key) && event.target.closest('button'))) {
    return undefined;
  }
  const name = keyName(event);
  const run = RUNS.get(name);
  return run && event.repeat && !REPEATED.test(name) ? () => {} : run;
}

class KeySheet {
  constructor() {
    const close = element('button', { type: 'button', textContent: 'Close' });
    close.addEventListener('click', () => this.dialog.close());
    this.dialog = element('dialog', { className: 'keys', 'aria-labelledby': 'keys-title' },
      element('header', {}, element('h2', { id: 'keys-title', textContent: 'Keys' }), close),
      ...SHORTCUTS.map(([title, rows]) => element('section', {},
        element('h3', { textContent: title }),
        element('dl', {}, ...rows.flatMap(([shown, , words]) => [
          element('dt', {}, element('kbd', { textContent: shown })),
          element('dd', { textContent: words })])))));
    document.body.append(this.dialog);
  }

  get isOpen() { return this.dialog.open; }

  toggle() {
    if (this.isOpen) this.dialog.close();
    else this.dialog.showModal();
  }
}

class Transport {
  constructor(viewer, file) {
    this.viewer = viewer;
    this.place = element('span', { className: 'place' });
    this.playing = this.button('Play', 'L', () => viewer.playback.toggle(), 'play');
    this.time = element('input', {
      type: 'text', inputMode: 'decimal', autocomplete: 'off', placeholder: '1:20',
      'aria-describedby': 'time-note',
    });
    this.note = element('span', { id: 'time-note', className: 'time-note', role: 'alert' });
    this.node = element('nav', { className: 'transport', 'aria-label': 'Playback' },
      this.group('jumps back', this.button('Previous error', '[', () => viewer.toError(-1)),
        this.button('Previous change', '{', () => viewer.toChange(-1))),
      this.group('frames', this.button('◀', ',', () => viewer.step(-1), '', 'One frame back'),
        this.playing, this.button('▶', '.', () => viewer.step(1), '', 'One frame forward')),
      this.group('jumps forward', this.button('Next change', '}', () => viewer.toChange(1)),
        this.button('Next error', ']', () => viewer.toError(1))), this.place);
    this.views = this.group(
      'views', element('label', { className: 'go' }, 'Go to ', this.time, this.note),
        this.button('−', '', () => viewer.zoom(2), '', 'Zoom out'),
        this.button('+', '', () => viewer.zoom(0.5), '', 'Zoom in'),
        this.button('All', '0', () => viewer.zoom(Infinity), '', 'The whole recording'));
    this.actions = element('div', { className: 'actions' },
      this.button('Turn', 'V', () => viewer.turnOn()),
      this.button('Open video', '', () => file.click()), file,
      this.button('Keys', '?', () => viewer.sheet.toggle(), 'keys-button'));
    this.time.addEventListener('keydown', (event) => this.key(event));
    this.time.addEventListener('input', () => this.complain(''));
  }

  group(name, ...children) {
    return element('div', { className: `group ${name}` }, ...children);
  }

  button(words, key, run, className = '', title = '') {
    const made = element('button', { type: 'button', className },
      element('span', { textContent: words }));
    if (key) {
      made.append(' ', element('kbd', { textContent: key, 'aria-hidden': 'true' }));
      made.setAttribute('aria-keyshortcuts', key.toLowerCase());
    }
    if (title) made.setAttribute('aria-label', title);
    made.addEventListener('click', run);
    return made;
  }

  askTime() {
    this.before = document.activeElement;
    this.time.value = '';
    this.complain('');
    this.time.focus();
  }

  key(event) {
    if (event.key === 'Enter') {
      const time = secondsOf(this.time.value);
      const problem = time === null ? 'such as 1:20, 80 or 80.5' : this.viewer.goToTime(time);
      this.complain(problem);
      if (!problem) this.leave();
    } else if (event.key === 'Escape') {
      this.complain('');
      this.leave();
    } else return;
    event.preventDefault();
  }

  leave() {
    this.time.value = '';
    if (this.before?.isConnected && this.before !== this.time) this.before.focus();
    else this.time.blur();
  }

  complain(text) {
    this.note.textContent = text;
    this.time.setAttribute('aria-invalid', text !== '');
  }

  show(time, frame, frameCount, rate) {
    const speed = rate === 0 ? '' : `${String(rate).replace('-', '−')}×`;
    this.place.textContent = `${time.toFixed(3)} s, frame ${frame} of ${frameCount} ${speed}`;
    this.playing.firstChild.textContent = rate === 0 ? 'Play' : 'Pause';
    this.playing.lastChild.textContent = rate === 0 ? 'L' : 'K';
  }
}

function exactly({ values, unit, thresholds }, frame) {
  const inUnit = (value) => `${fourDecimals(value)}${unit === '-' ? '' : ` ${unit}`}`;
  const value = values[frame];
  const limits = thresholds.map((one) => `${one.name} ${inUnit(one.value)}`).join(', ');
  const bits = new Uint32Array(values.buffer, values.byteOffset + frame * 4, 1)[0];
  const absence = bits === INAPPLICABLE ? 'inapplicable' : 'missing';
  const measured = Number.isNaN(value) ? absence : inUnit(value);
  return limits ? `${measured}; limit ${limits}` : measured;
}

const FEW_STRIPS = 3;

class Lanes {
  /** `data` does not depend on the sequence; `seek` goes to a time. */
  constructor({ streams, measurements, sides }, seek) {
    [this.streams, this.sides, this.seek] = [streams, sides, seek];
    this.playhead = element('i', { className: 'playhead' });
    this.hoverLine = element('i', { className: 'hover-line', hidden: true });
    this.ribbons = streams.map(({ name }, place) => element('canvas', place === 0
      ? { tabIndex: 0, role: 'slider', 'aria-label': 'Frame', 'aria-valuemin': 0 }
      : { role: 'img', 'aria-label': `${name} over time` }));
    this.readouts = [];
    const lanes = this.ribbons.map((canvas, place) => this.lane('ribbon', canvas,
      element('b', { textContent: streams[place].name }),
      ...Object.values(bandsOf(sides)).map((band) => (
        element('span', { textContent: band, title: band })))));
    this.strips = element('div', { className: 'strips' });
    const few = Math.min(FEW_STRIPS, measurements.length);
    this.strips.dataset.few = few;
    this.more = element('button', { type: 'button', 'aria-pressed': 'false', className: 'more',
      textContent: `All ${measurements.length} measurements`, hidden: few === measurements.length });
    this.more.addEventListener('click', () => this.showAll(!this.node.classList.contains('all')));
    this.node = element('section', { className: sides ? 'timeline sides' : 'timeline', 'aria-label': 'Timeline' },
      ...lanes, this.strips, this.hoverLine, this.playhead);
    this.node.addEventListener('pointermove', (event) => this.hover(event));
    for (const name of ['pointerleave', 'pointercancel']) {
      this.node.addEventListener(name, () => this.unhover());
    }
  }

  lane(kind, canvas, ...label) {
    const readout = element('span', { className: 'readout', hidden: true, 'aria-hidden': 'true' });
    onDrag(canvas, { move: (x, width) => this.seek(this.window.time(x, width)) });
    const node = element('div', { className: `lane ${kind}` },
      element('p', { className: 'lane-label' }, ...label), canvas, readout);
    this.readouts.push(readout);
    return node;
  }

  open(recording, window, views) {
    Object.assign(this, { recording, window, views });
    this.readouts.length = this.ribbons.length;
    this.lanes = recording.strips.map((column) => {
      const canvas = element('canvas', { role: 'img', 'aria-label': `${column.name} over time` });
      const value = element('b');
      const unit = element('small', { textContent: column.unit === '-' ? '' : column.unit });
      const node = this.lane('strip', canvas, column.name, element('span', {}, value, ' ', unit));
      return { node, strip: new Strip(node, canvas, value, column) };
    });
    this.strips.replaceChildren(...this.lanes.map(({ node }) => node));
    const telling = this.telling();
    this.lanes.forEach(({ node }, place) => node.classList.toggle('few', telling.has(place)));
    this.unhover();
    this.ribbons[0].setAttribute('aria-valuemax', recording.frameCount - 1);
  }

  /** The measurements that came nearest to another answer in most wrong frames. */
  telling() {
    const names = this.recording.strips.map(({ name }) => name);
    const votes = names.map(() => 0);
    for (const { facts, frames, errors } of this.views) {
      const comparisons = facts.rules.flatMap((rule) => rule.comparisons);
      const asked = errors.length > 0 ? errors : [{ start: 0, end: frames.length }];
      for (const { start, end } of asked) {
        for (let frame = start; frame < end; frame++) {
          const nearest = comparisons[frames[frame].nearest];
          if (nearest) votes[names.indexOf(nearest.measurement)] += errors.length > 0 ? 1 : 1e-6;
        }
      }
    }
    const order = names.map((_, place) => place)
      .sort((one, other) => votes[other] - votes[one] || one - other);
    return new Set(order.slice(0, FEW_STRIPS));
  }

  showAll(isAll) {
    this.node.classList.toggle('all', isAll);
    this.more.setAttribute('aria-pressed', String(isAll));
    this.changed();
  }

  get canvases() {
    return [...this.ribbons, ...this.lanes.map(({ strip }) => strip.canvas)];
  }

  draw(scene, frame) {
    this.ribbons.forEach((canvas, place) => drawRibbons(canvas, scene, this.views[place]));
    this.lanes.forEach(({ strip }) => {
      strip.draw(scene);
      strip.showValue(frame);
    });
    this.markRead(frame);
    const time = this.recording.times[frame];
    const [slider] = this.ribbons;
    slider.setAttribute('aria-valuenow', frame);
    slider.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds`);
    this.put(this.playhead, time);
    if (this.hovered !== undefined) this.showHover();
  }

  markRead(frame) {
    const read = new Set(this.views.flatMap(({ facts, frames }) => (
      facts.rules[frames[frame].rule]?.comparisons.map(({ measurement }) => measurement) ?? [])));
    this.lanes.forEach(({ node, strip }) => node.classList.toggle('read', read.has(strip.column.name)));
  }

  put(line, time) {
    const { offsetLeft, offsetWidth } = this.ribbons[0];
    const x = this.window.x(time, offsetWidth);
    line.hidden = x < 0 || x > offsetWidth;
    line.style.left = `${offsetLeft + x - 1}px`;
    return [x, offsetWidth, offsetLeft];
  }

  /** Moves the line without seeking; a finger seeks instead. */
  hover(event) {
    const { left, width } = this.ribbons[0].getBoundingClientRect();
    const x = event.clientX - left;
    if (event.pointerType === 'touch' || x < 0 || x > width) {
      this.unhover();
      return;
    }
    this.hovered = x / width;
    this.showHover();
  }

  showHover() {
    const time = this.window.time(this.hovered, 1);
    const frame = frameAt(this.recording, time);
    const [x, width, from] = this.put(this.hoverLine, this.recording.times[frame]);
    const isLeft = x > width * 0.6;
    this.hoverWords(frame).forEach((text, place) => {
      const readout = this.readouts[place];
      readout.textContent = text;
      readout.hidden = false;
      readout.style.left = isLeft ? '' : `${from + x + 6}px`;
      readout.style.right = isLeft ? `${width - x + 6}px` : '';
    });
  }

  hoverWords(frame) {
    const time = this.recording.times[frame];
    const streams = this.views.map((view, place) => {
      const { labels } = view.facts;
      const { answer, rule } = view.frames[frame];
      const when = place === 0 ? `${time.toFixed(3)} s, frame ${frame}: ` : '';
      const other = view.before ? `${this.sides[1]} ${labels[view.before[frame]]}, ` : '';
      const own = this.sides?.[0] ?? 'answer';
      return `${when}truth ${className(labels, view.truth[frame])}, ${other}${own} ${labels[answer]}, `
        + view.shown('rule', rule).name;
    });
    return [...streams, ...this.recording.strips.map((column) => exactly(column, frame))];
  }

  unhover() {
    this.hovered = undefined;
    this.hoverLine.hidden = true;
    this.readouts.forEach((readout) => { readout.hidden = true; });
  }
}
