#!/usr/bin/env python3
"""The proof of the pages of results in a headless Chromium; scripts/prove-pages report_page starts it.

Every command that takes --html writes its page and its JSON on a dataset with hostile names; the
page that `planklab report` makes of the JSON must be the same one. The first check that fails ends
the run with exit code 1. Screenshots go to a temporary folder.
"""

import json
import math
import re
import shutil

from page_proof import HOSTILE, SCRIPTED, PageProof, arguments, prove

#: How wide the text of an A4 sheet is, in pixels of a style sheet.
PAPER = 702
#: The parts of pages in which the viewer stands; they are others where there are no poses.
VIEWED = {"compare": "seconds", "gate": "changed", "replay": "frames"}
#: What opens as a table or a picture that is wider than its room.
CUT = """() => [...document.querySelectorAll('.scroll')].filter((box) =>
  box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute('aria-label'))"""


class Proof(PageProof):
    """Pages of results, made in a folder of their own."""

    viewport = {"width": 1200, "height": 900}

    @property
    def directory(self):
        """Where the program runs: names in results are then the same wherever the folder is."""
        return self.folder


def hostile_dataset(folder):
    """A copy of the scripted dataset whose name is made to do harm."""
    data = folder / "data"
    shutil.copytree(SCRIPTED, data)
    manifest = data / "dataset.yaml"
    lines = [f"name: {json.dumps(HOSTILE)}" if line.startswith("name:") else line
             for line in manifest.read_text().splitlines()]
    manifest.write_text("\n".join(lines) + "\n")


def gate(folder, detector):
    """A gate with a hostile name of a rule."""
    (folder / "gate.yaml").write_text(
        f"dataset: data\nbaseline: baseline.json\ndetector: {detector}\nresamples: 200\nrules:\n"
        f"  - {{metric: plank.f1_macro, margin: 0.02, name: {json.dumps(HOSTILE)}}}\n"
        "  - {metric: form.f1_macro, margin: 0.05, severity: warning}\n"
        "  - {metric: plank.flickers_per_minute, at_most: 2}\n")


def experiment(folder):
    """A small experiment with a hostile question."""
    (folder / "small").mkdir()
    (folder / "small" / "experiment.yaml").write_text(
        f"question: {json.dumps(HOSTILE)}\ndataset: ../data\ndetector: gravity\naxes:\n"
        "  sag: {from: 1cm, to: 9cm, step: 1cm}\n  pike: {from: 1cm, to: 9cm, step: 1cm}\n"
        "  elbow_split: {from: 100deg, to: 170deg, step: 10deg}\n"
        "objective: [plank.balanced_accuracy, form.balanced_accuracy]\n"
        "tolerance: 0.01\nresamples: 20\nseed: 1\n")


def make_pages(proof):
    """Every command's page by name; each equals the one made of its JSON."""
    folder = proof.folder
    hostile_dataset(folder)
    gate(folder, "gravity")
    proof.run("baseline", "update", "gate.yaml", "--reason", "start", "--allow-dirty")
    gate(folder, "article")
    experiment(folder)
    commands = {
        # A saved result has no poses; the viewer has a proof of its own.
        "evaluate": ("evaluate", "data", "--viewer-sequences", "0"),
        "compare": ("compare", "data", "gravity", "article", "--resamples", "200"),
        "gate": ("gate", "gate.yaml"),
        "tune": ("tune", "small"),
        "sweep": ("sweep", "small", "--store", "cells.sqlite"),
        "smoothers": ("smoothers", "compare", "data"),
        "replay": ("replay", "data", "s01-floor"),
        "suggest": ("suggest", "data", "--detector", "trunk"),
    }
    pages = {}
    for name, words in commands.items():
        pages[name] = folder / f"{name}.html"
        told = proof.run(*words, "--format", "json", "--html", pages[name], statuses=(0, 2, 3))
        (folder / f"{name}.json").write_text(told)
        again = folder / "again.html"
        proof.run("report", "--from", f"{name}.json", "--html", again)
        told, made = (kept_parts(path, name) for path in (pages[name], again))
        proof.check(told == made, f"{name}: the page of the saved result is another one")
    merged = [word for name in commands for word in ("--from", f"{name}.json")]
    pages["merged"] = folder / "merged.html"
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


