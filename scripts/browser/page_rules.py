#!/usr/bin/env python3
"""The proof of what all nine pages must keep, in a headless Chromium.

Light and dark, 1440 and 390 pixels wide: axe-core finds nothing, the page does not scroll sideways
and is not too long, no text is cut without a hint or lies on another, targets are large enough. On
paper: at most four sheets of A4. Code: at most 180 kB, for the thresholds page with its viewer
270 kB. The first paint is measured and printed; it depends on the machine.
scripts/prove-pages page_rules starts it.
"""

import re

from page_proof import arguments, prove
from result_numbers import Proof, make_pages

#: Sheets of A4 that a page takes at most.
SHEETS = 4
#: Bytes of styles and scripts that a page takes at most. Data and WebAssembly are blocks with a type.
CODE = 180_000
#: The same for the thresholds page, which carries the viewer, too.
THRESHOLDS_CODE = 270_000
#: How tall a target is at least, in pixels, by the width of the window; a finger needs the larger.
TARGETS = {1440: 32, 390: 40}
#: How tall a page is at most with its folds closed, by the width of the window.
TALLEST = {1440: 3000, 390: 6000}
#: Texts that lie on one another: what is seen of each line, as tall as its letters.
OVERLAP = """() => {
  const boxes = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = new Range();
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      || element.closest('option, title, .said, .clip')) continue;
    const letters = 0.8 * parseFloat(getComputedStyle(element).fontSize);
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const box = { node, left, right, top: (top + bottom - letters) / 2, bottom: (top + bottom + letters) / 2 };
      for (let at = element; at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at), seen = at.getBoundingClientRect();
        if (style.display === 'inline' || style.overflow === 'visible') continue;
        box.left = Math.max(box.left, seen.left);
        box.right = Math.min(box.right, seen.right);
        box.top = Math.max(box.top, seen.top);
        box.bottom = Math.min(box.bottom, seen.bottom);
      }
      if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push(box);
    }
  }
  const meet = (a, b) => a.node !== b.node && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b))
    .map((b) => `${a.node.data.trim().slice(0, 30)} | ${b.node.data.trim().slice(0, 30)}`));
}"""
#: Targets that are too low, but for links and controls within text, and marks of pictures.
LOW = """(least) => [...document.querySelectorAll(
    'button, a[href], select, input, summary, [role=tab], [role=button]')]
  .filter((element) => element.getClientRects().length && !element.closest('p, li, td, svg, .said'))
  .map((element) => [element, (element.closest('label') || element).getBoundingClientRect()])
  .filter(([, box]) => box.height > 0 && Math.round(box.height) < least)
  .map(([element, box]) => `${element.tagName} ${element.textContent.trim().slice(0, 30)}: `
    + `${Math.round(box.height)}`)"""
#: Texts that end where their box does, without dots and without a way to scroll.
CUT = """() => [...document.querySelectorAll('body *')].filter((element) => {
  const style = getComputedStyle(element);
  return element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
    && ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis'
    && element.textContent.trim() && !element.closest('svg, .said');
}).map((element) => `${element.tagName} ${element.textContent.trim().slice(0, 40)}`)"""
#: Bytes of styles and scripts; blocks of data have a type.
SIZE = """() => [...document.querySelectorAll('style, script:not([type])')]
  .reduce((sum, element) => sum + new Blob([element.textContent]).size, 0)"""
PAINT = """() => performance.getEntriesByType('paint')
  .find((entry) => entry.name === 'first-contentful-paint')?.startTime ?? NaN"""


def prove_screens(proof, name, path):
    """Every scheme and width."""
    for scheme in ("light", "dark"):
        for width, least in TARGETS.items():
            page = proof.open(
                path, viewport={"width": width, "height": 900}, color_scheme=scheme)
            what = f"{name}, {scheme}, {width}"
            proof.accessible(page, what)
            if scheme == "light":
                tall = page.evaluate("document.documentElement.scrollHeight")
                proof.check(tall <= TALLEST[width], f"{what}: the page is {tall} tall")
                proof.equal(f"{what}: texts on texts", page.evaluate(OVERLAP)[:9], [])
            page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
            proof.accessible(page, f"{what}, open")
            if scheme == "light":
                proof.equal(f"{what}: texts that are cut", page.evaluate(CUT), [])
                proof.equal(f"{what}: targets below {least} px", page.evaluate(LOW, least), [])
            wide = page.evaluate("document.documentElement.scrollWidth")
            proof.check(wide <= width, f"{what}: the page is {wide} wide")
            proof.shot(page, f"{name}-{scheme}-{width}", whole=True)
            proof.close(page)


def prove_fingers(proof, name, path):
    """Targets on a wide screen that is touched."""
    page = proof.open(path, viewport={"width": 1440, "height": 900}, has_touch=True)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    proof.check(page.evaluate("matchMedia('(pointer: coarse)').matches"), "a finger is no pointer")
    proof.equal(f"{name}, by finger: targets below {TARGETS[390]} px",
                page.evaluate(LOW, TARGETS[390]), [])
    wide = page.evaluate("document.documentElement.scrollWidth")
    proof.check(wide <= 1440, f"{name}, by finger: the page is {wide} wide")
    proof.close(page)


def measure(proof, name, path):
    """Sheets, bytes of code and the first paint."""
    page = proof.open(path)
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    proof.check(0 < sheets <= SHEETS, f"{name}: {sheets} sheets of paper")
    code = page.evaluate(SIZE)
    most = THRESHOLDS_CODE if name == "thresholds" else CODE
    proof.check(code <= most, f"{name}: {code} bytes of code, more than {most}")
    paint = min(page.evaluate(PAINT), *(repaint(proof, path) for _ in range(3)))
    proof.close(page)
    return f"{sheets} sheets, {code / 1000:.0f} kB of code, first paint after {paint:.0f} ms"


def repaint(proof, path):
    """The first paint of one more opening, in milliseconds."""
    page = proof.open(path)
    paint = page.evaluate(PAINT)
    proof.close(page)
    return paint


def main():
    """Runs all proofs."""
    def body(proof):
        pages = {name: path for name, (path, _) in make_pages(proof, hostile=False).items()}
        data = pages["evaluate"].parent / "data"
        for name in ("thresholds", "label"):
            pages[name] = proof.folder / f"{name}.html"
            proof.run(name, data, "--html", pages[name])
        for name, path in pages.items():
            prove_screens(proof, name, path)
            prove_fingers(proof, name, path)
            print(f"  {name}: {measure(proof, name, path)}", flush=True)

    prove(Proof, "page_rules", arguments(__doc__).parse_args(), body)


if __name__ == "__main__":
    main()
