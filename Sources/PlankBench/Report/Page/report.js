// Lets the matrices of a report change what they show, and its results take turns.

/** The numbers of a matrix that stands in the page. */
function matrixIn(table) {
  const cells = [...table.querySelectorAll('td')];
  const labels = [...table.querySelectorAll('tbody th')].map((head) => head.textContent);
  return {
    table, stream: { name: table.dataset.title, labels },
    count: {
      frames: cells.map((cell) => Number(cell.dataset.frames)),
      seconds: cells.map((cell) => Number(cell.dataset.seconds)),
    },
  };
}

/** One matrix with its choices, and the same one of the other results to subtract. */
class LiveMatrix {
  constructor(own, others) {
    this.own = own;
    this.others = others;
    this.table = new MatrixTable(own.stream);
    this.view = select('Cells show',
      Object.entries(VIEWS).map(([name, { title }]) => [name, title]));
    this.minus = select('minus', [['', 'nothing'],
      ...others.map(({ result }, index) => [String(index), result])]);
    this.minus.label.hidden = others.length === 0;
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
    this.table.show(other ? `minus ${other.result}` : this.own.result, this.own.count,
      other && other.count, view, this.diagonal.checked);
  }
}

/** Shows one result at a time, chosen by tabs. */
function makeTabs(articles) {
  const tabs = articles.map((article, index) => element('button', {
    type: 'button', role: 'tab', textContent: article.dataset.name, 'aria-controls': article.id,
    id: `tab-${index}`,
  }));
  const choose = (chosen) => tabs.forEach((tab, index) => {
    tab.setAttribute('aria-selected', index === chosen);
    tab.tabIndex = index === chosen ? 0 : -1;
    articles[index].hidden = index !== chosen;
  });
  tabs.forEach((tab, index) => {
    articles[index].setAttribute('role', 'tabpanel');
    articles[index].setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => choose(index));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = (index + step + tabs.length) % tabs.length;
      choose(next);
      tabs[next].focus();
    });
  });
  const list = document.getElementById('results');
  list.append(...tabs);
  list.hidden = false;
  choose(0);
}

const articles = [...document.querySelectorAll('article')];
const matrices = articles.flatMap((article) => (
  [...article.querySelectorAll('table.matrix')].map((table) => (
    { ...matrixIn(table), result: article.dataset.name, article }))));
for (const own of matrices) {
  new LiveMatrix(own, matrices.filter(({ article, stream }) => (
    article !== own.article && stream.name === own.stream.name
    && stream.labels.join() === own.stream.labels.join())));
}
document.title = articles[0].querySelector('h1').textContent;
if (articles.length > 1) makeTabs(articles);
