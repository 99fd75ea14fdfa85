// An optional local video, kept in step with the recording: video time = recording time + offset.

const VIDEO_DRIFT = 0.12;

/** The video beside the figure. */
class SyncedVideo {
  constructor(element, box, note) {
    this.element = element;
    this.box = box;
    this.note = note;
    this.offset = 0;
    this.isLoaded = false;
    element.addEventListener('seeked', () => {
      const { waiting } = this;
      this.waiting = undefined;
      if (waiting !== undefined && this.isLoaded) this.seek(waiting);
    });
    element.addEventListener('error', () => {
      if (!this.isLoaded) return;
      this.note.textContent = this.url
        ? 'this browser cannot play the file; convert it to MP4 or WebM'
        : `${this.name} cannot be played from here; open it from this computer`;
    });
  }

  /** Shows a file that stays on this computer. */
  load(file) {
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = URL.createObjectURL(file);
    this.show(this.url, file.name);
  }

  /** Shows the video at an address beside the page. */
  loadFrom(address) {
    this.show(address, decodeURIComponent(address.split('/').pop()));
  }

  show(source, name) {
    this.name = name;
    this.waiting = undefined;
    this.isLoaded = true;
    this.element.src = source;
    this.note.textContent = name;
    this.box.hidden = false;
  }

  /** Lets go of the file: it belongs to one recording. */
  unload() {
    if (!this.isLoaded) return;
    this.isLoaded = false;
    this.element.pause();
    this.element.removeAttribute('src');
    this.element.load();
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = undefined;
    this.box.hidden = true;
  }

  /** Follows the playhead; while playing only a drift that shows is corrected. */
  follow(time, start, isPlaying, rate) {
    if (!this.isLoaded || this.element.readyState < 1) return;
    const { element } = this;
    this.waiting = undefined;
    const target = time - start + this.offset;
    const isInside = target >= 0 && !(target > element.duration);
    const shown = Math.max(target, 0);
    if (isPlaying && isInside) {
      element.playbackRate = rate;
      if (element.paused) element.play().catch(() => {});
      if (Math.abs(element.currentTime - shown) > VIDEO_DRIFT * Math.max(rate, 1)) this.seek(shown);
      return;
    }
    if (!element.paused) element.pause();
    if (Math.abs(element.currentTime - shown) > 1e-3) this.seek(shown);
  }

  /** Seeks, after the seek that is under way; of several that wait, only the newest is made. */
  seek(time) {
    if (this.element.seeking) {
      this.waiting = time;
      return;
    }
    const { duration } = this.element;
    this.element.currentTime = Number.isFinite(duration) ? Math.min(time, duration) : time;
  }
}
