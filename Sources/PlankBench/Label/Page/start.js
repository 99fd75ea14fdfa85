// The last script of the page.

new LabelingApp(readRecording()).start();
