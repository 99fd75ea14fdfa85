// Truth, answers and rules over time, one stream to a canvas.

const BAND_HEIGHT = 20;

/** The bands of a ribbon with their names; beside another side, both answers have its names. */
const bandsOf = (sides) => (sides
  ? { truth: 'truth', before: sides[1], answer: sides[0], rule: 'rule' }
  : { truth: 'truth', answer: 'answer', rule: 'rule' });

/** Draws a stream's ribbons: what is true, what was answered, and which rule decided. */
function drawRibbons(canvas, { recording, window: view, palette }, stream) {
  const { context, width } = fitCanvas(canvas);
  drawRuler(context, width, view, palette);
  Object.keys(stream.runs).forEach((band, index) => {
    const top = RULER_HEIGHT + index * (BAND_HEIGHT + 2);
    for (const { code, start, end } of stream.runs[band]) {
      const [from, to] = [start, end].map((cut) => view.x(cutTime(recording, cut), width));
      if (to < 0 || from > width) continue;
      const { name, label } = stream.shown(band, code);
      const isClass = label !== '';
      context.fillStyle = isClass ? palette.classes[label] : hatch(context, palette.hole);
      context.fillRect(from, top, Math.max(to - from - 1, 1), BAND_HEIGHT);
      drawName(context, name, from, to - from, top + BAND_HEIGHT / 2 + 0.5,
        isClass ? palette.inks[label] : palette.text, 11);
    }
  });
  drawErrors(context, recording, view, width, stream, palette);
}

/** Underlines the stretches in which truth and answer differ. */
function drawErrors(context, recording, view, width, stream, palette) {
  const top = RULER_HEIGHT + Object.keys(stream.runs).length * (BAND_HEIGHT + 2);
  context.fillStyle = palette.threshold;
  for (const { start, end } of stream.errors) {
    const [from, to] = [start, end].map((cut) => view.x(cutTime(recording, cut), width));
    context.fillRect(from, top, Math.max(to - from, 2), 4);
  }
}

/** One stream of a sequence: what the detector made of it, beside the truth. */
class StreamView {
  /** @param before what another side answers; undefined if nothing is compared */
  constructor(facts, truth, frames, before) {
    [this.facts, this.truth, this.frames, this.before] = [facts, truth, frames, before];
    const count = frames.length;
    this.runs = {
      truth: runsOf(count, (frame) => truth[frame]),
      ...(before && { before: runsOf(count, (frame) => before[frame]) }),
      answer: runsOf(count, (frame) => frames[frame].answer),
      rule: runsOf(count, (frame) => frames[frame].rule),
    };
    this.errors = runsOf(count, (frame) => (
      truth[frame] < facts.labels.length && truth[frame] !== frames[frame].answer ? 1 : 0))
      .filter(({ code }) => code === 1);
  }

  /** The name and the class that a band shows; an empty class where there is none. */
  shown(band, code) {
    const { labels, rules } = this.facts;
    if (band !== 'rule') return { name: className(labels, code), label: labels[code] ?? '' };
    if (code === NO_PLACE) return { name: 'undetermined', label: '' };
    return { name: `rule ${code + 1}: ${rules[code].label}`, label: rules[code].label };
  }
}
