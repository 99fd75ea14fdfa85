// The stretch of time that the timeline shows.

/** A window [from, to] in seconds within the recording. */
class TimeWindow {
  constructor(recording) {
    this.recording = recording;
    this.showAll();
  }

  get length() {
    return this.to - this.from;
  }

  /** Shows the whole recording. */
  showAll() {
    this.from = this.recording.start;
    this.to = Math.max(this.recording.end, this.from + 1e-3);
  }

  /** Makes the window shorter (factor below 1) or longer around a time. */
  zoom(factor, around) {
    const whole = Math.max(this.recording.end - this.recording.start, 1e-3);
    const length = Math.min(Math.max(this.length * factor, Math.min(0.5, whole)), whole);
    const share = (around - this.from) / this.length;
    this.moveTo(around - share * length, length);
  }

  /** Moves the window by seconds. */
  pan(seconds) {
    this.moveTo(this.from + seconds, this.length);
  }

  /** Turns the page, as it were, when a time has left the window; says whether it did. */
  follow(time) {
    if (time >= this.from && time <= this.to) return false;
    const isNext = time > this.to && time < this.to + this.length;
    this.moveTo(isNext ? time - this.length * 0.05 : time - this.length / 2, this.length);
    return true;
  }

  moveTo(from, length) {
    const { start, end } = this.recording;
    this.from = Math.max(Math.min(from, end - length), start);
    this.to = this.from + length;
  }

  /** The place of a time on a lane of some width. */
  x(time, width) {
    return ((time - this.from) / this.length) * width;
  }

  /** The time at a place on a lane of some width. */
  time(x, width) {
    return this.from + (x / width) * this.length;
  }
}

/** Minutes and seconds, for people: `1:02.5`. */
function clockText(time, decimals) {
  const sign = time < 0 ? '-' : '';
  const scaled = Math.round(Math.abs(time) * 10 ** decimals) / 10 ** decimals;
  const minutes = Math.floor(scaled / 60);
  const seconds = (scaled - minutes * 60).toFixed(decimals);
  return `${sign}${minutes}:${seconds.padStart(decimals > 0 ? decimals + 3 : 2, '0')}`;
}
