class Strip {
  constructor(lane, canvas, value, column) {
    this.lane = lane;
    this.canvas = canvas;
    this.value = value;
    this.column = column;
    [this.low, this.high] = stripRange(column);
  }

  draw({ recording, window: view, palette }) {
    const { context, width, height } = fitCanvas(this.canvas);
    const y = (value) => {
      const share = (value - this.low) / (this.high - this.low);
      return height - 4 - Math.min(Math.max(share, -0.05), 1.05) * (height - 8);
    };
    this.drawHoles(context, width, height, recording, view, palette);
    this.drawCurve(context, width, y, recording, view, palette);
    this.drawThresholds(context, width, height, y, palette);
  }

  drawHoles(context, width, height, recording, view, palette) {
    const { values } = this.column;
    const [first, last] = visibleFrames(recording, view);
    context.fillStyle = hatch(context, palette.hole);
    let from = -1;
    for (let frame = first; frame <= last; frame += 1) {
      const isHole = frame < last && Number.isNaN(values[frame]);
      if (isHole && from < 0) from = frame;
      if (isHole || from < 0) continue;
      const [left, right] = [from, frame].map((cut) => view.x(cutTime(recording, cut), width));
      context.fillRect(left, 0, Math.max(right - left, 1), height);
      from = -1;
    }
  }

  drawThresholds(context, width, height, y, palette) {
    context.strokeStyle = palette.threshold;
    context.fillStyle = palette.threshold;
    context.lineWidth = 1;
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'right';
    context.textBaseline = 'bottom';
    context.setLineDash([5, 4]);
    for (const { name, value } of this.column.thresholds) {
      const at = Math.round(y(value)) + 0.5;
      context.beginPath();
      context.moveTo(0, at);
      context.lineTo(width, at);
      context.stroke();
    }
    context.setLineDash([]);
    for (const { name, value } of this.column.thresholds) {
      const at = y(value);
      const text = `${name} ${shortNumber(value)}`;
      // Labels of thresholds around zero are on opposite sides of their lines.
      const isBelow = at < 14 || (value < 0 && at < height - 14);
      writeOver(context, text, width - 6, isBelow ? at + 13 : at - 1, palette);
    }
  }

  /** With several frames per pixel, draws the range of values in each pixel. */
  drawCurve(context, width, y, recording, view, palette) {
    const { values } = this.column;
    const [first, last] = visibleFrames(recording, view);
    context.strokeStyle = palette.curve;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.beginPath();
    let isDown = false;
    const isDense = last - first > 2 * width;
    for (let frame = first; frame < last;) {
      const x = view.x(recording.times[frame], width);
      let next = frame + 1;
      let [low, high] = [values[frame], values[frame]];
      while (isDense && next < last && view.x(recording.times[next], width) < x + 1) {
        low = Number.isNaN(low) ? values[next] : Math.min(low, orSame(values[next], low));
        high = Number.isNaN(high) ? values[next] : Math.max(high, orSame(values[next], high));
        next += 1;
      }
      frame = next;
      if (Number.isNaN(low)) isDown = false;
      else isDown = penStroke(context, isDown, x, y(low), y(high));
    }
    context.stroke();
  }

  showValue(frame) {
    const value = this.column.values[frame];
    const isDefined = value !== undefined && !Number.isNaN(value);
    this.value.textContent = isDefined ? shortNumber(value) : 'undefined';
    this.value.classList.toggle('undefined', !isDefined);
  }
}

