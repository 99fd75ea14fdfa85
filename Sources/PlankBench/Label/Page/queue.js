// The recordings of a dataset, one after another: which are labeled, which is shown.

/** All recordings of the page; each is read when it is shown for the first time. */
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

  /** The recording to begin with: the first that is not labeled to the end, else the first. */
  get first() {
    return Math.max(this.items.findIndex((item) => this.share(item) < 1), 0);
  }

  /** Goes to a recording and returns what is known of it; null if another one was wanted meanwhile. */
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

  /** The next recording that lacks labels, after the current one and around; -1 without one. */
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

  /** An entry of the list. */
  text(item) {
    const share = this.share(item);
    let state = 'no labels';
    if (share >= 1) state = 'labeled';
    else if (share > 0) state = `${Math.max(Math.floor(share * 100), 1)} % labeled`;
    const isUnsaved = item.session && !item.session.isSaved;
    return `${item.name} (${state}${isUnsaved ? ', not saved' : ''})`;
  }
}

/** Fills the list of recordings once. */
function fillQueue(queue, visit) {
  byId('queue').hidden = queue.dataset === null;
  const list = byId('queue-list');
  list.replaceChildren(...queue.items.map((item) => element('option', item.name)));
  list.addEventListener('change', () => visit(list.selectedIndex));
}

/** Shows where the walk is and how far the labels are. */
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
