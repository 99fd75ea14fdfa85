"""Proofs of how the viewer of a report is used: figure, keys, addresses, hover line, voice."""

import json
import shutil
from urllib.parse import quote

from page_proof import SCRIPTED
from viewer_data import SequenceData

#: A name that is code, an address and a fragment at once, as a file may have it.
HOSTILE_NAME = "a&t=9#%41<img src=x onerror=document.title='harm'>"
#: Where the figure is drawn, in pixels of the page; what is as pale as the floor does not count.
FIGURE_BOX = """() => {
  const canvas = document.querySelector('.figure canvas');
  const style = getComputedStyle(document.documentElement);
  const colors = ['left', 'right', 'middle'].map((name) => (
    style.getPropertyValue(`--${name}`).trim().match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16))));
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const pen = copy.getContext('2d', { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  const { data, width } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const [xs, ys] = [[], []];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 128) continue;
    if (!colors.some((color) => color.every((part, place) => Math.abs(part - data[at + place]) < 24))) continue;
    xs.push((at / 4) % width);
    ys.push(Math.floor(at / 4 / width));
  }
  const box = canvas.getBoundingClientRect();
  const span = (list) => list.reduce((most, one) => Math.max(most, one), -1)
    - list.reduce((least, one) => Math.min(least, one), Infinity) + 1;
  return {
    count: xs.length, width: span(xs) * box.width / canvas.width,
    height: span(ys) * box.height / canvas.height,
    yaw: Number(canvas.dataset.yaw), pitch: Number(canvas.dataset.pitch),
  };
}"""
#: The place and the size of everything that must not move.
PANELS = """() => [...document.querySelectorAll(
  '.viewer .head, .viewer .figure, .viewer .reasons, .viewer .reasons section, .viewer .reasons tr, '
  + '.viewer .reasons p, .viewer .why p, .stretches, .matrices, .ribbons, .viewer .transport button, .viewer .place, .viewer .now p, .viewer .lane, '
  + '.viewer canvas')]
  .map((node) => { const { x, y, width, height } = node.getBoundingClientRect();
    return [node.tagName + '.' + node.className.replace(/ *(read|decides|dim|right|wrong)/, ''),
      x, y, node.matches('.now p') ? 0 : width, height]; })"""
READOUTS = """() => [...document.querySelectorAll('.viewer .readout')]
  .map((node) => (node.offsetParent ? node.textContent : ''))"""


def frame_of(page):
    """The frame that the viewer shows."""
    return int(page.get_attribute(".viewer", "data-frame"))


def at(proof, path, address, **context):
    """Opens a page at an address and waits for the viewer."""
    page = proof.open(path, **context)
    page.evaluate("(hash) => { location.hash = hash; }", address)
    page.wait_for_selector(".viewer[data-frame]")
    page.wait_for_timeout(300)
    proof.settle(page)
    return page


def prove_figure(proof, path):
    """The first picture has the proportions of the data, and no later one another scale."""
    for size in ((1440, 900), (1024, 700), (390, 844)):
        page = at(proof, path, "#seq=s04-pelvis&t=3.5",
                  viewport={"width": size[0], "height": size[1]})
        names = [one["name"] for one in json.loads(page.text_content("#viewer-data"))["sequences"]]
        data = SequenceData(page, names.index("s04-pelvis"))
        drawn = page.evaluate(FIGURE_BOX)
        wanted = data.height_of(frame_of(page), drawn["width"], drawn["yaw"], drawn["pitch"])
        proof.check(drawn["count"] > 400, f"a figure is drawn: {drawn}")
        proof.check(abs(drawn["height"] - wanted) < 4, f"{size}: {drawn}, not {wanted} high")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        proof.equal("the same figure after two steps", page.evaluate(FIGURE_BOX), drawn)
        empty = data.states.index(1)
        page.keyboard.press("Home")
        for _ in range(empty):
            page.keyboard.press(".")
        proof.equal("no pose, no figure", page.evaluate(FIGURE_BOX)["count"], 0)
        proof.equal("but words", page.inner_text(".viewer .missing"), "no pose found in this frame")
        proof.close(page)
    print("  figure: proportions from the first frame, none without a pose")


