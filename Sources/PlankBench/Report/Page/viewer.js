class Viewer {
  constructor(data, node) {
    [this.data, this.node] = [data, node];
    this.opened = 0;
    /** Whether a person has moved the viewer, so that the address follows. */
    this.isAsked = false;
    [this.moved, this.taken] = [() => {}, () => {}];
    this.lines = new MomentLines(data);
    this.pictures = new Pictures(this.lines.node, () => this.draw());
    this.playback = new Playback(this.clock());
    this.transport = new Transport(this, this.pictures.file);
    this.lanes = new Lanes(data, (time) => this.goTo(frameAt(this.recording, time)));
    this.reasons = data.streams.map((facts, place) => new Reasons(facts, place));
    this.sheet = new KeySheet();
    this.lanes.changed = () => this.draw();
    this.title = element('h3', { id: 'viewer-title' });
    this.facts = element('p', { className: 'words' });
    this.command = element('code', { className: 'command' });
    this.stage = element('section', { className: 'stage', 'aria-labelledby': 'viewer-title' },
      element('header', { className: 'head' },
        element('div', { className: 'title' }, this.title, this.facts), this.transport.actions),
      this.pictures.node,
      element('div', { className: 'why' }, ...this.reasons.map(({ decision }) => decision)),
      this.transport.node);
    const parts = [this.stage, this.lanes.node,
      element('div', { className: 'under' }, this.transport.views, this.lanes.more,
        element('p', { className: 'words' }, 'The same in a terminal: ', this.command)),
      element('details', { className: 'reasons' },
        element('summary', { textContent: 'Every rule in this frame' }),
        element('div', {}, ...this.reasons.map((reasons) => reasons.node))),
      this.lines.live];
    // This content comes from poses, which results do not have.
    for (const part of parts) part.dataset.provedElsewhere = '';
    node.append(...parts);
    this.connect();
  }

  clock() {
    return {
      place: () => this.recording.times[this.frame],
      span: () => {
        const { times, frameCount } = this.recording;
        return [times[0], times[frameCount - 1]];
      },
      show: (time) => this.show(frameAt(this.recording, time)),
      changed: () => {
        if (this.playback.rate === 0) this.settle();
        else this.lines.hush();
        this.draw();
      },
    };
  }

  connect() {
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('keyup', ({ key }) => this.playback.release(key.toLowerCase()));
    window.addEventListener('blur', () => this.playback.release('k'));
    // The pictures keep their proportions when their box changes its size.
    this.sizes = new ResizeObserver(() => this.draw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  key(event) {
    const run = shortcutOf(event);
    if (!run || !(event.target instanceof Element)) return;
    if (event.key === '?') {
      event.preventDefault();
      run(this, event);
      return;
    }
    if (this.sheet.isOpen || !this.recording || event.defaultPrevented) return;
    if (PAGE_KEYS.test(event.key) && !this.node.contains(event.target)) return;
    if (PAGE_KEYS.test(event.key)) {
      if (event.target.closest('.scroll, .why, .reasons')) return;
      if (event.target === this.pictures.canvas && this.pictures.turnByKey(event)) {
        event.preventDefault();
        return;
      }
    }
    event.preventDefault();
    run(this, event);
    this.reveal();
  }

  /**
   * Opens a sequence at a frame, at a time, at seconds after its start, or at an error.
   *
   * If an address asked for it (`isAsked`), the focus goes to the timeline. If nobody asked
   * (`isQuiet`), nothing is spoken, and the address stays.
   */
  async open(index, { frame, time, after, error, isAsked, isQuiet }) {
    const turn = ++this.opened;
    this.stop();
    const detector = this.detector ?? await PageDetector.load(this.data);
    const sequence = this.data.sequences[index];
    const recording = this.index === index && this.recording
      ? this.recording : await readSequence(sequence.block, this.data);
    if (turn !== this.opened) return;
    this.detector = detector;
    if (recording !== this.recording) this.take(index, recording);
    const starts = this.errors;
    const [first, last] = [starts[0], starts[starts.length - 1]];
    const wanted = after === undefined ? time : recording.start + after;
    const at = frame ?? (wanted === undefined ? { first, last }[error] ?? 0 : this.frameOf(wanted));
    if (isQuiet) {
      this.show(at);
      return;
    }
    this.said = sequence.name;
    this.goTo(at);
    if (isAsked) this.lanes.ribbons[0].focus({ preventScroll: true });
    this.reveal();
  }

  /** Scrolls only if most of the picture is out of sight. */
  reveal() {
    const { top, bottom } = this.pictures.node.getBoundingClientRect();
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
    if (seen < 0.6 * Math.min(bottom - top, innerHeight)) {
      this.stage.scrollIntoView({ block: 'start', behavior: 'instant' });
    }
  }

  take(index, recording) {
    const sequence = this.data.sequences[index];
    const frames = this.detector.open(recording);
    Object.assign(this, { index, recording, window: new TimeWindow(recording), frame: 0 });
    this.views = this.data.streams.map((facts, place) => (
      new StreamView(facts, recording.truth[place], frames[place], recording.before?.[place])));
    const startsOf = (list) => [...new Set(list.map(({ start }) => start))]
      .sort((one, other) => one - other);
    this.errors = startsOf(this.views.flatMap(({ errors }) => errors));
    this.changes = startsOf(this.views.flatMap(({ runs }) => runs.answer.slice(1)));
    this.title.textContent = sequence.name;
    this.facts.textContent = sequence.facts;
    this.node.dataset.sequence = index;
    this.taken(index);
    this.pictures.open(recording, sequence.video);
    this.lanes.open(recording, this.window, this.views);
    this.sizes.disconnect();
    for (const canvas of [this.pictures.canvas, ...this.lanes.canvases]) this.sizes.observe(canvas);
  }

  /** Tolerates times that are rounded to milliseconds. */
  frameOf(time) {
    return frameAt(this.recording, time + 6e-4);
  }

  moment() {
    if (!this.isAsked || !this.recording) return {};
    const time = this.recording.times[this.frame];
    return { seq: this.data.sequences[this.index].name, t: String(Number(time.toFixed(3))) };
  }

  step(frames) { this.goTo(this.frame + frames); }

  goTo(frame) {
    this.stop();
    this.show(frame);
    this.settle();
  }

  /** Returns what is wrong with the time, or an empty text. */
  goToTime(time) {
    const { start, end } = this.recording;
    if (time < start - 6e-4 || time > end) {
      return `between ${clockText(start, 2)} and ${clockText(end, 2)}`;
    }
    this.goTo(this.frameOf(time));
    return '';
  }

  show(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.recording.frameCount - 1);
    this.window.follow(this.recording.times[this.frame]);
    this.draw();
  }

  settle() {
    this.isAsked = true;
    this.lines.say(this.views, this.frame, this.recording, this.said);
    this.said = '';
    this.moved();
  }

  turnOn() { this.pictures.turnOn(); }

  zoom(factor) {
    if (factor === Infinity) this.window.showAll();
    else this.window.zoom(factor, this.recording.times[this.frame]);
    this.draw();
  }

  next(starts, direction) {
    return direction > 0 ? starts.find((start) => start > this.frame)
      : starts.findLast((start) => start < this.frame);
  }

  /** Continues in the next sequence with an error if this one has none left. */
  toError(direction) {
    const next = this.next(this.errors, direction);
    if (next !== undefined) {
      this.goTo(next);
      return;
    }
    const { sequences } = this.data;
    const shown = [...sequences.keys()]
      .filter((index) => sequences[index].block !== null && sequences[index].wrong);
    if (shown.length === 0) {
      this.lines.tell('No answer is wrong.');
      return;
    }
    const at = shown.indexOf(this.index);
    const start = at < 0 && direction < 0 ? 0 : at;
    this.open(shown[(start + direction + shown.length) % shown.length],
      { error: direction > 0 ? 'first' : 'last' });
  }

  toChange(direction) {
    const next = this.next(this.changes, direction);
    if (next !== undefined) this.goTo(next);
    else this.lines.tell(`There is no ${direction > 0 ? 'later' : 'earlier'} change of an answer.`);
  }

  stop() {
    this.playback.pause();
    this.pictures.stop();
  }

  draw() {
    if (!this.recording) return;
    const { recording, frame, views } = this;
    const { rate } = this.playback;
    const scene = { recording, window: this.window, palette: readPalette() };
    const time = recording.times[frame];
    this.lines.show(views, frame);
    this.reasons.forEach((reasons, place) => reasons.show(this.detector, views[place], frame));
    this.transport.show(time, frame, recording.frameCount, rate);
    this.node.dataset.frame = frame;
    this.command.textContent = explainCommand(this.data.sequences[this.index], time);
    this.lanes.draw(scene, frame);
    this.pictures.show(frame, scene.palette, rate);
    hatches.clear();
  }
}
