// The last script of the page.

new LabelingApp(new Queue(readQueue())).start();
