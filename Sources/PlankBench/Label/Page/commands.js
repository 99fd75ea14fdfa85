// What can be done, by name. Keys, buttons and the pointer all come through here.

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
    if (index === 0) say('there is no boundary to move; b sets one');
    else app.edit(moveCut(app.track, index, app.frame), `boundary moved to ${hereText(app)}`,
      'the nearest boundary is already here');
  },
  merge(app) {
    app.edit(mergeSpan(app.track, app.frame), 'joined to the segment on the left',
      'there is no segment on the left');
  },
  remove(app) {
    app.edit(removeSpan(app.track, app.frame), 'segment deleted', 'there is no segment here');
  },
  plank(app, name, cutsFirst = false) {
    const track = cutsFirst ? cutTrack(app.track, app.frame) : app.track;
    const what = cutsFirst ? `${name} from ${hereText(app)} on` : name;
    app.edit(setPlank(track, app.frame, name), what, `it is ${name} already`);
  },
  form(app, name, cutsFirst = false) {
    const { plank } = app.track[spanAt(app.track, app.frame)];
    if (!takesForm(plank)) {
      say('a form needs a plank class: choose one of 2 to 6 first');
      return;
    }
    const track = cutsFirst ? cutTrack(app.track, app.frame) : app.track;
    const what = cutsFirst ? `${name} from ${hereText(app)} on` : name;
    app.edit(setForm(track, app.frame, name), what, `it is ${name} already`);
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
    app.edit(track, `confirmed what was looked at: ${Math.round(100 * share)} % of the recording`,
      'no unconfirmed answer was looked at from its beginning to its end');
  },
  clear(app) {
    const { form } = app.track[spanAt(app.track, app.frame)];
    if (form !== '') app.edit(setForm(app.track, app.frame, ''), 'form cleared', '');
    else app.edit(setPlank(app.track, app.frame, GAP), 'class cleared', 'nothing to clear here');
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

/** Goes to a recording of the queue, or says why there is none. */
function visit(app, index, whyNot) {
  if (index < 0 || index >= app.queue.items.length) say(whyNot);
  else if (index === app.queue.index) say('this is the only one left to label');
  else app.visit(index);
}

/** Stepping looks at one frame, so it ends playing. */
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

/** The time of the playhead, as labels write it. */
function hereText(app) {
  return `${timeText(cutTime(app.recording, app.frame))} s`;
}
