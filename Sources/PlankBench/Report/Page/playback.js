// Playing, as editors of videos do it: J backward, K pause, L forward; again is faster.

const [FASTEST, SLOWEST] = [4, 0.25];

/** A clock that moves the viewer through time. */
class Playback {
  /**
   * @param host says where it is (`place()` in seconds, `[from, to]` in `span()`), goes to a time
   *   (`show(time)`) and hears of every change of the speed (`changed()`)
   */
  constructor(host) {
    this.host = host;
    this.rate = 0;
    this.isPauseHeld = false;
    this.isSlowHeld = false;
  }

  /** Plays in a direction; in the one that already plays, at twice the speed. */
  press(direction) {
    if (this.isPauseHeld) {
      this.isSlowHeld = true;
      this.set(direction * SLOWEST);
      return;
    }
    const isFaster = this.rate * direction >= 1;
    this.set(isFaster ? direction * Math.min(Math.abs(this.rate) * 2, FASTEST) : direction);
  }

  /** Plays at a quarter of the speed. */
  slow(direction) {
    this.set(direction * SLOWEST);
  }

  /** Pauses for the key that also slows down while it is held. */
  hold() {
    this.isPauseHeld = true;
    this.pause();
  }

  /** Hears that a key was let go. */
  release(key) {
    if (key === 'k') this.isPauseHeld = false;
    if (!this.isSlowHeld || !'jkl'.includes(key)) return;
    this.isSlowHeld = false;
    this.pause();
  }

  toggle() {
    if (this.rate) this.pause();
    else this.set(1);
  }

  pause() {
    if (this.timer) cancelAnimationFrame(this.timer);
    this.timer = null;
    if (this.rate === 0) return;
    this.rate = 0;
    this.host.changed();
  }

  set(rate) {
    if (this.timer) cancelAnimationFrame(this.timer);
    const [from, to] = this.host.span();
    let start = this.host.place();
    if (rate > 0 && start >= to) start = from;
    this.rate = rate;
    const began = performance.now();
    const tick = (now) => {
      const time = start + rate * Math.max(now - began, 0) / 1000;
      this.timer = requestAnimationFrame(tick);
      this.host.show(Math.min(Math.max(time, from), to));
      if (rate > 0 ? time >= to : time <= from) this.pause();
    };
    this.timer = requestAnimationFrame(tick);
    this.host.changed();
  }
}
