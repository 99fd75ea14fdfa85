// The ruler above everything that is drawn over time, and names on it.

const RULER_HEIGHT = 20;
const TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600];

/** Draws the times at which a window of time is marked. */
function drawRuler(context, width, view, palette) {
  const step = TICKS.find((tick) => (tick / view.length) * width >= 64) || 1200;
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (let k = Math.ceil(view.from / step); k * step <= view.to; k += 1) {
    const x = Math.round(view.x(k * step, width)) + 0.5;
    context.fillStyle = palette.line;
    context.fillRect(x - 0.5, 0, 1, RULER_HEIGHT);
    context.fillStyle = palette.dim;
    context.fillText(clockText(k * step, step < 1 ? 1 : 0), x + 4, RULER_HEIGHT / 2);
  }
}

/** Writes a name where it fits, at the visible start of its span. */
function drawName(context, name, from, width, middle, color, size = 12) {
  context.font = `600 ${size}px system-ui, sans-serif`;
  const left = Math.max(from, 0) + 6;
  if (left + context.measureText(name).width + 4 > from + width) return;
  context.fillStyle = color;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(name, left, middle);
}
