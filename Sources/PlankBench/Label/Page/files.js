// Labels survive a closed page: the browser keeps them by the names of dataset and recording.

/** Does nothing if the browser forbids storage. */
class Autosave {
  constructor(recording, dataset) {
    const { name, times, frameCount, end } = recording;
    this.key = `planklab-labels:${dataset === null ? '' : `${dataset}/`}${name}`;
    this.recording = [frameCount, times[0] ?? 0, end].join(' ');
  }

  /**
   * `embedded` are the labels that came with the page, `isSaved` tells whether a file has the
   * labels, and `guesses` are the answers that nobody has confirmed.
   */
  keep(labels, embedded, isSaved, guesses) {
    try {
      const entry = { recording: this.recording, labels, embedded, isSaved, guesses };
      localStorage.setItem(this.key, JSON.stringify(entry));
    } catch {
      // Without storage, the warning before leaving remains.
    }
  }

  /** Returns null if nothing is kept, or if the file changed after the labels were saved. */
  find(embedded, guesses) {
    try {
      const entry = JSON.parse(localStorage.getItem(this.key));
      if (!entry || entry.recording !== this.recording) return null;
      if (entry.guesses?.from !== guesses.from) entry.guesses = guesses;
      if (entry.labels === embedded && entry.guesses.left === guesses.left) return null;
      return entry.isSaved && entry.embedded !== embedded ? null : entry;
    } catch {
      return null;
    }
  }
}

/** The labels file does not have the text that the page expects. */
class ChangedFile extends Error {}

/**
 * Writes labels into files if the browser can, otherwise into the download folder.
 *
 * A dataset asks for its folder once; a single recording asks for its file.
 */
class LabelsFiles {
  constructor(dataset) {
    this.dataset = dataset;
    this.root = null;
  }

  get canWrite() {
    const picker = this.dataset === null ? 'showSaveFilePicker' : 'showDirectoryPicker';
    return typeof window[picker] === 'function';
  }

  /** For a dataset, throws ChangedFile if `isExpected` rejects the file's text. */
  async write(path, text, isExpected) {
    const file = this.dataset === null ? await this.chosenFile(path) : await this.fileOf(path);
    if (this.dataset !== null) {
      const found = await (await file.getFile()).text();
      if (found !== '' && !isExpected(found)) throw new ChangedFile(path);
    }
    const stream = await file.createWritable();
    await stream.write(text);
    await stream.close();
  }

  async chosenFile(name) {
    this.root ??= await window.showSaveFilePicker({
      id: 'planklab', suggestedName: name,
      types: [{ description: 'Labels', accept: { 'text/csv': ['.csv'] } }],
    });
    return this.root;
  }

  async fileOf(path) {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    if (parts.includes('..')) throw new Error(`${path} is outside the dataset's folder`);
    this.root ??= await this.chosenFolder();
    let folder = this.root;
    for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part);
    return folder.getFileHandle(parts[parts.length - 1], { create: true });
  }

  async chosenFolder() {
    const folder = await window.showDirectoryPicker({ id: 'planklab', mode: 'readwrite' });
    for await (const name of folder.keys()) if (/\.ya?ml$/.test(name)) return folder;
    throw new Error(`the folder ${folder.name} contains no manifest; choose the folder of ${this.dataset}`);
  }
}

function downloadText(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function onChosenFile(input, use) {
  input.addEventListener('change', () => {
    const [file] = input.files;
    if (file) use(file);
    // An input reports the same file again only if it was reset.
    input.value = '';
  });
}

function onDroppedFile(use) {
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) use(file);
  });
}

