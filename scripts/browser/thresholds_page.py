#!/usr/bin/env python3
"""The proof of the thresholds page in a headless Chromium; scripts/prove-pages thresholds_page starts it.

Random settings of every parameter go into the page by its address, and the same ones into
`planklab evaluate --set`: all matrices must agree to the frame and all metrics to 1e-9. The first
check that fails ends the run with exit code 1. Screenshots go to a temporary folder.
"""

import json
import random
import shlex
import shutil
import statistics

from page_proof import HOSTILE, SCRIPTED, PageProof, arguments, prove

#: Detectors and how many settings are tried with each: 200 in all.
TRIALS = {"gravity": 70, "coach": 60, "trunk": 40, "article": 20, "scaled": 10}
METRICS = (
    "balanced_accuracy accuracy f1_macro transitions_per_minute excess_transitions_per_minute "
    "hit_rate detection_latency_p50_s detection_latency_p90_s"
).split()
READ = """() => ({
  matrices: [...document.querySelectorAll('table.matrix')].map((table) =>
    [...table.querySelectorAll('td[data-frames]')].map((cell) => Number(cell.dataset.frames))),
  scores: Object.fromEntries([...document.querySelectorAll('td[data-column=now]')].map((cell) =>
    [cell.dataset.metric, cell.dataset.value === '' ? null : Number(cell.dataset.value)])),
  milliseconds: Number(document.documentElement.dataset.milliseconds),
})"""


class Proof(PageProof):
    """Thresholds pages."""

    def make(self, name, dataset, *options):
        """Has the program write a page."""
        page = self.folder / f"{name}.html"
        self.run("thresholds", dataset, "--html", page, *options)
        return page

    def wait_until_shown(self, page):
        """Waits until the data are unpacked."""
        page.wait_for_selector("#page:not([hidden])", timeout=120000)

    def show(self, page, address):
        """Puts values into the address and waits until they are shown."""
        page.evaluate("(address) => { location.hash = address; }", address)
        return self.shown(page, address)

    def shown(self, page, address):
        """What the page shows, once it shows the values of an address."""
        page.wait_for_function(
            "(address) => document.documentElement.dataset.shown === address", arg=address)
        return page.evaluate(READ)

    def compare(self, shown, *words):
        """Compares what the page shows with what `evaluate` says."""
        told = json.loads(self.run("evaluate", *words, "--format", "json"))["result"]
        for index, stream in enumerate(("plank", "form")):
            matrix = told["streams"][stream]["counts"]["confusion"]
            flat = [cell for row in matrix["rows"] for cell in row]
            where = f"{stream} of {' '.join(map(str, words))}"
            self.check(shown["matrices"][index] == flat, f"the matrix, {where}")
            for metric in METRICS:
                expected = told["metrics"][f"{stream}.{metric}"]
                if isinstance(expected, dict):
                    expected = None
                value = shown["scores"][f"{stream}.{metric}"]
                same = value == expected if None in (value, expected) else (
                    abs(value - expected) <= 1e-9 * max(1, abs(expected)))
                self.check(same, f"{metric} is {value} and not {expected}, {where}")


def parameters(page):
    """Key, range and start of every parameter that has a slider."""
    return page.evaluate("""() => [...document.querySelectorAll('.parameter')].map((row) => {
      const number = row.querySelector('input[type=number]');
      return { key: row.querySelector('label').textContent, least: Number(number.min),
        greatest: Number(number.max), isWhole: number.step === '1', start: number.value };
    })""")


def random_value(parameter, chance):
    """A value of a parameter: short decimals and long ones, ends too."""
    if parameter["isWhole"]:
        return chance.choice([1, 2, 3, 5, 8, chance.randint(1, 70), chance.randint(1, 300)])
    if parameter["key"] == "hold_seconds":
        return chance.choice([0, 0.02, 0.1, 0.5, round(chance.uniform(0, 2), 3), 10])
    value = chance.uniform(parameter["least"], parameter["greatest"])
    return chance.choice([round(value, 2), round(value, 4), value, parameter["start"]])