def prove_steady(proof, path):
    """Nothing moves while stepping, playing, or after a click."""
    coach = proof.folder / "coach.html"
    proof.run("evaluate", SCRIPTED, "--detector", "coach", "--html", coach)
    for report, size in ((path, (1440, 900)), (path, (390, 844)), (coach, (1440, 900)),
                         (coach, (390, 844))):
        page = at(proof, report, "#seq=s02-sides&t=1", viewport={"width": size[0], "height": size[1]})
        before = page.evaluate(PANELS)
        for step in range(50):
            page.keyboard.press("Shift+ArrowRight" if step % 2 else "ArrowRight")
            moved = [pair for pair in zip(before, page.evaluate(PANELS)) if pair[0] != pair[1]]
            proof.equal(f"{size}, step {step}: what moved", moved[:3], [])
        lane = page.locator(".viewer .ribbon canvas").first.bounding_box()
        page.mouse.click(lane["x"] + lane["width"] * 0.4, lane["y"] + lane["height"] / 2)
        page.keyboard.press("l")
        page.wait_for_timeout(300)
        moved = [pair for pair in zip(before, page.evaluate(PANELS)) if pair[0] != pair[1]]
        proof.equal(f"{size}: what a click and playing moved", moved[:3], [])
        proof.close(page)
    page = proof.open(path)
    page.wait_for_selector(".viewer[data-frame]")
    top = "document.querySelector('.workbench').getBoundingClientRect().bottom + scrollY"
    before = page.evaluate(top)
    for cell in page.locator('table[data-stream="plank"] td[data-frames]').all()[:8]:
        cell.click()
        proof.equal("a click on a cell moves nothing", page.evaluate(top), before)
    proof.close(page)
    print("  panels: steady over 50 steps, playing and clicks")


def place(page):
    return page.inner_text(".viewer .place")


def prove_keys(proof, path):
    """Every key does what the sheet says."""
    page = at(proof, path, "#seq=s04-pelvis&t=10")
    press, start = page.keyboard.press, frame_of(page)
    for key, change in ((".", 1), (",", -1), ("ArrowRight", 1), ("ArrowLeft", -1),
                        ("Shift+ArrowRight", 10), ("Shift+ArrowLeft", -10)):
        before = frame_of(page)
        press(key)
        proof.equal(f"frames by {key}", frame_of(page) - before, change)
    for keys, speed in ((["l"], "1×"), (["l"], "2×"), (["l"], "4×"), (["l"], "4×"), (["j"], "−1×"),
                        (["j"], "−2×"), (["Shift+l"], "0.25×"), (["Shift+j"], "−0.25×")):
        for key in keys:
            press(key)
        proof.check(place(page).endswith(f" {speed}"), f"{keys}: {place(page)}, not {speed}")
        proof.equal("the button", page.inner_text(".viewer .play span"), "Pause")
    press("k")
    proof.equal("K pauses", page.inner_text(".viewer .play span"), "Play")
    page.keyboard.down("k")
    page.keyboard.down("l")
    proof.check(place(page).endswith(" 0.25×"), f"K + L: {place(page)}")
    page.keyboard.up("l")
    proof.check(not place(page).endswith("×"), "letting go of L pauses")
    page.keyboard.up("k")
    for key, sign in (("l", 1), ("j", -1), (" ", 1)):
        before = frame_of(page)
        press(key)
        page.wait_for_timeout(500)
        press("k")
        proof.check((frame_of(page) - before) * sign > 0, f"{key} plays from {before} to {frame_of(page)}")
    press("End")
    last = int(page.get_attribute(".viewer [role=slider]", "aria-valuemax"))
    proof.equal("End", frame_of(page), last)
    press("Home")
    proof.equal("Home", frame_of(page), 0)
    for text, time in (("0:10", 10), ("12.5", 12.5), ("0:01.5", 1.5), ("14", 14)):
        press("t")
        page.keyboard.type(text)
        press("Enter")
        shown = float(place(page).split(" ")[0])
        proof.check(0 <= time - shown < 0.2, f"T {text}: {shown}")
    frame = frame_of(page)
    press("t")
    page.keyboard.type("ljk 9:59")
    press("Enter")
    proof.equal("a text is no key", frame_of(page), frame)
    proof.check("1:20" in page.inner_text(".time-note"), "a wrong time is explained")
    page.locator(".go input").fill("9:59")
    press("Enter")
    proof.check("between 0:00.00" in page.inner_text(".time-note"), "a time after the end is, too")
    press("Escape")
    page.locator(".viewer [role=slider]").focus()
    prove_sheet(proof, page)
    widths = []
    for key in ("+", "-", "0"):
        press(key)
        widths.append(page.evaluate("document.querySelector('.ribbon canvas').toDataURL().length"))
    proof.check(widths[0] != widths[1], "+ zooms")
    view = page.get_attribute(".figure canvas", "aria-label")
    press("v")
    proof.check(page.get_attribute(".figure canvas", "aria-label") != view, "V turns")
    proof.check(start > 0, "an address leads to a time")
    proof.close(page)
    print("  keys")


