#!/usr/bin/env python3
"""The proof of saved results, printed pages and tabs in a headless Chromium; scripts/prove-pages report_page starts it.

Every command that takes --html writes its page and its JSON on a dataset with hostile names; the
page that `planklab report` makes of the JSON must be the same one.
"""

import re

from page_proof import arguments, prove
from result_numbers import Proof, make_pages

#: How wide the text of an A4 sheet is, in pixels of a style sheet.
PAPER = 702
#: The parts of pages in which the viewer stands; they are others where there are no poses.
VIEWED = {"compare": "seconds", "gate": "changed", "replay": "frames"}
#: What opens as a table or a picture that is wider than its room.
CUT = """() => [...document.querySelectorAll('.scroll')].filter((box) =>
  box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute('aria-label'))"""

CLOSED = "(count) => document.querySelectorAll('details:not([open])').length === count"


def make_and_report(proof):
    """Every command's page by name, each of which equals the one made of its JSON, and the page of all."""
    pages = {name: path for name, (path, _) in make_pages(proof, hostile=True).items()}
    proof.folder = pages["evaluate"].parent
    # A saved result has no poses; the viewer has a proof of its own.
    told = proof.run("evaluate", "data", "--viewer-sequences", "0", "--format", "json", "--html", pages["evaluate"])
    pages["evaluate"].with_suffix(".json").write_text(told)
    for name, path in pages.items():
        again = path.with_name("again.html")
        proof.run("report", "--from", f"{name}.json", "--html", again)
        proof.check(kept_parts(path, name) == kept_parts(again, name),
                    f"{name}: the page of the saved result is another one")
    merged = [word for name in pages for word in ("--from", f"{name}.json")]
    pages["merged"] = proof.folder / "merged.html"
    proof.run("report", *merged, "--html", pages["merged"])
    return pages


def kept_parts(path, name):
    """A page without the name of its result, which is the file's where it was saved.

    A saved result has no poses, so where a page shows frames, its viewer is left out as well.
    """
    text = path.read_text(encoding="utf-8")
    start = text.index("data-name=")
    text = text[:start] + text[text.index(">", start):].split("<script", 1)[0]
    if name in VIEWED:
        text = text[text.index("</style>"):]
        text = re.sub(r"<nav aria-label=.*?</nav>", "", text, flags=re.DOTALL)
        text = re.sub(rf'<div class="part" id="{VIEWED[name]}">.*?(?=<div class="part"|<details class="panel fold provenance)',
                      "", text, flags=re.DOTALL)
    return text


def prove_print(proof, name, path):
    """On paper everything is open, without controls, and no table is cut."""
    page = proof.open(path, viewport={"width": PAPER, "height": 1000})
    closed = page.locator("details:not([open])").count()
    page.emulate_media(media="print")
    proof.until(page, CLOSED, 0)
    for controls in (".choices", "[role=tablist]", "details:not(.fold) > summary"):
        shown = page.locator(controls).filter(visible=True).count()
        proof.check(shown == 0, f"{name}, print: {shown} of {controls} are shown")
    results = page.locator("section.result")
    hidden = results.count() - results.filter(visible=True).count()
    proof.check(hidden == 0, f"{name}, print: {hidden} results are hidden")
    cut = page.evaluate(CUT)
    proof.check(not cut, f"{name}, print: cut are {cut}")
    proof.shot(page, f"{name}-print", whole=True)
    page.emulate_media(media="screen")
    proof.until(page, CLOSED, closed)
    proof.close(page)


def prove_tabs(proof, path):
    """Results take turns by the keyboard."""
    page = proof.open(path, reduced_motion="reduce")
    tabs = page.locator("[role=tab]")
    proof.check(tabs.count() == 8, f"there are {tabs.count()} tabs")
    tabs.nth(0).focus()
    for key, chosen in (("ArrowRight", 1), ("End", 7), ("ArrowRight", 0), ("ArrowLeft", 7),
                        ("Home", 0)):
        page.keyboard.press(key)
        selected = page.evaluate(
            "[...document.querySelectorAll('[role=tab]')].findIndex((tab) =>"
            " tab.getAttribute('aria-selected') === 'true' && tab === document.activeElement)")
        proof.check(selected == chosen, f"{key} leads to tab {selected}")
        panels = page.locator("[role=tabpanel]").filter(visible=True)
        proof.check(panels.count() == 1, f"{key} shows {panels.count()} results")
    proof.close(page)


def prove_matrices(proof, path):
    """Both sides' matrices are tables whose numbers change, and can be subtracted."""
    page = proof.open(path)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    captions = page.locator(".workbench table.matrix caption").all_inner_texts()
    proof.equal("matrices beside the viewer", len(captions), 2)
    proof.check(all("article minus gravity" in caption for caption in captions), f"{captions}")
    proof.check(page.locator(".fold table.matrix").count() == 4, "a comparison has four matrices")
    frames = "[...document.querySelector('.fold table.matrix').querySelectorAll('td[data-frames]')]" \
             ".map((cell) => cell.textContent)"
    first = page.evaluate(frames)
    choices = page.locator(".fold .choices").nth(0).locator("select")
    choices.nth(0).select_option("truth")
    proof.check(page.evaluate(frames) != first, "shares of the truth are other numbers")
    choices.nth(1).select_option("0")
    caption = page.locator(".fold table.matrix caption").nth(0).inner_text()
    proof.check("gravity minus article" in caption, f"the caption is {caption}")
    proof.close(page)


def main():
    """Runs all proofs."""
    def body(proof):
        pages = make_and_report(proof)
        for name, path in pages.items():
            prove_print(proof, name, path)
        prove_tabs(proof, pages["merged"])
        prove_matrices(proof, pages["compare"])

    prove(Proof, "report_page", arguments(__doc__).parse_args(), body)


if __name__ == "__main__":
    main()
