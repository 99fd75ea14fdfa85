// One table says what every key does; the handler and the help panel both read it.

/** The keys: what is shown, how an event matches, the command with its argument, the meaning. */
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
    ['Shift n', letter('n', true), 'previousGap', 'previous one'],
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
    ['u', letter('u'), 'nextUnlabeled', 'next recording that lacks labels'],
  ]],
  ['Boundaries', [
    ['b, Enter', letter('b'), 'cut', 'boundary here'],
    ['', key('Enter'), 'cut'],
    ['g', letter('g'), 'fetchCut', 'bring the nearest boundary here'],
    ['m', letter('m'), 'merge', 'join to the segment on the left'],
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
    ['x', letter('x'), 'clear', 'no form; without a form: no class'],
    ['p', letter('p'), 'confirm', 'confirm the detector\'s answer here'],
    ['Shift p', letter('p', true), 'confirmSeen', 'confirm all answers that were looked at'],
    ['hold class', () => false, '', 'while playing: frames that pass get it; x clears them'],
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
    ['0', digit(0), 'zoomAll', 'the whole recording'],
    ['f', letter('f'), 'nextView', 'next view of the figure'],
    ['q e', letter('q'), 'turnLeft', 'turn the figure (or arrows on the focused figure)'],
    ['', letter('e'), 'turnRight'],
    ['r', letter('r'), 'resetView', 'view from the camera'],
    ['h ?', letter('h'), 'help', 'these keys'],
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

/** No modifier but, where a sign needs it, Shift or AltGr. */
function plain(event) {
  return event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
}

function key(name, shift = false) {
  return (event) => plain(event) && event.key === name && event.shiftKey === shift;
}

function letter(name, shift = false) {
  return (event) => plain(event) && event.key.toLowerCase() === name && event.shiftKey === shift;
}

/** Digits by their place, since some layouts need Shift to write them. */
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

/** The command of a key event with its arguments, or null. */
function commandOf(event) {
  for (const [, rows] of KEYS) {
    for (const [, matches, command, , ...values] of rows) {
      if (matches(event)) return { command, values };
    }
  }
  return null;
}

/** Fills the help panel. */
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

/** An element with a text; names of recordings become text here and never markup. */
function element(tag, text = '', className = '') {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
