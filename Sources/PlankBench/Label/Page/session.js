// One recording with its labels: what stays while another one is shown.

class LabelingSession {
  constructor(recording, item, dataset, canvas) {
    this.recording = recording;
    this.frame = 0;
    this.time = recording.start;
    this.window = new TimeWindow(recording);
    this.figure = new Figure(canvas, recording);
    this.autosave = new Autosave(recording, dataset);
    const { track, moved, dropped } = trackOfSegments(recording.labels, recording);
    this.history = new History(fillGaps(track, recording.guesses));
    this.seen = new Uint8Array(recording.frameCount);
    this.source = guessText(recording.guesses);
    this.firstGuesses = this.guesses;
    this.embedded = csvText(track, recording);
    this.hasFile = item.has_labels;
    // A file whose boundaries had to move is not the file that would be saved now.
    this.savedText = moved + dropped === 0 ? this.embedded : '';
    this.diskText = this.embedded;
    this.notes = loadNotes(moved, dropped);
    this.loop = null;
    this.restore();
  }

  /** Brings back what was kept in the browser, as an edit that can be undone. */
  restore() {
    const kept = this.autosave.find(this.embedded, this.firstGuesses);
    if (!kept) return;
    try {
      const { text, track } = this.read(kept.labels, guessesOf(kept.guesses.left));
      this.history.push(track, 'the labels kept in this browser');
      if (!kept.isSaved) {
        this.notes = 'Unsaved labels from last time are back. Undo (z) returns to the file.';
        return;
      }
      if (text !== this.embedded) [this.savedText, this.diskText, this.hasFile] = [text, text, true];
    } catch {
      // What an older page kept may not be readable any more; the labels of the file stand.
    }
  }

  /** The track of a labels file, with the text that it would be saved as; guesses fill its gaps. */
  read(text, guesses = this.recording.guesses) {
    const segments = parseCSV(text, this.recording);
    const found = trackOfSegments(segments, this.recording);
    const track = fillGaps(found.track, guesses);
    return { ...found, track, count: segments.length, text: csvText(track, this.recording) };
  }

  /** The detector's answers that nobody has confirmed, and those that the page came with. */
  get guesses() {
    const left = guessText(this.history.value.filter(({ isGuess }) => isGuess));
    return { from: this.source, left };
  }

  /** Keeps the work in the browser. */
  keep() {
    const { text } = this;
    this.autosave.keep(text, this.embedded, text === this.savedText, this.guesses);
  }

  /** Notes that frames were shown. */
  saw(from, to) {
    this.seen.fill(1, Math.min(from, to), Math.max(from, to) + 1);
  }

  get text() {
    return csvText(this.history.value, this.recording);
  }

  get isSaved() {
    return this.text === this.savedText;
  }

  get labeledShare() {
    const { frameCount } = this.recording;
    return frameCount > 0 ? labeledFrames(this.history.value) / frameCount : 0;
  }

  /** Whether a file's text says what this page believes it to say. */
  isExpected(fileText) {
    try {
      return this.read(fileText).text === this.diskText;
    } catch {
      return false;
    }
  }

  /** Notes that a file has a text now. */
  wasSaved(text) {
    this.savedText = text;
    this.diskText = text;
    this.hasFile = true;
  }
}

/** A detector's answers as a text, and back. */
function guessText(spans) {
  return spans.map(({ start, end, plank, form }) => [start, end, plank, form].join(' ')).join('\n');
}

function guessesOf(text) {
  return text.split('\n').filter((line) => line !== '').map((line) => {
    const [start, end, plank, form] = line.split(' ');
    return { start: Number(start), end: Number(end), plank, form };
  });
}

function loadNotes(moved, dropped) {
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  const notes = [];
  if (moved > 0) {
    notes.push(`${count(moved, 'boundary was', 'boundaries were')} not at a frame time and went `
      + 'to the next frame; the same frames are labeled as before.');
  }
  if (dropped > 0) {
    notes.push(`${count(dropped, 'segment', 'segments')} without a frame left out.`);
  }
  return notes.join(' ');
}
