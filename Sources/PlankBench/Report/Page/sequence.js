// A sequence of the report as the figure, the strips and the detector read it.

/** What a code of the truth that names no class means, by its distance to 255. */
const NO_TRUTH = ['unlabeled', 'ignore', 'not judged'];

/** The class of a code, or why there is none. */
const className = (labels, code) => labels[code] ?? NO_TRUTH[255 - code];

/** Unpacks the block of a sequence. */
async function readSequence(index, { measurements }) {
  const data = JSON.parse(document.getElementById(`sequence-${index}-data`).textContent);
  const facts = [{ start: data.start, frames: data.frames }];
  const columns = [];
  for (const text of data.columns) {
    columns.push(new Float32Array((await unpacked(text, 4)).buffer));
  }
  return {
    ...data,
    frameCount: data.frames,
    startsMid: data.starts_mid,
    times: await frameTimes(data.times, facts),
    states: await unpacked(data.states, 1),
    truth: [await unpacked(data.truth[0], 1), await unpacked(data.truth[1], 1)],
    before: data.before && [await unpacked(data.before[0], 1), await unpacked(data.before[1], 1)],
    positions: await unpackedSteps(data.positions, data.joints.length * data.dimension),
    columns,
    strips: measurements.map((measurement, place) => ({ ...measurement, values: columns[place] })),
  };
}

/** The runs of frames with one code, as half-open ranges. */
function runsOf(count, codeAt) {
  const runs = [];
  for (let frame = 0; frame < count; frame++) {
    const code = codeAt(frame);
    const last = runs[runs.length - 1];
    if (last && last.code === code) last.end = frame + 1;
    else runs.push({ code, start: frame, end: frame + 1 });
  }
  return runs;
}
