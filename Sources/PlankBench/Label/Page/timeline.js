const PLANK_HEIGHT = 30;
const FORM_HEIGHT = 14;
const ACTIVITY_HEIGHT = 14;

function drawOverview(canvas, { recording, track, window: view, palette, time }) {
  const { context, width, height } = fitCanvas(canvas);
  const span = Math.max(recording.end - recording.start, 1e-3);
  const x = (at) => ((at - recording.start) / span) * width;
  for (const { start, end, plank, isGuess } of track) {
    if (plank === GAP) continue;
    const [from, to] = [start, end].map((frame) => x(cutTime(recording, frame)));
    context.fillStyle = isGuess ? hatch(context, palette.classes[plank]) : plank === IGNORE
      ? hatch(context, palette.classes.ignore) : palette.classes[plank];
    context.fillRect(from, 4, Math.max(to - from, 1), height - 8);
  }
  context.fillStyle = palette.accent;
  context.globalAlpha = 0.16;
  context.fillRect(x(view.from), 0, x(view.to) - x(view.from), height);
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeStyle = palette.accent;
  context.strokeRect(x(view.from) + 0.5, 0.5, x(view.to) - x(view.from) - 1, height - 1);
  drawDoubts(context, recording, x, height, palette, (frame) => cutTime(recording, frame));
  context.fillStyle = palette.accent;
  context.fillRect(Math.round(x(time)) - 1, 0, 2, height);
}

function drawRibbon(canvas, { recording, track, window: view, palette, frame, loop }) {
  canvas.parentElement.classList.toggle('active', recording.activities.length > 0);
  const { context, width } = fitCanvas(canvas);
  drawRuler(context, width, view, palette);
  const current = spanAt(track, frame);
  track.forEach((span, index) => {
    const [from, to] = [span.start, span.end].map((cut) => view.x(cutTime(recording, cut), width));
    if (to < 0 || from > width) return;
    drawSpan(context, span, from, to, palette);
    if (index > 0) drawCut(context, from, palette);
    if (index === current) outlineSpan(context, from, to, palette);
  });
  drawActivities(context, recording, view, width, palette);
  if (loop) drawLoop(context, loop, recording, view, width, palette);
}

function drawSpan(context, { plank, form, isGuess }, from, to, palette) {
  const width = Math.max(to - from - 1, 1);
  if (plank === GAP) {
    context.fillStyle = palette.line;
    context.globalAlpha = 0.35;
    context.fillRect(from, RULER_HEIGHT + PLANK_HEIGHT / 2 - 1, width, 2);
    context.globalAlpha = 1;
    return;
  }
  const isHatched = plank === IGNORE || isGuess;
  const fill = (name) => (isHatched ? hatch(context, palette.classes[name]) : palette.classes[name]);
  const ink = (name) => (isHatched ? palette.text : palette.inks[name]);
  const mark = isGuess ? '?' : '';
  context.fillStyle = fill(plank);
  context.fillRect(from, RULER_HEIGHT, width, PLANK_HEIGHT);
  drawName(context, plank + mark, from, width, RULER_HEIGHT + PLANK_HEIGHT / 2, ink(plank));
  if (form === '') return;
  const top = RULER_HEIGHT + PLANK_HEIGHT + 2;
  context.fillStyle = fill(form);
  context.fillRect(from, top, width, FORM_HEIGHT);
  drawName(context, form + mark, from, width, top + FORM_HEIGHT / 2 + 0.5, ink(form), 10);
}

function drawActivities(context, { activities }, view, width, palette) {
  const top = RULER_HEIGHT + PLANK_HEIGHT + FORM_HEIGHT + 5;
  for (const { start, end, name } of activities) {
    const [from, to] = [start, end].map((time) => view.x(time, width));
    if (to < 0 || from > width) continue;
    context.fillStyle = palette.line;
    context.fillRect(from, top, Math.max(to - from - 1, 1), ACTIVITY_HEIGHT);
    drawName(context, name, from, to - from, top + ACTIVITY_HEIGHT / 2 + 0.5, palette.text, 10);
  }
}

function drawCut(context, x, palette) {
  context.fillStyle = palette.text;
  context.fillRect(Math.round(x) - 1, RULER_HEIGHT - 5, 2, PLANK_HEIGHT + FORM_HEIGHT + 8);
  context.beginPath();
  context.moveTo(x - 5, RULER_HEIGHT - 7);
  context.lineTo(x + 5, RULER_HEIGHT - 7);
  context.lineTo(x, RULER_HEIGHT - 1);
  context.fill();
}

function drawLoop(context, { start, end }, recording, view, width, palette) {
  const [from, to] = [start, end].map((cut) => view.x(cutTime(recording, cut), width));
  context.fillStyle = palette.accent;
  context.fillRect(from, 1, to - from, 3);
  for (const x of [from, to - 3]) context.fillRect(x, 1, 3, RULER_HEIGHT - 3);
}

function outlineSpan(context, from, to, palette) {
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.strokeRect(
    from, RULER_HEIGHT - 1, Math.max(to - from - 1, 2), PLANK_HEIGHT + FORM_HEIGHT + 4);
}

/** The distance in pixels at which a pointer or a finger takes a boundary. */
const [POINTER_REACH, FINGER_REACH] = [7, 18];

/** The span whose left boundary is within reach, or 0. */
function cutNear(x, width, { recording, track, window: view }) {
  let best = 0;
  let distance = matchMedia('(pointer: coarse)').matches ? FINGER_REACH : POINTER_REACH;
  for (let index = 1; index < track.length; index += 1) {
    const found = Math.abs(view.x(cutTime(recording, track[index].start), width) - x);
    if (found < distance) [best, distance] = [index, found];
  }
  return best;
}
