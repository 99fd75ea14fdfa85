"""Proofs of the workbench of a report: where its parts stand, and that nothing moves between them."""

import json
import shutil

from page_proof import SCRIPTED

#: The place and size in the page of everything that must not move.
PLACES = """() => [...document.querySelectorAll(
  '.verdict, .fixes, .fix, .people, .workbench, .matrices, .matrix td, .stretches, .stage, .pictures, '
  + '.timeline, .under, .ribbons, .evidence, .folds, .provenance')].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [node.tagName + '.' + node.className, x, width || height ? y + scrollY : 0, width, height]
      .map((one) => (typeof one === 'number' ? Math.round(one * 10) / 10 : one)); })"""
BOXES = """() => Object.fromEntries(['matrices', 'stretches', 'stage'].map((name) => {
  const { left, right, top, bottom } = document.querySelector('.' + name).getBoundingClientRect();
  return [name, { left, right, top, bottom }]; }))"""


def shown(page):
    """The recording and the frame that the viewer shows."""
    return page.text_content("#viewer-title"), int(page.get_attribute(".viewer", "data-frame"))


def opened(proof, path, **context):
    """Opens a page and waits for the moment that it shows by itself."""
    page = proof.open(path, **context)
    page.wait_for_selector(".viewer[data-frame]")
    proof.settle(page)
    return page


def moved(page, before):
    """What is elsewhere now."""
    return [pair for pair in zip(before, page.evaluate(PLACES)) if pair[0] != pair[1]][:3]


def prove_order(proof, path):
    """Verdict, workbench, fixes, people, evidence, folds, provenance; a short first sentence."""
    page = opened(proof, path)
    names = ["verdict", "workbench", "fixes", "people", "evidence", "folds", "provenance"]
    tops = [page.locator(f".{name}").first.bounding_box()["y"] for name in names]
    proof.equal("the order of the parts", sorted(tops), tops)
    words = page.inner_text("h1").split()
    proof.check(len(words) <= 20, f"the first sentence has {len(words)} words")
    proof.check("`" not in page.inner_text(".verdict"), "a backquote is shown")
    proof.check(page.locator(".verdict code").count() > 0, "names are set as code")
    proof.close(page)
    print("  order and first sentence")


def prove_columns(proof, path):
    """Three columns on a wide screen, two on a narrower one, one on a phone."""
    for width, columns in ((1440, 3), (1100, 2), (700, 1)):
        page = opened(proof, path, viewport={"width": width, "height": 900})
        box = page.evaluate(BOXES)
        beside = [box["matrices"]["right"] <= box["stretches"]["left"],
                  box["stretches"]["right"] <= box["stage"]["left"]]
        proof.equal(f"{width}: columns", 1 + sum(beside), columns)
        cut = page.evaluate("[...document.querySelectorAll('.matrices .scroll')].filter((one) => "
                            "one.scrollWidth > one.clientWidth + 1).length")
        proof.equal(f"{width}: cut matrices", cut, 0)
        proof.close(page)
    print("  columns")


def prove_phone(proof, path):
    """A stretch that is chosen on a phone brings its picture into sight."""
    page = opened(proof, path, viewport={"width": 390, "height": 844})
    page.locator("button.stretch").nth(1).click()
    page.wait_for_timeout(300)
    box = page.locator(".pictures").bounding_box()
    proof.check(0 <= box["y"] < 844 - 200, f"a phone shows the picture: {box}")
    proof.close(page)


def prove_still(proof, name, path):
    """Nothing moves between the first paint, cells, stretches and errors."""
    for width in (1440, 1100):
        page = opened(
            proof, path, viewport={"width": width, "height": 1000},
            script=f"addEventListener('DOMContentLoaded', () => {{ window.early = ({PLACES})(); }})")
        # On a narrower screen, sentences break anew once the scripts have added theirs.
        early = page.evaluate("early" if width == 1440 else PLACES)
        proof.equal(f"{name}, {width}: what moved since the page was there", moved(page, early), [])
        first = shown(page)
        steps = [page.locator(".workbench td[data-frames]:not([data-frames='0']):visible"),
                 page.locator("button.stretch:visible")]
        for buttons in steps:
            for place in range(min(3, buttons.count())):
                buttons.nth(place).click()
                page.wait_for_timeout(200)
                proof.equal(f"{name}, {width}: what a click moved", moved(page, early), [])
        proof.check(shown(page) != first or not steps[1].count(), f"{name}, {width}: the viewer shows the stretch")
        for key in ("]", "}", ".", "Shift+ArrowRight", "["):
            page.keyboard.press(key)
            page.wait_for_timeout(150)
            proof.equal(f"{name}, {width}: what {key} moved", moved(page, early), [])
        proof.close(page)


