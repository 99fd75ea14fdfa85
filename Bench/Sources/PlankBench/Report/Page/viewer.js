// The viewer: one sequence with its skeleton, truth and answers, measurements and rules.

/** What keys do; a control that has the focus keeps its own. */
const VIEWER_KEYS = {
  ArrowLeft: (viewer, event) => viewer.step(event.shiftKey ? -10 : -1),
  ArrowRight: (viewer, event) => viewer.step(event.shiftKey ? 10 : 1),
  Home: (viewer) => viewer.goTo(0),
  End: (viewer) => viewer.goTo(Infinity),
  ' ': (viewer) => viewer.play(),
  n: (viewer) => viewer.toError(1),
  p: (viewer) => viewer.toError(-1),
  '+': (viewer) => viewer.zoom(0.5),
  '-': (viewer) => viewer.zoom(2),
  0: (viewer) => viewer.zoom(Infinity),
  v: (viewer) => viewer.turnTo(viewer.figure.view + 1),
};

/** A dialog over the report that shows one sequence at a time. */
class Viewer {
  constructor(data) {
    this.data = data;
    this.opened = 0;
    this.makeFigure();
    this.makeTransport();
    this.makeTimeline();
    this.reasons = data.streams.map((facts, place) => new Reasons(facts, place));
    this.title = element('h2', { id: 'viewer-title' });
    this.facts = element('p', { className: 'words' });
    this.command = element('code', { className: 'command' });
    const close = this.button('Close', () => this.dialog.close());
    this.dialog = element('dialog', { className: 'viewer', 'aria-labelledby': 'viewer-title' },
      element('header', { className: 'bar' },
        element('div', { className: 'title' }, this.title, this.facts), close),
      element('div', { className: 'stage' }, this.stage,
        element('div', { className: 'reasons' }, ...this.reasons.map(({ node }) => node),
          element('p', { className: 'words' }, 'The same in a terminal: ', this.command))),
      this.transport, this.timeline,
      element('p', { className: 'words' }, 'Left and right step one frame, with Shift ten; n and p '
        + 'go to the next and the previous error; Space plays; + and − zoom, 0 shows all; v turns the '
        + 'figure, and so do arrow keys on it.'));
    document.body.append(this.dialog);
    this.connect();
  }

  button(text, run, properties = {}) {
    const made = element('button', { type: 'button', textContent: text, ...properties });
    made.addEventListener('click', run);
    return made;
  }

  makeFigure() {
    this.canvas = element('canvas', {
      tabIndex: 0, role: 'img', 'aria-label': 'Skeleton; arrow keys turn it',
    });
    this.missing = element('p', { className: 'missing', hidden: true });
    this.video = element('video', { muted: true, playsInline: true, 'aria-label': 'Video' });
    this.videoNote = element('p', { className: 'overlay' });
    this.videoBox = element('div', { className: 'video', hidden: true }, this.video, this.videoNote);
    this.synced = new SyncedVideo(this.video, this.videoBox, this.videoNote);
    this.stage = element('div', { className: 'pictures' },
      element('div', { className: 'figure' }, this.canvas, this.missing,
        element('p', { className: 'overlay', 'aria-hidden': 'true' },
          element('span', { className: 'left-key', textContent: 'L left' }), ' ',
          element('span', { className: 'right-key', textContent: 'R right' }))), this.videoBox);
  }

  makeTransport() {
    this.place = element('span', { className: 'place', role: 'status' });
    this.playing = this.button('Play', () => this.play(), { 'aria-pressed': 'false' });
    this.file = element('input', { type: 'file', accept: 'video/*', hidden: true });
    this.offset = element('input', { type: 'number', step: 0.05, value: 0 });
    this.offsetLabel = element('label', { hidden: true }, 'video starts at ', this.offset, ' s');
    this.transport = element('nav', { className: 'choices', 'aria-label': 'Playback' },
      this.button('Previous error', () => this.toError(-1)),
      this.button('◀', () => this.step(-1), { 'aria-label': 'One frame back' }), this.playing,
      this.button('▶', () => this.step(1), { 'aria-label': 'One frame on' }),
      this.button('Next error', () => this.toError(1)), this.place,
      this.button('Turn', () => this.turnTo(this.figure.view + 1)),
      this.button('−', () => this.zoom(2), { 'aria-label': 'Zoom out' }),
      this.button('+', () => this.zoom(0.5), { 'aria-label': 'Zoom in' }),
      this.button('All', () => this.zoom(Infinity)),
      this.button('Open video', () => this.file.click()), this.file, this.offsetLabel);
  }

