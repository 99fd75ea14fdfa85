// Files come from and go to this computer only.

/** Offers a text as a download. */
function downloadText(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Calls back with every file that is chosen in an input. */
function onChosenFile(input, use) {
  input.addEventListener('change', () => {
    const [file] = input.files;
    if (file) use(file);
    // The same file may be chosen again.
    input.value = '';
  });
}

/** Calls back with every file that is dropped on the page. */
function onDroppedFile(use) {
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) use(file);
  });
}
