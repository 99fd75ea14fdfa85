// The page as a whole: what is shown, what the commands do, and when to draw.

const RATES = [0.25, 0.5, 1, 2, 4];

class LabelingApp {
  constructor(recording) {
    this.recording = recording;
    this.frame = 0;
    this.time = recording.start;
    this.rate = 1;
    this.isPlaying = false;
    this.window = new TimeWindow(recording);
    this.figure = new Figure(byId('figure'), recording);
    this.video = new SyncedVideo(byId('video'), byId('video-box'), byId('video-note'));
    this.strips = makeStrips(recording);
    this.palette = readPalette();
    this.autosave = new Autosave(recording);
    const { track, moved, dropped } = trackOfSegments(recording.labels, recording);
    this.history = new History(track);
    this.embedded = csvText(track, recording);
    // A file whose boundaries had to move is not the file that would be saved now.
    this.savedText = moved + dropped === 0 ? this.embedded : '';
    showAlert(loadNotes(moved, dropped));
    this.preview = null;
    this.isTimelineStale = true;
  }

  /** The labels that are shown: while a boundary is dragged, those that it would give. */
  get track() {
    return this.preview ?? this.history.value;
  }

  get isSaved() {
    return csvText(this.track, this.recording) === this.savedText;
  }

  start() {
    fillHeader(this.recording);
    fillPads((command, ...values) => this.run(command, ...values));
    fillHelp(byId('help-keys'));
    this.restore();
    this.connect();
    this.trackChanged();
    if (this.recording.frameCount === 0) showAlert('The recording has no frame to label.');
  }

  /** Brings back what was kept in the browser, as an edit that can be undone. */
  restore() {
    const kept = this.autosave.find(this.embedded);
    if (!kept) return;
    try {
      const segments = parseCSV(kept.labels, this.recording);
      const { track } = trackOfSegments(segments, this.recording);
      this.history.push(track, 'the labels kept in this browser');
      if (kept.isSaved) this.savedText = csvText(track, this.recording);
      else showAlert('Unsaved labels from last time are back. Undo (z) returns to the file.');
    } catch {
      // What an older page kept may not be readable any more; the labels of the file stand.
    }
  }

  // Drawing

  /** Draws at the next frame of the screen, however often it is asked. */
  draw() {
    if (this.isDrawPending) return;
    this.isDrawPending = true;
    requestAnimationFrame((now) => {
      this.isDrawPending = false;
      this.tick(now);
      this.drawNow();
      if (this.isPlaying) this.draw();
    });
  }

  drawNow() {
    this.figure.draw(this.frame, this.palette);
    byId('view-name').textContent = this.figure.viewName;
    showPosition(this);
    const selected = spanAt(this.track, this.frame);
    if (selected !== this.selected) this.isTimelineStale = true;
    this.selected = selected;
    markSegment(selected);
    if (this.isTimelineStale) {
      drawRibbon(byId('ribbon'), this);
      for (const strip of this.strips) strip.draw(this);
      this.isTimelineStale = false;
    }
    drawOverview(byId('overview'), this);
    this.movePlayheads();
    this.video.follow(this.time, this.recording.start, this.isPlaying, this.rate);
  }

  movePlayheads() {
    const x = this.window.x(this.time, byId('ribbon').clientWidth);
    for (const mark of document.querySelectorAll('.playhead')) {
      mark.style.transform = `translateX(${x}px)`;
    }
    for (const strip of this.strips) strip.showValue(this.frame);
  }

  redrawAll() {
    hatches.clear();
    this.palette = readPalette();
    this.isTimelineStale = true;
    this.draw();
  }

  // Position

  /** Lets the time run on while playing. */
  tick(now) {
    if (!this.isPlaying) return;
    const passed = (now - (this.lastTick ?? now)) / 1000;
    this.lastTick = now;
    const last = cutTime(this.recording, this.recording.frameCount - 1);
    this.time = Math.min(this.time + passed * this.rate, last);
    this.frame = frameAt(this.recording, this.time);
    this.followTime();
    if (this.time >= last) this.pause();
  }