// A recording's labels and history, which stay while another recording is shown.

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
    // If boundaries had to move, the file differs from what would be saved now.
    this.savedText = moved + dropped === 0 ? this.embedded : '';
    this.diskText = this.embedded;
    this.notes = loadNotes(moved, dropped);
    this.loop = null;
    this.restore();
  }

  /** Restores kept labels as an edit that can be undone. */
  restore() {
    const kept = this.autosave.find(this.embedded, this.firstGuesses);
    if (!kept) return;
    try {
      const { text, track } = this.read(kept.labels, guessesOf(kept.guesses.left));
      this.history.push(track, 'the labels kept in this browser');
      if (!kept.isSaved) {
        this.notes = 'Unsaved labels from last time were restored. Undo (z) returns to those in the file.';
        return;
      }
      if (text !== this.embedded) [this.savedText, this.diskText, this.hasFile] = [text, text, true];
    } catch {
      // Labels that an older page kept may be unreadable; then the labels of the file stay.
    }
  }

  read(text, guesses = this.recording.guesses) {
    const segments = parseCSV(text, this.recording);
    const found = trackOfSegments(segments, this.recording);
    const track = fillGaps(found.track, guesses);
    return { ...found, track, count: segments.length, text: csvText(track, this.recording) };
  }

  get guesses() {
    const left = guessText(this.history.value.filter(({ isGuess }) => isGuess));
    return { from: this.source, left };
  }

  keep() {
    const { text } = this;
    this.autosave.keep(text, this.embedded, text === this.savedText, this.guesses);
  }

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

  isExpected(fileText) {
    try {
      return this.read(fileText).text === this.diskText;
    } catch {
      return false;
    }
  }

  wasSaved(text) {
    this.savedText = text;
    this.diskText = text;
    this.hasFile = true;
  }
}

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
    notes.push(`${count(moved, 'boundary was', 'boundaries were')} not at a frame time and moved `
      + 'to the next frame; the same frames are labeled as before.');
  }
  if (dropped > 0) {
    notes.push(`${count(dropped, 'segment without a frame was', 'segments without a frame were')} omitted.`);
  }
  return notes.join(' ');
}

class Queue {
  constructor({ dataset, recordings }) {
    this.dataset = dataset;
    this.items = recordings.map((item) => ({ ...item, session: null }));
    this.index = 0;
    this.wanted = 0;
  }

  get item() {
    return this.items[this.index];
  }

  /** The first recording that is not completely labeled, otherwise the first. */
  get first() {
    return Math.max(this.items.findIndex((item) => this.share(item) < 1), 0);
  }

  /** Returns null if another recording was requested in the meantime. */
  async open(index, canvas) {
    this.wanted = index;
    const item = this.items[index];
    item.opening ??= readRecording(index).then(
      (recording) => new LabelingSession(recording, item, this.dataset, canvas));
    item.session = await item.opening;
    if (this.wanted !== index) return null;
    this.index = index;
    return item.session;
  }

  share({ session, labeled }) {
    return session ? session.labeledShare : labeled;
  }

  /** Searches after the current recording, then from the start; -1 if all have labels. */
  nextUnlabeled() {
    const { length } = this.items;
    for (let step = 1; step <= length; step += 1) {
      const index = (this.index + step) % length;
      if (this.share(this.items[index]) < 1) return index;
    }
    return -1;
  }

  get unsaved() {
    return this.items.filter(({ session }) => session && !session.isSaved);
  }

  text(item) {
    const share = this.share(item);
    let state = 'no labels';
    if (share >= 1) state = 'labeled';
    else if (share > 0) state = `${Math.max(Math.floor(share * 100), 1)} % labeled`;
    const isUnsaved = item.session && !item.session.isSaved;
    return `${item.name} (${state}${isUnsaved ? ', not saved' : ''})`;
  }
}

function fillQueue(queue, visit) {
  byId('queue').hidden = queue.dataset === null;
  const list = byId('queue-list');
  list.replaceChildren(...queue.items.map((item) => element('option', item.name)));
  list.addEventListener('change', () => visit(list.selectedIndex));
}

function showQueue(queue) {
  const list = byId('queue-list');
  queue.items.forEach((item, index) => {
    const text = queue.text(item);
    if (list.options[index].textContent !== text) list.options[index].textContent = text;
  });
  list.selectedIndex = queue.index;
  const labeled = queue.items.filter((item) => queue.share(item) >= 1).length;
  const count = queue.items.length;
  byId('queue-progress').max = count;
  byId('queue-progress').value = labeled;
  const unsaved = queue.unsaved.length;
  byId('queue-text').textContent = `${queue.index + 1} of ${count}; ${labeled} labeled`
    + `${unsaved > 0 ? `, ${unsaved} not saved` : ''}`;
}