def text(value):
    """A value as the page writes it: the start is a text already."""
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else repr(value)


def prove_equality(proof, detector, trials, chance):
    """Random settings of all parameters give the numbers of `evaluate --set`."""
    page = proof.open(proof.make(detector, SCRIPTED, "--detector", detector))
    known = parameters(page)
    words = (SCRIPTED, "--detector", detector)
    proof.compare(page.evaluate(READ), *words)
    for _ in range(trials):
        values = {one["key"]: text(random_value(one, chance)) for one in known}
        moved = {
            one["key"]: values[one["key"]] for one in known
            if float(values[one["key"]]) != float(one["start"])}
        moved = {key: page.evaluate("(value) => String(value)", float(value))
                 for key, value in moved.items()}
        shown = proof.show(page, "&".join(f"{key}={value}" for key, value in moved.items()))
        settings = [word for key, value in moved.items() for word in ("--set", f"{key}={value}")]
        proof.compare(shown, *words, *settings)
    proof.close(page)
    print(f"  {detector}: {trials} random settings of {len(known)} parameters")


def prove_sliders(proof):
    """Every slider, moved by key, changes the values to what `evaluate` says; reset undoes it."""
    page = proof.open(proof.make("sliders", SCRIPTED))
    first = page.evaluate(READ)
    times = []
    for parameter in parameters(page):
        key = parameter["key"]
        page.focus(f"#parameter-{key}")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        value = page.evaluate("(id) => document.getElementById(id).value", f"parameter-{key}")
        proof.check(float(value) != float(parameter["start"]), f"{key} does not move")
        shown = proof.shown(page, f"{key}={value}")
        times.append(shown["milliseconds"])
        proof.compare(shown, SCRIPTED, "--set", f"{key}={value}")
        page.click(f"[aria-label^='Reset {key} ']")
        proof.check(proof.shown(page, "")["matrices"] == first["matrices"], f"{key} is not reset")
    proof.close(page)
    print(f"  {len(times)} sliders by key; an update takes {statistics.median(times):.1f} ms")


def prove_lines(proof):
    """A threshold's line can be dragged, and moved by key; the map can be clicked."""
    page = proof.open(proof.folder / "sliders.html")
    line = page.locator("[role=slider][aria-label='-sag']")
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 60, box["y"] + 20, steps=5)
    page.mouse.up()
    page.wait_for_function("() => document.documentElement.dataset.shown.startsWith('sag=')")
    value = page.evaluate("document.documentElement.dataset.shown").split("=")[1]
    proof.check(float(value) > 0.05, f"dragging -sag to the left gives sag {value}")
    proof.compare(page.evaluate(READ), SCRIPTED, "--set", f"sag={value}")
    line.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "(value) => document.getElementById('parameter-sag').valueAsNumber < value",
        arg=float(value))
    page.wait_for_function(
        "() => document.getElementById('map-words').textContent.includes('sag')")
    # The map is drawn anew after each change, and a click on one that is being drawn is lost.
    for _ in range(100):
        page.locator("#plateau canvas").click(position={"x": 120, "y": 40})
        page.wait_for_timeout(100)
        shown = page.evaluate("document.documentElement.dataset.shown")
        if "pike=" in shown or "form_frames=" in shown:
            break
    proof.check("pike=" in shown or "form_frames=" in shown, f"the map's click gives {shown}")
    proof.close(page)
    print("  a line follows the pointer and the arrow keys, the map takes a click")


def prove_undefined(proof):
    """A map of a metric that is undefined everywhere says so."""
    data = proof.folder / "still"
    data.mkdir()
    shutil.copy(SCRIPTED / "s05-clip.poses.jsonl", data)
    (data / "s05-clip.labels.csv").write_text("start,end,plank,form\n0.0,8.8,none,\n")
    (data / "dataset.yaml").write_text(
        "name: still\nsequences:\n  - {poses: s05-clip.poses.jsonl, labels: s05-clip.labels.csv}\n")
    page = proof.open(proof.make("still", data))
    page.locator("#plateau select").first.select_option("hit_rate")
    page.wait_for_function(
        "() => document.getElementById('map-words').textContent.endsWith('undefined on the whole map.')")
    proof.close(page)
    print("  a map of what is undefined")


