// What can be taken away: the command that evaluates the same, and a thresholds file.

/** The command; every value that it does not have by itself is set. */
function commandOf(data, values) {
  const settings = data.parameters.filter(({ key, base }) => values[key] !== base)
    .map(({ key }) => `--set ${key}=${numberText(values[key])}`);
  return [data.command, ...settings].join(' ');
}

/** The text of a thresholds file. */
function thresholdsOf(data, values) {
  const file = structuredClone(data.thresholds);
  for (const { key } of data.parameters) file.parameters[key] = values[key];
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Shows a text to take away, and puts it on the clipboard where the browser allows that. */
class CopyDialog {
  constructor(root) {
    this.root = root;
    this.title = root.querySelector('h2');
    this.text = root.querySelector('textarea');
    this.status = root.querySelector('[role=status]');
    root.querySelector('button').addEventListener('click', () => root.close());
  }

  async open(title, text) {
    this.title.textContent = title;
    this.text.value = text;
    this.status.textContent = '';
    this.root.showModal();
    this.text.focus();
    this.text.select();
    try {
      await navigator.clipboard.writeText(text);
      this.status.textContent = 'Copied.';
    } catch {
      this.status.textContent = 'The browser does not allow copying: copy the selected text yourself.';
    }
  }
}
