// Painting: the frames that pass while a class is held get it.

/** How long a key may be down and still only be pressed, in milliseconds. */
const PRESS = 200;

/** What can be painted: the commands of classes, with what each does to the frames that pass. */
const PAINTS = {
  plank: (track, from, to, name) => paintPlank(track, from, to, name),
  form: (track, from, to, name) => paintForm(track, from, to, name),
  clear: (track, from, to) => paintPlank(track, from, to, GAP),
};

/** Paints while the recording plays and a key or a button is held; one step of the history. */
class Painter {
  constructor(app) {
    this.app = app;
    this.held = null;
  }

  /** Begins where it can; whether it did. A press of a key that is no longer held is a command. */
  begin(command, values, source) {
    const { app } = this;
    if (!app.isPlaying || !PAINTS[command] || values[1] === true) return false;
    this.end();
    const { frame } = app;
    this.held = {
      command, values, source, from: frame, to: frame + 1, track: app.history.value,
      since: performance.now(),
    };
    return true;
  }

  get painted() {
    const { command, values, track, from, to } = this.held;
    return PAINTS[command](track, from, to, values[0]);
  }

  get isHeldLong() { return performance.now() - this.held.since >= PRESS; }

  /** Follows the playhead; where a loop begins again, painting ends. */
  follow() {
    const { app, held } = this;
    if (!held) return;
    if (app.frame + 1 < held.to) {
      this.end();
      return;
    }
    held.to = app.frame + 1;
    if (!this.isHeldLong) return;
    app.preview = this.painted;
    app.isTimelineStale = true;
    say(`${held.values[0] ?? 'clear'} from ${this.timeOf(held.from)} on, until released`);
  }

  /** Lets go of a source, or of whatever is held. */
  end(source) {
    const { app, held } = this;
    if (!held || (source !== undefined && held.source !== source)) return;
    const { command, values, from, to } = held;
    const [isLong, painted] = [this.isHeldLong, this.painted];
    this.held = null;
    app.preview = null;
    if (!isLong) {
      app.run(command, ...values);
      return;
    }
    const name = values[0] ?? 'nothing';
    app.edit(painted, `${name} painted from ${this.timeOf(from)} to ${this.timeOf(to)}`,
      command === 'form' ? 'a form needs a plank class: nothing was painted'
        : `it is ${name} already`);
  }

  timeOf(frame) { return `${cutTime(this.app.recording, frame).toFixed(2)} s`; }
}

/** Lets class buttons be held as their keys can be. */
function connectPainting(app) {
  const { painter } = app;
  document.addEventListener('keyup', ({ code }) => painter.end(code));
  window.addEventListener('blur', () => painter.end());
  for (const id of ['plank-keys', 'form-keys']) {
    byId(id).addEventListener('pointerdown', (event) => {
      const button = event.target.closest('.class-button');
      painter.tookPointer = false;
      if (!button || event.button !== 0) return;
      const { name } = button.dataset;
      const isClear = name === 'clear';
      const command = isClear ? 'clear' : id === 'form-keys' ? 'form' : 'plank';
      painter.tookPointer = painter.begin(command, isClear ? [] : [name], 'pointer');
      if (painter.tookPointer) button.setPointerCapture(event.pointerId);
    });
    for (const name of ['pointerup', 'pointercancel']) {
      byId(id).addEventListener(name, () => painter.end('pointer'));
    }
  }
}
