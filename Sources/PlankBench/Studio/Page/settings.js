// The values of all parameters, what is pinned, and both as the hash of the page's address.

const PINS = ['A', 'B'];
/** What tells a pin from a parameter in the address. */
const PIN_MARK = '~';

/** Where sliders of frames end; the number beside one takes more. */
const LONGEST_SLIDER_FRAMES = 60;

/** How a parameter's slider runs: its end, its step and the digits of its values. */
function sliderOf(parameter) {
  const { least, greatest } = parameter;
  if (parameter.is_integer) {
    const end = Math.min(greatest, Math.max(LONGEST_SLIDER_FRAMES, parameter.start));
    return { least, greatest: end, step: 1, digits: 0 };
  }
  const digits = Math.max(0, -Math.floor(Math.log10((greatest - least) / 200)));
  return { least, greatest, step: Number((10 ** -digits).toFixed(digits)), digits };
}

/** A value as text without digits that say nothing; reads back as the same number. */
const numberText = (value) => String(value);

/** Whether a parameter may have a value. */
function accepts(parameter, value) {
  return Number.isFinite(value) && value >= parameter.least && value <= parameter.greatest
    && (!parameter.is_integer || Number.isInteger(value));
}

/** The state of the page; whoever listens hears which parameters changed. */
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

  /** Sets some values; those that are not allowed stay as they are. */
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

  /** The value nearest to a number that the slider of a parameter can show. */
  snapped(key, number) {
    const parameter = this.byKey.get(key);
    const { digits } = sliderOf(parameter);
    const value = Number(number.toFixed(digits));
    return Math.min(Math.max(value, parameter.least), parameter.greatest);
  }

  /** Keeps the values under a name, or forgets them. */
  pin(name, values) {
    this.pins[name] = values && { ...values };
    this.tell([]);
  }

  /** What differs from the start. */
  differences(values) {
    return this.parameters.map(({ key }) => key).filter((key) => values[key] !== this.start[key])
      .map((key) => [key, numberText(values[key])]);
  }

  /** The state as text for the address. */
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

  /** Takes the state from an address; the names of what it cannot read are returned. */
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
      // What an address says of a cell or a moment is no parameter.
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
