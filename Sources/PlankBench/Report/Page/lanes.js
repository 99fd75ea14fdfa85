// Everything over time: ribbons of each stream, strips of measurements, playhead and hover line.

/** A measurement as `planklab explain` prints it, with its limits. */
function exactly({ values, unit, thresholds }, frame) {
  const inUnit = (value) => `${fourDecimals(value)}${unit === '-' ? '' : ` ${unit}`}`;
  const value = values[frame];
  const limits = thresholds.map((one) => `${one.name} ${inUnit(one.value)}`).join(', ');
  const bits = new Uint32Array(values.buffer, values.byteOffset + frame * 4, 1)[0];
  const absence = bits === INAPPLICABLE ? 'inapplicable' : 'missing';
  const measured = Number.isNaN(value) ? absence : inUnit(value);
  return limits ? `${measured}; limit ${limits}` : measured;
}

/** How many measurements are shown unless all are asked for. */
const FEW_STRIPS = 3;

/** The timeline of the viewer. */
class Lanes {
  /**
   * @param data what the viewer reads before any sequence
   * @param seek goes to a time
   */
  constructor({ streams, measurements, sides }, seek) {
    [this.streams, this.sides, this.seek] = [streams, sides, seek];
    this.playhead = element('i', { className: 'playhead' });
    this.hoverLine = element('i', { className: 'hover-line', hidden: true });
    this.ribbons = streams.map(({ name }, place) => element('canvas', place === 0
      ? { tabIndex: 0, role: 'slider', 'aria-label': 'Frame', 'aria-valuemin': 0 }
      : { role: 'img', 'aria-label': `${name} over time` }));
    this.readouts = [];
    const lanes = this.ribbons.map((canvas, place) => this.lane('ribbon', canvas,
      element('b', { textContent: streams[place].name }),
      ...Object.values(bandsOf(sides)).map((band) => (
        element('span', { textContent: band, title: band })))));
    this.strips = element('div', { className: 'strips' });
    const few = Math.min(FEW_STRIPS, measurements.length);
    this.strips.dataset.few = few;
    this.more = element('button', { type: 'button', 'aria-pressed': 'false', className: 'more',
      textContent: `All ${measurements.length} measurements`, hidden: few === measurements.length });
    this.more.addEventListener('click', () => this.showAll(!this.node.classList.contains('all')));
    this.node = element('section', { className: sides ? 'timeline sides' : 'timeline', 'aria-label': 'Timeline' },
      ...lanes, this.strips, this.hoverLine, this.playhead);
    this.node.addEventListener('pointermove', (event) => this.hover(event));
    for (const name of ['pointerleave', 'pointercancel']) {
      this.node.addEventListener(name, () => this.unhover());
    }
  }

  lane(kind, canvas, ...label) {
    const readout = element('span', { className: 'readout', hidden: true, 'aria-hidden': 'true' });
    onDrag(canvas, { move: (x, width) => this.seek(this.window.time(x, width)) });
    const node = element('div', { className: `lane ${kind}` },
      element('p', { className: 'lane-label' }, ...label), canvas, readout);
    this.readouts.push(readout);
    return node;
  }

  /** Takes another recording. */
  open(recording, window, views) {
    Object.assign(this, { recording, window, views });
    this.readouts.length = this.ribbons.length;
    this.lanes = recording.strips.map((column) => {
      const canvas = element('canvas', { role: 'img', 'aria-label': `${column.name} over time` });
      const value = element('b');
      const unit = element('small', { textContent: column.unit === '-' ? '' : column.unit });
      const node = this.lane('strip', canvas, column.name, element('span', {}, value, ' ', unit));
      return { node, strip: new Strip(node, canvas, value, column) };
    });
    this.strips.replaceChildren(...this.lanes.map(({ node }) => node));
    const telling = this.telling();
    this.lanes.forEach(({ node }, place) => node.classList.toggle('few', telling.has(place)));
    this.unhover();
    this.ribbons[0].setAttribute('aria-valuemax', recording.frameCount - 1);
  }

