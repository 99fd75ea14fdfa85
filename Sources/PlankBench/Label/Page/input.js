/** The distance, in pixels, from which a click is a drag. */
const DRAG_REACH = 5;

/** Keys work everywhere on the page, except those that the focused control uses itself. */
function connectKeys(app) {
  byId('figure').addEventListener('keydown', (event) => turnByKey(app, event));
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isTakenByControl(event)) return;
    const found = commandOf(event);
    if (!found || (byId('help').open && found.command !== 'help')) return;
    event.preventDefault();
    if (PAINTS[found.command] && (event.repeat ? app.isPlaying
      : app.painter.begin(found.command, found.values, event.code))) return;
    app.run(found.command, ...found.values);
  });
}

function isTakenByControl(event) {
  if (event.target.id === 'strips' && /^(Arrow(Up|Down)|Page(Up|Down))$/.test(event.key)) return true;
  if (event.target.closest('select') !== null && plain(event)) return true;
  return (event.key === ' ' || event.key === 'Enter') && event.target.closest('button') !== null;
}

function turnByKey(app, event) {
  const turn = KEY_TURNS[event.key];
  if (!turn || !plain(event) || event.shiftKey) return;
  event.preventDefault();
  changeView(app, () => app.figure.turn(...turn));
}

function connectButtons(app) {
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    // A clicked button must not take the next Space; keyboard users keep the focus.
    if (event.detail > 0) button.blur();
    if (button.dataset.command) app.run(button.dataset.command);
  });
  byId('alert-close').addEventListener('click', () => showAlert(''));
  byId('help-close').addEventListener('click', () => byId('help').close());
}

function connectPointer(app) {
  connectFigure(app);
  const ribbon = byId('ribbon');
  onDrag(ribbon, {
    start: (x, width, y) => startOnRibbon(app, x, width, y),
    move: (x, width, held) => moveOnRibbon(app, x, width, held),
    end: (held) => endOnRibbon(app, held),
  });
  ribbon.addEventListener('pointermove', (event) => {
    const isOnCut = cutNear(event.offsetX, ribbon.clientWidth, app) > 0;
    const other = event.offsetY < RULER_HEIGHT ? 'pointer' : 'crosshair';
    ribbon.style.cursor = isOnCut ? 'ew-resize' : other;
  });
  ribbon.addEventListener('wheel', (event) => zoomByWheel(app, event), { passive: false });
  onDrag(byId('overview'), { move: (x, width) => {
    const { start, end } = app.recording;
    app.goToTime(start + (x / width) * (end - start));
  } });
}

function connectStrips(app) {
  for (const { canvas } of app.strips) {
    onDrag(canvas, { move: (x, width) => app.goToTime(app.window.time(x, width)) });
    canvas.addEventListener('wheel', (event) => zoomByWheel(app, event), { passive: false });
  }
}

function connectFigure(app) {
  const figure = byId('figure');
  onTurn(figure, (yaw, pitch) => changeView(app, () => app.figure.turn(yaw, pitch)));
  figure.addEventListener('wheel', (event) => {
    event.preventDefault();
    app.figure.scale(Math.exp(-event.deltaY * 0.001));
    app.draw();
  }, { passive: false });
}

function startOnRibbon(app, x, width, y) {
  const index = cutNear(x, width, app);
  if (index > 0 && y >= RULER_HEIGHT - 7) {
    if (app.isPlaying) app.pause();
    return { index, track: app.track };
  }
  if (y < RULER_HEIGHT) return null;
  return { x, from: nearestCut(app.recording, app.window.time(x, width)), track: app.track };
}

function moveOnRibbon(app, x, width, held) {
  const time = app.window.time(x, width);
  if (!held) {
    app.goToTime(time);
  } else if (held.index) {
    app.preview = moveCut(held.track, held.index, nearestCut(app.recording, time));
    app.isTimelineStale = true;
    app.goTo(app.preview[held.index].start);
    say(`boundary at ${hereText(app)}`);
  } else if (app.preview === null && Math.abs(x - held.x) < DRAG_REACH) {
    app.goToTime(time);
  } else {
    const to = nearestCut(app.recording, time);
    app.preview = markSpan(held.track, Math.min(held.from, to), Math.max(held.from, to));
    app.isTimelineStale = true;
    app.goTo(Math.min(held.from, to));
  }
}

/** A drag is one step of the history. */
function endOnRibbon(app, held) {
  const changed = app.preview;
  app.preview = null;
  app.isTimelineStale = true;
  app.draw();
  if (!held || !changed || changed === held.track) return;
  const what = held.index
    ? `boundary moved to ${hereText(app)}` : `segment from ${hereText(app)} on: give it a class`;
  app.edit(changed, what, '');
}

function zoomByWheel(app, event) {
  const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (!isSideways && !event.ctrlKey && event.currentTarget.id !== 'ribbon') return;
  event.preventDefault();
  const width = event.currentTarget.clientWidth;
  if (isSideways) app.window.pan(((event.deltaX || event.deltaY) / width) * app.window.length);
  else app.window.zoom(Math.exp(event.deltaY * 0.002), app.window.time(event.offsetX, width));
  app.isTimelineStale = true;
  app.draw();
}

const recordings = new Queue(readQueue());
recordings.open(recordings.first, byId('figure')).then(
  () => new LabelingApp(recordings).start(),
  (error) => showAlert(`This browser cannot read the recording: ${error.message}`));
