#!/usr/bin/env python3
"""The proof of a report's viewer in a headless Chromium; scripts/prove-pages viewer_page starts it.

Frames are drawn at random, shown by the page and explained by `planklab explain`: label, answer,
deciding rule, measurements, thresholds and margins must agree. The first check that fails ends the
run with exit code 1. Screenshots go to a temporary folder.
"""

import json
import math
import random

from page_proof import NO_PLACE, SCRIPTED, PageProof, arguments, prove
from viewer_bench import prove_bench
from viewer_moments import prove_moments
from viewer_sides import prove_sides
from viewer_video import prove_video

#: Options of evaluate and explain, and how many frames are compared with each.
TRIALS = [
    ([], 16),
    (["--detector", "coach", "--smoothing", "ema:cutoff=1.5Hz"], 8),
    (["--set", "elbow_split=120.5", "--debounce", "dwell:enter=0.3s+bands:elbow_split=8deg"], 8),
]
READ = """(name) => {
  const node = document.querySelector(`.viewer section[data-stream="${name}"]`);
  return {
    rule: Number(node.dataset.rule), answer: node.dataset.answer,
    title: node.querySelector('h3').textContent,
    debounce: node.querySelector('.words').textContent,
    steps: [...node.querySelectorAll('tr[data-measured]')].map((row) => ({ ...row.dataset })),
  };
}"""


class Proof(PageProof):
    """Reports with a viewer."""

    def make(self, name, dataset, *options):
        """Has the program write a page."""
        page = self.folder / f"{name}.html"
        self.run("evaluate", dataset, "--html", page, *options)
        return page

    def wait_until_shown(self, page):
        """Waits for the matrices; a replay has none."""
        page.wait_for_selector("table.matrix[role=grid], .desk.plain[data-frame]")


def open_viewer(proof, page, stream, by_keyboard=False):
    """Goes from the fullest wrong cell of a matrix to its first stretch."""
    cells = page.locator(f'table.matrix[data-stream="{stream}"] td.wrong[data-frames]')
    counts = cells.evaluate_all("(all) => all.map((cell) => Number(cell.dataset.frames))")
    cell = cells.nth(counts.index(max(counts)))
    proof.check(max(counts) > 0, f"{stream}: nothing is wrong")
    if by_keyboard:
        cell.focus()
        page.keyboard.press("Enter")
    else:
        cell.click()
    place = page.locator(".stretches")
    place.locator("ol button").first.wait_for()
    if by_keyboard:
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    else:
        place.locator("ol button").first.click()
    page.wait_for_selector(".stretches [aria-current]")
    page.wait_for_selector(".viewer[data-frame]")
    page.wait_for_timeout(150)


def is_close(shown, told):
    """Whether a number of the page is a number of `explain`, which has no more digits."""
    return math.isclose(float(shown), told, rel_tol=1e-6, abs_tol=1e-9)


def compare_frame(proof, page, options, data, index, frame):
    """What the page shows of a frame is what `planklab explain` says."""
    sequence = data["sequences"][index]
    time = page.evaluate("document.querySelector('.viewer .command').textContent").split("--at ")[1]
    told = json.loads(proof.run(
        "explain", SCRIPTED, sequence["name"], "--at", time.split(" ")[0], *options,
        "--format", "json"))
    proof.equal("the frame", told["frame"], frame)
    for stream in ("plank", "form"):
        shown, wanted = page.evaluate(READ, stream), told["streams"][stream]
        what = f"{sequence['name']}, frame {frame}, {stream}"
        proof.equal(f"{what}: answer", shown["answer"], wanted["prediction"])
        truth = wanted["truth"]
        title = f"{stream}: truth {truth}, answer {wanted['prediction']}"
        proof.equal(f"{what}: title", shown["title"], title)
        proof.equal(f"{what}: debounce", shown["debounce"], wanted["debounce"])
        decided = [place for place, rule in enumerate(wanted["rules"]) if rule["decides"]]
        proof.equal(f"{what}: rule", shown["rule"], decided[0] if decided else NO_PLACE)
        steps = [step for rule in wanted["rules"] for step in rule["conditions"]]
        proof.equal(f"{what}: comparisons", len(shown["steps"]), len(steps))
        for own, other in zip(shown["steps"], steps):
            proof.equal(f"{what}: holds", own["holds"] == "true", other["holds"])
            proof.check(is_close(own["threshold"], other["threshold"]), f"{what}: threshold")
            if other.get("value") is None:
                proof.equal(f"{what}: margin", own["margin"], "")
                continue
            proof.check(is_close(own["measured"], other["value"]), f"{what}: value {own} {other}")
            proof.check(is_close(own["margin"], other["margin"]), f"{what}: margin {own} {other}")


def prove_explanations(proof, chance):
    """From cells to frames whose reasons are those of `planklab explain`."""
    for number, (options, frames) in enumerate(TRIALS):
        page = proof.open(proof.make(f"report-{number}", SCRIPTED, *options))
        data = json.loads(page.text_content("#viewer-data"))
        open_viewer(proof, page, "plank")
        for _ in range(frames):
            name = page.text_content("#viewer-title")
            index = [one["name"] for one in data["sequences"]].index(name)
            count = int(page.get_attribute(".viewer [role=slider]", "aria-valuemax"))
            frame = chance.randrange(count + 1)
            page.locator(".viewer [role=slider]").focus()
            page.keyboard.press("Home")
            for step, key in ((10, "Shift+ArrowRight"), (1, "ArrowRight")):
                here = int(page.get_attribute(".viewer", "data-frame"))
                for _ in range((frame - here) // step):
                    page.keyboard.press(key)
            proof.equal("the frame shown", int(page.get_attribute(".viewer", "data-frame")), frame)
            compare_frame(proof, page, options, data, index, frame)
            page.keyboard.press("End")
            page.keyboard.press("n")
            page.wait_for_timeout(150)
        proof.close(page)
    print(f"  {sum(frames for _, frames in TRIALS)} frames as `planklab explain` says them")


def prove_keyboard(proof):
    """A cell, a stretch and the errors by keys alone."""
    path = proof.make("keyboard", SCRIPTED)
    proof.check(path.stat().st_size < 5_000_000, f"the page has {path.stat().st_size} bytes")
    page = proof.open(path)
    open_viewer(proof, page, "plank", by_keyboard=True)
    places = set()
    for _ in range(6):
        page.keyboard.press("n")
        page.wait_for_timeout(150)
        frame = page.get_attribute(".viewer", "data-frame")
        places.add((page.text_content("#viewer-title"), frame))
        bad = page.locator(".viewer h3.bad").count()
        proof.check(bad > 0, f"n leads to an error: {frame}")
    proof.check(len(places) > 1, "n goes on")
    proof.close(page)
    print("  keyboard")


def main():
    """Runs all proofs."""
    def body(proof):
        prove_bench(proof)
        prove_moments(proof)
        prove_video(proof)
        prove_sides(proof, random.Random(1))
        prove_explanations(proof, random.Random(1))
        prove_keyboard(proof)

    prove(Proof, "viewer_page", arguments(__doc__).parse_args(), body)


if __name__ == "__main__":
    main()