def prove_sheet(proof, page):
    """The sheet of keys opens, lists what the handler knows, closes, and gives the focus back."""
    page.locator(".viewer .play").focus()
    frame = frame_of(page)
    page.keyboard.press("?")
    proof.equal("? opens the keys", page.locator("dialog.keys[open]").count(), 1)
    page.keyboard.press(".")
    proof.equal("keys rest below the sheet", frame_of(page), frame)
    proof.accessible(page, "keys")
    proof.shot(page, "keys")
    listed = " ".join(page.locator("dialog.keys kbd").all_inner_texts()).split()
    for key in "J K L , . [ ] { } T ? Home End Space Shift V".split():
        proof.check(key in listed, f"{key} is listed: {listed}")
    page.keyboard.press("Escape")
    proof.equal("Escape closes them", page.locator("dialog.keys[open]").count(), 0)
    focus = page.evaluate("document.activeElement.className")
    proof.equal("the focus returns", focus, "play")


def answers(page):
    return page.evaluate(
        "[...document.querySelectorAll('.viewer section[data-answer]')].map((one) => one.dataset.answer)")


def prove_jumps(proof, path):
    """An error is where truth and answer differ, a change is where the answer does."""
    page = at(proof, path, "#seq=s04-pelvis&t=0")
    changes = errors = 0
    for _ in range(5):
        page.keyboard.press("}")
        now, frame = answers(page), frame_of(page)
        page.keyboard.press(",")
        proof.check(answers(page) != now, f"no answer changes in frame {frame}")
        page.keyboard.press(".")
        changes += page.locator(".viewer h3.bad").count() == 0
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("]")
        errors += page.locator(".viewer h3.bad").count() > 0
    proof.equal("] leads to errors", errors, 2)
    proof.check(changes > 0, "a change may be right")
    frame = frame_of(page)
    page.get_by_role("button", name="Next change").click()
    page.get_by_role("button", name="Previous change").click()
    proof.equal("changes by buttons", frame_of(page) <= frame, True)
    page.keyboard.press("{")
    proof.check(frame_of(page) < frame, "{ goes back")
    page.get_by_role("button", name="Previous error").click()
    proof.check(page.locator(".viewer h3.bad").count() > 0, "errors by buttons")
    proof.close(page)
    print("  errors and changes apart")