  makeTimeline() {
    this.ribbons = this.data.streams.map(({ name }, place) => element('canvas', place === 0
      ? { tabIndex: 0, role: 'slider', 'aria-label': 'Frame', 'aria-valuemin': 0 }
      : { role: 'img', 'aria-label': `${name} over time` }));
    const lanes = this.ribbons.map((canvas, place) => element('div', { className: 'lane ribbon' },
      element('p', { className: 'lane-label' },
        element('b', { textContent: this.data.streams[place].name }),
        ...BANDS.map((band) => element('span', { textContent: band }))), canvas,
      element('i', { className: 'playhead' })));
    this.strips = element('div', { className: 'strips' });
    this.timeline = element('section', { className: 'timeline', 'aria-label': 'Timeline' },
      ...lanes, this.strips);
  }

  connect() {
    // Not on the dialog: after a click on bare ground the page itself has the focus.
    document.addEventListener('keydown', (event) => { if (this.dialog.open) this.key(event); });
    this.dialog.addEventListener('close', () => this.stop());
    window.addEventListener('resize', () => this.draw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    this.file.addEventListener('change', () => {
      const [file] = this.file.files;
      if (!file) return;
      this.synced.load(file);
      this.offsetLabel.hidden = false;
      this.file.value = '';
      this.draw();
    });
    this.offset.addEventListener('change', () => {
      this.synced.offset = -this.offset.valueAsNumber || 0;
      this.draw();
    });
    let last = null;
    onDrag(this.canvas, {
      start: () => { last = null; },
      move: (x, width, held, y) => {
        if (last) this.figure.turn((x - last[0]) * 0.01, (y - last[1]) * 0.01);
        last = [x, y];
        this.draw();
      },
    });
    for (const canvas of this.ribbons) this.scrub(canvas);
  }

  /** Lets the pointer go through time on a canvas. */
  scrub(canvas) {
    onDrag(canvas, {
      move: (x, width) => this.goTo(frameAt(this.recording, this.window.time(x, width))),
    });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input')) return;
    if (/^( |Enter)$/.test(event.key) && event.target.closest('button')) return;
    if (event.target === this.canvas && this.turnByKey(event)) return;
    if (event.target.closest('.scroll') && /^Arrow/.test(event.key)) return;
    const run = VIEWER_KEYS[event.key];
    if (!run || !this.recording) return;
    event.preventDefault();
    run(this, event);
  }

  turnByKey(event) {
    const turn = {
      ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1],
    }[event.key];
    if (!turn || event.shiftKey) return false;
    event.preventDefault();
    this.figure.turn(...turn);
    this.draw();
    return true;
  }

  /** Opens a sequence at a frame, or at its first or last error. */
  async open(index, frame) {
    const turn = ++this.opened;
    this.stop();
    this.detector ??= await PageDetector.load(this.data);
    const sequence = this.data.sequences[index];
    const recording = await readSequence(sequence.block, this.data);
    if (turn !== this.opened) return;
    this.index = index;
    this.recording = recording;
    this.window = new TimeWindow(recording);
    this.figure = new Figure(this.canvas, recording);
    const frames = this.detector.open(recording);
    this.views = this.data.streams.map((facts, place) => (
      new StreamView(facts, recording.truth[place], frames[place])));
    this.errors = this.views.flatMap(({ errors }) => errors.map(({ start }) => start))
      .sort((one, other) => one - other);
    this.synced.unload();
    this.offsetLabel.hidden = true;
    this.title.textContent = sequence.name;
    this.facts.textContent = sequence.facts;
    this.makeStrips();
    if (!this.dialog.open) this.dialog.showModal();
    const ends = { 'first error': this.errors[0], 'last error': this.errors[this.errors.length - 1] };
    this.goTo(typeof frame === 'number' ? frame : ends[frame] ?? 0);
    this.ribbons[0].focus({ preventScroll: true });
  }

  makeStrips() {
    this.lanes = this.recording.strips.map((column) => {
      const canvas = element('canvas', { role: 'img', 'aria-label': `${column.name} over time` });
      const value = element('b');
      const unit = element('small', { textContent: column.unit === '-' ? '' : column.unit });
      const node = element('div', { className: 'lane strip' },
        element('p', { className: 'lane-label' }, column.name, element('span', {}, value, ' ', unit)),
        canvas, element('i', { className: 'playhead' }));
      this.scrub(canvas);
      return { node, strip: new Strip(node, canvas, value, column) };
    });
    this.strips.replaceChildren(...this.lanes.map(({ node }) => node));
  }