def prove_marks(proof):
    """Marks on sliders are the fixes of `evaluate`; a click gains exactly what a mark says."""
    page = proof.open(proof.folder / "sliders.html")
    told = json.loads(proof.run("evaluate", SCRIPTED, "--format", "json"))["result"]
    screen = " ".join(proof.run("evaluate", SCRIPTED, "--verbose").split())
    read = "[...document.querySelectorAll('button.try')].map((button) => ({ ...button.dataset }))"
    marks = {mark["parameter"]: mark for mark in page.evaluate(read)}
    fixes = told["next"]["fixes"]
    proof.check(len(fixes) > 1, "evaluate proposes several fixes")
    best = page.inner_text("#best")
    proof.check(fixes[0]["parameter"] in best, f"the best change is {best}")
    gains = {}
    for fix in fixes:
        mark, right, advice = marks[fix["parameter"]], fix["right"][fix["stream"]], fix["advice"]
        gains[fix["parameter"]] = right["after"] - right["before"]
        proof.equal(f"{fix['parameter']} is set to", float(mark["value"]), fix["to"])
        proof.equal("points", mark["points"], f"+{100 * advice['expected']:.1f} points")
        proof.check(advice["sentence"] in mark["sentence"], f"the advice is {mark['sentence']}")
        proof.check(mark["points"] in screen, f"evaluate does not print {mark['points']}")
        proof.equal("evaluate proposes what fails", mark["fails"], "false")
    for key, mark in marks.items():
        before = page.evaluate(READ)["scores"][f"{mark['stream']}.accuracy"]
        page.click(f"button.try[data-parameter='{key}']")
        value = page.evaluate("(value) => String(Number(value))", mark["value"])
        shown = proof.shown(page, f"{key}={value}")
        proof.compare(shown, SCRIPTED, "--set", f"{key}={value}")
        gain = shown["scores"][f"{mark['stream']}.accuracy"] - before
        proof.check(abs(gain - gains.get(key, gain)) < 1e-12, f"{key} gains {gain}, not {gains.get(key)}")
        inside = page.evaluate("""(key) => {
          const row = document.getElementById(`parameter-${key}`).closest('.parameter');
          const [tick, slider] = ['.tick.best-value', 'input[type=range]']
            .map((name) => row.querySelector(name).getBoundingClientRect());
          const { min, max, valueAsNumber } = row.querySelector('input[type=range]');
          const thumb = 8 + (slider.width - 16) * (valueAsNumber - min) / (max - min);
          return Math.abs(tick.left + tick.width / 2 - slider.left - thumb);
        }""", key)
        proof.check(inside < 2, f"the tick of {key} stands {inside} px beside its value")
        page.keyboard.press("Control+z")
        proof.shown(page, "")
    proof.close(page)
    print(f"  {len(marks)} marks, of which evaluate proposes {len(fixes)}: the same to 1e-12")


def prove_undo(proof):
    """Moves can be undone and done again by keys and buttons; a drag is one move."""
    page = proof.open(proof.folder / "sliders.html")
    shown = lambda address: proof.shown(page, address)
    steps = lambda: page.inner_text("#steps")
    proof.equal("steps at first", steps(), "no moves")
    proof.check(page.is_disabled("#undo") and page.is_disabled("#redo"), "there is nothing to undo")
    box = page.locator("#parameter-sag").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2, steps=9)
    page.mouse.up()
    page.wait_for_function("() => document.documentElement.dataset.shown.startsWith('sag=')")
    first = page.evaluate("document.documentElement.dataset.shown")
    proof.equal("a drag", steps(), "1 of 1 moves")
    page.fill(".parameter:has(#parameter-pike) input[type=number]", "0.07")
    page.keyboard.press("Enter")
    shown(f"{first}&pike=0.07")
    proof.equal("two moves", steps(), "2 of 2 moves")
    page.keyboard.press("Control+z")
    shown(first)
    proof.equal("after undo", steps(), "1 of 2 moves")
    proof.equal("what was undone is said", page.inner_text("#status"), "undone: pike 0.05 to 0.07")
    page.keyboard.press("Meta+z")
    shown("")
    page.keyboard.press("Control+Shift+Z")
    shown(first)
    page.click("#redo")
    shown(f"{first}&pike=0.07")
    page.click("#undo")
    shown(first)
    page.click("#reset")
    shown("")
    proof.equal("a move forgets what was undone", steps(), "2 of 2 moves")
    page.keyboard.press("Control+z")
    shown(first)
    proof.close(page)
    print("  undo and redo by keys and buttons, a drag is one move")


