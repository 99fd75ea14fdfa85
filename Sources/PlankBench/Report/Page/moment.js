// Truth and answers of the frame that is shown, to be seen and to be heard.

/** How long after the last step the frame is said, in milliseconds. */
const SPEECH_DELAY = 200;

/** Whether an answer is right, in words; empty where nothing was judged. */
function judgement(labels, truth, answer) {
  if (truth >= labels.length) return '';
  return truth === answer ? 'right' : 'wrong';
}

/** A class in its color. */
function chip(name, isClass) {
  const made = element('span', { className: isClass ? `chip on-${name}` : 'chip',
    textContent: name });
  if (isClass) {
    made.style.background = `var(--class-${name})`;
    made.style.color = `var(--ink-${name})`;
  }
  return made;
}

/** One line per stream: truth, answer, and whether they agree. */
class MomentLines {
  constructor({ streams, sides }) {
    this.sides = sides;
    this.lines = streams.map(() => element('p'));
    this.node = element('div', { className: 'now' }, ...this.lines);
    this.live = element('p', { className: 'unseen', role: 'status' });
  }

  /** Shows a frame. */
  show(views, frame) {
    views.forEach(({ facts, truth, frames, before }, place) => {
      const { labels, name } = facts;
      const { answer } = frames[frame];
      const judged = judgement(labels, truth[frame], answer);
      this.lines[place].className = judged;
      this.lines[place].replaceChildren(element('b', { textContent: name }),
        chip(className(labels, truth[frame]), truth[frame] < labels.length),
        element('span', { textContent: '→', role: 'img', 'aria-label': 'answered as' }),
        chip(labels[answer], true),
        element('b', { className: 'mark', textContent: {
          right: '✓ right', wrong: '✕ wrong', '': '' }[judged] }),
        ...(before ? [element('span', { className: 'other' }, `${this.sides[1]}: `,
          chip(labels[before[frame]], true))] : []));
    });
  }

  /** Says a frame once nothing has moved for a moment; nothing while playing. */
  say(views, frame, { frameCount, times }, before = '') {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const parts = views.map(({ facts: { labels, name }, truth, frames, before: other }) => {
        const { answer } = frames[frame];
        const judged = judgement(labels, truth[frame], answer);
        return `${name}: truth ${className(labels, truth[frame])}, answer ${labels[answer]}`
          + (judged ? `, ${judged}` : '')
          + (other ? `; ${this.sides[1]} answers ${labels[other[frame]]}` : '');
      });
      this.live.textContent = [before, `Frame ${frame} of ${frameCount}, `
        + `${times[frame].toFixed(2)} seconds`, ...parts].filter(Boolean).join('. ');
    }, SPEECH_DELAY);
  }

  /** Says a sentence at once. */
  tell(text) {
    clearTimeout(this.waiting);
    this.live.textContent = text;
  }

  /** Says nothing of what was to be said. */
  hush() {
    clearTimeout(this.waiting);
  }
}
