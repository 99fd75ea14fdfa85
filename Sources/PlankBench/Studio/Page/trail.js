// Undo and redo of what moved.

/** How long two inputs of one parameter may be apart and still be one move, in milliseconds. */
const SAME_MOVE = 1000;

/** The values as they were before each move. */
class Trail {
  /** @param show hears of every change of the trail, with what was just done in words */
  constructor(settings, show) {
    [this.settings, this.show] = [settings, show];
    this.history = new History({ ...settings.values });
    this.end();
  }

  /** Ends a move: the next input is another one. */
  end() { [this.keys, this.since] = ['', -Infinity]; }

  /** Notes that some parameters changed; a drag is one move however often the value changes. */
  note(keys) {
    if (this.isGoing || keys.length === 0) return;
    const now = performance.now();
    const isSame = keys.join() === this.keys && now - this.since < SAME_MOVE;
    [this.keys, this.since] = [keys.join(), now];
    const { states, position } = this.history;
    const before = isSame ? states[position - 1].value : this.history.value;
    const what = this.words(before, this.settings.values);
    if (isSame) this.history.replace({ ...this.settings.values }, what);
    else this.history.push({ ...this.settings.values }, what);
    this.show('');
  }

  /** What differs, in words. */
  words(before, after) {
    const moved = Object.keys(after).filter((key) => after[key] !== before[key]);
    if (moved.length !== 1) return `${moved.length} values`;
    return `${moved[0]} ${numberText(before[moved[0]])} to ${numberText(after[moved[0]])}`;
  }

  undo() { this.go(this.history.undo(), 'undone', 'nothing to undo'); }

  redo() { this.go(this.history.redo(), 'redone', 'nothing to redo'); }

  go(what, done, nothing) {
    this.end();
    if (what === null) {
      this.show(nothing);
      return;
    }
    this.isGoing = true;
    this.settings.set(this.history.value);
    this.isGoing = false;
    this.show(`${done}: ${what}`);
  }

  /** Runs what a key means here; whether it meant something. */
  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
    const name = event.key.toLowerCase();
    if (name !== 'z' && name !== 'y') return false;
    if (name === 'y' || event.shiftKey) this.redo();
    else this.undo();
    return true;
  }
}

/** Shows how many moves there are, and what the buttons would do. */
function showTrail({ states, position, canUndo, canRedo }, said) {
  const count = states.length - 1;
  byId('steps').textContent = count === 0 ? 'no moves' : `${position} of ${count} moves`;
  for (const [name, can, what] of [['undo', canUndo, states[position].what],
    ['redo', canRedo, states[position + 1]?.what]]) {
    const button = byId(name);
    button.disabled = !can;
    button.title = can ? what : '';
  }
  if (said) byId('status').textContent = said;
}
