// What keys do in the viewer. One table: the handler and the sheet of keys are made from it.

/** Titles with rows: what is written, what each key does, and what that is in words. */
const SHORTCUTS = [
  ['Play', [
    ['L', { l: (viewer) => viewer.playback.press(1) }, 'play; again for 2× and 4×'],
    ['K', { k: (viewer) => viewer.playback.hold() }, 'pause'],
    ['J', { j: (viewer) => viewer.playback.press(-1) }, 'play back; again for 2× and 4×'],
    ['K + L, K + J', {}, 'play slowly while both are held'],
    ['Shift L, Shift J', {
      'Shift+l': (viewer) => viewer.playback.slow(1),
      'Shift+j': (viewer) => viewer.playback.slow(-1),
    }, 'play at a quarter of the speed'],
    ['Space', { ' ': (viewer) => viewer.playback.toggle() }, 'play or pause'],
  ]],
  ['Go', [
    [', .', { ',': stepBy(-1), '.': stepBy(1), ArrowLeft: stepBy(-1), ArrowRight: stepBy(1) },
      'one frame back or on; so do ← →'],
    ['Shift ← →', { 'Shift+ArrowLeft': stepBy(-10), 'Shift+ArrowRight': stepBy(10) },
      'ten frames back or on'],
    ['[ ]', {
      '[': (viewer) => viewer.toError(-1), ']': (viewer) => viewer.toError(1),
      p: (viewer) => viewer.toError(-1), n: (viewer) => viewer.toError(1),
    }, 'previous or next error, in all recordings; so do P N'],
    ['{ }', {
      '{': (viewer) => viewer.toChange(-1), '}': (viewer) => viewer.toChange(1),
      '<': (viewer) => viewer.toChange(-1), '>': (viewer) => viewer.toChange(1),
    }, 'previous or next change of an answer; so do < >'],
    ['T', { t: (viewer) => viewer.transport.askTime() }, 'type a time: 1:20, 80 or 80.5'],
    ['Home End', { Home: (viewer) => viewer.goTo(0), End: (viewer) => viewer.goTo(Infinity) },
      'first or last frame'],
  ]],
  ['View', [
    ['+ −', { '+': (viewer) => viewer.zoom(0.5), '-': (viewer) => viewer.zoom(2) },
      'zoom the timeline'],
    ['0', { 0: (viewer) => viewer.zoom(Infinity) }, 'the whole recording'],
    ['V', { v: (viewer) => viewer.turnOn() }, 'turn the figure; arrow keys do on the figure'],
    ['?', { '?': (viewer) => viewer.sheet.toggle() }, 'these keys'],
    ['Esc', {}, 'close this list'],
  ]],
];

/** Keys that move the page where the viewer does not have the focus. */
const PAGE_KEYS = /^( |Arrow.*|Home|End)$/;
/** Keys that go on while they are held. */
const REPEATED = /^(Shift\+)?Arrow|^[,.+-]$/;

const RUNS = new Map(SHORTCUTS.flatMap(([, rows]) => (
  rows.flatMap(([, runs]) => Object.entries(runs)))));

function stepBy(frames) {
  return (viewer) => viewer.step(frames);
}

/** The name of a key in the table: letters and named keys with Shift, signs as they are written. */
function keyName({ key, shiftKey }) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return shiftKey && (/^[a-z]$/.test(name) || name.length > 1) ? `Shift+${name}` : name;
}

/** What an event does in the viewer, or undefined; nothing in a field that takes text. */
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

/** The sheet of keys, a dialog that Escape closes. */
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