  step(frames) { this.goTo(this.frame + frames); }

  goTo(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.recording.frameCount - 1);
    this.window.follow(this.recording.times[this.frame]);
    this.draw();
  }

  turnTo(view) {
    this.figure.show(view);
    this.draw();
  }

  zoom(factor) {
    if (factor === Infinity) this.window.showAll();
    else this.window.zoom(factor, this.recording.times[this.frame]);
    this.draw();
  }

  /** Goes to the start of an error, in the next sequence that has one where this one has no more. */
  toError(direction) {
    const { frame, errors, data } = this;
    const next = direction > 0 ? errors.find((start) => start > frame)
      : errors.findLast((start) => start < frame);
    if (next !== undefined) {
      this.goTo(next);
      return;
    }
    const shown = data.sequences.map((_, index) => index)
      .filter((index) => data.sequences[index].block !== null && data.sequences[index].wrong);
    if (shown.length === 0) return;
    const at = (shown.indexOf(this.index) + direction + shown.length) % shown.length;
    this.open(shown[at], direction > 0 ? 'first error' : 'last error');
  }

  /** Plays in real time, or stops. */
  play() {
    if (this.timer) {
      this.stop();
      return;
    }
    const { times } = this.recording;
    const isAtEnd = this.frame === this.recording.frameCount - 1;
    const from = isAtEnd ? 0 : times[this.frame];
    const began = performance.now();
    const tick = (now) => {
      const time = from + (now - began) / 1000;
      this.goTo(frameAt(this.recording, time));
      if (this.frame === this.recording.frameCount - 1) this.stop();
      else this.timer = requestAnimationFrame(tick);
    };
    this.timer = requestAnimationFrame(tick);
    this.playing.setAttribute('aria-pressed', 'true');
  }

  stop() {
    if (this.timer) cancelAnimationFrame(this.timer);
    this.timer = null;
    this.playing.setAttribute('aria-pressed', 'false');
    if (!this.video.paused) this.video.pause();
  }

  draw() {
    if (!this.dialog.open) return;
    const { recording, frame } = this;
    const scene = { recording, window: this.window, palette: readPalette() };
    const time = recording.times[frame];
    this.figure.draw(frame, scene.palette);
    const reason = missingReason(recording.states[frame]);
    this.missing.textContent = reason;
    this.missing.hidden = reason === '';
    this.ribbons.forEach((canvas, place) => drawRibbons(canvas, scene, this.views[place]));
    this.lanes.forEach(({ strip }) => {
      strip.draw(scene);
      strip.showValue(frame);
    });
    this.reasons.forEach((reasons, place) => reasons.show(this.detector, this.views[place], frame));
    this.markRead();
    this.showPlace(time);
    this.synced.follow(time, recording.start, Boolean(this.timer), 1);
    hatches.clear();
  }

  /** Marks the measurements that the rules read that decided. */
  markRead() {
    const read = new Set(this.views.flatMap(({ facts, frames }) => (
      facts.rules[frames[this.frame].rule]?.comparisons.map(({ measurement }) => measurement) ?? [])));
    this.lanes.forEach(({ node, strip }) => node.classList.toggle('read', read.has(strip.column.name)));
  }

  showPlace(time) {
    const { frameCount } = this.recording;
    this.place.textContent = `${time.toFixed(3)} s, frame ${this.frame} of ${frameCount}`;
    this.dialog.dataset.frame = this.frame;
    this.command.textContent = explainCommand(this.data.sequences[this.index], time);
    const [slider] = this.ribbons;
    slider.setAttribute('aria-valuemax', frameCount - 1);
    slider.setAttribute('aria-valuenow', this.frame);
    slider.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds`);
    for (const mark of this.dialog.querySelectorAll('.playhead')) {
      const { offsetLeft, offsetWidth } = mark.previousElementSibling;
      const x = this.window.x(time, offsetWidth);
      mark.hidden = x < 0 || x > offsetWidth;
      mark.style.left = `${offsetLeft + x - 1}px`;
    }
  }
}

const viewerData = JSON.parse(document.getElementById('viewer-data').textContent);
const viewer = new Viewer(viewerData);
for (const table of document.querySelectorAll('#result-0 table.matrix')) {
  const stream = viewerData.streams.find(({ name }) => name === table.dataset.stream);
  if (stream) new StretchList(table, stream, viewerData, (index, frame) => viewer.open(index, frame));
}
