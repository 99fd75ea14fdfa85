/** Uses a selection if the clipboard is not available, as in a file opened from disk. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = element('textarea', { value: text, readOnly: true, className: 'clip' });
    document.body.append(field);
    field.select();
    const isDone = document.execCommand('copy');
    field.remove();
    return isDone;
  }
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const title = button.textContent;
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(button.dataset.copy)) ? 'Copied' : 'Select and copy';
    setTimeout(() => { button.textContent = title; }, 1500);
  });
}

function showCell(map, cells, event) {
  const table = map.querySelector('.grid-numbers');
  const box = cells.querySelector('.ground').getBoundingClientRect();
  const rows = table.tBodies[0].rows;
  const columns = table.tHead.rows[0].cells;
  const across = Math.floor((event.clientX - box.left) / box.width * (columns.length - 1));
  const down = Math.floor((event.clientY - box.top) / box.height * rows.length);
  const row = rows[Math.min(Math.max(down, 0), rows.length - 1)];
  const column = Math.min(Math.max(across, 0), columns.length - 2);
  const cell = row.cells[column + 1];
  const { column: x, columnUnit, row: y, rowUnit, metric } = table.dataset;
  const unit = (text, name) => (name ? `${text} ${name}` : text);
  map.querySelector('.readout').textContent =
    `${x} ${unit(columns[column + 1].textContent, columnUnit)}, `
    + `${y} ${unit(row.cells[0].textContent, rowUnit)}: ${metric} ${cell.textContent}`
    + (cell.classList.contains('on') ? ', as good as the best' : '');
  const cursor = cells.querySelector('.cursor');
  cursor.setAttribute('x', column);
  cursor.setAttribute('y', row.sectionRowIndex);
  cursor.setAttribute('visibility', 'visible');
}

for (const map of document.querySelectorAll('.map')) {
  const area = map.querySelector('.area');
  const readout = map.querySelector('.readout');
  if (!map.querySelector('.grid-numbers')) continue;
  const cells = area.querySelector('.cells');
  const idle = readout.textContent;
  readout.hidden = false;
  area.addEventListener('pointermove', (event) => showCell(map, cells, event));
  area.addEventListener('pointerdown', (event) => showCell(map, cells, event));
  area.addEventListener('pointerleave', () => {
    readout.textContent = idle;
    cells.querySelector('.cursor').setAttribute('visibility', 'hidden');
  });
}

function matrixIn(table) {
  const cells = [...table.querySelectorAll('td')];
  const labels = [...table.querySelectorAll('tbody th')].map((head) => head.textContent);
  return {
    table, side: table.dataset.side, stream: { name: table.dataset.title, labels },
    count: {
      frames: cells.map((cell) => Number(cell.dataset.frames)),
      seconds: cells.map((cell) => Number(cell.dataset.seconds)),
    },
  };
}

function nameOf({ side, result }, among) {
  return [side, among > 1 || !side ? result : ''].filter(Boolean).join(', ');
}

class LiveMatrix {
  constructor(own, others, among) {
    this.own = own;
    this.among = among;
    this.others = others;
    this.table = new MatrixTable(own.stream);
    this.view = select('Cells show',
      Object.entries(VIEWS).map(([name, { title }]) => [name, title]));
    this.minus = select('minus', [['', 'nothing'],
      ...others.map((other, index) => [String(index), nameOf(other, among)])]);
    this.minus.label.hidden = others.length === 0;
    const usual = own.table.closest('[data-minus]')?.dataset.minus;
    const minus = others.findIndex(({ side }) => usual !== undefined && side === usual);
    if (minus >= 0) this.minus.field.value = String(minus);
    this.diagonal = element('input', { type: 'checkbox' });
    this.words = element('p', { className: 'words' });
    own.table.parentElement.before(
      element('div', { className: 'choices' }, this.view.label, this.minus.label,
        element('label', {}, this.diagonal, ' hide the diagonal')), this.words);
    own.table.replaceWith(this.table.node);
    for (const field of [this.view.field, this.minus.field, this.diagonal]) {
      field.addEventListener('change', () => this.show());
    }
    this.show();
  }

  show() {
    const view = VIEWS[this.view.field.value];
    const other = this.others[this.minus.field.value];
    this.words.textContent = view.words;
    const name = nameOf(this.own, this.among);
    this.table.show(other ? `${name} minus ${nameOf(other, this.among)}` : name, this.own.count,
      other && other.count, view, this.diagonal.checked);
  }
}

function makeTabs(sections) {
  const tabs = sections.map((section, index) => element('button', {
    type: 'button', role: 'tab', textContent: section.dataset.name, 'aria-controls': section.id,
    id: `tab-${index}`,
  }));
  const choose = (chosen) => tabs.forEach((tab, index) => {
    tab.setAttribute('aria-selected', index === chosen);
    tab.tabIndex = index === chosen ? 0 : -1;
    sections[index].hidden = index !== chosen;
  });
  tabs.forEach((tab, index) => {
    sections[index].setAttribute('role', 'tabpanel');
    sections[index].setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => choose(index));
    tab.addEventListener('keydown', (event) => {
      const next = {
        ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: tabs.length - 1,
      }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose((next + tabs.length) % tabs.length);
      tabs[(next + tabs.length) % tabs.length].focus();
    });
  });
  const list = document.getElementById('results');
  list.append(...tabs);
  list.hidden = false;
  choose(0);
}

function openForPrint() {
  const folded = [];
  const follow = (isPrint) => {
    if (isPrint) {
      folded.push(...document.querySelectorAll('details:not([open])'));
      folded.forEach((details) => { details.open = true; });
    } else folded.splice(0).forEach((details) => { details.open = false; });
  };
  const media = matchMedia('print');
  media.addEventListener('change', () => follow(media.matches));
  if (media.matches) follow(true);
}

const sections = [...document.querySelectorAll('section.result')];
const matrices = sections.flatMap((section) => (
  [...section.querySelectorAll('table.matrix')].map((table) => (
    { ...matrixIn(table), result: section.dataset.name, section }))));
for (const own of matrices) {
  new LiveMatrix(own, matrices.filter((other) => (
    other !== own && (other.section !== own.section || other.side !== own.side)
    && other.stream.name === own.stream.name
    && other.stream.labels.join() === own.stream.labels.join())), sections.length);
}
openForPrint();
if (sections.length > 1) makeTabs(sections);
