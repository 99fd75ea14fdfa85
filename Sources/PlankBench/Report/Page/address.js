// The address of a moment: `#seq=NAME&t=SECONDS&stream=NAME&cell=TRUTH,ANSWER`.

const ADDRESS_PARTS = ['seq', 't', 'stream', 'cell'];
/** The delay in milliseconds after which the address follows a step. */
const ADDRESS_DELAY = 120;

/** Returns null for an address that is not about a moment. */
function readAddress(hash) {
  const parts = {};
  for (const pair of hash.replace(/^#/, '').split('&')) {
    const [name, ...rest] = pair.split('=');
    if (ADDRESS_PARTS.includes(name)) parts[name] = decoded(rest.join('='));
  }
  return Object.keys(parts).length > 0 ? parts : null;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function addressOf(parts) {
  const pairs = ADDRESS_PARTS.filter((name) => parts[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(parts[name]).replaceAll('%2C', ',')}`);
  return pairs.length > 0 ? `#${pairs.join('&')}` : '';
}

class MomentAddress {
  /** Looks names up only in the data. */
  constructor(data, viewer, lists) {
    [this.data, this.viewer, this.lists] = [data, viewer, lists];
    this.cell = {};
    this.note = element('p', { className: 'address-note', role: 'alert', hidden: true });
    document.body.prepend(this.note);
    window.addEventListener('hashchange', () => this.read());
  }

  write() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const hash = addressOf({ ...this.viewer.moment(), ...this.cell });
      if (hash === location.hash) return;
      this.complain('');
      try {
        history.replaceState(null, '', hash || location.pathname + location.search);
      } catch {
        // A page inside another one may have no address of its own.
      }
    }, ADDRESS_DELAY);
  }

  choose(list, truth, answer) {
    const { name, labels } = list.stream;
    this.cell = { stream: name, cell: `${labels[truth]},${labels[answer]}` };
    this.write();
  }

  /** Reads an address even if the page already has it; no pending step overwrites it. */
  go(hash) {
    clearTimeout(this.waiting);
    try {
      history.pushState(null, '', hash);
      this.read();
    } catch {
      location.hash = hash;
    }
  }

  clear() {
    this.cell = {};
    unmarkCells();
    this.write();
  }

  read() {
    const parts = readAddress(location.hash);
    if (!parts) return;
    clearTimeout(this.waiting);
    const wrong = this.showCell(parts) || this.showMoment(parts);
    this.complain(wrong);
  }

  showCell({ seq, stream, cell }) {
    if (stream === undefined) return '';
    if (!this.data.streams.some(({ name }) => name === stream)) {
      return `The address names the stream “${stream}”, which this page does not have.`;
    }
    if (cell === undefined) return '';
    const list = this.lists.find((one) => one.stream.name === stream);
    if (!list) return `The address names the cell “${cell}”, and this page has no matrix of ${stream}.`;
    const [truth, answer] = cell.split(',').map((name) => list.stream.labels.indexOf(name));
    if (!(truth >= 0 && answer >= 0)) {
      return `The address names the cell “${cell}”, which the matrix of ${stream} does not have.`;
    }
    this.cell = { stream, cell };
    list.fill(truth, answer);
    if (seq === undefined) list.title.focus();
    return '';
  }

  showMoment({ seq, t }) {
    if (seq === undefined) return '';
    const { problem = '', index, time } = momentIn(this.data.sequences, seq, t);
    if (!problem) this.viewer.open(index, { time, isAsked: true });
    return problem;
  }

  complain(text) {
    this.note.textContent = text;
    this.note.hidden = text === '';
  }
}

/** The sequence and the time that an address names, or what is wrong with the address. */
function momentIn(sequences, seq, t = '') {
  const index = sequences.findIndex(({ name }) => name === seq);
  const time = t === '' ? undefined : secondsOf(t);
  let problem;
  if (index < 0) {
    problem = `The address names the recording “${seq}”, which this page does not have.`;
  } else if (time === null) {
    problem = `The address names the time “${t}”, which is not a number of seconds.`;
  } else if (sequences[index].block === null) {
    problem = `The poses of “${seq}” are not on this page. In a terminal: `
      + explainCommand(sequences[index], time ?? 0);
  }
  return { problem, index, time };
}

/** Accepts `80`, `80.5`, `1:20` and `1:20.5`; null for anything else. */
function secondsOf(text) {
  const found = /^\s*(-?)(?:(\d+):)?(?:(\d+):)?(\d+(?:\.\d*)?|\.\d+)\s*s?\s*$/.exec(text);
  if (!found) return null;
  const [, sign, first, second, last] = found;
  const minutes = second === undefined ? Number(first ?? 0) : Number(first) * 60 + Number(second);
  const seconds = minutes * 60 + Number(last);
  return sign ? -seconds : seconds;
}
