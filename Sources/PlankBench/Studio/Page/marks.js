// The best single change of every parameter, as the program's sweep found it.

/** The room beside a slider's track that its thumb takes at each end, in pixels. */
const THUMB = 8;

/** Puts a node on a slider's track, at a value; beyond the track it stands at its end. */
function placeOnTrack(node, { least, greatest }, value) {
  const share = Math.min(Math.max((value - least) / (greatest - least), 0), 1);
  node.style.left = `calc(${THUMB}px + ${share} * (100% - ${2 * THUMB}px))`;
}

/** A value with its unit. */
function withUnit(value, { unit }) {
  return `${numberText(value)}${unit === '-' ? '' : ` ${unit}`}`;
}

/** A tick on a slider at the best value, and a button that goes there. */
class BestMark {
  constructor(parameter, mark, settings) {
    this.mark = mark;
    const kind = mark.fails ? 'best-value fails' : 'best-value';
    this.tick = element('i', { className: `tick ${kind}`, 'aria-hidden': 'true' });
    placeOnTrack(this.tick, sliderOf(parameter), mark.value);
    const note = mark.fails ? ', not advised' : '';
    this.button = element('button', {
      type: 'button', className: `try ${kind}`, title: mark.sentence,
      textContent: `${withUnit(mark.value, parameter)}: ${mark.points} ${mark.stream}${note}`,
      'aria-label': `Set ${mark.parameter} to ${mark.sentence}${note}`,
    });
    Object.assign(this.button.dataset, mark);
    this.button.addEventListener('click', () => settings.set({ [mark.parameter]: mark.value }));
  }

  /** Marks whether the best value is the present one. */
  show(value) { this.button.setAttribute('aria-pressed', value === this.mark.value); }
}

/** The line above the page: the best change of all, or why there is none. */
function fillBest(root, { next, parameters }, settings) {
  const [best] = next.marks.filter(({ holds }) => holds).sort((one, other) => other.gain - one.gain);
  if (best) {
    const parameter = parameters.find(({ key }) => key === best.parameter);
    const button = element('button', {
      type: 'button', className: 'primary', textContent: `Try ${withUnit(best.value, parameter)}`,
      'aria-label': `Try ${best.parameter} ${withUnit(best.value, parameter)}`,
    });
    button.addEventListener('click', () => settings.set({ [best.parameter]: best.value }));
    root.append(element('p', {}, element('strong', { textContent: 'Best single change: ' }),
      element('code', { textContent: best.parameter }), ` ${best.sentence}`), button);
  } else {
    root.append(element('p', {}, element('strong', {
      textContent: next.marks.length > 0 ? 'No single change is sure to help others. '
        : 'No single change is marked. ' }), next.reasons.join(' ')));
  }
  root.append(element('p', { className: 'words', textContent: (best ? next.reasons.join(' ') : '')
    + (next.marks.length > 0 ? ' Marks on sliders are the best values, changed alone from where the '
      + 'page began, by the sweep of planklab evaluate. A slider without a mark gains less than '
      + 'half a point.' : '') }));
}
