/** The most frames that are answered before somebody chooses a cell. */
const ANSWERED_UNASKED = 60000;

SHORTCUTS.unshift(['Thresholds', [
  ['Ctrl Z', {}, 'undo a move; on a Mac, ⌘ Z'],
  ['Ctrl Shift Z', {}, 'redo a move; also Ctrl Y'],
  ['← →', {}, 'move the focused slider or line by one step; with Shift, a line moves by ten steps'],
  ['Enter', {}, 'on a cell: list its frames; arrow keys move between cells'],
]]);

/** The bits of a `Double` as a whole number, as in the lines of a detector. */
const bitsText = (value) => new BigUint64Array(Float64Array.of(value).buffer)[0].toString(16);

class MovingDetector {
  constructor(data, viewerData) {
    [this.data, this.viewerData] = [data, viewerData];
    this.lines = viewerData.detector;
    this.after = viewerData.sequences.map(({ command }) => command[1]);
    this.columns = viewerData.measurements.map(({ name }) => (
      data.measurements.findIndex((one) => one.name === name)));
    this.answers = [];
  }

  set(values) {
    const { data, viewerData } = this;
    this.values = values;
    this.answers = [];
    viewerData.detector = this.lines.split('\n').map((line) => {
      const fields = line.split('\t');
      if (fields[0] !== 'parameter' || values[fields[1]] === undefined) return line;
      return [...fields.slice(0, -1), bitsText(values[fields[1]])].join('\t');
    }).join('\n');
    for (const { thresholds } of viewerData.measurements) {
      for (const threshold of thresholds) {
        const sign = threshold.name.startsWith('-') ? -1 : 1;
        threshold.value = sign * Math.fround(values[threshold.name.replace('-', '')]);
      }
    }
    viewerData.streams.forEach((stream, place) => {
      const { frames, hold } = data.streams[place];
      const need = values[frames] === 1 ? 'a change takes 1 frame'
        : `a change takes ${values[frames]} frames in a row`;
      stream.needs = { enter: need, exit: need, switch: need };
      stream.hold = values[hold].toFixed(3);
    });
    const sets = data.parameters.filter(({ key, base }) => values[key] !== base)
      .map(({ key }) => ` --set ${key}=${numberText(values[key])}`).join('');
    viewerData.sequences.forEach(({ command }, index) => { command[1] = this.after[index] + sets; });
  }

  async answer() {
    const { values, data } = this;
    const detector = await PageDetector.load(this.viewerData);
    const answers = data.sequences.map(({ first, frames, starts_mid: startsMid }) => {
      const end = first + frames;
      // Columns that only grades use decide no answer and are not in the page.
      const columns = new Float32Array(this.columns.length * frames).fill(NaN);
      this.columns.forEach((column, index) => {
        const own = data.columns[column];
        if (own) columns.set(own.subarray(first, end), index * frames);
      });
      return detector.open({ values: columns, times: data.times.slice(first, end), startsMid })
        .map((stream) => Uint8Array.from(stream, ({ answer }) => answer));
    });
    if (values !== this.values) return answers;
    this.answers = answers;
    this.markWrong();
    return answers;
  }

  markWrong() {
    const { data, viewerData, answers } = this;
    data.sequences.forEach(({ name, first }, index) => {
      const wrong = answers[index].some((stream, place) => stream.some((answer, frame) => {
        const truth = data.streams[place].truth[first + frame];
        return truth < data.streams[place].labels.length && truth !== answer;
      }));
      Object.assign(viewerData.sequences.find((one) => one.name === name), { wrong });
    });
  }

  async stretches(place, truth, answer) {
    const answers = this.answers.length > 0 ? this.answers : await this.answer();
    const stream = this.data.streams[place];
    return this.data.sequences.flatMap((sequence, index) => {
      const { first, frames, weight } = sequence;
      const isIn = (frame) => (
        stream.truth[first + frame] === truth && answers[index][place][frame] === answer ? 1 : 0);
      return runsOf(frames, isIn).filter(({ code }) => code === 1).map(({ start, end }) => ({
        sequence, start, count: end - start, seconds: (end - start) * weight,
      }));
    }).sort((one, other) => other.seconds - one.seconds);
  }
}

/** A dialog, so that neither the list nor the matrices move. */
class MomentDialog {
  constructor(dialog, viewerData, changed) {
    [this.dialog, this.changed] = [dialog, changed];
    this.viewer = new Viewer(viewerData, dialog.querySelector('.viewer'));
    this.viewer.moved = changed;
    this.words = dialog.querySelector('header p');
    dialog.querySelector('header button').addEventListener('click', () => this.close());
    dialog.addEventListener('close', () => { if (!dialog.open) this.leave(); });
  }

  open(index, at, words) {
    this.words.textContent = words;
    if (!this.dialog.open) this.dialog.showModal();
    this.viewer.open(index, { ...at, isAsked: true });
  }

  /**
   * Closes at once; the dialog's event comes later, when another address may have opened it again.
   */
  close() {
    if (!this.dialog.open) return;
    this.dialog.close();
    this.leave();
  }

  /** Forgets the recording, so that keys do nothing and the address names no moment. */
  leave() {
    const { viewer } = this;
    viewer.opened++;
    if (viewer.recording) viewer.stop();
    viewer.lines.hush();
    viewer.recording = undefined;
    this.changed();
  }

  reset() {
    this.close();
    this.viewer.opened++;
    this.viewer.detector = undefined;
  }
}

