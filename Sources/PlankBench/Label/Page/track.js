// Labels as spans of frames. A track covers all frames, in order and without holes:
// [{ start, end, plank, form }], half-open in frames; plank GAP stands for "not labeled".
// A span with isGuess is a detector's answer that nobody has confirmed: it is shown and never saved as a label.
// Tracks are never changed; every edit gives a new one (or the same, where nothing changes).

const GAP = '';
const IGNORE = 'ignore';

/** A track in which nothing is labeled. */
function emptyTrack(frameCount) {
  return frameCount > 0 ? [{ start: 0, end: frameCount, plank: GAP, form: '' }] : [];
}

/** The index of the span that covers a frame. */
function spanAt(track, frame) {
  return Math.max(track.findIndex((span) => frame < span.end), 0);
}

/** Whether nobody has decided on a span: it has no label, or only a detector's answer. */
function isOpen({ plank, isGuess }) {
  return plank === GAP || isGuess === true;
}

/** A span as somebody's decision. */
function confirmed({ start, end, plank, form }) {
  return { start, end, plank, form };
}

/** Makes the detector's answer at a frame a label. */
function confirmSpan(track, frame) {
  const index = spanAt(track, frame);
  if (!track[index].isGuess) return track;
  return replaceSpans(track, index, 1, [confirmed(track[index])]);
}

/** Makes labels of all of a detector's answers whose every frame was looked at. */
function confirmSeen(track, seen) {
  const isSeen = ({ start, end }) => seen.subarray(start, end).every((value) => value === 1);
  const done = track.map((span) => (span.isGuess && isSeen(span) ? confirmed(span) : span));
  return done.every((span, index) => span === track[index]) ? track : done;
}

/** Puts a detector's answers into the gaps of a track, cut where they reach beyond one. */
function fillGaps(track, guesses) {
  return track.flatMap((span) => {
    if (span.plank !== GAP) return [span];
    const spans = [];
    let next = span.start;
    for (const guess of guesses) {
      const [start, end] = [Math.max(guess.start, span.start), Math.min(guess.end, span.end)];
      if (start >= end) continue;
      if (start > next) spans.push({ start: next, end: start, plank: GAP, form: '' });
      spans.push({ ...guess, start, end, isGuess: true });
      next = end;
    }
    if (next < span.end) spans.push({ start: next, end: span.end, plank: GAP, form: '' });
    return spans;
  });
}

/** Whether a plank class can carry a form. */
function takesForm(plank) {
  return plank !== GAP && plank !== IGNORE && plank !== 'none';
}

function replaceSpans(track, index, count, spans) {
  return [...track.slice(0, index), ...spans, ...track.slice(index + count)];
}

/** Sets a boundary before a frame; both sides keep the label. */
function cutTrack(track, frame) {
  const index = spanAt(track, frame);
  const span = track[index];
  if (frame <= span.start || frame >= span.end) return track;
  return replaceSpans(track, index, 1, [{ ...span, end: frame }, { ...span, start: frame }]);
}

/**
 * Gives the span at a frame a plank class.
 *
 * A class that is corrected keeps its form. A span that was only just cut off still has the label
 * of the one on its left; there the form was nobody's decision, and another class drops it. So is the
 * form of an answer that nobody confirmed.
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

/** Gives the span at a frame a form, or none. */
function setForm(track, frame, form) {
  const index = spanAt(track, frame);
  const span = track[index];
  if (form !== '' && !takesForm(span.plank)) return track;
  if (span.form === form) return confirmSpan(track, frame);
  return replaceSpans(track, index, 1, [{ ...confirmed(span), form }]);
}

/** Gives frames a plank class; a class that is corrected keeps its form, if somebody decided on it. */
function paintPlank(track, from, to, plank) {
  return paintSpans(track, from, to, (span) => (span.plank === plank && !span.isGuess ? span
    : { ...confirmed(span), plank, form: takesForm(plank) && !span.isGuess ? span.form : '' }));
}

