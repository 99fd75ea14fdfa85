// Puts the viewer into a report: its matrices' cells lead to frames, and the address follows.

const viewerData = JSON.parse(document.getElementById('viewer-data').textContent);
const viewer = new Viewer(viewerData);
const lists = [...document.querySelectorAll('#result-0 table.matrix')].flatMap((table) => {
  const stream = viewerData.streams.find(({ name }) => name === table.dataset.stream);
  return stream ? [new StretchList(table, stream, viewerData)] : [];
});
const address = new MomentAddress(viewerData, viewer, lists);
viewer.moved = () => address.write();
for (const list of lists) {
  list.open = (index, frame) => viewer.open(index, { frame });
  list.chosen = (truth, answer) => address.choose(list, truth, answer);
}
address.read();
