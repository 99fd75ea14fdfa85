// Undo and redo of tracks, which are never changed in place.

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

  /** Forgets the states that were undone. */
  push(value, what) {
    this.states.length = this.position + 1;
    this.states.push({ value, what });
    this.position += 1;
  }

  /** Changes the current state without a new step of the history. */
  replace(value, what) {
    this.states[this.position] = { value, what };
  }

  undo() {
    if (!this.canUndo) return null;
    this.position -= 1;
    return this.states[this.position + 1].what;
  }

  redo() {
    if (!this.canRedo) return null;
    this.position += 1;
    return this.states[this.position].what;
  }
}