def prove_distributions(proof):
    """All distributions stand above the fold, and their lines move with the sliders."""
    page = proof.open(proof.folder / "sliders.html")
    read = """() => [...document.querySelectorAll('.distribution')].map((one) => ({
      bottom: one.getBoundingClientRect().bottom,
      height: one.querySelector('canvas').getBoundingClientRect().height }))"""
    pictures = page.evaluate(read)
    lowest = max(one["bottom"] for one in pictures)
    proof.check(lowest <= 900, f"a distribution ends at {lowest} px")
    left = "() => document.querySelector('[role=slider][aria-label=elbow_split]').style.left"
    before = page.evaluate(left)
    page.focus("#parameter-elbow_split")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.documentElement.dataset.shown !== ''")
    proof.check(page.evaluate(left) != before, "the line stays while its slider moves")
    page.select_option("#rows select", "all")
    proof.check(sum(one["height"] for one in page.evaluate(read))
                > sum(one["height"] for one in pictures), "every class has a row")
    proof.close(page)
    print(f"  {len(pictures)} distributions end at {lowest:.0f} px; lines follow sliders")


def prove_cells(proof):
    """A cell lists exactly the frames that it counts, and a stretch leads into the viewer."""
    path = proof.folder / "sliders.html"
    page = proof.open(path)
    count = 0
    for address in ("", "horizontal_ratio=0.5&elbow_split=133&plank_frames=4&hold_seconds=0.1"):
        shown = proof.show(page, address)
        for place, table in enumerate(("plank", "form")):
            for cell, frames in enumerate(shown["matrices"][place]):
                if frames == 0:
                    continue
                page.locator(f"table[data-stream={table}] td[data-frames]").nth(cell).click()
                page.wait_for_function("""([table, cell]) => {
                  const nodes = [...document.querySelectorAll(`table[data-stream=${table}] td[data-frames]`)];
                  return nodes[cell].getAttribute('aria-selected') === 'true';
                }""", arg=[table, cell])
                listed = int(page.get_attribute("#cell ol", "data-frames"))
                proof.equal(f"frames of cell {cell} of {table}, {address}", listed, frames)
                count += 1
    page.locator("table[data-stream=plank] td[data-frames]").nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('#cell ol').dataset.cell === 'plank none high'")
    page.wait_for_timeout(300)
    proof.check(page.url.endswith(address + "&stream=plank&cell=none,high"), f"address {page.url}")
    page.locator("#cell li button").first.click()
    page.wait_for_selector("dialog.closeup[open] .viewer[data-frame]")
    page.wait_for_timeout(300)
    moment = page.inner_text(".viewer .now p")
    proof.check("none" in moment and "high" in moment and "wrong" in moment, f"it shows {moment}")
    frame = page.get_attribute(".closeup .viewer", "data-frame")
    words = page.inner_text(".closeup > header p")
    proof.check("horizontal_ratio 0.5, " in words, f"the values are {words}")
    command = page.inner_text(".viewer .command")
    proof.check("--set horizontal_ratio=0.5" in command, f"the command is {command}")
    page.keyboard.press("Control+z")
    page.wait_for_timeout(300)
    proof.check("&seq=" in page.url or "seq=" in page.url, f"the moment has no address: {page.url}")
    proof.check("horizontal_ratio=0.5&" in page.url, "keys of the page act behind the viewer")
    linked = page.url
    proof.accessible(page, "viewer")
    prove_closing(proof, page)
    proof.close(page)
    page = proof.open(path)
    page.evaluate("(address) => { location.hash = address; }", linked.split("#")[1])
    page.wait_for_selector("dialog.closeup[open]")
    page.wait_for_function(
        "(frame) => document.querySelector('.closeup .viewer').dataset.frame === frame", arg=frame)
    proof.check("wrong" in page.inner_text(".viewer .now p"), "the link shows other values")
    for wrong in ("stream=plank&cell=none,nothing", "seq=nobody&t=1"):
        page.evaluate("(address) => { location.hash = address; }", wrong)
        page.wait_for_selector("#alert:not([hidden])", state="attached")
        proof.check("The address names" in page.text_content("#alert"), f"{wrong} is not refused")
    proof.close(page)
    print(f"  {count} cells list the frames that they count; a stretch and its address show it")


