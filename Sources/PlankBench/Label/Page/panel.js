// The handler of keys and the help panel both use this table.

/** What is shown, how an event matches, the command with its argument, and the meaning. */
const KEYS = [
  ['Move', [
    ['Space', key(' '), 'play', 'play or pause'],
    ['← →', key('ArrowLeft'), 'stepBack', 'one frame back or forward (also , and .)'],
    ['', key('ArrowRight'), 'stepForward'],
    ['', key(','), 'stepBack'],
    ['', key('.'), 'stepForward'],
    ['Shift ← →', key('ArrowLeft', true), 'jumpBack', 'one second back or forward'],
    ['', key('ArrowRight', true), 'jumpForward'],
    ['↑ ↓', key('ArrowUp'), 'previousCut', 'previous or next boundary'],
    ['', key('ArrowDown'), 'nextCut'],
    ['n', letter('n'), 'nextGap', 'next stretch without a label or with an unconfirmed answer'],
    ['Shift n', letter('n', true), 'previousGap', 'previous such stretch'],
    ['j', letter('j'), 'nextDoubt', 'next least sure stretch (Shift j: back)'],
    ['', letter('j', true), 'previousDoubt'],
    ['Home End', key('Home'), 'first', 'first or last frame'],
    ['', key('End'), 'last'],
    ['c', letter('c'), 'loop', 'play this segment in a loop'],
    ['t', letter('t'), 'faster', 'faster (Shift t: slower), from 0.1x to 4x'],
    ['', letter('t', true), 'slower'],
  ]],
  ['Recordings', [
    ['Page ↑ ↓', key('PageUp'), 'previousRecording', 'previous or next recording of the dataset'],
    ['', key('PageDown'), 'nextRecording'],
    ['u', letter('u'), 'nextUnlabeled', 'next recording with missing labels'],
  ]],
  ['Boundaries', [
    ['b, Enter', letter('b'), 'cut', 'boundary here'],
    ['', key('Enter'), 'cut'],
    ['g', letter('g'), 'fetchCut', 'move the nearest boundary here'],
    ['m', letter('m'), 'merge', 'join with the segment on the left'],
    ['Del', key('Delete'), 'remove', 'delete the segment'],
    ['', key('Backspace'), 'remove'],
  ]],
  ['Classes', [
    ...['none', 'forearm', 'high', 'sideLeft', 'sideRight', 'reverse'].flatMap((plank, index) => (
      classKeys(String(index + 1), (shift) => digit(index + 1, shift), 'plank', plank))),
    ...classKeys('i', (shift) => letter('i', shift), 'plank', IGNORE),
    ...classKeys('a', (shift) => letter('a', shift), 'form', 'aligned'),
    ...classKeys('s', (shift) => letter('s', shift), 'form', 'sag'),
    ...classKeys('d', (shift) => letter('d', shift), 'form', 'pike'),
    ['x', letter('x'), 'clear', 'clear the form or, without a form, the class'],
    ['p', letter('p'), 'confirm', 'confirm the detector\'s answer here'],
    ['Shift p', letter('p', true), 'confirmSeen', 'confirm all answers that you have viewed'],
    ['hold class', () => false, '', 'while playing: labels the frames that pass; x clears them'],
    ['Shift + class', () => false, '', 'boundary here, then the class'],
  ]],
  ['Labels', [
    ['z', letter('z'), 'undo', 'undo (also Ctrl z)'],
    ['', control('z'), 'undo'],
    ['y', letter('y'), 'redo', 'redo (also Shift z, Ctrl y, Ctrl Shift z)'],
    ['', letter('z', true), 'redo'],
    ['', control('y'), 'redo'],
    ['', control('z', true), 'redo'],
    ['w', letter('w'), 'save', 'save the labels file (also Ctrl s)'],
    ['', control('s'), 'save'],
    ['Shift w', letter('w', true), 'download', 'download the labels file'],
    ['o', letter('o'), 'openLabels', 'open a labels file'],
  ]],
  ['View', [
    ['+ −', (event) => plain(event) && (event.key === '+' || event.key === '='), 'zoomIn',
      'zoom the timeline'],
    ['', (event) => plain(event) && (event.key === '-' || event.key === '_'), 'zoomOut'],
    ['0', digit(0), 'zoomAll', 'show the whole recording'],
    ['f', letter('f'), 'nextView', 'next view of the figure'],
    ['q e', letter('q'), 'turnLeft', 'turn the figure (or arrows on the focused figure)'],
    ['', letter('e'), 'turnRight'],
    ['r', letter('r'), 'resetView', 'return to the view from the camera'],
    ['h ?', letter('h'), 'help', 'show these keys'],
    ['', (event) => plain(event) && event.key === '?', 'help'],
  ]],
  ['Video', [
    ['v', letter('v'), 'openVideo', 'open a video on this computer'],
    ['k l', letter('k'), 'videoEarlier', 'shift the video by 0.02 s (Shift: 0.5 s)'],
    ['', letter('l'), 'videoLater'],
    ['', letter('k', true), 'videoMuchEarlier'],
    ['', letter('l', true), 'videoMuchLater'],
  ]],
];

