const RATES = [0.1, 0.25, 0.5, 1, 2, 4];

class LabelingApp {
  constructor(queue) {
    this.queue = queue;
    this.session = queue.item.session;
    this.files = new LabelsFiles(queue.dataset);
    this.rate = 1;
    this.isPlaying = false;
    this.video = new SyncedVideo(byId('video'), byId('video-box'), byId('video-note'));
    this.strips = [];
    this.palette = readPalette();
    this.preview = null;
    this.painter = new Painter(this);
    this.isTimelineStale = true;
    this.opening = null;
  }

  get recording() {
    return this.session.recording;
  }

  get window() {
    return this.session.window;
  }

  get figure() {
    return this.session.figure;
  }

  get history() {
    return this.session.history;
  }

  get frame() {
    return this.session.frame;
  }

  set frame(frame) {
    this.session.frame = frame;
  }

  get time() {
    return this.session.time;
  }

  set time(time) {
    this.session.time = time;
  }

  get loop() {
    return this.session.loop;
  }

  /** While somebody drags or paints, the track that would result. */
  get track() {
    return this.preview ?? this.history.value;
  }

  start() {
    fillPads((command, ...values) => {
      // A held button has already painted, so its click must not run the command again.
      if (!this.painter.tookPointer) this.run(command, ...values);
      this.painter.tookPointer = false;
    });
    fillHelp(byId('help-keys'));
    fillQueue(this.queue, (index) => this.visit(index));
    this.connect();
    this.show();
  }

  visit(index) {
    if (this.isPlaying) this.pause();
    byId('figure').setAttribute('aria-busy', 'true');
    this.opening = this.queue.open(index, byId('figure')).then(
      (session) => session !== null && this.visited(session, index),
      (error) => {
        this.opened();
        showAlert(`${this.queue.items[index].name} cannot be read: ${error.message}`);
        return false;
      });
    return this.opening;
  }

  opened() {
    this.opening = null;
    byId('figure').removeAttribute('aria-busy');
  }

  visited(session, index) {
    this.opened();
    this.session = session;
    this.video.unload();
    byId('stage').classList.remove('with-video');
    this.show();
    say(`recording ${index + 1} of ${this.queue.items.length}: ${this.recording.name}`);
    return true;
  }

  show() {
    fillHeader(this.recording);
    this.strips = makeStrips(this.recording);
    connectStrips(this);
    showAlert(this.recording.frameCount > 0
      ? this.session.notes : 'The recording has no frames to label.');
    this.session.notes = '';
    this.selected = undefined;
    if (this.recording.video) {
      this.video.loadFrom(this.recording.video);
      byId('stage').classList.add('with-video');
    }
    this.showLoop();
    this.trackChanged();
    this.redrawAll();
  }

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

  /** Advances the time while playing; a loop starts again at its end. */
  tick(now) {
    if (!this.isPlaying) return;
    const passed = (now - (this.lastTick ?? now)) / 1000;
    this.lastTick = now;
    const { recording, loop } = this;
    const last = cutTime(recording, recording.frameCount - 1);
    const time = this.time + passed * this.rate;
    if (loop && time >= cutTime(recording, loop.end)) this.time = cutTime(recording, loop.start);
    else this.time = loop ? time : Math.min(time, last);
    const before = this.frame;
    this.frame = frameAt(recording, this.time);
    if (this.frame >= before) this.session.saw(before, this.frame);
    this.followTime();
    this.painter.follow();
    if (!loop && this.time >= last) this.pause();
  }

  /** A frame outside the loop ends the loop. */
  goTo(frame) {
    this.painter.end();
    const last = Math.max(this.recording.frameCount - 1, 0);
    this.frame = Math.min(Math.max(frame, 0), last);
    this.time = cutTime(this.recording, this.frame);
    this.session.saw(this.frame, this.frame);
    const { loop } = this;
    if (loop && (this.frame < loop.start || this.frame >= loop.end)) this.setLoop(null);
    this.followTime();
    this.draw();
  }

  /** A null `loop` plays the recording once. */
  setLoop(loop) {
    this.session.loop = loop;
    this.showLoop();
  }