def prove_closing(proof, page):
    """The viewer of a stretch closes by key and button, is still then, and moves nothing."""
    places = """() => [scrollY, ...[...document.querySelectorAll('.panel, fieldset, .matrix td, #cell li')]
      .map((one) => Object.values(one.getBoundingClientRect().toJSON()).join(' '))]"""
    stretch = page.locator("#cell li button").first
    opened = "() => document.querySelector('.closeup').open"
    read = "() => document.querySelector('.closeup .viewer').dataset.frame"
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.hash.includes('seq=')")
    before = page.evaluate(places)
    for close in ("Escape", "button", "playing"):
        stretch.click()
        page.wait_for_function("() => location.hash.includes('seq=')")
        proof.equal("the viewer has the keyboard", page.evaluate(
            "document.activeElement.getAttribute('role')"), "slider")
        proof.equal("what the viewer moved", page.evaluate(places), before)
        frame = int(page.evaluate(read))
        page.keyboard.press("ArrowRight")
        proof.equal("a step", int(page.evaluate(read)), frame + 1)
        page.keyboard.press("?")
        proof.equal("the keys", page.locator("dialog.keys[open]").count(), 1)
        page.keyboard.press("Escape")
        proof.check(page.evaluate(opened), "Escape closes the keys alone")
        if close == "playing":
            page.keyboard.press("l")
            page.wait_for_timeout(200)
        if close == "button":
            page.locator(".closeup > header button").click()
        else:
            page.keyboard.press("Escape")
        page.wait_for_function("() => !location.hash.includes('seq=')")
        proof.check(not page.evaluate(opened), f"{close} closes it")
        proof.check(page.evaluate("document.activeElement.closest('#cell')") is not None,
                    "the keyboard returns to the list")
        frame = page.evaluate(read)
        for key in ("l", "]", "End", "."):
            page.keyboard.press(key)
        page.wait_for_timeout(400)
        proof.equal(f"{close}: keys after it", page.evaluate(read), frame)
        proof.check("seq=" not in page.url, f"{close}: the address is {page.url}")
        page.evaluate("scrollTo(0, arguments)".replace("arguments", str(before[0])))
        proof.equal(f"{close}: what closing moved", page.evaluate(places), before)
    stretch.click()
    page.wait_for_function("() => location.hash.includes('seq=')")
    page.evaluate("""() => { location.hash = location.hash.replace('plank_frames=4', 'plank_frames=5'); }""")
    page.wait_for_function("() => document.documentElement.dataset.shown.includes('plank_frames=5')")
    page.wait_for_timeout(400)
    proof.check(page.evaluate(opened), "an address with other values opens the viewer again")
    proof.check("plank_frames=5" in page.inner_text(".viewer .command"), "with these values")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.hash.includes('seq=')")


