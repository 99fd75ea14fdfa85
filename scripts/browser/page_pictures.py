#!/usr/bin/env python3
"""Draws the pictures of pages in docs/pictures, from the committed dataset and an experiment.

    scripts/prove-pages page_pictures

Not a proof: run it after a page has changed its look.
"""

import shutil

from page_proof import ROOT, SCRIPTED, PageProof, arguments, prove

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
HEIGHTS = {"evaluate": 1330, "gate": 1000, "compare": 1100, "tune": 1100}


class Pictures(PageProof):
    """Pages, made where the commands on them name folders as a reader of the documentation types them."""

    @property
    def directory(self):
        return self.folder

    def make(self):
        """Writes a page of each kind."""
        for name in ("datasets/scripted", "experiments/first-steps"):
            shutil.copytree(ROOT / name, self.folder / name)
        data = SCRIPTED.relative_to(ROOT)
        (self.folder / "gate.yaml").write_text(RULES.format(dataset=data))
        self.run("baseline", "update", "gate.yaml", "--reason", "start")
        self.run("evaluate", data, "--html", "evaluate.html")
        self.run("gate", "gate.yaml", *CHANGE, "--html", "gate.html", statuses=(2,))
        self.run("compare", data, "gravity", "coach", "--html", "compare.html")
        self.run("tune", "experiments/first-steps", "--html", "tune.html")


def draw(proof):
    proof.make()
    for kind, height in HEIGHTS.items():
        page = proof.browser.new_page(viewport={"width": 1440, "height": height}, color_scheme="light")
        page.goto((proof.folder / f"{kind}.html").as_uri())
        page.wait_for_timeout(800)
        page.screenshot(path=ROOT / f"docs/pictures/page-{kind}.png", scale="css")


if __name__ == "__main__":
    prove(Pictures, "page_pictures", arguments(__doc__).parse_args(), draw)
