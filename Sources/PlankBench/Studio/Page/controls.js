// A slider, a number and a reset for every parameter.

/** The parameters in groups: those of each list of rules, then those of steadiness. */
function parameterGroups(data) {
  const steady = new Set(data.streams.flatMap((stream) => [stream.frames, stream.hold]));
  const used = (stream) => new Set(
    stream.rules.flatMap((rule) => rule.predicates.map((predicate) => predicate.parameter)));
  const taken = new Set(steady);
  const groups = data.streams.map((stream) => {
    const keys = used(stream);
    const own = data.parameters.filter(({ key }) => keys.has(key) && !taken.has(key));
    for (const { key } of own) taken.add(key);
    return { title: `Rules for ${stream.name}`, parameters: own };
  });
  groups.push({
    title: 'Debounce and hold', parameters: data.parameters.filter(({ key }) => steady.has(key)),
  });
  return groups.filter((group) => group.parameters.length > 0);
}

/** One parameter's row. */
class ParameterRow {
  constructor(parameter, settings, mark) {
    const id = `parameter-${parameter.key}`;
    const { least, greatest, step } = sliderOf(parameter);
    const unit = parameter.unit === '-' ? '' : parameter.unit;
    this.parameter = parameter;
    this.slider = element('input', {
      type: 'range', min: least, max: greatest, step, id,
      'aria-describedby': `${id}-meaning`,
    });
    this.number = element('input', {
      type: 'number', min: parameter.least, max: parameter.greatest,
      step: parameter.is_integer ? 1 : 'any', 'aria-label': `${parameter.key}, exact`,
    });
    this.reset = element('button', {
      type: 'button', className: 'reset', textContent: '↺', title: `Back to ${parameter.start}`,
      'aria-label': `Reset ${parameter.key} to ${parameter.start}`,
    });
    const begin = element('i', { className: 'tick start', 'aria-hidden': 'true' });
    placeOnTrack(begin, { least, greatest }, parameter.start);
    this.mark = mark && new BestMark(parameter, mark, settings);
    this.node = element('div', { className: 'parameter' },
      element('label', { htmlFor: id, textContent: parameter.key }), this.number,
      element('span', { className: 'unit', textContent: unit }), this.reset,
      element('div', { className: 'slider' }, this.slider, begin, ...(mark ? [this.mark.tick] : [])),
      ...(mark ? [this.mark.button] : []),
      element('p', { className: 'meaning', id: `${id}-meaning`, textContent: parameter.meaning }));
    const set = (value) => settings.set({ [parameter.key]: value });
    this.slider.addEventListener('input', () => set(this.slider.valueAsNumber));
    this.number.addEventListener('change', () => {
      set(this.number.valueAsNumber);
      this.show(settings.values[parameter.key]);
    });
    this.reset.addEventListener('click', () => set(parameter.start));
  }

  /** Shows a value. */
  show(value) {
    this.slider.value = value;
    if (this.number.valueAsNumber !== value) this.number.value = numberText(value);
    this.slider.setAttribute('aria-valuetext', `${numberText(value)} ${this.parameter.unit}`);
    const isMoved = value !== this.parameter.start;
    this.node.classList.toggle('moved', isMoved);
    if (this.mark) this.mark.show(value);
    this.reset.disabled = !isMoved;
  }
}

/** All sliders. */
class Controls {
  constructor(root, data, settings) {
    this.settings = settings;
    this.rows = [];
    for (const group of parameterGroups(data)) {
      const rows = group.parameters.map((parameter) => new ParameterRow(
        parameter, settings, data.next.marks.find((mark) => mark.parameter === parameter.key)));
      this.rows.push(...rows);
      root.append(element('fieldset', {},
        element('legend', { textContent: group.title }), ...rows.map((row) => row.node)));
    }
  }

  show() {
    for (const row of this.rows) row.show(this.settings.values[row.parameter.key]);
  }
}
