/** The delay in milliseconds after which a frame is spoken. */
const SPEECH_DELAY = 200;

function judgement(labels, truth, answer) {
  if (truth >= labels.length) return '';
  return truth === answer ? 'right' : 'wrong';
}

function chip(name, isClass) {
  const made = element('span', { className: isClass ? `chip on-${name}` : 'chip',
    textContent: name });
  if (isClass) {
    made.style.background = `var(--class-${name})`;
    made.style.color = `var(--ink-${name})`;
  }
  return made;
}

class MomentLines {
  constructor({ streams, sides }) {
    this.sides = sides;
    this.lines = streams.map(() => element('p'));
    this.node = element('div', { className: 'now' }, ...this.lines);
    this.live = element('p', { className: 'unseen', role: 'status' });
  }

  show(views, frame) {
    views.forEach(({ facts, truth, frames, before }, place) => {
      const { labels, name } = facts;
      const { answer } = frames[frame];
      const judged = judgement(labels, truth[frame], answer);
      this.lines[place].className = judged;
      this.lines[place].replaceChildren(element('b', { textContent: name }),
        chip(className(labels, truth[frame]), truth[frame] < labels.length),
        element('span', { textContent: '→', role: 'img', 'aria-label': 'answered as' }),
        chip(labels[answer], true),
        element('b', { className: 'mark', textContent: {
          right: '✓ right', wrong: '✕ wrong', '': '' }[judged] }),
        ...(before ? [element('span', { className: 'other' }, `${this.sides[1]}: `,
          chip(labels[before[frame]], true))] : []));
    });
  }

  /** Speaks only once nothing has moved for a moment, and not while playing. */
  say(views, frame, { frameCount, times }, before = '') {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const parts = views.map(({ facts: { labels, name }, truth, frames, before: other }) => {
        const { answer } = frames[frame];
        const judged = judgement(labels, truth[frame], answer);
        return `${name}: truth ${className(labels, truth[frame])}, answer ${labels[answer]}`
          + (judged ? `, ${judged}` : '')
          + (other ? `; ${this.sides[1]} answers ${labels[other[frame]]}` : '');
      });
      this.live.textContent = [before, `Frame ${frame} of ${frameCount}, `
        + `${times[frame].toFixed(2)} seconds`, ...parts].filter(Boolean).join('. ');
    }, SPEECH_DELAY);
  }

  tell(text) {
    clearTimeout(this.waiting);
    this.live.textContent = text;
  }

  hush() {
    clearTimeout(this.waiting);
  }
}

class Pictures {
  constructor(now, draw) {
    this.draw = draw;
    this.canvas = element('canvas', { tabIndex: 0, role: 'img' });
    this.missing = element('p', { className: 'missing', hidden: true });
    this.viewName = element('span');
    this.makeVideo();
    this.figureBox = element('div', { className: 'figure' }, this.canvas, this.missing, now,
      element('p', { className: 'overlay', 'aria-hidden': 'true' },
        element('span', { className: 'left-key', textContent: 'L left' }), ' ',
        element('span', { className: 'right-key', textContent: 'R right' }), ' ', this.viewName));
    this.node = element('div', { className: 'pictures' }, this.figureBox, this.box);
    onTurn(this.canvas, (yaw, pitch) => this.turn(yaw, pitch));
  }

  makeVideo() {
    this.video = element('video', { muted: true, playsInline: true, 'aria-label': 'Video' });
    this.note = element('p');
    this.file = element('input', { type: 'file', accept: 'video/*', hidden: true });
    this.offset = element('input', { type: 'number', step: 0.05, value: 0 });
    this.box = element('div', { className: 'video', hidden: true }, this.video,
      element('div', { className: 'video-bar' }, this.note,
        element('label', {}, 'starts at ', this.offset, ' s')));
    this.synced = new SyncedVideo(this.video, this.box, this.note);
    this.file.addEventListener('change', () => {
      const [file] = this.file.files;
      if (!file) return;
      this.synced.load(file);
      this.file.value = '';
      this.draw();
    });
    this.video.addEventListener('loadedmetadata', () => this.draw());
    this.offset.addEventListener('change', () => {
      this.synced.offset = -this.offset.valueAsNumber || 0;
      this.draw();
    });
  }

  turn(yaw, pitch) {
    this.figure.turn(yaw, pitch);
    this.draw();
  }

  turnByKey({ key, shiftKey }) {
    const turn = KEY_TURNS[key];
    if (!turn || shiftKey) return false;
    this.turn(...turn);
    return true;
  }

  turnOn() {
    this.figure.show(this.figure.view + 1);
    this.draw();
  }

  /** Shows the body from the side, across the direction in which it lies. */
  open(recording, video) {
    this.recording = recording;
    this.figure = new Figure(this.canvas, recording);
    this.figure.showSide();
    this.synced.unload();
    this.synced.offset = 0;
    this.offset.value = 0;
    if (video) this.synced.loadFrom(video);
  }

  /** If no pose was found, a text replaces the figure. */
  show(frame, palette, rate) {
    const { recording, figure } = this;
    figure.draw(frame, palette);
    const reason = missingReason(recording.states[frame]);
    this.missing.textContent = reason;
    this.missing.hidden = reason === '';
    this.viewName.textContent = figure.viewName;
    this.canvas.setAttribute('aria-label', `Skeleton. ${reason || figure.viewName}; arrow keys turn it`);
    Object.assign(this.canvas.dataset, { yaw: figure.yaw, pitch: figure.pitch });
    this.synced.follow(recording.times[frame], recording.start, rate > 0, rate);
  }

  stop() {
    if (!this.video.paused) this.video.pause();
  }
}

// J plays backward, K pauses, and L plays forward, as in video editors; pressing again is faster.

const [FASTEST, SLOWEST] = [4, 0.25];

class Playback {
  /**
   * `host` has `place()` in seconds, `span()` as `[from, to]`, `show(time)` and `changed()` for a
   * new speed.
   */
  constructor(host) {
    this.host = host;
    this.rate = 0;
    this.isPauseHeld = false;
    this.isSlowHeld = false;
  }

  press(direction) {
    if (this.isPauseHeld) {
      this.isSlowHeld = true;
      this.set(direction * SLOWEST);
      return;
    }
    const isFaster = this.rate * direction >= 1;
    this.set(isFaster ? direction * Math.min(Math.abs(this.rate) * 2, FASTEST) : direction);
  }

  slow(direction) {
    this.set(direction * SLOWEST);
  }

  hold() {
    this.isPauseHeld = true;
    this.pause();
  }

  release(key) {
    if (key === 'k') this.isPauseHeld = false;
    if (!this.isSlowHeld || !'jkl'.includes(key)) return;
    this.isSlowHeld = false;
    this.pause();
  }

  toggle() {
    if (this.rate) this.pause();
    else this.set(1);
  }

  pause() {
    if (this.timer) cancelAnimationFrame(this.timer);
    this.timer = null;
    if (this.rate === 0) return;
    this.rate = 0;
    this.host.changed();
  }

  set(rate) {
    if (this.timer) cancelAnimationFrame(this.timer);
    const [from, to] = this.host.span();
    let start = this.host.place();
    if (rate > 0 && start >= to) start = from;
    this.rate = rate;
    const began = performance.now();
    const tick = (now) => {
      const time = start + rate * Math.max(now - began, 0) / 1000;
      this.timer = requestAnimationFrame(tick);
      this.host.show(Math.min(Math.max(time, from), to));
      if (rate > 0 ? time >= to : time <= from) this.pause();
    };
    this.timer = requestAnimationFrame(tick);
    this.host.changed();
  }
}