def prove_hover(proof, path):
    """The hover line says exact values without seeking; a click seeks, a drag scrubs."""
    page = at(proof, path, "#seq=s04-pelvis&t=3.5")
    few = page.locator(".viewer .strip").filter(visible=True).count()
    page.locator(".viewer button.more").click()
    every = page.locator(".viewer .strip").filter(visible=True).count()
    proof.check(few == 3 < every, f"{few} measurements, then {every}")
    page.locator(".timeline").scroll_into_view_if_needed()
    frame, hash_ = frame_of(page), page.evaluate("location.hash")
    lane = page.locator(".viewer .ribbon canvas").first.bounding_box()
    y = lane["y"] + lane["height"] / 2
    proof.equal("no values before", "".join(page.evaluate(READOUTS)), "")
    for share in (0.2, 0.45, 0.9):
        page.mouse.move(lane["x"] + lane["width"] * share, y)
        shown = page.evaluate(READOUTS)
        proof.equal("hovering does not seek", frame_of(page), frame)
        hovered = int(shown[0].split("frame ")[1].split(":")[0])
        told = json.loads(proof.run(
            "explain", SCRIPTED, "s04-pelvis", "--at", shown[0].split(" ")[0], "--format", "json"))
        proof.equal("the frame under the pointer", told["frame"], hovered)
        for place_, stream in enumerate(("plank", "form")):
            wanted = told["streams"][stream]
            words = f"truth {wanted['truth']}, answer {wanted['prediction']}, "
            proof.check(words in shown[place_], f"{shown[place_]}: {words}")
        steps = [step for stream in told["streams"].values() for rule in stream["rules"]
                 for step in rule["conditions"]]
        names = [one["name"] for one in json.loads(page.text_content("#viewer-data"))["measurements"]]
        for name, text in zip(names, shown[2:]):
            for step in (one for one in steps if one["predicate"].split(" ")[0] == name):
                value = step.get("value")
                wanted = "missing" if value is None else f"{value:.4f}"
                proof.check(text.startswith(wanted), f"{name}: {text}, not {wanted}")
                proof.check(f"{step['threshold']:.4f}" in text, f"{name}: {text} has the limit")
    proof.shot(page, "hover")
    proof.equal("nor does the address follow", page.evaluate("location.hash"), hash_)
    page.mouse.move(10, 10)
    proof.equal("the values go with the pointer", "".join(page.evaluate(READOUTS)), "")
    page.mouse.click(lane["x"] + lane["width"] * 0.5, y)
    clicked = frame_of(page)
    proof.check(clicked > frame, "a click seeks")
    page.mouse.move(lane["x"] + lane["width"] * 0.5, y)
    page.mouse.down()
    page.mouse.move(lane["x"] + lane["width"] * 0.7, y, steps=4)
    proof.check(frame_of(page) > clicked, "a drag scrubs")
    page.mouse.up()
    proof.close(page)
    print("  hover line")


def prove_addresses(proof, path):
    """Every moment has an address that leads back to it; names are looked up, never run."""
    page = at(proof, path, "#seq=s01-floor&t=2.5")
    for key in ("]", ".", "End"):
        page.keyboard.press(key)
        page.wait_for_timeout(250)
        address = page.evaluate("location.hash")
        found = (page.text_content("#viewer-title"), frame_of(page))
        other = at(proof, path, address)
        proof.equal(f"{address} leads back", (other.text_content("#viewer-title"), frame_of(other)), found)
        proof.close(other)
    proof.close(page)
    page = proof.open(path)
    page.wait_for_selector(".viewer[data-frame]")
    page.wait_for_timeout(250)
    proof.equal("what nobody asked for has no address", page.evaluate("location.hash"), "")
    page.locator('table[data-stream="plank"] td.wrong[data-frames]').nth(1).click()
    page.wait_for_timeout(250)
    address = page.evaluate("location.hash")
    proof.check(address.startswith("#stream=plank&cell="), f"a cell has an address: {address}")
    title = page.inner_text(".stretches h3 >> nth=0")
    other = proof.open(path)
    other.evaluate("(hash) => { location.hash = hash; }", address)
    proof.settle(other)
    proof.equal("which leads to its stretches", other.inner_text(".stretches h3 >> nth=0"), title)
    proof.close(other)
    prove_unknown(proof, page)
    proof.close(page)
    print("  addresses")


def prove_unknown(proof, page):
    """An address that names nothing of the page says so."""
    shown = (page.text_content("#viewer-title"), frame_of(page))
    image = quote("<img src=x onerror=alert(1)>")
    for address, words in (
            ("#seq=nobody&t=1", "recording “nobody”"), ("#seq=__proto__&t=1", "“__proto__”"),
            ("#seq=constructor", "“constructor”"), (f"#seq={image}", "“<img src=x"),
            ("#seq=%E0%A4%A&t=1", "recording “%E0%A4%A”"), ("#stream=pose", "stream “pose”"),
            ("#stream=plank&cell=none,toString", "cell “none,toString”"),
            ("#seq=s01-floor&t=soon", "time “soon”")):
        page.evaluate("(hash) => { location.hash = hash; }", address)
        proof.settle(page)
        proof.check(words in page.inner_text(".address-note"), f"{address}: {words}")
        proof.equal(f"{address}: nothing else is shown",
                    (page.text_content("#viewer-title"), frame_of(page)), shown)
    proof.equal("no element of a name", page.locator("img").count(), 0)
    proof.accessible(page, "unknown address")
    page.evaluate("location.hash = '#seq=s01-floor&t=1'")
    page.wait_for_timeout(300)
    proof.equal("the words go", page.locator(".address-note:visible").count(), 0)