/** Gives frames a form, where their class takes one. */
function paintForm(track, from, to, form) {
  return paintSpans(track, from, to, (span) => (
    (span.form === form && !span.isGuess) || !takesForm(span.plank) ? span
      : { ...confirmed(span), form }));
}

/** Changes the spans within a stretch of frames; no boundary stays between what is then equal. */
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

/** Deletes the span at a frame: it becomes part of the gap around it. */
function removeSpan(track, frame) {
  const index = spanAt(track, frame);
  let first = index;
  let last = index;
  if (index > 0 && track[index - 1].plank === GAP) first -= 1;
  if (index + 1 < track.length && track[index + 1].plank === GAP) last += 1;
  if (first === last && track[index].plank === GAP) return track;
  const gap = { start: track[first].start, end: track[last].end, plank: GAP, form: '' };
  return replaceSpans(track, first, last - first + 1, [gap]);
}

/** Joins the span at a frame to the one before it, whose label stays. */
function mergeSpan(track, frame) {
  const index = spanAt(track, frame);
  if (index === 0) return track;
  const joined = { ...track[index - 1], end: track[index].end };
  return replaceSpans(track, index - 1, 2, [joined]);
}

/** Moves the boundary before span `index` to a frame, kept between its neighbors. */
function moveCut(track, index, frame) {
  const before = track[index - 1];
  const after = track[index];
  const to = Math.min(Math.max(frame, before.start + 1), after.end - 1);
  if (to === after.start) return track;
  return replaceSpans(track, index - 1, 2, [{ ...before, end: to }, { ...after, start: to }]);
}

/**
 * Makes a stretch of frames a span of its own, which keeps its label where it had one throughout.
 */
function markSpan(track, from, to) {
  if (from >= to) return track;
  const cut = cutTrack(cutTrack(track, from), to);
  const first = cut.findIndex(({ start }) => start === from);
  const last = cut.findIndex(({ end }) => end === to);
  if (first === last) return cut;
  return replaceSpans(
    cut, first, last - first + 1, [{ start: from, end: to, plank: GAP, form: '' }]);
}

/** The span whose inner boundary is nearest to a time, or 0 where there is no inner boundary. */
function nearestInnerCut(track, recording, time) {
  let best = 0;
  let distance = Infinity;
  for (let index = 1; index < track.length; index += 1) {
    const found = Math.abs(cutTime(recording, track[index].start) - time);
    if (found < distance) [best, distance] = [index, found];
  }
  return best;
}

/** How many frames carry a label; ignored ones count, somebody decided on them. */
function labeledFrames(track) {
  return track.reduce((sum, span) => sum + (isOpen(span) ? 0 : span.end - span.start), 0);
}

/** How many frames carry a detector's answer that nobody has confirmed. */
function guessedFrames(track) {
  return track.reduce((sum, { start, end, isGuess }) => sum + (isGuess ? end - start : 0), 0);
}

/**
 * The track of segments in seconds, with what had to be changed.
 *
 * A boundary goes to the first frame not before it: exactly the frames that the segment covered
 * stay covered. Segments without a frame are dropped.
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
    if (first > next) spans.push({ start: next, end: first, plank: GAP, form: '' });
    spans.push({ start: first, end: last, plank, form });
    next = last;
  }
  if (next < frameCount) spans.push({ start: next, end: frameCount, plank: GAP, form: '' });
  return { track: spans, ...report };
}

// labels.csv: start,end,plank,form; half-open segments in seconds.

const CSV_HEADER = 'start,end,plank,form';

/** A time as the shortest decimal that reads back to the same number; `2` is written `2.0`. */
function timeText(time) {
  const text = String(time);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The labeled spans of a track as the text of a labels file; what nobody has confirmed is left out. */
function csvText(track, recording) {
  const rows = track.filter((span) => !isOpen(span)).map(({ start, end, plank, form }) => {
    const times = [start, end].map((frame) => timeText(cutTime(recording, frame)));
    return [...times, plank, form].join(',');
  });
  return `${[CSV_HEADER, ...rows].join('\n')}\n`;
}

/**
 * The segments of a labels file.
 *
 * Throws an Error that names the line, what was found and what is allowed.
 */
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
