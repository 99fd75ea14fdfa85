// Maps of a number over two parameters: the exact number under the pointer.

/** Shows a cell's values and number as the map's table has them. */
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
