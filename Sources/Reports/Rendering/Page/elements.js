// Texts are set as text, never as markup.

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function select(title, options) {
  const field = element('select', {},
    ...options.map(([value, text]) => element('option', { value, textContent: text })));
  return { field, label: element('label', {}, `${title} `, field) };
}
