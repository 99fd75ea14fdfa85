// The figure of a sequence and, where one was opened, the video beside it.

/** The panes that show a frame as a picture. */
class Pictures {
  /** @param draw draws the frame anew */
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
    this.turnByPointer();
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

  turnByPointer() {
    let last = null;
    onDrag(this.canvas, {
      start: () => { last = null; },
      move: (x, width, held, y) => {
        if (last) this.figure.turn((x - last[0]) * 0.01, (y - last[1]) * 0.01);
        last = [x, y];
        this.draw();
      },
    });
  }

  /** Turns by an arrow key on the figure; says whether it did. */
  turnByKey({ key, shiftKey }) {
    const turn = {
      ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1],
    }[key];
    if (!turn || shiftKey) return false;
    this.figure.turn(...turn);
    this.draw();
    return true;
  }

  /** Goes to the next of the fixed views. */
  turnOn() {
    this.figure.show(this.figure.view + 1);
    this.draw();
  }

  /** Takes another recording, seen from the side: across the way in which the body lies. */
  open(recording, video) {
    this.recording = recording;
    this.figure = new Figure(this.canvas, recording);
    this.figure.showSide();
    this.synced.unload();
    this.synced.offset = 0;
    this.offset.value = 0;
    if (video) this.synced.loadFrom(video);
  }

  /** Draws a frame; where no pose was found, the words stand in the figure's place. */
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

  /** Stops the video. */
  stop() {
    if (!this.video.paused) this.video.pause();
  }
}