  goTo(frame) {
    const last = Math.max(this.recording.frameCount - 1, 0);
    this.frame = Math.min(Math.max(frame, 0), last);
    this.time = cutTime(this.recording, this.frame);
    this.followTime();
    this.draw();
  }

  /** Moves the window where the playhead has left it. */
  followTime() {
    if (this.window.follow(this.time)) this.isTimelineStale = true;
  }

  goToTime(time) {
    this.goTo(frameAt(this.recording, time));
  }

  pause() {
    this.isPlaying = false;
    this.time = cutTime(this.recording, this.frame);
    this.showPlaying();
  }

  showPlaying() {
    byId('play').textContent = this.isPlaying ? 'Pause' : 'Play';
    byId('play').setAttribute('aria-label', this.isPlaying ? 'Pause' : 'Play');
    byId('rate').textContent = `${this.rate}x`;
    this.draw();
  }

  // Edits

  /** Takes over a new track as one step of the history; the same track says why not. */
  edit(track, what, whyNot) {
    if (track === this.track) {
      say(whyNot);
      return;
    }
    this.history.push(track, what);
    say(what);
    this.trackChanged();
  }

  trackChanged() {
    const text = csvText(this.track, this.recording);
    this.autosave.keep(text, this.embedded, text === this.savedText);
    byId('saved').textContent = this.isSaved ? 'saved' : 'not saved';
    byId('saved').classList.toggle('dirty', !this.isSaved);
    for (const [command, can] of [['undo', 'canUndo'], ['redo', 'canRedo']]) {
      document.querySelector(`[data-command="${command}"]`).disabled = !this.history[can];
    }
    fillSegments(this, (frame) => this.goTo(frame));
    this.isTimelineStale = true;
    this.draw();
  }

  /** Runs a command by its name; what is not in the table does nothing. */
  run(command, ...values) {
    if (this.recording.frameCount === 0 && command !== 'help') return;
    COMMANDS[command](this, ...values);
  }

  // Files

  async readLabels(file) {
    try {
      const segments = parseCSV(await file.text(), this.recording);
      const { track, moved, dropped } = trackOfSegments(segments, this.recording);
      showAlert(loadNotes(moved, dropped));
      this.history.push(track, `opened ${file.name}`);
      if (moved + dropped === 0) this.savedText = csvText(track, this.recording);
      say(`opened ${file.name}: ${segments.length} segments`);
      this.trackChanged();
    } catch (error) {
      showAlert(`${file.name} was not opened: ${error.message}`);
    }
  }

  openFile(file) {
    if (file.type.startsWith('video/')) this.openVideo(file);
    else this.readLabels(file);
  }

  openVideo(file) {
    this.video.load(file);
    byId('stage').classList.add('with-video');
    this.redrawAll();
  }

  save() {
    const text = csvText(this.track, this.recording);
    downloadText(this.recording.labels_file, text);
    this.savedText = text;
    this.trackChanged();
    say(`saved ${this.recording.labels_file}`);
  }

  // Input

  connect() {
    connectKeys(this);
    connectButtons(this);
    connectPointer(this);
    onChosenFile(byId('labels-file'), (file) => this.readLabels(file));
    onChosenFile(byId('video-file'), (file) => this.openVideo(file));
    onDroppedFile((file) => this.openFile(file));
    byId('video').addEventListener('loadedmetadata', () => this.draw());
    byId('video').addEventListener('seeked', () => this.draw());
    window.addEventListener('beforeunload', (event) => {
      if (!this.isSaved) event.preventDefault();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redrawAll());
    new ResizeObserver(() => this.redrawAll()).observe(byId('figure'));
    new ResizeObserver(() => this.redrawAll()).observe(byId('ribbon'));
  }
}

function loadNotes(moved, dropped) {
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  const notes = [];
  if (moved > 0) {
    notes.push(`${count(moved, 'boundary was', 'boundaries were')} not at a frame time and went `
      + 'to the next frame; the same frames are labeled as before.');
  }
  if (dropped > 0) {
    notes.push(`${count(dropped, 'segment', 'segments')} without a frame left out.`);
  }
  return notes.join(' ');
}
