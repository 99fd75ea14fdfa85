// Files come from and go to this computer only.

/** A labels file that is not what the page believes it to be. */
class ChangedFile extends Error {}

/**
 * Where labels go: into files where the browser can write them, else into the download folder.
 *
 * A dataset asks for its folder once and finds every labels file in it; a single recording asks for
 * its file.
 */
class LabelsFiles {
  constructor(dataset) {
    this.dataset = dataset;
    this.root = null;
  }

  /** Whether the browser can write files in place. */
  get canWrite() {
    const picker = this.dataset === null ? 'showSaveFilePicker' : 'showDirectoryPicker';
    return typeof window[picker] === 'function';
  }

  /**
   * Writes a labels file.
   *
   * Throws ChangedFile where `isExpected` refuses the text that the file has, and what the browser
   * throws where nothing was chosen or may be written.
   */
  async write(path, text, isExpected) {
    const file = this.dataset === null ? await this.chosenFile(path) : await this.fileOf(path);
    if (this.dataset !== null) {
      const found = await (await file.getFile()).text();
      if (found !== '' && !isExpected(found)) throw new ChangedFile(path);
    }
    const stream = await file.createWritable();
    await stream.write(text);
    await stream.close();
  }

  async chosenFile(name) {
    this.root ??= await window.showSaveFilePicker({
      id: 'planklab', suggestedName: name,
      types: [{ description: 'Labels', accept: { 'text/csv': ['.csv'] } }],
    });
    return this.root;
  }

  /** The labels file of a path in the dataset's folder, made where it is not there. */
  async fileOf(path) {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    if (parts.includes('..')) throw new Error(`${path} is outside the dataset's folder`);
    this.root ??= await this.chosenFolder();
    let folder = this.root;
    for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part);
    return folder.getFileHandle(parts[parts.length - 1], { create: true });
  }

  async chosenFolder() {
    const folder = await window.showDirectoryPicker({ id: 'planklab', mode: 'readwrite' });
    for await (const name of folder.keys()) if (/\.ya?ml$/.test(name)) return folder;
    throw new Error(`the folder ${folder.name} holds no manifest; choose that of ${this.dataset}`);
  }
}

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