  /** The places of the measurements that came nearest to another answer in most wrong frames. */
  telling() {
    const names = this.recording.strips.map(({ name }) => name);
    const votes = names.map(() => 0);
    for (const { facts, frames, errors } of this.views) {
      const comparisons = facts.rules.flatMap((rule) => rule.comparisons);
      const asked = errors.length > 0 ? errors : [{ start: 0, end: frames.length }];
      for (const { start, end } of asked) {
        for (let frame = start; frame < end; frame++) {
          const nearest = comparisons[frames[frame].nearest];
          if (nearest) votes[names.indexOf(nearest.measurement)] += errors.length > 0 ? 1 : 1e-6;
        }
      }
    }
    const order = names.map((_, place) => place)
      .sort((one, other) => votes[other] - votes[one] || one - other);
    return new Set(order.slice(0, FEW_STRIPS));
  }

  /** Shows all measurements or the few that matter. */
  showAll(isAll) {
    this.node.classList.toggle('all', isAll);
    this.more.setAttribute('aria-pressed', String(isAll));
    this.changed();
  }

  /** Every canvas, whose size decides when to draw again. */
  get canvases() {
    return [...this.ribbons, ...this.lanes.map(({ strip }) => strip.canvas)];
  }

  /** Draws the window of time, and the playhead in it. */
  draw(scene, frame) {
    this.ribbons.forEach((canvas, place) => drawRibbons(canvas, scene, this.views[place]));
    this.lanes.forEach(({ strip }) => {
      strip.draw(scene);
      strip.showValue(frame);
    });
    this.markRead(frame);
    const time = this.recording.times[frame];
    const [slider] = this.ribbons;
    slider.setAttribute('aria-valuenow', frame);
    slider.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds`);
    this.put(this.playhead, time);
    if (this.hovered !== undefined) this.showHover();
  }

  /** Marks the measurements that the rules read that decided. */
  markRead(frame) {
    const read = new Set(this.views.flatMap(({ facts, frames }) => (
      facts.rules[frames[frame].rule]?.comparisons.map(({ measurement }) => measurement) ?? [])));
    this.lanes.forEach(({ node, strip }) => node.classList.toggle('read', read.has(strip.column.name)));
  }

  /** Puts a line at a time; where it is in the lanes, by pixels. */
  put(line, time) {
    const { offsetLeft, offsetWidth } = this.ribbons[0];
    const x = this.window.x(time, offsetWidth);
    line.hidden = x < 0 || x > offsetWidth;
    line.style.left = `${offsetLeft + x - 1}px`;
    return [x, offsetWidth, offsetLeft];
  }

  /** Follows the pointer without seeking; a finger scrubs instead. */
  hover(event) {
    const { left, width } = this.ribbons[0].getBoundingClientRect();
    const x = event.clientX - left;
    if (event.pointerType === 'touch' || x < 0 || x > width) {
      this.unhover();
      return;
    }
    this.hovered = x / width;
    this.showHover();
  }

  showHover() {
    const time = this.window.time(this.hovered, 1);
    const frame = frameAt(this.recording, time);
    const [x, width, from] = this.put(this.hoverLine, this.recording.times[frame]);
    const isLeft = x > width * 0.6;
    this.hoverWords(frame).forEach((text, place) => {
      const readout = this.readouts[place];
      readout.textContent = text;
      readout.hidden = false;
      readout.style.left = isLeft ? '' : `${from + x + 6}px`;
      readout.style.right = isLeft ? `${width - x + 6}px` : '';
    });
  }

  /** What every lane has at a frame, exactly. */
  hoverWords(frame) {
    const time = this.recording.times[frame];
    const streams = this.views.map((view, place) => {
      const { labels } = view.facts;
      const { answer, rule } = view.frames[frame];
      const when = place === 0 ? `${time.toFixed(3)} s, frame ${frame}: ` : '';
      const other = view.before ? `${this.sides[1]} ${labels[view.before[frame]]}, ` : '';
      const own = this.sides?.[0] ?? 'answer';
      return `${when}truth ${className(labels, view.truth[frame])}, ${other}${own} ${labels[answer]}, `
        + view.shown('rule', rule).name;
    });
    return [...streams, ...this.recording.strips.map((column) => exactly(column, frame))];
  }

  unhover() {
    this.hovered = undefined;
    this.hoverLine.hidden = true;
    this.readouts.forEach((readout) => { readout.hidden = true; });
  }
}
