// Colors come from the style sheet, which decides between light and dark.

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ['text', 'dim', 'line', 'surface', 'accent', 'left', 'right', 'middle', 'floor',
    'hole', 'threshold', 'curve'];
  const palette = Object.fromEntries(names.map((name) => [name, color(name)]));
  const states = ['none', 'forearm', 'high', 'sideLeft', 'sideRight', 'reverse', 'ignore',
    'aligned', 'sag', 'pike'];
  palette.classes = Object.fromEntries(states.map((name) => [name, color(`class-${name}`)]));
  palette.inks = Object.fromEntries(states.map((name) => [name, color(`ink-${name}`)]));
  return palette;
}

/** Matches the screen's resolution; the context draws in CSS pixels. */
function fitCanvas(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const pixels = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
    [canvas.width, canvas.height] = pixels;
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

const hatches = new Map();

/** A hatch marks what is undefined, missing or ignored. */
function hatch(context, color) {
  if (!hatches.has(color)) {
    const tile = document.createElement('canvas');
    [tile.width, tile.height] = [8, 8];
    const pen = tile.getContext('2d');
    pen.strokeStyle = color;
    pen.lineWidth = 1.5;
    for (const offset of [-8, 0, 8]) {
      pen.moveTo(offset, 8);
      pen.lineTo(offset + 8, 0);
    }
    pen.stroke();
    hatches.set(color, context.createPattern(tile, 'repeat'));
  }
  return hatches.get(color);
}