def prove_hostile_address(proof):
    """A name that is code, an address and a fragment at once goes there and back."""
    folder = proof.folder / "hostile-address"
    shutil.copytree(SCRIPTED, folder)
    manifest = json.dumps({"sequences": [
        {"poses": f"{HOSTILE_NAME}.poses.jsonl", "labels": "labels.labels.csv"}]})
    source = next(folder.rglob("s04-pelvis.poses.jsonl*"))
    target = folder / f"{HOSTILE_NAME}.poses.jsonl"
    proof.check(source.suffix == ".jsonl", "the recording is plain")
    shutil.copy(source, target)
    shutil.copy(next(folder.rglob("s04-pelvis.labels.csv")), folder / "labels.labels.csv")
    (folder / "dataset.yaml").write_text(manifest)
    path = proof.folder / "hostile-address.html"
    proof.run("evaluate", folder, "--html", path)
    page = at(proof, path, f"#seq={quote(HOSTILE_NAME)}&t=5")
    page.keyboard.press(".")
    page.wait_for_timeout(250)
    proof.equal("its name", page.text_content("#viewer-title"), HOSTILE_NAME)
    frame, address = frame_of(page), page.evaluate("location.hash")
    proof.check("<" not in address and address.count("#") == 1 and address.count("&") == 1, address)
    other = at(proof, path, address)
    proof.equal("there and back", frame_of(other), frame)
    proof.check(other.title() != "harm" and other.locator("img").count() == 0, "a name ran")
    proof.close(other)
    proof.close(page)
    print("  hostile address")


def prove_voice(proof, path):
    """A step is said, with truth and answer; playing is not; every target is large enough."""
    page = at(proof, path, "#seq=s04-pelvis&t=3.5")
    live = "document.querySelector('.viewer [role=status]').textContent"
    page.keyboard.press(".")
    page.wait_for_timeout(400)
    said = page.evaluate(live)
    proof.check(f"Frame {frame_of(page)} of 304" in said and "plank: truth none, answer high, wrong" in said,
                f"a step is said: {said}")
    page.keyboard.press("l")
    page.wait_for_timeout(500)
    proof.equal("playing is not", page.evaluate(live), said)
    page.keyboard.press("k")
    page.wait_for_timeout(400)
    proof.check(f"Frame {frame_of(page)} of 304" in page.evaluate(live), "a pause is")
    proof.close(page)
    for least, size, context in ((32, (1440, 900), {}), (40, (390, 844), {"has_touch": True, "is_mobile": True})):
        page = at(proof, path, "#seq=s04-pelvis&t=3.5", viewport={"width": size[0], "height": size[1]}, **context)
        small = page.evaluate("""(least) => [...document.querySelectorAll(
            '.viewer button, .viewer input:not([type=checkbox]), .stretches button, .matrix td[tabindex]')]
          .filter((node) => node.offsetParent)
          .map((node) => [node.textContent, node.offsetWidth, node.offsetHeight])
          .filter(([, width, height]) => width < least || height < least)""", least)
        proof.equal(f"{size}: targets under {least} px", small, [])
        for node in ("document.documentElement", "document.querySelector('.viewer')"):
            proof.check(page.evaluate(f"{node}.scrollWidth") <= size[0], f"{size}: {node} scrolls sideways")
        proof.close(page)
    print("  voice and targets")


def prove_moments(proof):
    """All proofs of this file on one page."""
    path = proof.folder / "moments.html"
    proof.run("evaluate", SCRIPTED, "--html", path)
    for part in (prove_figure, prove_steady, prove_keys, prove_jumps, prove_hover, prove_addresses,
                 prove_voice):
        part(proof, path)
    prove_hostile_address(proof)