def prove_copies(proof):
    """The command and the thresholds file that the page gives lead to its numbers; pins stay."""
    page = proof.open(proof.folder / "sliders.html")
    address = "elbow_split=133.5&sag=0.021&plank_frames=4&~A=&~B=sag:0.07"
    shown = proof.show(page, address)
    page.click("#command")
    command = shlex.split(page.input_value("#copy textarea"))
    proof.check(command[:2] == ["planklab", "evaluate"], f"the command is {command}")
    proof.compare(shown, *command[2:])
    page.keyboard.press("Escape")
    page.click("#thresholds")
    file = proof.folder / "copied.json"
    file.write_text(page.input_value("#copy textarea"))
    proof.compare(shown, SCRIPTED, "--parameters", file)
    page.keyboard.press("Escape")
    columns = page.evaluate(
        "[...document.querySelectorAll('.scores thead th')].filter((head) => !head.hidden)"
        ".map((head) => head.textContent)")
    proof.check(columns == ["metric", "start", "now", "A", "B", "B − A"], f"columns {columns}")
    page.click("#pin-A")
    page.wait_for_function("() => !document.documentElement.dataset.shown.includes('~A')")
    proof.close(page)
    print("  the copied command and file give the page's numbers")


def prove_hostile_names(proof):
    """Names with markup are shown as text, and nothing in them runs."""
    data = proof.folder / "hostile"
    shutil.copytree(SCRIPTED, data)
    manifest = data / "dataset.yaml"
    lines = manifest.read_text().splitlines()
    lines = [f"name: {json.dumps(HOSTILE)}" if line.startswith("name:") else line for line in lines]
    manifest.write_text("\n".join(lines) + "\n")
    page = proof.open(proof.make("hostile", data), color_scheme="dark", reduced_motion="reduce")
    proof.check(page.locator("#name").inner_text().startswith("gravity on </script><img"),
                "the name is not shown as it is")
    proof.check(page.locator("img").count() == 0, "the name became markup")
    proof.check("harm" not in page.title().split("'")[0], "the name ran")
    unread = "<img src=x onerror=alert(1)>=1"
    page.evaluate("(address) => { location.hash = address; }", unread)
    page.wait_for_selector("#alert:not([hidden])")
    proof.check(page.locator("img").count() == 0, "the address became markup")
    proof.close(page)
    print("  hostile names are text")


def prove_shapes(proof):
    """Every field has a name, and a map that had no room is drawn again; the rest is in page_rules."""
    for name, size, scheme in (("phone", (390, 844), "light"), ("dark", (1440, 900), "dark")):
        page = proof.open(
            proof.folder / "sliders.html", viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme)
        nameless = page.evaluate("""() => [...document.querySelectorAll(
          'button, input, select, textarea, [role=slider], canvas[tabindex]')].filter((one) =>
            !one.closest('.viewer') && !one.textContent.trim() && !one.getAttribute('aria-label')
            && !one.getAttribute('aria-labelledby') && !(one.labels && one.labels.length)).length""")
        proof.check(nameless == 0, f"{name}: {nameless} fields have no name")
        page.wait_for_selector("#plateau canvas[data-milliseconds]")
        for display in ("none", ""):  # no room to draw on, as before the first layout
            page.evaluate("""(display) => {
              document.querySelector('#plateau').style.display = display;
              window.dispatchEvent(new Event('resize'));
            }""", display)
        painted = page.evaluate("""() => {
          const canvas = document.querySelector('#plateau canvas');
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return data.some((value) => value > 0);
        }""")
        proof.check(painted, f"{name}: a map that was hidden is not drawn again")
        proof.close(page)
    print("  names of all fields, a map without room")


def main():
    """Runs all proofs."""
    def body(proof):
        chance = random.Random(1)
        for detector, trials in TRIALS.items():
            prove_equality(proof, detector, trials, chance)
        for check in (prove_sliders, prove_lines, prove_undefined, prove_marks, prove_undo, prove_distributions,
                      prove_cells, prove_copies, prove_hostile_names, prove_shapes):
            check(proof)

    prove(Proof, "thresholds_page", arguments(__doc__).parse_args(), body)


if __name__ == "__main__":
    main()