function writeOver(context, text, x, y, palette) {
  context.strokeStyle = palette.surface;
  context.lineWidth = 3;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

/** A single point is drawn as a dot, so that it is visible. */
function penStroke(context, isDown, x, low, high) {
  if (isDown) context.lineTo(x, low);
  else {
    context.moveTo(x - 0.75, low);
    context.lineTo(x, low);
  }
  if (high !== low) context.lineTo(x, high);
  return true;
}

function orSame(value, other) {
  return Number.isNaN(value) ? other : value;
}

/** The frames in a window and one more on each side, half-open. */
function visibleFrames(recording, view) {
  const first = Math.max(lowerBound(recording.times, view.from) - 1, 0);
  return [first, Math.min(lowerBound(recording.times, view.to) + 1, recording.frameCount)];
}

/** All thresholds and all values except the outermost 0.5 %. */
function stripRange({ values, thresholds }) {
  const sorted = values.filter((value) => Number.isFinite(value)).sort();
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  const limits = thresholds.map(({ value }) => value);
  if (sorted.length > 0) limits.push(at(0.005), at(0.995));
  if (limits.length === 0) return [0, 1];
  const [low, high] = [Math.min(...limits), Math.max(...limits)];
  const margin = (high - low) * 0.08 || Math.max(Math.abs(low) * 0.1, 0.01);
  return [low - margin, high + margin];
}

function shortNumber(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

// A local video, in step with the recording: video time = recording time + offset.

const VIDEO_DRIFT = 0.12;

class SyncedVideo {
  constructor(element, box, note) {
    this.element = element;
    this.box = box;
    this.note = note;
    this.offset = 0;
    this.isLoaded = false;
    element.addEventListener('seeked', () => {
      const { waiting } = this;
      this.waiting = undefined;
      if (waiting !== undefined && this.isLoaded) this.seek(waiting);
    });
    element.addEventListener('error', () => {
      if (!this.isLoaded) return;
      this.note.textContent = this.url
        ? 'this browser cannot play the file; convert it to MP4 or WebM'
        : `${this.name} cannot be played from here; open it from this computer`;
    });
  }

  load(file) {
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = URL.createObjectURL(file);
    this.show(this.url, file.name);
  }

  loadFrom(address) {
    this.show(address, decodeURIComponent(address.split('/').pop()));
  }

  show(source, name) {
    this.name = name;
    this.waiting = undefined;
    this.isLoaded = true;
    this.element.src = source;
    this.note.textContent = name;
    this.box.hidden = false;
  }

  /** A video file belongs to one recording. */
  unload() {
    if (!this.isLoaded) return;
    this.isLoaded = false;
    this.element.pause();
    this.element.removeAttribute('src');
    this.element.load();
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = undefined;
    this.box.hidden = true;
  }

  /** While playing, corrects only a visible drift. */
  follow(time, start, isPlaying, rate) {
    if (!this.isLoaded || this.element.readyState < 1) return;
    const { element } = this;
    this.waiting = undefined;
    const target = time - start + this.offset;
    const isInside = target >= 0 && !(target > element.duration);
    const shown = Math.max(target, 0);
    if (isPlaying && isInside) {
      element.playbackRate = rate;
      if (element.paused) element.play().catch(() => {});
      if (Math.abs(element.currentTime - shown) > VIDEO_DRIFT * Math.max(rate, 1)) this.seek(shown);
      return;
    }
    if (!element.paused) element.pause();
    if (Math.abs(element.currentTime - shown) > 1e-3) this.seek(shown);
  }

  /** Seeks once the current seek has ended, to the newest of several times. */
  seek(time) {
    if (this.element.seeking) {
      this.waiting = time;
      return;
    }
    const { duration } = this.element;
    this.element.currentTime = Number.isFinite(duration) ? Math.min(time, duration) : time;
  }
}

/** Positions are relative to the element. */
function onDrag(target, { start = () => null, move, end = () => {} }) {
  let held = null;
  const place = (event) => {
    const box = target.getBoundingClientRect();
    return [event.clientX - box.left, box.width, event.clientY - box.top];
  };
  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    // Without the focus on the clicked element, arrow keys still step through frames.
    event.preventDefault();
    document.activeElement.blur();
    target.setPointerCapture(event.pointerId);
    const [x, width, y] = place(event);
    held = { value: start(x, width, y) };
    move(x, width, held.value, y);
  });
  target.addEventListener('pointermove', (event) => {
    const [x, width, y] = place(event);
    if (held) move(x, width, held.value, y);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    target.addEventListener(name, () => {
      if (held) end(held.value);
      held = null;
    });
  }
}

/** Turns by 0.01 radians for each pixel of a drag. */
function onTurn(target, turn) {
  let last = null;
  onDrag(target, {
    start: () => { last = null; },
    move: (x, width, held, y) => {
      if (last) turn((x - last[0]) * 0.01, (y - last[1]) * 0.01);
      last = [x, y];
    },
  });
}

/** The angles by which an arrow key turns a figure, in radians. */
const KEY_TURNS = {
  ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1],
};
