// The buttons under the pictures, each with its word and its key.

/** The row of controls of the viewer. */
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
        this.playing, this.button('▶', '.', () => viewer.step(1), '', 'One frame on')),
      this.group('jumps on', this.button('Next change', '}', () => viewer.toChange(1)),
        this.button('Next error', ']', () => viewer.toError(1))), this.place);
    /** What says which part of the time is shown. */
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

  /** Lets a time be typed. */
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

  /** Shows where the viewer is. */
  show(time, frame, frameCount, rate) {
    const speed = rate === 0 ? '' : `${String(rate).replace('-', '−')}×`;
    this.place.textContent = `${time.toFixed(3)} s, frame ${frame} of ${frameCount} ${speed}`;
    this.playing.firstChild.textContent = rate === 0 ? 'Play' : 'Pause';
    this.playing.lastChild.textContent = rate === 0 ? 'L' : 'K';
  }
}