  showLoop() {
    byId('loop').setAttribute('aria-pressed', String(this.loop !== null));
    this.isTimelineStale = true;
    this.draw();
  }

  followTime() {
    if (this.window.follow(this.time)) this.isTimelineStale = true;
  }

  goToTime(time) {
    this.goTo(frameAt(this.recording, time));
  }

  pause() {
    this.isPlaying = false;
    this.painter.end();
    this.time = cutTime(this.recording, this.frame);
    this.showPlaying();
  }

  showPlaying() {
    byId('play').textContent = this.isPlaying ? 'Pause' : 'Play';
    byId('play').setAttribute('aria-label', this.isPlaying ? 'Pause' : 'Play');
    byId('rate').textContent = `${this.rate}x`;
    this.draw();
  }

  /** Shows `whyNot` if the track stays the same. */
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
    const { session } = this;
    session.keep();
    const { isSaved } = session;
    const isNothing = isSaved && !session.hasFile;
    byId('saved').textContent = isNothing ? 'nothing to save' : isSaved ? 'saved' : 'not saved';
    byId('saved').classList.toggle('dirty', !isSaved);
    byId('saved').classList.toggle('nothing', isNothing);
    showQueue(this.queue);
    for (const [command, can] of [['undo', 'canUndo'], ['redo', 'canRedo']]) {
      document.querySelector(`[data-command="${command}"]`).disabled = !this.history[can];
    }
    fillSegments(this, (frame) => this.goTo(frame));
    this.isTimelineStale = true;
    this.draw();
  }

  run(command, ...values) {
    // Keys that are typed while a recording opens are meant for that recording.
    if (this.opening) {
      this.opening.then(() => this.run(command, ...values));
      return;
    }
    this.painter.end();
    if (this.recording.frameCount === 0 && !/^(help|\w+Recording|nextUnlabeled)$/.test(command)) return;
    COMMANDS[command](this, ...values);
  }

  async readLabels(file) {
    const { session } = this;
    try {
      const { track, count, moved, dropped, text } = session.read(await file.text());
      showAlert(loadNotes(moved, dropped));
      session.history.push(track, `opened ${file.name}`);
      if (moved + dropped === 0) [session.savedText, session.hasFile] = [text, true];
      say(`opened ${file.name}: ${count} segments`);
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

  /** A file that somebody changed is replaced only on a second request. */
  async save() {
    if (!this.files.canWrite) {
      this.download();
      return;
    }
    const { session } = this;
    const [path, { text }] = [session.recording.labels_file, session];
    const mayReplace = session.mayReplace === true;
    session.mayReplace = false;
    try {
      await this.files.write(path, text, (found) => mayReplace || session.isExpected(found));
      session.wasSaved(text);
      showAlert('');
      this.trackChanged();
      say(`saved ${path}`);
    } catch (error) {
      session.mayReplace = error instanceof ChangedFile;
      showAlert(saveProblem(error, path));
    }
  }

  download() {
    const name = this.recording.labels_file.split('/').pop();
    const { text } = this.session;
    downloadText(name, text);
    this.session.savedText = text;
    this.session.hasFile = true;
    this.trackChanged();
    say(`saved ${name}`);
  }

  connect() {
    connectKeys(this);
    connectButtons(this);
    connectPainting(this);
    connectPointer(this);
    onChosenFile(byId('labels-file'), (file) => this.readLabels(file));
    onChosenFile(byId('video-file'), (file) => this.openVideo(file));
    onDroppedFile((file) => this.openFile(file));
    byId('video').addEventListener('loadedmetadata', () => this.draw());
    byId('video').addEventListener('seeked', () => this.draw());
    window.addEventListener('beforeunload', (event) => {
      if (this.queue.unsaved.length > 0) event.preventDefault();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redrawAll());
    new ResizeObserver(() => this.redrawAll()).observe(byId('figure'));
    new ResizeObserver(() => this.redrawAll()).observe(byId('ribbon'));
  }
}

function saveProblem(error, path) {
  if (error instanceof ChangedFile) {
    return `${path} was changed since this page was made. Save again to replace the file, or open `
      + 'it (o) to continue from there.';
  }
  if (error.name === 'AbortError') return 'Nothing was chosen, so nothing was saved.';
  return `${path} was not saved: ${error.message}. Shift w downloads it instead.`;
}

// Keys, buttons and the pointer all run these commands.

const COMMANDS = {
  play(app) {
    const last = app.recording.frameCount - 1;
    const { loop } = app;
    if (!app.isPlaying && loop && app.frame === loop.end - 1) app.goTo(loop.start);
    else if (!app.isPlaying && app.frame === last) app.goTo(0);
    app.isPlaying = !app.isPlaying;
    app.lastTick = undefined;
    if (app.isPlaying) app.showPlaying();
    else app.pause();
  },
  stepBack: (app) => step(app, app.frame - 1),
  stepForward: (app) => step(app, app.frame + 1),
  jumpBack: (app) => app.goToTime(app.time - 1),
  jumpForward: (app) => app.goToTime(app.time + 1),
  first: (app) => app.goTo(0),
  last: (app) => app.goTo(app.recording.frameCount - 1),
  previousCut(app) {
    const cuts = app.track.map(({ start }) => start).filter((start) => start < app.frame);
    app.goTo(cuts.length > 0 ? cuts[cuts.length - 1] : 0);
  },
  nextCut(app) {
    const cut = app.track.find(({ start }) => start > app.frame);
    app.goTo(cut ? cut.start : app.recording.frameCount - 1);
  },
  async nextGap(app) {
    const span = app.track.find((other) => isOpen(other) && other.start > app.frame);
    const here = app.track[spanAt(app.track, app.frame)];
    if (span) {
      app.goTo(span.start);
      return;
    }
    const { queue } = app;
    const next = queue.nextUnlabeled();
    if (next >= 0 && next !== queue.index) {
      if (!await app.visit(next)) return;
      const gap = app.track.find(isOpen);
      if (gap) app.goTo(gap.start);
    } else say(isOpen(here) ? 'this is the last gap' : 'everything after this is labeled');
  },
  previousGap(app) {
    const spans = app.track.filter((span) => isOpen(span) && span.start < app.frame);
    if (spans.length > 0) app.goTo(spans[spans.length - 1].start);
    else say('everything before this is labeled');
  },
  nextDoubt: (app) => goToDoubt(app, 1),
  previousDoubt: (app) => goToDoubt(app, -1),
  loop(app) {
    if (app.loop) {
      app.setLoop(null);
      say('loop ended');
      return;
    }
    const { start, end } = app.track[spanAt(app.track, app.frame)];
    app.setLoop({ start, end });
    const [from, to] = [start, end].map((frame) => clockText(cutTime(app.recording, frame), 2));
    say(`loop from ${from} to ${to}`);
  },
  nextRecording: (app) => visit(app, app.queue.index + 1, 'this is the last recording'),
  previousRecording: (app) => visit(app, app.queue.index - 1, 'this is the first recording'),
  nextUnlabeled: (app) => visit(
    app, app.queue.nextUnlabeled(), 'every recording is fully labeled'),
  faster: (app) => changeRate(app, 1),
  slower: (app) => changeRate(app, -1),

  cut(app) {
    app.edit(cutTrack(app.track, app.frame), `boundary at ${hereText(app)}`,
      'there is already a boundary here');
  },
  fetchCut(app) {
    const index = nearestInnerCut(app.track, app.recording, app.time);
    if (index === 0) say('there is no boundary to move; press b to set one');
    else app.edit(moveCut(app.track, index, app.frame), `boundary moved to ${hereText(app)}`,
      'the nearest boundary is already here');
  },
  merge(app) {
    app.edit(mergeSpan(app.track, app.frame), 'joined with the segment on the left',
      'there is no segment on the left');
  },
  remove(app) {
    app.edit(removeSpan(app.track, app.frame), 'segment deleted', 'there is no segment here');
  },
  plank(app, name, cutsFirst = false) {
    const track = cutsFirst ? cutTrack(app.track, app.frame) : app.track;
    const what = cutsFirst ? `${name} from ${hereText(app)} on` : name;
    app.edit(setPlank(track, app.frame, name), what, `it is already ${name}`);
  },
  form(app, name, cutsFirst = false) {
    const { plank } = app.track[spanAt(app.track, app.frame)];
    if (!takesForm(plank)) {
      say('a form needs a plank class: press a key from 2 to 6 first');
      return;
    }
    const track = cutsFirst ? cutTrack(app.track, app.frame) : app.track;
    const what = cutsFirst ? `${name} from ${hereText(app)} on` : name;
    app.edit(setForm(track, app.frame, name), what, `it is already ${name}`);
  },
  confirm(app) {
    const { plank, form } = app.track[spanAt(app.track, app.frame)];
    app.edit(confirmSpan(app.track, app.frame), `confirmed: ${spanName({ plank, form })}`,
      'there is no unconfirmed answer here');
  },
  confirmSeen(app) {
    const before = labeledFrames(app.track);
    const track = confirmSeen(app.track, app.session.seen);
    const share = (labeledFrames(track) - before) / app.recording.frameCount;
    app.edit(track, `confirmed all that was viewed: ${Math.round(100 * share)} % of the recording`,
      'no unconfirmed answer was viewed from beginning to end');
  },
  clear(app) {
    const { form } = app.track[spanAt(app.track, app.frame)];
    if (form !== '') app.edit(setForm(app.track, app.frame, ''), 'form cleared', '');
    else app.edit(setPlank(app.track, app.frame, GAP), 'class cleared', 'there is nothing to clear here');
  },
  undo(app) {
    const what = app.history.undo();
    say(what === null ? 'nothing to undo' : `undone: ${what}`);
    if (what !== null) app.trackChanged();
  },
  redo(app) {
    const what = app.history.redo();
    say(what === null ? 'nothing to redo' : `redone: ${what}`);
    if (what !== null) app.trackChanged();
  },
  save: (app) => app.save(),
  download: (app) => app.download(),
  openLabels: () => byId('labels-file').click(),

  zoomIn: (app) => zoom(app, 0.5),
  zoomOut: (app) => zoom(app, 2),
  zoomAll(app) {
    app.window.showAll();
    app.redrawAll();
  },
  nextView: (app) => changeView(app, () => app.figure.show(app.figure.view + 1)),
  resetView: (app) => changeView(app, () => {
    app.figure.zoom = 1;
    app.figure.show(0);
  }),
  turnLeft: (app) => changeView(app, () => app.figure.turn(-0.2, 0)),
  turnRight: (app) => changeView(app, () => app.figure.turn(0.2, 0)),
  help() {
    if (byId('help').open) byId('help').close();
    else byId('help').showModal();
  },

  openVideo: () => byId('video-file').click(),
  videoEarlier: (app) => shiftVideo(app, -0.02),
  videoLater: (app) => shiftVideo(app, 0.02),
  videoMuchEarlier: (app) => shiftVideo(app, -0.5),
  videoMuchLater: (app) => shiftVideo(app, 0.5),
};

function visit(app, index, whyNot) {
  if (index < 0 || index >= app.queue.items.length) say(whyNot);
  else if (index === app.queue.index) say('this is the only recording left to label');
  else app.visit(index);
}

function step(app, frame) {
  if (app.isPlaying) app.pause();
  app.goTo(frame);
}

function changeRate(app, by) {
  const index = RATES.indexOf(app.rate) + by;
  app.rate = RATES[(index + RATES.length) % RATES.length];
  app.showPlaying();
  say(`speed ${app.rate}x`);
}

function zoom(app, factor) {
  app.window.zoom(factor, app.time);
  app.redrawAll();
}

function changeView(app, change) {
  change();
  say(app.figure.viewName);
  app.draw();
}

function shiftVideo(app, seconds) {
  app.video.offset = Math.round((app.video.offset + seconds) * 100) / 100;
  const text = `${app.video.offset.toFixed(2)} s`;
  byId('offset').textContent = text;
  say(`video offset ${text}`);
  app.draw();
}

function hereText(app) {
  return `${timeText(cutTime(app.recording, app.frame))} s`;
}