/** Allows Shift and AltGr, which some signs need. */
function plain(event) {
  return event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
}

function key(name, shift = false) {
  return (event) => plain(event) && event.key === name && event.shiftKey === shift;
}

function letter(name, shift = false) {
  return (event) => plain(event) && event.key.toLowerCase() === name && event.shiftKey === shift;
}

/** Matches digits by their key, because some layouts need Shift for them. */
function digit(number, shift = false) {
  return (event) => plain(event) && event.shiftKey === shift
    && (event.code === `Digit${number}` || event.code === `Numpad${number}`);
}

function control(name, shift = false) {
  return (event) => (event.ctrlKey || event.metaKey) && !event.altKey
    && event.key.toLowerCase() === name && event.shiftKey === shift;
}

function classKeys(shown, match, command, name) {
  return [
    [shown, match(false), command, name, name],
    ['', match(true), command, undefined, name, true],
  ];
}

function commandOf(event) {
  for (const [, rows] of KEYS) {
    for (const [, matches, command, , ...values] of rows) {
      if (matches(event)) return { command, values };
    }
  }
  return null;
}

function fillHelp(box) {
  for (const [title, rows] of KEYS) {
    const list = element('dl');
    for (const [shown, , , meaning] of rows) {
      if (!meaning) continue;
      list.append(element('dt', shown), element('dd', meaning));
    }
    const section = element('section');
    section.append(element('h3', title), list);
    box.append(section);
  }
}