def prove_access(proof, name, path):
    """Light, dark and on a phone: axe finds nothing, nothing lies outside, pictures follow."""
    fills = []
    for mode, size, scheme in (
            ("light", (1200, 900), "light"), ("dark", (1200, 900), "dark"),
            ("phone", (390, 844), "light")):
        page = proof.open(
            path, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        proof.accessible(page, f"{name}, {mode}")
        width = page.evaluate("document.documentElement.scrollWidth")
        proof.check(width <= size[0], f"{name}, {mode}: the page is {width} wide")
        proof.check(page.locator("img").count() == 0 and "harm" != page.title(),
                    f"{name}, {mode}: a name became markup")
        if page.locator("svg rect").count():
            fills.append(page.evaluate("getComputedStyle(document.querySelector('svg rect')).fill"))
        proof.shot(page, f"{name}-{mode}", whole=True)
        proof.close(page)
    if fills:
        proof.check(fills[0] == fills[2] != fills[1], f"{name}: the picture's ground is {fills}")


def wait_for_closed(proof, page, count):
    """Waits until so many parts are closed; the policy forbids Playwright's own waiting."""
    closed = page.locator("details:not([open])")
    for _ in range(100):
        if closed.count() == count:
            return
        page.wait_for_timeout(50)
    proof.check(False, f"{closed.count()} parts are closed, not {count}")


def prove_print(proof, name, path):
    """On paper everything is open, without controls, and no table is cut."""
    page = proof.open(path, viewport={"width": PAPER, "height": 1000})
    closed = page.locator("details:not([open])").count()
    page.emulate_media(media="print")
    wait_for_closed(proof, page, 0)
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
    wait_for_closed(proof, page, closed)
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


def fixed(value, decimals):
    """A number as pages write it: halves are rounded away from zero."""
    scaled = math.floor(abs(value) * 10**decimals + 0.5)
    return ("-" if value < 0 and scaled else "") + f"{scaled / 10**decimals:.{decimals}f}"


def signed(value, decimals):
    """A difference as pages write it."""
    text = fixed(value, decimals)
    return "+" + text if value > 0 and float(text) else text


def prove_numbers(proof, path):
    """What a comparison's page says of every metric is what its JSON says."""
    page = proof.open(path)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    rows = page.evaluate(
        "[...document.querySelectorAll('.forest li:not(.axis)')].map((row) => row.innerText)")
    found = {row.split()[0]: " ".join(row.split()) for row in rows}
    result = json.loads(path.with_suffix(".json").read_text())["result"]
    metrics = result["pairs"][0]["comparison"]["metrics"]
    shown = [metric for metric in metrics if metric["metric"] in found]
    proof.equal("rows of the comparison", len(shown), len(found))
    proof.check(len(shown) > 10, f"only {len(shown)} metrics are shown")
    for metric in shown:
        row = found[metric["metric"]]
        before, after = metric["before"], metric["after"]
        if isinstance(before, (int, float)) and isinstance(after, (int, float)):
            proof.check(f"{fixed(before, 3)} → {fixed(after, 3)}" in row, f"{row}: {before}")
            proof.check(signed(metric["difference"], 3) in row, f"{row}: {metric['difference']}")
    text = " ".join(page.locator(".differences").all_inner_texts())
    for recording in result["pairs"][0]["recordings"]:
        lost = f"{fixed(recording['lost_s'], 2)} s lost"
        proof.check(lost in text, f"{recording['sequence']}: {lost} is not on the page")
    proof.close(page)


def main():
    """Runs all proofs."""
    def body(proof):
        pages = make_pages(proof)
        for name, path in pages.items():
            prove_access(proof, name, path)
            prove_print(proof, name, path)
            print(f"  {name}: {path.stat().st_size / 1000:.0f} kB; light, dark, phone, print")
        prove_tabs(proof, pages["merged"])
        prove_matrices(proof, pages["compare"])
        prove_numbers(proof, pages["compare"])

    prove(Proof, "report_page", arguments(__doc__).parse_args(), body)


if __name__ == "__main__":
    main()