def prove_links(proof):
    """Links to moments are shown where the page holds the recording, and move the viewer."""
    path = proof.make("links", SCRIPTED)
    page = opened(proof, path)
    links = page.locator("a.show")
    proof.check(links.count() > 1, "there are links")
    for place in range(links.count()):
        link = links.nth(place)
        parts = dict(part.split("=") for part in link.get_attribute("href")[1:].split("&"))
        for _ in range(2):
            link.scroll_into_view_if_needed()
            link.click()
            page.wait_for_timeout(300)
            proof.equal("the recording", shown(page)[0], parts["seq"].replace("%2D", "-"))
            time = float(page.inner_text(".viewer .place").split(" ")[0])
            proof.check(abs(time - float(parts["t"])) < 0.002, f"{parts}: {time}")
            box = page.locator(".pictures").bounding_box()
            proof.check(0 <= box["y"] < 600, f"the picture is in sight: {box}")
            page.keyboard.press(",")
    proof.close(page)
    page = opened(proof, proof.make("one-link", SCRIPTED, "--viewer-sequences", "1"))
    data = json.loads(page.text_content("#viewer-data"))
    held = {one["name"] for one in data["sequences"] if one["block"] is not None}
    proof.equal("one recording is held", len(held), 1)
    for link in page.locator("a.show").all():
        name = link.get_attribute("href").split("seq=")[1].split("&")[0].replace("%2D", "-")
        proof.equal(f"the link to {name} is shown", link.is_visible(), name in held)
    proof.close(page)
    print("  links to moments")


def prove_ribbons(proof, path):
    """A click on a recording's ribbon shows that moment."""
    page = opened(proof, path)
    rows = page.locator(".ribbons > li")
    for place in (1, 2, 7):
        row = rows.nth(place)
        longest = float(row.locator("xpath=..").get_attribute("data-seconds"))
        picture = row.locator("svg").bounding_box()
        row.locator("svg").click(position={"x": picture["width"] * 0.2, "y": 10})
        page.wait_for_timeout(250)
        proof.equal("the recording", shown(page)[0], row.locator(".name").inner_text())
        place_ = page.inner_text(".viewer .place").split(" ")
        proof.check(abs(float(place_[0]) - longest * 0.2) < 0.3, f"{place_}: {longest * 0.2}")
        proof.equal("the row is marked", row.get_attribute("aria-current"), "true")
    proof.close(page)
    print("  ribbons")


def prove_evidence(proof, path, result):
    """The bars and points behind a limit are those of the JSON."""
    fix = json.loads(result.read_text())["result"]["next"]["fixes"][0]
    found = fix["evidence"]["distribution"]
    page = opened(proof, path)
    panel = page.locator(".evidence").first
    proof.check(fix["parameter"] in panel.locator("h2").inner_text(), "the panel of the first fix")
    for one in found["classes"]:
        bars = panel.locator(f".in-{one['label']} title").all_text_contents()
        told = [float(bar.split(": ")[1].split(" s")[0]) for bar in bars]
        proof.equal(f"bars of {one['label']}", len(told), sum(time > 0 for time in one["seconds"]))
        proof.check(abs(sum(told) - sum(one["seconds"])) < 0.05 * len(told) + 1e-6, f"{one['label']}: {told}")
    ends = [found["start"], found["start"] + found["width"] * len(found["classes"][0]["seconds"])]
    points = [one for one in fix["evidence"]["curve"]
              if ends[0] <= found["sign"] * one["value"] <= ends[1]]
    proof.equal("points of the curve", panel.locator("circle.point").count(), len(points))
    names = panel.locator(".limit-name").all_text_contents()
    proof.equal("limits", names, [f"now {fix['from']:g}", f"try {fix['to']:g}"])
    proof.close(page)
    print("  evidence")


def prove_nothing_wrong(proof):
    """One recording without an error: no stretches, no people, and it can be looked at."""
    folder = proof.folder / "right"
    shutil.copytree(SCRIPTED, folder)
    files = [next(folder.rglob(f"s05-clip.{end}")).relative_to(folder)
             for end in ("poses.jsonl", "labels.csv")]
    (folder / "dataset.yaml").write_text(json.dumps({"sequences": [
        {"poses": str(files[0]), "labels": str(files[1])}]}))
    page = opened(proof, proof.make("right", folder))
    proof.check("The answer is right in every scored frame." in page.inner_text(".stretches"), "nothing wrong")
    proof.check("are right in all" in page.inner_text("h1"), page.inner_text("h1"))
    proof.equal("people", page.locator(".people").count(), 0)
    proof.equal("evidence", page.locator(".evidence").count(), 0)
    proof.check(shown(page)[0].endswith("s05-clip"), "the recording is shown")
    proof.accessible(page, "nothing wrong")
    proof.close(page)
    print("  nothing wrong, one person")


def prove_bench(proof):
    """All proofs of this file."""
    path, result = proof.folder / "bench.html", proof.folder / "bench.json"
    proof.run("evaluate", SCRIPTED, "--html", path, "--output", result)
    for part in (prove_order, prove_columns, prove_phone, prove_ribbons):
        part(proof, path)
    prove_still(proof, "evaluate", path)
    print("  first paint, cell, stretch, frame: nothing moves")
    prove_nothing_wrong(proof)
    prove_links(proof)
    prove_evidence(proof, path, result)