class CellList {
  constructor(root, dialog, data, tables, viewerData, changed) {
    [this.data, this.tables, this.viewerData, this.changed] = [data, tables, viewerData, changed];
    this.detector = new MovingDetector(data, viewerData);
    this.frames = new MomentDialog(dialog, viewerData, changed);
    this.viewer = this.frames.viewer;
    this.chosen = {};
    this.title = element('h3', { tabIndex: -1, textContent: 'Frames of a cell' });
    this.note = element('p', { className: 'words', textContent: 'Click a cell, or press Enter on it.' });
    this.list = element('ol');
    root.append(this.title, this.note, this.list);
    tables.forEach(({ node, cells }, place) => (
      new CellGrid(node, cells, 'frames', (truth, answer) => this.choose(place, truth, answer))));
  }

  async choose(place, truth, answer) {
    this.isAsked = true;
    this.chosen = { place, truth, answer };
    this.changed();
    await this.fill();
    this.title.focus({ preventScroll: true });
  }

  /** Picks the wrong cell with the most frames if nobody has chosen one. */
  worst(counts) {
    let worst = { place: 0, truth: 0, answer: 0, frames: 0 };
    counts.forEach(({ frames }, place) => {
      const classes = this.data.streams[place].labels.length;
      frames.forEach((count, cell) => {
        const [truth, answer] = [Math.floor(cell / classes), cell % classes];
        if (truth !== answer && count > worst.frames) worst = { place, truth, answer, frames: count };
      });
    });
    return worst;
  }

  take(values) {
    const text = JSON.stringify(values);
    if (text === this.taken) return;
    this.taken = text;
    this.detector.set({ ...values });
    this.frames.reset();
    this.isStale = true;
  }

  refresh(counts) {
    if (!this.isStale || (!this.isAsked && this.data.frameCount > ANSWERED_UNASKED)) return;
    if (!this.isAsked) this.chosen = this.worst(counts);
    this.isStale = false;
    this.fill();
  }

  async fill() {
    const { place, truth, answer } = this.chosen;
    const { labels, name } = this.data.streams[place];
    const turn = this.turn = (this.turn ?? 0) + 1;
    const found = await this.detector.stretches(place, truth, answer);
    if (turn !== this.turn) return;
    const frames = found.reduce((sum, { count }) => sum + count, 0);
    const seconds = found.reduce((sum, one) => sum + one.seconds, 0);
    const verb = truth === answer ? 'correctly answered' : 'answered';
    this.title.textContent = `${name}: ${labels[truth]}, ${verb} ${labels[answer]}`;
    const counted = (count, what) => `${grouped(count, 0)} ${what}${count === 1 ? '' : 's'}`;
    this.note.textContent = found.length === 0 ? 'There is no such frame with these values.'
      : `${counted(found.length, 'stretch').replace(/chs$/, 'ches')}, ${counted(frames, 'frame')}, `
        + `${grouped(seconds, 1)} s; longest first.`;
    this.list.replaceChildren(...found.slice(0, 100).map((one) => this.item(one)));
    Object.assign(this.list.dataset, { frames, cell: `${name} ${labels[truth]} ${labels[answer]}` });
    this.tables.forEach(({ cells }, index) => cells.forEach((row, rowIndex) => row.forEach((cell, column) => {
      const isChosen = index === place && rowIndex === truth && column === answer;
      if (isChosen) cell.setAttribute('aria-selected', 'true');
      else cell.removeAttribute('aria-selected');
    })));
  }

  item({ sequence, start, seconds }) {
    const time = this.data.times[sequence.first + start];
    const index = this.viewerData.sequences.findIndex(({ name }) => name === sequence.name);
    const text = `${clockText(time, 2)}, ${seconds.toFixed(2)} s`;
    if (this.viewerData.sequences[index].block === null) {
      return element('li', {}, element('b', { textContent: sequence.name }), ` ${text} `,
        element('code', { textContent: explainCommand(this.viewerData.sequences[index], time) }));
    }
    const button = element('button', { type: 'button' },
      element('b', { textContent: sequence.name }), ` ${text}`);
    button.addEventListener('click', () => this.open(index, { frame: start }));
    return element('li', {}, button);
  }

  open(index, at) {
    const { values } = this.detector;
    const moved = this.data.parameters.filter(({ key, start }) => values[key] !== start)
      .map(({ key }) => `${key} ${numberText(values[key])}`);
    this.frames.open(index, at, moved.length > 0
      ? `The answers are those with ${moved.join(', ')}.` : 'The answers are those with the starting values.');
  }

  get parts() {
    const moment = this.viewer.recording ? this.viewer.moment() : {};
    if (!this.isAsked) return moment;
    const { place, truth, answer } = this.chosen;
    const { labels, name } = this.data.streams[place];
    return { ...moment, stream: name, cell: `${labels[truth]},${labels[answer]}` };
  }

  /** Returns what is wrong with the address, or an empty text. */
  read({ stream, cell, seq, t }) {
    if (stream !== undefined || cell !== undefined) {
      const place = this.data.streams.findIndex(({ name }) => name === stream);
      if (place < 0) return `The address names the stream “${stream}”, which this page does not have.`;
      const codes = (cell ?? '').split(',').map((name) => this.data.streams[place].labels.indexOf(name));
      if (codes.length !== 2 || codes.includes(-1)) {
        return `The address names the cell “${cell}”, which the matrix of ${stream} does not have.`;
      }
      [this.isAsked, this.isStale] = [true, true];
      this.chosen = { place, truth: codes[0], answer: codes[1] };
    }
    if (seq === undefined) {
      this.frames.close();
      return '';
    }
    const { problem = '', index, time } = momentIn(this.viewerData.sequences, seq, t);
    if (!problem) this.open(index, { time });
    return problem;
  }
}
