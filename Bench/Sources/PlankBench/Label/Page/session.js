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
    this.history = new History(track);
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
    const kept = this.autosave.find(this.embedded);
    if (!kept) return;
    try {
      const { text, track } = this.read(kept.labels);
      this.history.push(track, 'the labels kept in this browser');
      if (!kept.isSaved) {
        this.notes = 'Unsaved labels from last time are back. Undo (z) returns to the file.';
        return;
      }
      [this.savedText, this.diskText, this.hasFile] = [text, text, true];
    } catch {
      // What an older page kept may not be readable any more; the labels of the file stand.
    }
  }

  /** The track of a labels file, with the text that it would be saved as. */
  read(text) {
    const segments = parseCSV(text, this.recording);
    const found = trackOfSegments(segments, this.recording);
    return { ...found, count: segments.length, text: csvText(found.track, this.recording) };
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
