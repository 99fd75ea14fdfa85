// The stick figure: joints in meters with y up, seen from a camera that can be turned.

const DIRECTIONS = [
  { name: 'From the camera', yaw: 0, pitch: 0.12 },
  { name: 'From the right', yaw: -Math.PI / 2, pitch: 0.12 },
  { name: 'From behind', yaw: Math.PI, pitch: 0.12 },
  { name: 'From the left', yaw: Math.PI / 2, pitch: 0.12 },
  { name: 'From above', yaw: 0, pitch: Math.PI / 2 },
];

class Figure {
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
    this.extent = figureExtent(recording);
    this.floor = floorLine(recording);
    this.sides = recording.joints.map(sideOf);
    this.canTurn = recording.dimension === 3;
    this.views = [...DIRECTIONS, { name: 'From the side', yaw: sideYaw(recording), pitch: 0.12 }];
    this.view = 0;
    this.zoom = 1;
    this.show(0);
  }

  show(view) {
    this.view = view % this.views.length;
    const { name, yaw, pitch } = this.canTurn
      ? this.views[this.view] : { name: 'The image', yaw: 0, pitch: 0 };
    [this.viewName, this.yaw, this.pitch] = [name, yaw, pitch];
  }

  showSide() {
    this.show(this.views.length - 1);
  }

  /** Angles are in radians; the pitch stops at straight above and below. */
  turn(yaw, pitch) {
    if (!this.canTurn) return;
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -Math.PI / 2), Math.PI / 2);
    this.viewName = 'Turned by hand';
  }

  scale(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.4), 6);
  }

  /** Draws only the floor if no pose was found. */
  draw(frame, palette) {
    const { context, width, height } = fitCanvas(this.canvas);
    if (this.recording.frameCount === 0) return;
    const shown = lastPose(this.recording, frame);
    const project = this.projection(width, height, shown);
    if (this.canTurn) this.drawFloor(context, project, palette);
    if (shown !== frame) return;
    const points = jointsAt(this.recording, shown).map((joint) => joint && project(joint));
    this.drawBones(context, points, palette);
    this.drawJoints(context, points, palette);
  }

  /** Maps meters to the canvas: [x, y, depth], where a larger depth is nearer. */
  projection(width, height, frame) {
    const center = frame < 0 ? [0, 0, 0] : figureCenter(this.recording, frame);
    const scale = (Math.min(width, height) * 0.46 * this.zoom) / this.extent;
    const [sinYaw, cosYaw] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    const [sinPitch, cosPitch] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    this.groundLevel = frame < 0 ? -1 : this.floor[frame];
    this.center = center;
    return ([x, y, z]) => {
      const [a, b, c] = [x - center[0], y - center[1], z - center[2]];
      const across = a * cosYaw + c * sinYaw;
      const toward = c * cosYaw - a * sinYaw;
      return [
        width / 2 + across * scale,
        height / 2 - (b * cosPitch - toward * sinPitch) * scale,
        toward * cosPitch + b * sinPitch,
      ];
    };
  }

  drawFloor(context, project, palette) {
    const steps = 4;
    const size = 0.5;
    const [x0, , z0] = this.center;
    context.strokeStyle = palette.floor;
    context.lineWidth = 1;
    context.beginPath();
    for (let i = -steps; i <= steps; i += 1) {
      for (const ends of [[[i, -steps], [i, steps]], [[-steps, i], [steps, i]]]) {
        const [from, to] = ends.map(([x, z]) => (
          project([x0 + x * size, this.groundLevel, z0 + z * size])));
        context.moveTo(from[0], from[1]);
        context.lineTo(to[0], to[1]);
      }
    }
    context.stroke();
  }

  drawBones(context, points, palette) {
    const bones = this.recording.bones
      .filter(([parent, child]) => points[parent] && points[child])
      .map(([parent, child]) => ({
        from: points[parent], to: points[child],
        side: this.sides[child] || this.sides[parent],
        depth: (points[parent][2] + points[child][2]) / 2,
      }))
      .sort((one, other) => one.depth - other.depth);
    context.lineCap = 'round';
    for (const { from, to, side, depth } of bones) {
      const width = 5 + 2 * Math.min(Math.max(depth / this.extent, -1), 1);
      for (const [color, extra] of [[palette.surface, 4], [sideColor(side, palette), 0]]) {
        context.strokeStyle = color;
        context.lineWidth = width + extra;
        context.beginPath();
        context.moveTo(from[0], from[1]);
        context.lineTo(to[0], to[1]);
        context.stroke();
      }
    }
  }

  drawJoints(context, points, palette) {
    const { joints } = this.recording;
    context.font = '600 12px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    points.forEach((point, slot) => {
      if (!point) return;
      const head = joints[slot] === 'centerHead' || joints[slot] === 'nose';
      const named = /Wrist$|Ankle$/.test(joints[slot]);
      context.fillStyle = sideColor(this.sides[slot], palette);
      context.beginPath();
      context.arc(point[0], point[1], head || named ? 8 : 4, 0, 2 * Math.PI);
      context.fill();
      if (!named) return;
      context.fillStyle = palette.surface;
      context.fillText(this.sides[slot] === 'left' ? 'L' : 'R', point[0], point[1] + 0.5);
    });
  }
}

