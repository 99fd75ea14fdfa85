// Where the detector is least sure: the page says where, and not what, so that labels stay a person's.

/** Goes to the next least sure stretch of the recording, or back. */
function goToDoubt(app, by) {
  const { session, recording } = app;
  const { doubts } = recording;
  if (doubts.length === 0) {
    say('the detector is sure of every frame');
    return;
  }
  const last = session.doubt ?? (by > 0 ? -1 : 0);
  session.doubt = (last + by + doubts.length) % doubts.length;
  const [start, end, changes, distance] = doubts[session.doubt];
  const [from, to] = [start, end].map((frame) => clockText(cutTime(recording, frame), 2));
  step(app, start);
  const often = `${changes} ${changes === 1 ? 'change' : 'changes'} of the answer`;
  const near = distance === null ? ''
    : `, ${(100 * distance).toFixed(1)} % of its range from a threshold`;
  say(`least sure ${session.doubt + 1} of ${doubts.length}: ${from} to ${to}, ${often}${near}`);
}

/** Marks the stretches below the overview. */
function drawDoubts(context, { doubts }, x, height, palette, timeOf) {
  context.fillStyle = palette.threshold;
  for (const [start, end] of doubts) {
    const from = x(timeOf(start));
    context.fillRect(from, height - 3, Math.max(x(timeOf(end)) - from, 2), 3);
  }
}
