#!/usr/bin/env python3
"""Draws the pictures of pages in docs/pictures, from the committed dataset and an experiment.

    scripts/prove-pages page_pictures [--output docs/pictures]

Not a proof: it says what it wrote. Run it after a page has changed its look.
"""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from page_proof import ROOT, SCRIPTED
from playwright.sync_api import sync_playwright

#: The rules of the gate that stops a change, and the change.
RULES = """dataset: {dataset}
detector: gravity
baseline: baseline.json
rules:
  - {{metric: plank.f1_macro, largest_drop: 0.10}}
  - {{metric: form.f1_macro, largest_drop: 0.10}}
"""
CHANGE = ["--set", "horizontal_ratio=0.62", "--set", "sag=9cm"]
#: The height of a picture in CSS pixels, page by page: as far as its first screens reach.
HEIGHTS = {"evaluate": 1330, "gate": 1000, "compare": 1100, "tune": 1100, "thresholds": 900, "label": 900}


def make_pages(planklab, folder):
    """Writes a page of each kind into a folder."""

    def run(*words, statuses=(0,)):
        done = subprocess.run([planklab, *map(str, words)], capture_output=True, text=True, cwd=folder)
        if done.returncode not in statuses:
            raise SystemExit(f"{words} ends with {done.returncode}: {done.stderr}")

    # Commands on pages name the folders as a reader of the documentation types them.
    for name in ("datasets/scripted", "experiments/first-steps"):
        shutil.copytree(ROOT / name, folder / name)
    data = SCRIPTED.relative_to(ROOT)
    (folder / "gate.yaml").write_text(RULES.format(dataset=data))
    run("baseline", "update", "gate.yaml", "--reason", "start")
    gravity = ("--detector", "gravity")
    run("evaluate", data, *gravity, "--html", "evaluate.html")
    run("gate", "gate.yaml", *CHANGE, "--html", "gate.html", statuses=(2,))
    run("compare", data, "gravity", "coach", "--html", "compare.html")
    run("tune", "experiments/first-steps", "--html", "tune.html")
    run("thresholds", data, *gravity, "--html", "thresholds.html")
    run("label", data, *gravity, "--html", "label.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--planklab", required=True)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "pictures")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        make_pages(Path(arguments.planklab).resolve(), folder)
        browser = playwright.chromium.launch(
            executable_path=arguments.chromium, args=["--no-sandbox"])
        for kind, height in HEIGHTS.items():
            page = browser.new_page(
                viewport={"width": 1440, "height": height}, color_scheme="light")
            page.goto((folder / f"{kind}.html").as_uri())
            page.wait_for_timeout(800)
            target = arguments.output / f"page-{kind}.png"
            page.screenshot(path=target, scale="css")
            print(f"wrote {target} ({target.stat().st_size / 1000:.0f} kB)")
        browser.close()


if __name__ == "__main__":
    main()
