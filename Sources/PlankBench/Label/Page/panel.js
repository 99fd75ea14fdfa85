// Everything beside the canvases: header, class buttons, segment list, messages.

const byId = (id) => document.getElementById(id);

/** Writes what is known of the recording into the header. */
function fillHeader(recording) {
  const { name, facts, frameCount, start, end } = recording;
  document.title = `${name} · labels`;
  byId('name').textContent = name;
  const known = facts.map((fact) => fact.join(' '));
  const parts = [clockText(end - start, 1), `${frameCount} frames`, ...known];
  byId('facts').textContent = parts.join(' · ');
}

/** Makes the class buttons, which double as the legend. */
function fillPads(run) {
  const planks = ['none', 'forearm', 'high', 'sideLeft', 'sideRight', 'reverse', IGNORE];
  planks.forEach((name, index) => {
    const shown = name === IGNORE ? 'i' : String(index + 1);
    byId('plank-keys').append(classButton(shown, name, () => run('plank', name)));
  });
  for (const [shown, name] of [['a', 'aligned'], ['s', 'sag'], ['d', 'pike']]) {
    byId('form-keys').append(classButton(shown, name, () => run('form', name)));
  }
  const clear = classButton('x', 'clear', () => run('clear'));
  byId('form-keys').append(clear);
}

function classButton(shown, name, onClick) {
  const button = element('button', '', `class-button class-${name}`);
  button.type = 'button';
  button.dataset.name = name;
  button.append(element('kbd', shown), element('span', name));
  button.addEventListener('click', onClick);
  return button;
}

/** Shows the position and the segment there. */
function showPosition({ recording, track, frame }) {
  const time = cutTime(recording, frame);
  byId('time').textContent = time.toFixed(3);
  byId('frame').textContent = `frame ${frame + 1} of ${recording.frameCount}`;
  const span = track[spanAt(track, frame)] || { start: 0, end: 0, plank: GAP, form: '' };
  const [from, to] = [span.start, span.end].map((cut) => cutTime(recording, cut));
  const label = spanName(span);
  byId('segment').textContent =
    `${label}: ${clockText(from, 2)} to ${clockText(to, 2)}, ${(to - from).toFixed(2)} s`;
  for (const button of document.querySelectorAll('.class-button')) {
    const { name } = button.dataset;
    button.setAttribute('aria-pressed', String(name === span.plank || name === span.form));
  }
  const slider = byId('ribbon');
  slider.setAttribute('aria-valuemin', recording.start);
  slider.setAttribute('aria-valuemax', recording.end);
  slider.setAttribute('aria-valuenow', time);
  slider.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds, ${label}`);
  const reason = missingReason(recording.states[frame]);
  byId('missing').textContent = reason;
  byId('missing').hidden = reason === '';
}

/** The label of a span in words. */
function spanName({ plank, form, isGuess }) {
  if (plank === GAP) return 'not labeled';
  const name = form === '' ? plank : `${plank}, ${form}`;
  return isGuess ? `${name}? unconfirmed` : name;
}

/** Lists the segments; a click on one goes there. */
function fillSegments({ recording, track }, goTo) {
  const rows = track.map((span) => {
    const [from, to] = [span.start, span.end].map((cut) => cutTime(recording, cut));
    const button = element('button', '', 'segment-row');
    button.type = 'button';
    button.tabIndex = -1;
    button.append(
      element('i', '', `swatch class-${span.plank || 'gap'}${span.isGuess ? ' guess' : ''}`),
      element('span', clockText(from, 2), 'number'), element('span', spanName(span), 'name'),
      element('span', `${(to - from).toFixed(2)} s`, 'number'));
    button.addEventListener('click', () => goTo(span.start));
    const row = element('li');
    row.append(button);
    return row;
  });
  byId('segments').replaceChildren(...rows);
  const percent = (frames) => Math.floor((100 * frames) / Math.max(recording.frameCount, 1));
  const guessed = guessedFrames(track);
  byId('progress').textContent = `${percent(labeledFrames(track))} % labeled`
    + (guessed > 0 ? `, ${percent(guessed)} % unconfirmed` : '');
  for (const command of ['confirm', 'confirmSeen']) {
    document.querySelector(`[data-command="${command}"]`).hidden = recording.guesses.length === 0;
  }
}

/** Marks the segment of the playhead in the list and keeps it in sight. */
function markSegment(index) {
  const list = byId('segments');
  const row = list.children[index];
  const marked = list.querySelector('[aria-current]');
  if (!row || marked === row.firstChild) return;
  if (marked) {
    marked.removeAttribute('aria-current');
    marked.tabIndex = -1;
  }
  row.firstChild.setAttribute('aria-current', 'true');
  row.firstChild.tabIndex = 0;
  if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
  const bottom = row.offsetTop + row.offsetHeight - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
}

/** Makes the lanes of the measurement strips in the place of those before. */
function makeStrips(recording) {
  byId('strips').replaceChildren();
  return recording.strips.map((column) => {
    const lane = element('div', '', 'lane strip');
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `${column.name} over time`);
    const label = element('p', column.name, 'lane-label');
    const number = element('span', '', 'value');
    const value = element('b');
    const unit = column.unit === '-' ? '' : column.unit;
    number.append(value, element('span', unit, 'unit'));
    label.append(number);
    lane.append(canvas, label, element('i', '', 'playhead'));
    byId('strips').append(lane);
    return new Strip(lane, canvas, value, column);
  });
}

/** Says in a word what just happened; screen readers hear it too. */
function say(text) {
  byId('status').textContent = text;
}

/** Shows a problem until it is closed or another message takes its place. */
function showAlert(text) {
  byId('alert-text').textContent = text;
  byId('alert').hidden = text === '';
}
