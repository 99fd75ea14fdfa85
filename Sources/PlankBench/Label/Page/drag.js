// The pointer, held down.

/** Follows a drag with the main button; positions are relative to the element. */
function onDrag(target, { start = () => null, move, end = () => {} }) {
  let held = null;
  const place = (event) => {
    const box = target.getBoundingClientRect();
    return [event.clientX - box.left, box.width, event.clientY - box.top];
  };
  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    // Without the focus on what was clicked, arrow keys go on stepping through frames.
    event.preventDefault();
    document.activeElement.blur();
    target.setPointerCapture(event.pointerId);
    const [x, width, y] = place(event);
    held = { value: start(x, width, y) };
    move(x, width, held.value, y);
  });
  target.addEventListener('pointermove', (event) => {
    const [x, width, y] = place(event);
    if (held) move(x, width, held.value, y);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    target.addEventListener(name, () => {
      if (held) end(held.value);
      held = null;
    });
  }
}
