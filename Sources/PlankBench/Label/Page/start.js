// The last script of the page.

const recordings = new Queue(readQueue());
recordings.open(recordings.first, byId('figure')).then(
  () => new LabelingApp(recordings).start(),
  (error) => showAlert(`This browser cannot read the recording: ${error.message}`));
