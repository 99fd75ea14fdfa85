// Undo and redo over tracks that are never changed in place.

/** The states of a value, from first to last, and which of them is the current one. */
class History {
  constructor(value) {
    this.states = [{ value, what: '' }];
    this.position = 0;
  }

  get value() {
    return this.states[this.position].value;
  }

  get canUndo() {
    return this.position > 0;
  }

  get canRedo() {
    return this.position + 1 < this.states.length;
  }

  /** Makes a value the current one; what had been undone is forgotten. */
  push(value, what) {
    this.states.length = this.position + 1;
    this.states.push({ value, what });
    this.position += 1;
  }

  /** Changes the current state, which stays one step of the history. */
  replace(value, what) {
    this.states[this.position] = { value, what };
  }

  /** Goes one state back; returns what was undone, or null where there is nothing. */
  undo() {
    if (!this.canUndo) return null;
    this.position -= 1;
    return this.states[this.position + 1].what;
  }

  /** Goes one state on; returns what was done again, or null where there is nothing. */
  redo() {
    if (!this.canRedo) return null;
    this.position += 1;
    return this.states[this.position].what;
  }
}
