#!/usr/bin/env python3
"""The proof of the pages of results in a headless Chromium; scripts/prove-report-page starts it.

Every command that takes --html writes its page and its JSON on a dataset with hostile names; the
page that `planklab report` makes of the JSON must be the same one. The first check that fails ends
the run with exit code 1. Screenshots go to a temporary folder.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTED = ROOT / "datasets" / "scripted"
HOSTILE = "</script><img src=x onerror=\"document.title='harm'\"> {{data}} & '"
#: How wide the text of an A4 sheet is, in pixels of a style sheet.
PAPER = 702
#: What opens as a table or a picture that is wider than its room.
CUT = """() => [...document.querySelectorAll('.scroll')].filter((box) =>
  box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute('aria-label'))"""


class Proof:
    """A browser, the program, and pages that must stay silent."""

    def __init__(self, browser, planklab, folder):
        self.browser = browser
        self.planklab = planklab
        self.folder = folder
        self.checks = 0

    def check(self, condition, what):
        """Ends the run where something is not so."""
        self.checks += 1
        if not condition:
            sys.exit(f"report_page: FAILED: {what}")

    def run(self, *words, statuses=(0,)):
        """Runs the program; what it prints."""
        done = subprocess.run(
            [self.planklab, *map(str, words)], capture_output=True, text=True, timeout=1200,
            cwd=self.folder)
        self.check(done.returncode in statuses, f"{words} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def open(self, path, **context):
        """Opens a page from file:// and watches what it says and asks for."""
        made = self.browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **context})
        page = made.new_page()
        page.noise, page.requested = [], []
        page.on("console", lambda message: page.noise.append(message.text))
        page.on("pageerror", lambda error: page.noise.append(str(error)))
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(path.as_uri())
        page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return page

    def close(self, page):
        """Closes a page that must have kept to itself."""
        self.check(not page.noise, f"the page says {page.noise}")
        local = all(url.startswith("file://") for url in page.requested)
        self.check(local and len(page.requested) == 1, f"the page asks for {page.requested}")
        page.context.close()


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
    }
    pages = {}
    for name, words in commands.items():
        pages[name] = folder / f"{name}.html"
        told = proof.run(*words, "--format", "json", "--html", pages[name], statuses=(0, 2, 3))
        (folder / f"{name}.json").write_text(told)
        again = folder / "again.html"
        proof.run("report", "--from", f"{name}.json", "--html", again)
        told, made = (without_name(path) for path in (pages[name], again))
        proof.check(told == made, f"{name}: the page of the saved result is another one")
    merged = [word for name in commands for word in ("--from", f"{name}.json")]
    pages["merged"] = folder / "merged.html"
    proof.run("report", *merged, "--html", pages["merged"])
    return pages


def without_name(path):
    """A page without the name of its result, which is the file's where it was saved."""
    text = path.read_text(encoding="utf-8")
    start = text.index("data-name=")
    return text[:start] + text[text.index(">", start):].split("<script", 1)[0]


def prove_access(proof, name, path):
    """Light, dark and on a phone: axe finds nothing, nothing lies outside, pictures follow."""
    fills = []
    for mode, size, scheme in (
            ("light", (1200, 900), "light"), ("dark", (1200, 900), "dark"),
            ("phone", (390, 844), "light")):
        page = proof.open(
            path, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        found = [(rule["id"], [node["html"][:160] for node in rule["nodes"][:3]])
                 for rule in Axe().run(page).response["violations"]]
        proof.check(not found, f"{name}, {mode}: axe finds {found}")
        width = page.evaluate("document.documentElement.scrollWidth")
        proof.check(width <= size[0], f"{name}, {mode}: the page is {width} wide")
        proof.check(page.locator("img").count() == 0 and "harm" != page.title(),
                    f"{name}, {mode}: a name became markup")
        if page.locator("svg rect").count():
            fills.append(page.evaluate("getComputedStyle(document.querySelector('svg rect')).fill"))
        page.screenshot(path=str(proof.folder / f"{name}-{mode}.png"), full_page=True)
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
    for controls in (".choices", "[role=tablist]", "summary"):
        shown = page.locator(controls).filter(visible=True).count()
        proof.check(shown == 0, f"{name}, print: {shown} of {controls} are shown")
    results = page.locator("section.result")
    hidden = results.count() - results.filter(visible=True).count()
    proof.check(hidden == 0, f"{name}, print: {hidden} results are hidden")
    cut = page.evaluate(CUT)
    proof.check(not cut, f"{name}, print: cut are {cut}")
    page.screenshot(path=str(proof.folder / f"{name}-print.png"), full_page=True)
    page.emulate_media(media="screen")
    wait_for_closed(proof, page, closed)
    proof.close(page)


def prove_tabs(proof, path):
    """Results take turns by the keyboard."""
    page = proof.open(path, reduced_motion="reduce")
    tabs = page.locator("[role=tab]")
    proof.check(tabs.count() == 7, f"there are {tabs.count()} tabs")
    tabs.nth(0).focus()
    for key, chosen in (("ArrowRight", 1), ("End", 6), ("ArrowRight", 0), ("ArrowLeft", 6),
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
    proof.check(page.locator("table.matrix").count() == 4, "a comparison has four matrices")
    frames = "[...document.querySelector('table.matrix').querySelectorAll('td[data-frames]')]" \
             ".map((cell) => cell.textContent)"
    first = page.evaluate(frames)
    choices = page.locator(".choices").nth(0).locator("select")
    choices.nth(0).select_option("truth")
    proof.check(page.evaluate(frames) != first, "shares of the truth are other numbers")
    choices.nth(1).select_option("0")
    caption = page.locator("table.matrix caption").nth(0).inner_text()
    proof.check("gravity minus article" in caption, f"the caption is {caption}")
    proof.close(page)


def main():
    """Runs all proofs."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--planklab", required=True)
    reader.add_argument("--chromium", required=True)
    options = reader.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="report-page-"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"])
        proof = Proof(browser, str(Path(options.planklab).resolve()), folder)
        pages = make_pages(proof)
        for name, path in pages.items():
            prove_access(proof, name, path)
            prove_print(proof, name, path)
            print(f"  {name}: {path.stat().st_size / 1000:.0f} kB; light, dark, phone, print")
        prove_tabs(proof, pages["merged"])
        prove_matrices(proof, pages["compare"])
        browser.close()
    print(f"report_page: {proof.checks} checks hold; pictures in {folder}")


if __name__ == "__main__":
    main()
