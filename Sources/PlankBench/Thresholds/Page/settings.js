// The values of all parameters and the pins, which are also the hash of the page's address.

const PINS = ['A', 'B'];
/** Distinguishes a pin from a parameter in the address. */
const PIN_MARK = '~';

/** The end of sliders for frames; the number beside a slider accepts more. */
const LONGEST_SLIDER_FRAMES = 60;

function sliderOf(parameter) {
  const { least, greatest } = parameter;
  if (parameter.is_integer) {
    const end = Math.min(greatest, Math.max(LONGEST_SLIDER_FRAMES, parameter.start));
    return { least, greatest: end, step: 1, digits: 0 };
  }
  const digits = Math.max(0, -Math.floor(Math.log10((greatest - least) / 200)));
  return { least, greatest, step: Number((10 ** -digits).toFixed(digits)), digits };
}

const numberText = (value) => String(value);

function accepts(parameter, value) {
  return Number.isFinite(value) && value >= parameter.least && value <= parameter.greatest
    && (!parameter.is_integer || Number.isInteger(value));
}

class Settings {
  constructor(parameters) {
    this.parameters = parameters;
    this.byKey = new Map(parameters.map((parameter) => [parameter.key, parameter]));
    this.start = Object.fromEntries(parameters.map(({ key, start }) => [key, start]));
    this.values = { ...this.start };
    this.pins = { A: null, B: null };
    this.touched = [];
    this.listeners = [];
  }

  onChange(listener) { this.listeners.push(listener); }

  tell(keys) { for (const listener of this.listeners) listener(keys); }

  /** Ignores values that are not allowed. */
  set(values) {
    const changed = Object.keys(values).filter((key) => {
      const parameter = this.byKey.get(key);
      return parameter && accepts(parameter, values[key]) && this.values[key] !== values[key];
    });
    for (const key of changed) {
      this.values[key] = values[key];
      this.touched = [key, ...this.touched.filter((other) => other !== key)];
    }
    if (changed.length > 0) this.tell(changed);
    return changed;
  }

  snapped(key, number) {
    const parameter = this.byKey.get(key);
    const { digits } = sliderOf(parameter);
    const value = Number(number.toFixed(digits));
    return Math.min(Math.max(value, parameter.least), parameter.greatest);
  }

  pin(name, values) {
    this.pins[name] = values && { ...values };
    this.tell([]);
  }

  differences(values) {
    return this.parameters.map(({ key }) => key).filter((key) => values[key] !== this.start[key])
      .map((key) => [key, numberText(values[key])]);
  }

  get hash() {
    const pairs = (values, sign) => this.differences(values)
      .map(([key, text]) => `${encodeURIComponent(key)}${sign}${text}`);
    const parts = pairs(this.values, '=');
    for (const name of PINS) {
      const values = this.pins[name];
      if (values) parts.push(`${PIN_MARK}${name}=${pairs(values, ':').join(',')}`);
    }
    return parts.join('&');
  }

  /** Returns the names that it cannot read. */
  read(hash) {
    const unread = [];
    const values = { ...this.start };
    const pins = { A: null, B: null };
    const take = (target, name, text = '') => {
      const key = decoded(name);
      const value = text === '' ? NaN : Number(text);
      const parameter = this.byKey.get(key);
      if (parameter && accepts(parameter, value)) target[key] = value;
      else unread.push(key);
    };
    for (const part of hash.replace(/^#/, '').split('&').filter((text) => text !== '')) {
      const [name, text = ''] = part.split('=');
      // The cell and the moment in an address are not parameters.
      if (ADDRESS_PARTS.includes(name) && !this.byKey.has(name)) continue;
      const pin = PINS.find((one) => name === PIN_MARK + one);
      if (pin) {
        pins[pin] = { ...this.start };
        for (const pair of text.split(',').filter((one) => one !== '')) {
          take(pins[pin], ...pair.split(':'));
        }
      } else {
        take(values, name, text);
      }
    }
    this.pins = pins;
    if (this.set(values).length === 0) this.tell([]);
    return unread;
  }
}

/** The room for the thumb at each end of a slider's track, in pixels. */
const THUMB = 8;

function placeOnTrack(node, { least, greatest }, value) {
  const share = Math.min(Math.max((value - least) / (greatest - least), 0), 1);
  node.style.left = `calc(${THUMB}px + ${share} * (100% - ${2 * THUMB}px))`;
}

function withUnit(value, { unit }) {
  return `${numberText(value)}${unit === '-' ? '' : ` ${unit}`}`;
}

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

  show(value) { this.button.setAttribute('aria-pressed', value === this.mark.value); }
}

function fillBest(root, { next, parameters }, settings) {
  const reasons = next.reasons.join(' ').replaceAll('`', '');
  const [best] = next.marks.filter(({ fails }) => !fails)
    .sort((one, other) => other.advice.expected - one.advice.expected);
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
      textContent: next.marks.length > 0 ? 'No single change is likely to help other people. '
        : 'No single change is marked. ' }), reasons));
  }
  root.append(element('p', { className: 'words', textContent: (best ? reasons : '')
    + (next.marks.length > 0 ? ' Marks on sliders show the best value when only that parameter changes '
      + 'from its starting value, as in planklab evaluate. A slider without a mark can gain less than half '
      + 'a point.' : '') }));
}

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
