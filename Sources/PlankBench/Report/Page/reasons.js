// Why a stream's answer is what it is in a frame: the rules in order, and debounce.

/** A number as `planklab explain` prints it. */
const fourDecimals = (value) => value.toFixed(4).replace(/^-(0\.0+)$/, '$1');

/** The columns of the table of rules. */
const RULE_COLUMNS = [
  'rule', 'label', 'condition', 'measured', 'parameter', 'margin', 'verdict',
];

/** The text and the table of a stream's reasons, written anew for every frame. */
class Reasons {
  constructor(facts, place) {
    [this.facts, this.place] = [facts, place];
    this.title = element('h3');
    // Their heights are fixed; what is longer can be scrolled, by the keyboard too.
    this.decision = element('p', { className: 'decision', tabIndex: 0 });
    this.debounce = element('p', { className: 'words', tabIndex: 0 });
    this.body = element('tbody');
    const heads = RULE_COLUMNS;
    this.table = element('table', { className: 'rules' },
      element('caption', { textContent: `Rules of ${facts.name}` }),
      element('colgroup', {}, ...heads.map((text) => element('col', { className: `col-${text}` }))),
      element('thead', {}, element('tr', {},
        ...heads.map((text) => element('th', { scope: 'col', textContent: text })))), this.body);
    this.node = element('section', { 'data-stream': facts.name }, this.title,
      element('div', { className: 'scroll', role: 'group', tabIndex: 0,
        'aria-label': `Rules of ${facts.name}` }, this.table), this.debounce);
  }

  /** Shows a frame. */
  show(detector, view, frame) {
    const { labels, rules, name } = this.facts;
    const found = view.frames[frame];
    const count = rules.reduce((sum, { comparisons }) => sum + comparisons.length, 0);
    const steps = detector.comparisons(this.place, frame, count);
    const truth = className(labels, view.truth[frame]);
    this.title.textContent = `${name}: truth ${truth}, answer ${labels[found.answer]}`;
    this.title.className = view.truth[frame] < labels.length
      && view.truth[frame] !== found.answer ? 'bad' : '';
    this.node.dataset.rule = found.rule;
    this.node.dataset.answer = labels[found.answer];
    this.decision.replaceChildren(element('b', { textContent: `${name}: ` }), this.sentence(found, steps));
    this.debounce.textContent = this.debounced(view, frame);
    let place = 0;
    this.body.replaceChildren(...rules.flatMap((rule, index) => {
      const own = steps.slice(place, place + rule.comparisons.length);
      place += rule.comparisons.length;
      return this.rows(rule, index, own, found);
    }));
  }

  /** Which rule decided, and how near another answer was. */
  sentence({ rule, nearest, margin }, steps) {
    if (rule === NO_PLACE) return 'No rule is asked: a measurement is missing.';
    const all = this.facts.rules.flatMap(({ comparisons }) => comparisons);
    const { label, comparisons } = this.facts.rules[rule];
    const condition = comparisons.map(({ text }) => text).join(' and ');
    const decided = `Rule ${rule + 1} decides: ${label} ${condition ? `if ${condition}` : 'otherwise'}.`;
    if (nearest === NO_PLACE) return decided;
    const { text, unit } = all[nearest];
    const distance = `${fourDecimals(Math.abs(margin))}${unit === '-' ? '' : ` ${unit}`}`;
    return `${decided} The nearest threshold is ${text}, which ${steps[nearest].holds ? 'holds' : 'fails'} `
      + `by ${distance}.`;
  }

  rows({ label, comparisons }, index, steps, { rule }) {
    const isDeciding = index === rule;
    let verdict = isDeciding ? 'decides' : index < rule ? 'does not hold' : 'not asked';
    if (rule === NO_PLACE) verdict = 'not asked';
    const cells = (numbers) => numbers.map((text) => (
      element('td', { className: 'n', textContent: text })));
    const first = [element('td', { textContent: index + 1 }), element('td', { textContent: label })];
    const className = isDeciding ? 'decides' : verdict === 'not asked' ? 'dim' : '';
    if (comparisons.length === 0) {
      return [element('tr', { className }, ...first, element('td', { textContent: 'otherwise' }),
        ...cells(['', '', '']), element('td', { textContent: verdict }))];
    }
    return comparisons.map(({ text, unit }, place) => {
      const step = steps[place];
      const measured = step.absence
        || `${fourDecimals(step.measured)}${unit === '-' ? '' : ` ${unit}`}`;
      const row = element('tr', { className },
        ...(place === 0 ? first : [element('td'), element('td', { textContent: 'and' })]),
        element('td', { textContent: text }), ...cells([measured, fourDecimals(step.threshold),
          step.absence ? '' : fourDecimals(step.margin)]),
        element('td', { textContent: place === 0 ? verdict : '' }));
      Object.assign(row.dataset, {
        measured: step.absence || step.measured, threshold: step.threshold,
        margin: step.absence ? '' : step.margin, holds: step.holds,
      });
      return row;
    });
  }

  /** What debounce made of the label by the rules. */
  debounced(view, frame) {
    const { labels, needs, hold } = this.facts;
    const { raw, answer, isHeld, run, seconds } = view.frames[frame];
    const name = labels[answer];
    if (raw === NO_LABEL) {
      return isHeld ? `Debounce: the last answer, ${name}, is kept for at most ${hold} s.`
        : `Debounce: nothing was decided for longer than ${hold} s; the answer is empty, ${name}.`;
    }
    const before = frame > 0 ? view.frames[frame - 1].answer : 0;
    const need = before === 0 ? needs.enter : raw === 0 ? needs.exit : needs.switch;
    const becomes = answer !== before ? 'becomes' : raw === answer ? 'stays' : 'is still';
    return `Debounce: ${labels[raw]} has stood for ${run} frame${run === 1 ? '' : 's'} `
      + `(${seconds.toFixed(3)} s); ${need}. The answer ${becomes} ${name}.`;
  }
}
