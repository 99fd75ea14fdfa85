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
  if (segment.start >= segment.end) refuse('the segment does not end after it starts');
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
