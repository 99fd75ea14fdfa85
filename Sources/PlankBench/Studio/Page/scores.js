// The scores of the values now and of what is pinned.

/** The table of metrics: start, now, pinned, and the change from one pin to the other. */
class ScoreTable {
  constructor(root, data) {
    this.data = data;
    this.columns = ['start', 'now', 'A', 'B', 'B − A'];
    this.heads = this.columns.map((title) => element('th', { scope: 'col', textContent: title }));
    const bodies = data.streams.map((stream) => this.body(stream));
    root.append(element('table', { className: 'scores' },
      element('caption', { textContent: 'Scores' }),
      element('thead', {},
        element('tr', {}, element('th', { textContent: 'metric' }), ...this.heads)),
      ...bodies.map((body) => body.node)));
    this.bodies = bodies;
  }

  body(stream) {
    const cells = METRICS.map((metric) => this.columns.map(() => element('td', {
      'data-metric': `${stream.name}.${metric.name}`,
    })));
    const rows = METRICS.map((metric, index) => element('tr', {},
      element('th', { scope: 'row', textContent: metric.title, title: metric.name }),
      ...cells[index]));
    const head = element('tr', {}, element('th', {
      scope: 'rowgroup', colSpan: this.columns.length + 1, className: 'stream',
      textContent: `${stream.name}: ${stream.true_transitions} true changes, `
        + `${stream.onsets.length} events`,
    }));
    return { cells, node: element('tbody', {}, head, ...rows) };
  }

  /** Shows metrics by stream and column; a column without any is hidden. */
  show(scores) {
    this.columns.forEach((title, column) => {
      const isShown = scores[0][title] !== undefined;
      this.heads[column].hidden = !isShown;
      this.bodies.forEach((body, stream) => {
        METRICS.forEach((metric, index) => {
          this.showCell(body.cells[index][column], metric, scores[stream], title, index);
        });
      });
    });
  }

  showCell(cell, metric, scores, title, index) {
    cell.hidden = scores[title] === undefined;
    if (cell.hidden) return;
    const value = scores[title][index];
    const isChange = title === 'B − A';
    const reference = isChange ? 0 : title === 'now' ? scores.start[index] : value;
    cell.textContent = value === null ? '–'
      : (isChange && value > 0 ? '+' : '') + value.toFixed(metric.digits).replace('-', '−');
    cell.dataset.value = value ?? '';
    cell.dataset.column = title;
    const sign = metric.isBetterHigh ? 1 : -1;
    const gain = value === null || reference === null ? 0 : sign * (value - reference);
    const least = 10 ** -metric.digits / 2;
    cell.className = gain > least ? 'better' : gain < -least ? 'worse' : '';
  }
}
