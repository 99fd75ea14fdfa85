// Buttons that copy a text.

/** Copies a text; where the clipboard is closed, as in a file opened from disk, by a selection. */
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
