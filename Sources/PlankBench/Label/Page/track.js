// A track is a list of spans [{ start, end, plank, form }] that cover all frames in order;
// half-open, in frames. The plank GAP means "not labeled". A span with isGuess is a detector's
// answer that nobody has confirmed: it is shown and never saved as a label. An edit returns a new
// track, or the same one if nothing changes.

const GAP = '';
const IGNORE = 'ignore';

const gapOf = (start, end) => ({ start, end, plank: GAP, form: '' });

function spanAt(track, frame) {
  return Math.max(track.findIndex((span) => frame < span.end), 0);
}

/** True for a span without a label, and for an answer that nobody has confirmed. */
function isOpen({ plank, isGuess }) {
  return plank === GAP || isGuess === true;
}

function confirmed({ start, end, plank, form }) {
  return { start, end, plank, form };
}

function confirmSpan(track, frame) {
  const index = spanAt(track, frame);
  if (!track[index].isGuess) return track;
  return replaceSpans(track, index, 1, [confirmed(track[index])]);
}

/** Confirms the answers whose frames were all shown. */
function confirmSeen(track, seen) {
  const isSeen = ({ start, end }) => seen.subarray(start, end).every((value) => value === 1);
  const done = track.map((span) => (span.isGuess && isSeen(span) ? confirmed(span) : span));
  return done.every((span, index) => span === track[index]) ? track : done;
}

/** Puts a detector's answers into the gaps of a track and cuts them at the ends of gaps. */
function fillGaps(track, guesses) {
  return track.flatMap((span) => {
    if (span.plank !== GAP) return [span];
    const spans = [];
    let next = span.start;
    for (const guess of guesses) {
      const [start, end] = [Math.max(guess.start, span.start), Math.min(guess.end, span.end)];
      if (start >= end) continue;
      if (start > next) spans.push(gapOf(next, start));
      spans.push({ ...guess, start, end, isGuess: true });
      next = end;
    }
    if (next < span.end) spans.push(gapOf(next, span.end));
    return spans;
  });
}

function takesForm(plank) {
  return plank !== GAP && plank !== IGNORE && plank !== 'none';
}

function replaceSpans(track, index, count, spans) {
  return [...track.slice(0, index), ...spans, ...track.slice(index + count)];
}

/** Both sides of the new boundary keep the label. */
function cutTrack(track, frame) {
  const index = spanAt(track, frame);
  const span = track[index];
  if (frame <= span.start || frame >= span.end) return track;
  return replaceSpans(track, index, 1, [{ ...span, end: frame }, { ...span, start: frame }]);
}

/**
 * Keeps the form if somebody decided on it.
 *
 * A span that was just cut off has the form of the span on its left, so the form is dropped, as is
 * that of an answer that nobody has confirmed.
 */
function setPlank(track, frame, plank) {
  const index = spanAt(track, frame);
  const span = track[index];
  if (span.plank === plank) return confirmSpan(track, frame);
  const left = track[index - 1];
  const isFresh = left !== undefined && left.plank === span.plank && left.form === span.form;
  const form = takesForm(plank) && !isFresh && !span.isGuess ? span.form : '';
  return replaceSpans(track, index, 1, [{ ...confirmed(span), plank, form }]);
}

function setForm(track, frame, form) {
  const index = spanAt(track, frame);
  const span = track[index];
  if (form !== '' && !takesForm(span.plank)) return track;
  if (span.form === form) return confirmSpan(track, frame);
  return replaceSpans(track, index, 1, [{ ...confirmed(span), form }]);
}

/** Keeps a form if somebody decided on it. */
function paintPlank(track, from, to, plank) {
  return paintSpans(track, from, to, (span) => (span.plank === plank && !span.isGuess ? span
    : { ...confirmed(span), plank, form: takesForm(plank) && !span.isGuess ? span.form : '' }));
}

function paintForm(track, from, to, form) {
  return paintSpans(track, from, to, (span) => (
    (span.form === form && !span.isGuess) || !takesForm(span.plank) ? span
      : { ...confirmed(span), form }));
}

/** Joins neighboring spans that are equal after the change. */
function paintSpans(track, from, to, change) {
  const cut = cutTrack(cutTrack(track, from), to);
  const painted = cut.map((span) => (span.start >= from && span.end <= to ? change(span) : span));
  if (from >= to || painted.every((span, index) => span === cut[index])) return track;
  const was = new Set(track.map(({ start }) => start));
  return painted.reduce((spans, span) => {
    const last = spans[spans.length - 1];
    const isNew = (span.start > from && span.start < to) || !was.has(span.start);
    const isSame = last && last.plank === span.plank && last.form === span.form;
    if (isNew && isSame && last.isGuess === span.isGuess) {
      return [...spans.slice(0, -1), { ...last, end: span.end }];
    }
    return [...spans, span];
  }, []);
}

function removeSpan(track, frame) {
  const index = spanAt(track, frame);
  let first = index;
  let last = index;
  if (index > 0 && track[index - 1].plank === GAP) first -= 1;
  if (index + 1 < track.length && track[index + 1].plank === GAP) last += 1;
  if (first === last && track[index].plank === GAP) return track;
  const gap = gapOf(track[first].start, track[last].end);
  return replaceSpans(track, first, last - first + 1, [gap]);
}

/** The span before keeps its label. */
function mergeSpan(track, frame) {
  const index = spanAt(track, frame);
  if (index === 0) return track;
  const joined = { ...track[index - 1], end: track[index].end };
  return replaceSpans(track, index - 1, 2, [joined]);
}