/** Sets text, never markup, because names of recordings come from data. */
function element(tag, text = '', className = '') {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

const byId = (id) => document.getElementById(id);

function fillHeader(recording) {
  const { name, facts, frameCount, start, end } = recording;
  document.title = `${name} · labels`;
  byId('name').textContent = name;
  const known = facts.map((fact) => fact.join(' '));
  const parts = [clockText(end - start, 1), `${frameCount} frames`, ...known];
  byId('facts').textContent = parts.join(' · ');
}

function fillPads(run) {
  const planks = ['none', 'forearm', 'high', 'sideLeft', 'sideRight', 'reverse', IGNORE];
  planks.forEach((name, index) => {
    const shown = name === IGNORE ? 'i' : String(index + 1);
    byId('plank-keys').append(classButton(shown, name, () => run('plank', name)));
  });
  for (const [shown, name] of [['a', 'aligned'], ['s', 'sag'], ['d', 'pike']]) {
    byId('form-keys').append(classButton(shown, name, () => run('form', name)));
  }
  const clear = classButton('x', 'clear', () => run('clear'));
  byId('form-keys').append(clear);
}

function classButton(shown, name, onClick) {
  const button = element('button', '', `class-button class-${name}`);
  button.type = 'button';
  button.dataset.name = name;
  button.append(element('kbd', shown), element('span', name));
  button.addEventListener('click', onClick);
  return button;
}

function showPosition({ recording, track, frame }) {
  const time = cutTime(recording, frame);
  byId('time').textContent = time.toFixed(3);
  byId('frame').textContent = `frame ${frame + 1} of ${recording.frameCount}`;
  const span = track[spanAt(track, frame)] || { start: 0, end: 0, plank: GAP, form: '' };
  const [from, to] = [span.start, span.end].map((cut) => cutTime(recording, cut));
  const label = spanName(span);
  byId('segment').textContent =
    `${label}: ${clockText(from, 2)} to ${clockText(to, 2)}, ${(to - from).toFixed(2)} s`;
  for (const button of document.querySelectorAll('.class-button')) {
    const { name } = button.dataset;
    button.setAttribute('aria-pressed', String(name === span.plank || name === span.form));
  }
  const slider = byId('ribbon');
  slider.setAttribute('aria-valuemin', recording.start);
  slider.setAttribute('aria-valuemax', recording.end);
  slider.setAttribute('aria-valuenow', time);
  slider.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds, ${label}`);
  const reason = missingReason(recording.states[frame]);
  byId('missing').textContent = reason;
  byId('missing').hidden = reason === '';
}

function spanName({ plank, form, isGuess }) {
  if (plank === GAP) return 'not labeled';
  const name = form === '' ? plank : `${plank}, ${form}`;
  return isGuess ? `${name}? unconfirmed` : name;
}

function fillSegments({ recording, track }, goTo) {
  const rows = track.map((span) => {
    const [from, to] = [span.start, span.end].map((cut) => cutTime(recording, cut));
    const button = element('button', '', 'segment-row');
    button.type = 'button';
    button.tabIndex = -1;
    button.append(
      element('i', '', `swatch class-${span.plank || 'gap'}${span.isGuess ? ' guess' : ''}`),
      element('span', clockText(from, 2), 'number'), element('span', spanName(span), 'name'),
      element('span', `${(to - from).toFixed(2)} s`, 'number'));
    button.addEventListener('click', () => goTo(span.start));
    const row = element('li');
    row.append(button);
    return row;
  });
  byId('segments').replaceChildren(...rows);
  const percent = (frames) => Math.floor((100 * frames) / Math.max(recording.frameCount, 1));
  const guessed = guessedFrames(track);
  byId('progress').textContent = `${percent(labeledFrames(track))} % labeled`
    + (guessed > 0 ? `, ${percent(guessed)} % unconfirmed` : '');
  for (const command of ['confirm', 'confirmSeen']) {
    document.querySelector(`[data-command="${command}"]`).hidden = recording.guesses.length === 0;
  }
}

function markSegment(index) {
  const list = byId('segments');
  const row = list.children[index];
  const marked = list.querySelector('[aria-current]');
  if (!row || marked === row.firstChild) return;
  if (marked) {
    marked.removeAttribute('aria-current');
    marked.tabIndex = -1;
  }
  row.firstChild.setAttribute('aria-current', 'true');
  row.firstChild.tabIndex = 0;
  if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
  const bottom = row.offsetTop + row.offsetHeight - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
}

function makeStrips(recording) {
  byId('strips').replaceChildren();
  return recording.strips.map((column) => {
    const lane = element('div', '', 'lane strip');
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `${column.name} over time`);
    const label = element('p', column.name, 'lane-label');
    const number = element('span', '', 'value');
    const value = element('b');
    const unit = column.unit === '-' ? '' : column.unit;
    number.append(value, element('span', unit, 'unit'));
    label.append(number);
    lane.append(canvas, label, element('i', '', 'playhead'));
    byId('strips').append(lane);
    return new Strip(lane, canvas, value, column);
  });
}

function say(text) {
  byId('status').textContent = text;
}

function showAlert(text) {
  byId('alert-text').textContent = text;
  byId('alert').hidden = text === '';
}

/** A key that is held for less than this, in milliseconds, is a press. */
const PRESS = 200;

const PAINTS = {
  plank: (track, from, to, name) => paintPlank(track, from, to, name),
  form: (track, from, to, name) => paintForm(track, from, to, name),
  clear: (track, from, to) => paintPlank(track, from, to, GAP),
};

/** Paints while the recording plays and a key or button is held, as one step of the history. */
class Painter {
  constructor(app) {
    this.app = app;
    this.held = null;
  }

  /** Returns whether painting began. */
  begin(command, values, source) {
    const { app } = this;
    if (!app.isPlaying || !PAINTS[command] || values[1] === true) return false;
    this.end();
    const { frame } = app;
    this.held = {
      command, values, source, from: frame, to: frame + 1, track: app.history.value,
      since: performance.now(),
    };
    return true;
  }

  get painted() {
    const { command, values, track, from, to } = this.held;
    return PAINTS[command](track, from, to, values[0]);
  }

  get isHeldLong() { return performance.now() - this.held.since >= PRESS; }

  /** Follows the playhead until a loop starts again. */
  follow() {
    const { app, held } = this;
    if (!held) return;
    if (app.frame + 1 < held.to) {
      this.end();
      return;
    }
    held.to = app.frame + 1;
    if (!this.isHeldLong) return;
    app.preview = this.painted;
    app.isTimelineStale = true;
    say(`${held.values[0] ?? 'clear'} from ${this.timeOf(held.from)} on, until released`);
  }

  end(source) {
    const { app, held } = this;
    if (!held || (source !== undefined && held.source !== source)) return;
    const { command, values, from, to } = held;
    const [isLong, painted] = [this.isHeldLong, this.painted];
    this.held = null;
    app.preview = null;
    if (!isLong) {
      app.run(command, ...values);
      return;
    }
    const name = values[0] ?? 'nothing';
    app.edit(painted, `${name} painted from ${this.timeOf(from)} to ${this.timeOf(to)}`,
      command === 'form' ? 'a form needs a plank class: nothing was painted'
        : `it is already ${name}`);
  }

  timeOf(frame) { return `${cutTime(this.app.recording, frame).toFixed(2)} s`; }
}

function connectPainting(app) {
  const { painter } = app;
  document.addEventListener('keyup', ({ code }) => painter.end(code));
  window.addEventListener('blur', () => painter.end());
  for (const id of ['plank-keys', 'form-keys']) {
    byId(id).addEventListener('pointerdown', (event) => {
      const button = event.target.closest('.class-button');
      painter.tookPointer = false;
      if (!button || event.button !== 0) return;
      const { name } = button.dataset;
      const isClear = name === 'clear';
      const command = isClear ? 'clear' : id === 'form-keys' ? 'form' : 'plank';
      painter.tookPointer = painter.begin(command, isClear ? [] : [name], 'pointer');
      if (painter.tookPointer) button.setPointerCapture(event.pointerId);
    });
    for (const name of ['pointerup', 'pointercancel']) {
      byId(id).addEventListener(name, () => painter.end('pointer'));
    }
  }
}

// The page shows where the detector is unsure, but not its answer, so that labels stay unbiased.

function goToDoubt(app, by) {
  const { session, recording } = app;
  const { doubts } = recording;
  if (doubts.length === 0) {
    say('the detector is sure of every frame');
    return;
  }
  const last = session.doubt ?? (by > 0 ? -1 : 0);
  session.doubt = (last + by + doubts.length) % doubts.length;
  const [start, end, changes, distance] = doubts[session.doubt];
  const [from, to] = [start, end].map((frame) => clockText(cutTime(recording, frame), 2));
  step(app, start);
  const often = `${changes} ${changes === 1 ? 'change' : 'changes'} of the answer`;
  const near = distance === null ? ''
    : `, ${(100 * distance).toFixed(1)} % of the parameter's range from a threshold`;
  say(`least sure ${session.doubt + 1} of ${doubts.length}: ${from} to ${to}, ${often}${near}`);
}

function drawDoubts(context, { doubts }, x, height, palette, timeOf) {
  context.fillStyle = palette.threshold;
  for (const [start, end] of doubts) {
    const from = x(timeOf(start));
    context.fillRect(from, height - 3, Math.max(x(timeOf(end)) - from, 2), 3);
  }
}