/** The person's own side: `left`, `right`, or empty on the midline. */
function sideOf(joint) {
  return (/^(left|right)/.exec(joint) || [''])[0];
}

function sideColor(side, palette) {
  return palette[side || 'middle'];
}

/** The last frame with a joint up to a frame, otherwise the first one after it, or -1. */
function lastPose(recording, frame) {
  for (let at = frame; at >= 0; at -= 1) if (recording.states[at] === POSE_FOUND) return at;
  return recording.states.indexOf(POSE_FOUND);
}

/** The root, otherwise the middle of the joints. */
function figureCenter(recording, frame) {
  const joints = jointsAt(recording, frame);
  const root = joints[recording.joints.indexOf('root')];
  if (root) return root;
  const present = joints.filter((joint) => joint);
  if (present.length === 0) return [0, 0, 0];
  return [0, 1, 2].map((axis) => (
    present.reduce((sum, joint) => sum + joint[axis], 0) / present.length));
}

/** Leaves out the twentieth of the frames in which joints reach farthest. */
function figureExtent(recording) {
  const reaches = [];
  const step = Math.max(1, Math.floor(recording.frameCount / 400));
  for (let frame = 0; frame < recording.frameCount; frame += step) {
    if (recording.states[frame] !== POSE_FOUND) continue;
    const center = figureCenter(recording, frame);
    const distances = jointsAt(recording, frame).filter((joint) => joint)
      .map((joint) => Math.hypot(...joint.map((value, axis) => value - center[axis])));
    if (distances.length > 0) reaches.push(Math.max(...distances));
  }
  reaches.sort((one, other) => one - other);
  return reaches[Math.floor(reaches.length * 0.95)] || 1;
}

/** The angle about the vertical at which the body lies across the view, in radians. */
function sideYaw(recording) {
  let [xx, zz, xz] = [0, 0, 0];
  const step = Math.max(1, Math.floor(recording.frameCount / 400));
  for (let frame = 0; frame < recording.frameCount; frame += step) {
    const [x0, , z0] = figureCenter(recording, frame);
    for (const joint of jointsAt(recording, frame)) {
      if (!joint) continue;
      const [x, z] = [joint[0] - x0, joint[2] - z0];
      xx += x * x;
      zz += z * z;
      xz += x * z;
    }
  }
  return Math.atan2(2 * xz, xx - zz) / 2;
}

/** The lowest joint's height, averaged over neighboring frames, so that the floor does not move. */
function floorLine(recording) {
  const reach = 12;
  const sums = [0];
  const counts = [0];
  for (let frame = 0; frame < recording.frameCount; frame += 1) {
    const heights = jointsAt(recording, frame).filter((joint) => joint).map(([, y]) => y);
    const lowest = heights.length > 0 ? Math.min(...heights) : 0;
    sums.push(sums[frame] + lowest);
    counts.push(counts[frame] + (heights.length > 0 ? 1 : 0));
  }
  return Float32Array.from({ length: recording.frameCount }, (_, frame) => {
    const first = Math.max(frame - reach, 0);
    const last = Math.min(frame + reach + 1, recording.frameCount);
    return (sums[last] - sums[first]) / Math.max(counts[last] - counts[first], 1);
  });
}

/** A window [from, to] in seconds within the recording. */
class TimeWindow {
  constructor(recording) {
    this.recording = recording;
    this.showAll();
  }

  get length() {
    return this.to - this.from;
  }

  showAll() {
    this.from = this.recording.start;
    this.to = Math.max(this.recording.end, this.from + 1e-3);
  }

  /** A factor below 1 makes the window shorter. */
  zoom(factor, around) {
    const whole = Math.max(this.recording.end - this.recording.start, 1e-3);
    const length = Math.min(Math.max(this.length * factor, Math.min(0.5, whole)), whole);
    const share = (around - this.from) / this.length;
    this.moveTo(around - share * length, length);
  }

  pan(seconds) {
    this.moveTo(this.from + seconds, this.length);
  }

  /** Moves the window to a time that has left it; returns whether it moved. */
  follow(time) {
    if (time >= this.from && time <= this.to) return false;
    const isNext = time > this.to && time < this.to + this.length;
    this.moveTo(isNext ? time - this.length * 0.05 : time - this.length / 2, this.length);
    return true;
  }

  moveTo(from, length) {
    const { start, end } = this.recording;
    this.from = Math.max(Math.min(from, end - length), start);
    this.to = this.from + length;
  }

  x(time, width) {
    return ((time - this.from) / this.length) * width;
  }

  time(x, width) {
    return this.from + (x / width) * this.length;
  }
}

function clockText(time, decimals) {
  const sign = time < 0 ? '-' : '';
  const scaled = Math.round(Math.abs(time) * 10 ** decimals) / 10 ** decimals;
  const minutes = Math.floor(scaled / 60);
  const seconds = (scaled - minutes * 60).toFixed(decimals);
  return `${sign}${minutes}:${seconds.padStart(decimals > 0 ? decimals + 3 : 2, '0')}`;
}

const RULER_HEIGHT = 20;
const TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600];

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

function drawName(context, name, from, width, middle, color, size = 12) {
  context.font = `600 ${size}px system-ui, sans-serif`;
  const left = Math.max(from, 0) + 6;
  if (left + context.measureText(name).width + 4 > from + width) return;
  context.fillStyle = color;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(name, left, middle);
}