/** The boundary stays between its neighbors. */
function moveCut(track, index, frame) {
  const before = track[index - 1];
  const after = track[index];
  const to = Math.min(Math.max(frame, before.start + 1), after.end - 1);
  if (to === after.start) return track;
  return replaceSpans(track, index - 1, 2, [{ ...before, end: to }, { ...after, start: to }]);
}

/** The new span keeps its label if it has one throughout. */
function markSpan(track, from, to) {
  if (from >= to) return track;
  const cut = cutTrack(cutTrack(track, from), to);
  const first = cut.findIndex(({ start }) => start === from);
  const last = cut.findIndex(({ end }) => end === to);
  if (first === last) return cut;
  return replaceSpans(cut, first, last - first + 1, [gapOf(from, to)]);
}

/** Returns 0 if there is no inner boundary. */
function nearestInnerCut(track, recording, time) {
  let best = 0;
  let distance = Infinity;
  for (let index = 1; index < track.length; index += 1) {
    const found = Math.abs(cutTime(recording, track[index].start) - time);
    if (found < distance) [best, distance] = [index, found];
  }
  return best;
}

/** Ignored frames count as labeled, because somebody decided about them. */
function labeledFrames(track) {
  return track.reduce((sum, span) => sum + (isOpen(span) ? 0 : span.end - span.start), 0);
}

function guessedFrames(track) {
  return track.reduce((sum, { start, end, isGuess }) => sum + (isGuess ? end - start : 0), 0);
}

/**
 * Returns the track and what had to be changed.
 *
 * A boundary goes to the first frame that is not before it, so exactly the covered frames stay
 * covered. Segments without a frame are dropped.
 */
function trackOfSegments(segments, recording) {
  const { times, frameCount } = recording;
  const report = { moved: 0, dropped: 0 };
  const isOn = (time) => time === recording.end || times[lowerBound(times, time)] === time;
  const spans = [];
  let next = 0;
  for (const { start, end, plank, form } of segments) {
    const first = lowerBound(times, start);
    const last = lowerBound(times, end);
    report.moved += (isOn(start) ? 0 : 1) + (isOn(end) ? 0 : 1);
    if (first >= last) {
      report.dropped += 1;
      continue;
    }
    if (first > next) spans.push(gapOf(next, first));
    spans.push({ start: first, end: last, plank, form });
    next = last;
  }
  if (next < frameCount) spans.push(gapOf(next, frameCount));
  return { track: spans, ...report };
}

const CSV_HEADER = 'start,end,plank,form';

/** The shortest decimal that reads back to the same number; `2` is written `2.0`. */
function timeText(time) {
  const text = String(time);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function csvText(track, recording) {
  const rows = track.filter((span) => !isOpen(span)).map(({ start, end, plank, form }) => {
    const times = [start, end].map((frame) => timeText(cutTime(recording, frame)));
    return [...times, plank, form].join(',');
  });
  return `${[CSV_HEADER, ...rows].join('\n')}\n`;
}

/** Throws an Error with the line, what was found and what is allowed. */
function parseCSV(text, recording) {
  const lines = text.replace(/^\uFEFF/, '').split('\n').map((line) => line.replace(/\r$/, ''));
  while (lines.length > 0 && lines[lines.length - 1] === '') lines.pop();
  if (lines[0] !== CSV_HEADER) {
    const found = lines.length > 0 ? `found “${clip(lines[0])}”` : 'the file is empty';
    throw new Error(`line 1: ${found}; a labels file starts with ${CSV_HEADER}`);
  }
  const segments = [];
  for (let index = 1; index < lines.length; index += 1) {
    const segment = parseRow(lines[index], index + 1, recording);
    checkRow(segment, segments[segments.length - 1], index + 1);
    segments.push(segment);
  }
  return segments;
}

function parseRow(row, line, recording) {
  const fields = row.split(',');
  if (fields.length !== 4) {
    throw new Error(`line ${line}: found ${fields.length} fields; write ${CSV_HEADER}`);
  }
  const [start, end, plank, form] = fields;
  const planks = [...recording.plank_classes, IGNORE];
  const forms = [...recording.form_classes, ''];
  if (!planks.includes(plank)) throw unknownName(line, 'plank', plank, planks);
  if (!forms.includes(form)) {
    throw unknownName(line, 'form', form, [...recording.form_classes, 'nothing']);
  }
  return {
    start: parseTime(start, line, 'start'), end: parseTime(end, line, 'end'), plank, form,
  };
}

function parseTime(text, line, column) {
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
  if (isNumber && Number.isFinite(Number(text))) return Number(text);
  throw new Error(`line ${line}: ${column}: found “${clip(text)}”; write seconds such as 12.5`);
}

function checkRow(segment, previous, line) {
  const refuse = (problem) => {
    throw new Error(`line ${line}: ${problem}`);
  };
  if (segment.start >= segment.end) refuse('the segment must end after it starts');
  if (previous && segment.start < previous.start) {
    refuse('the segment starts before the one above it; sort the rows by start');
  }
  if (previous && segment.start < previous.end) {
    refuse('the segment overlaps the one above it; end that one earlier');
  }
  if (segment.form !== '' && !takesForm(segment.plank)) {
    refuse('a form label needs a plank class; leave form empty where plank is none or ignore');
  }
}

function unknownName(line, column, found, allowed) {
  return new Error(
    `line ${line}: ${column}: found “${clip(found)}”; allowed: ${allowed.join(', ')}`);
}

function clip(text) {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
