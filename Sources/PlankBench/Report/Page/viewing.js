class RibbonRows {
  constructor(rows, data, open) {
    this.rows = rows.filter((row) => data.sequences[row.dataset.recording]?.block !== null);
    for (const row of this.rows) {
      const index = Number(row.dataset.recording);
      const name = row.querySelector('.name');
      const button = element('button', { type: 'button', className: 'name',
        textContent: name.textContent, title: name.textContent });
      name.replaceWith(button);
      button.addEventListener('click', () => open(index, { error: 'first' }));
      const picture = row.querySelector('svg');
      picture.classList.add('live');
      picture.addEventListener('click', ({ clientX }) => {
        const { left, width } = picture.getBoundingClientRect();
        const longest = Number(row.parentElement.dataset.seconds);
        const after = longest * (clientX - left) / width;
        open(index, { after: Math.min(after, Number(row.dataset.seconds)) });
      });
    }
  }

  mark(index) {
    for (const row of this.rows) {
      if (Number(row.dataset.recording) === index) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }
}

function showLinks(data, address) {
  for (const link of document.querySelectorAll('a.show')) {
    const name = readAddress(link.hash)?.seq;
    const sequence = data.sequences.find((one) => one.name === name);
    link.hidden = !sequence || sequence.block === null;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      address.go(link.hash);
    });
  }
}

function startWorkbench(node) {
  const data = JSON.parse(document.getElementById('viewer-data').textContent);
  const viewer = new Viewer(data, node);
  const panel = new StretchPanel(node.querySelector('.stretches'), data);
  const lists = [...node.querySelectorAll('table.matrix')].flatMap((table) => {
    const stream = data.streams.find(({ name }) => name === table.dataset.stream);
    return stream ? [new StretchList(table, stream, panel)] : [];
  });
  const address = new MomentAddress(data, viewer, lists);
  const ribbons = new RibbonRows(
    [...document.querySelectorAll('#result-0 .ribbons > li[data-recording]')], data,
    (index, at) => viewer.open(index, at));
  viewer.moved = () => address.write();
  viewer.taken = (index) => ribbons.mark(index);
  panel.open = (index, frame) => viewer.open(index, { frame });
  panel.cleared = () => address.clear();
  for (const list of lists) {
    list.chosen = (truth, answer) => address.choose(list, truth, answer);
  }
  const isScored = data.streams.some(({ stretches }) => stretches.length > 0);
  if (isScored) panel.fillWithAll();
  showLinks(data, address);
  address.read();
  if (viewer.opened > 0) return;
  const worst = data.streams.flatMap(({ stretches }) => stretches)
    .filter((one) => one[TRUTH] !== one[ANSWER] && (panel.lost === 0 || one[BEFORE] === one[TRUTH])
      && data.sequences[one[SEQUENCE]].block !== null)
    .reduce((most, one) => (most && most[SECONDS] >= one[SECONDS] ? most : one), null);
  const first = data.sequences.findIndex(({ block }) => block !== null);
  if (worst) viewer.open(worst[SEQUENCE], { frame: worst[FIRST], isQuiet: true });
  else if (first >= 0) viewer.open(first, { frame: 0, isQuiet: true });
}

const bench = document.querySelector('#result-0 .desk.viewer');
if (bench) startWorkbench(bench);
