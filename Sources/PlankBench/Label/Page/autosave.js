// Labels survive a closed page: they are kept in the browser by the names of dataset and recording.

/** Keeps the labels of one recording; does nothing where the browser forbids storage. */
class Autosave {
  constructor(recording, dataset) {
    const { name, times, frameCount, end } = recording;
    this.key = `planklab-labels:${dataset === null ? '' : `${dataset}/`}${name}`;
    this.recording = [frameCount, times[0] ?? 0, end].join(' ');
  }

  /**
   * Keeps labels; `embedded` is what the page came with, `isSaved` whether a file has them.
   *
   * `guesses` are the detector's answers that nobody has confirmed; they are kept apart, and only
   * with the answers that the page came with.
   */
  keep(labels, embedded, isSaved, guesses) {
    try {
      const entry = { recording: this.recording, labels, embedded, isSaved, guesses };
      localStorage.setItem(this.key, JSON.stringify(entry));
    } catch {
      // No storage: the warning before leaving is what remains.
    }
  }

  /** What was kept for this very recording, or null; saved labels give way to newer files. */
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
