#!/usr/bin/env python3
"""The proof of the labeling page in a headless Chromium; scripts/prove-pages labeling_page starts it.

Every check drives the page as a person would and says what it found; the first that fails ends
the run with exit code 1. Screenshots of the last state go to a temporary folder.
"""

import json
import re
import time
from pathlib import Path

from labeling_fixture import (
    FOLDER_API, HOSTILE, HOSTILE_FILE, NO_FOLDER_API, RATE, times, write_dataset, write_recording)
from page_proof import PageProof, arguments, prove

SECONDS = 12
TIMES = times(SECONDS)
END = round(TIMES[-1] + 0.033333, 6)
#: The end of the dataset's recordings.
END4 = round(times(4)[-1] + 0.033333, 6)


class Proof(PageProof):
    """Labeling pages."""

    def make_page(self, name, seconds, subject):
        """Has the program write the page of a fresh recording."""
        recording = self.folder / name
        write_recording(recording, seconds, subject)
        page = self.folder / f"page-{seconds}.html"
        self.run("label", recording, "--html", page)
        return page

    def open(self, path, script=NO_FOLDER_API, **context):
        """Opens a page in a browser that cannot write files, unless told otherwise."""
        return super().open(path, script, **context)

    def wait_until_shown(self, page):
        """Waits until the first recording is unpacked: nothing is shown before, and no key is taken."""
        # A listener from the start: one that comes with the key press may come too late.
        page.on("filechooser", lambda chooser: None)
        page.wait_for_selector(".class-button, #alert:not([hidden])", state="attached")

    def expect(self, what, condition, found=""):
        """Ends the run where something is not so, and says what was found."""
        self.check(condition, f"{what}: {found!r}")

    def reload(self, page):
        """Loads the page again."""
        page.reload()
        self.wait_until_shown(page)


def press(page, *keys):
    """Presses keys; `3*Key` presses one three times."""
    for key in keys:
        count, _, name = key.rpartition("*")
        for _ in range(int(count or 1)):
            page.keyboard.press(name)


def downloaded(page):
    """Saves by key and returns the downloaded file's bytes and its name."""
    with page.expect_download() as download:
        press(page, "w")
    return Path(download.value.path()).read_bytes(), download.value.suggested_filename


#: Keeps what a page offers as a download, and does not download it: Chromium blocks many in a row.
CATCH = """() => {
  if (window.proofDownloads) return;
  window.proofDownloads = [];
  const [address, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
  let blob = null;
  URL.createObjectURL = (made) => { blob = made; return address.call(URL, made); };
  HTMLAnchorElement.prototype.click = function () {
    if (!this.download) { click.call(this); return; }
    const name = this.download;
    blob.text().then((text) => window.proofDownloads.push([text, name]));
  };
}"""


def saved(page):
    """Saves by key and returns the bytes and the name of what the page offers as a download."""
    page.evaluate(CATCH)
    press(page, "w")
    page.wait_for_function("() => window.proofDownloads.length > 0")
    text, name = page.evaluate("window.proofDownloads.pop()")
    return text.encode(), name


def text_of(rows):
    """A labels file of (first frame, frame behind the last, plank, form)."""
    at = TIMES + [END]
    lines = [f"{at[start]},{at[end]},{plank},{form}" for start, end, plank, form in rows]
    return ("\n".join(["start,end,plank,form", *lines]) + "\n").encode()


def open_file(page, key, path):
    """Answers the file chooser that a key opens."""
    with page.expect_file_chooser() as chooser:
        press(page, key)
    chooser.value.set_files(str(path))


def shown(page, selector):
    """The text of an element once the page has opened and drawn what came before."""
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
    return page.inner_text(selector)


def status(page):
    return shown(page, "#status")


def check_fresh(proof, page):
    proof.equal("a fresh page has nothing to save", shown(page, "#saved"), "nothing to save")
    mark = "getComputedStyle(document.querySelector('#saved'), '::before').content"
    proof.equal("and no mark that something was saved", page.evaluate(mark), '""')
    proof.equal("one recording has no queue", page.locator("#queue").is_visible(), False)


def check_hostile_names(proof, page):
    page.wait_for_timeout(300)
    proof.equal("hostile names do not run", page.evaluate("window.hacked"), None)
    proof.equal("and become no element", page.locator("img").count(), 0)
    proof.expect("but are shown as they are", HOSTILE.replace("\u2028", "") in
                 shown(page, "#facts").replace("\u2028", ""), shown(page, "#facts"))
    proof.equal("no global name leaks", page.evaluate("typeof LabelingApp"), "undefined")
    blocked = page.evaluate("""fetch('data:,x').then(() => 'fetched', () => 'blocked')""")
    proof.equal("the policy forbids even a data request", blocked, "blocked")
    proof.expect("and says so", any("Content Security" in line or "connect" in line
                                    for line in page.noise), page.noise)
    page.noise.clear()
    page.requested[:] = [url for url in page.requested if not url.startswith("data:")]


def check_labeling_by_keys(proof, page):
    """Labels the recording with the keyboard alone; frame k is at k / 30 s."""
    press(page, "1", "2*Shift+ArrowRight", "b", "3", "a")
    press(page, "2*Shift+ArrowRight", "3*ArrowRight", "Shift+S")
    press(page, "Shift+ArrowRight", "2*ArrowLeft", "Shift+Digit2", "d")
    press(page, "Shift+ArrowRight", "b", "i", "Shift+ArrowRight", ".", ",", "Enter", "4")
    press(page, "Shift+ArrowRight", "Shift+Digit5", "a", "Shift+ArrowRight", "Shift+D")
    press(page, "Shift+ArrowRight", "b", "6", "End", "10*ArrowLeft", "b", "Delete")
    rows = [
        (0, 60, "none", ""), (60, 123, "high", "aligned"), (123, 151, "high", "sag"),
        (151, 181, "forearm", "pike"), (181, 211, "ignore", ""), (211, 241, "sideLeft", ""),
        (241, 271, "sideRight", "aligned"), (271, 301, "sideRight", "pike"),
        (301, 350, "reverse", ""),
    ]
    data, name = downloaded(page)
    proof.equal("labels set by keys alone are saved to the byte", data, text_of(rows))
    proof.equal("under the recording's name", name.endswith(".labels.csv"), True)
    proof.equal("the page knows that they are saved", shown(page, "#saved"), "saved")
    proof.expect("every boundary is a frame time", all(
        float(cell) in {*TIMES, END} for line in data.decode().splitlines()[1:]
        for cell in line.split(",")[:2]))
    return rows


def check_edits(proof, page, rows):
    """Undo, redo, boundaries that move or go, and what is refused."""
    before = text_of(rows)
    press(page, "z")
    proof.equal("undo brings the deleted segment back", saved(page)[0],
                text_of(rows + [(350, 361, "reverse", "")]))
    press(page, "Shift+Z")
    proof.equal("redo deletes it again", saved(page)[0], before)
    press(page, "Home", "ArrowDown", "2*ArrowRight", "g")
    moved = [(0, 62, "none", ""), (62, 123, "high", "aligned")] + rows[2:]
    proof.equal("the nearest boundary comes here", saved(page)[0], text_of(moved))
    press(page, "ArrowDown", "m")
    joined = [(0, 62, "none", ""), (62, 151, "high", "aligned")] + rows[3:]
    proof.equal("a segment joins the one on the left", saved(page)[0], text_of(joined))
    press(page, "x")
    cleared = [joined[0], (62, 151, "high", "")] + joined[2:]
    proof.equal("x clears the form", saved(page)[0], text_of(cleared))
    press(page, "x")
    proof.equal("and then the class", saved(page)[0], text_of([joined[0]] + joined[2:]))
    press(page, "Home", "n")
    proof.equal("n finds the gap", shown(page, "#frame"), "frame 63 of 361")
    press(page, "a")
    proof.expect("a form without a plank is refused", "needs a plank" in status(page), status(page))
    press(page, "Home", "b")
    proof.expect("a boundary at the first frame too", "already" in status(page), status(page))
    press(page, "Control+z", "Control+z", "Control+z", "Control+z")
    proof.equal("undo goes all the way", saved(page)[0], before)
    press(page, "Control+y", "Control+Shift+Z")
    proof.equal("redo as far as wanted", saved(page)[0], text_of(joined))
    press(page, "2*z")


def check_files(proof, page, rows):
    """Existing labels come in; broken ones do not, and the page says where they are broken."""
    wanted = text_of([(10, 20, "high", "pike"), (20, 361, "ignore", "")])
    path = proof.folder / "existing.csv"
    path.write_bytes(b"\xef\xbb\xbf" + wanted.replace(b"\n", b"\r\n") + b"\r\n")
    open_file(page, "o", path)
    proof.until(page, "document.querySelector('#status').textContent.includes('opened')")
    proof.equal("an existing file is read", saved(page)[0], wanted)
    path.write_text("start,end,plank,form\n0.34,0.66,high,\n3,99,none,\n", encoding="utf-8")
    open_file(page, "o", path)
    page.wait_for_selector("#alert:not([hidden])")
    proof.expect("times between frames are told", "3 boundaries" in shown(page, "#alert-text"),
                 shown(page, "#alert-text"))
    proof.equal("and label the same frames", saved(page)[0],
                text_of([(11, 20, "high", ""), (90, 361, "none", "")]))
    for body, wanted_text in [
        ("start,end\n", "line 1"), ("start,end,plank,form\n0,1,high,\n0.5,2,none,\n", "line 3"),
        ("start,end,plank,form\n0,1,Plank,\n", "allowed: none, forearm"),
        ("start,end,plank,form\n0x1,1,high,\n", "write seconds"),
        ("start,end,plank,form\n2,1,high,\n", "must end after"),
        ("start,end,plank,form\n0,1,none,sag\n", "needs a plank"),
        ("start,end,plank,form\n0,1,<img src=x onerror=window.hacked=1>,\n", "found “<img"),
    ]:
        path.write_text(body, encoding="utf-8")
        open_file(page, "o", path)
        proof.until(page, "(wanted) => document.querySelector('#alert-text').textContent.includes(wanted)",
            wanted_text)
    proof.equal("broken files are refused with line and remedy", page.evaluate("window.hacked"), None)
    page.click("#alert-close")
    press(page, "2*z")
    proof.equal("opening can be undone", saved(page)[0], text_of(rows))


def check_leaving(proof, page, rows):
    """Unsaved labels warn before leaving and are there again afterwards."""
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    proof.reload(page)
    proof.equal("leaving with saved labels is silent", dialogs, [])
    press(page, "End", "3")
    proof.equal("unsaved labels show", shown(page, "#saved"), "not saved")
    proof.reload(page)
    proof.equal("leaving with unsaved labels warns", dialogs, ["beforeunload"])
    proof.equal("they are back after a reload", shown(page, "#saved"), "not saved")
    proof.equal("with a word about it", page.locator("#alert").is_visible(), True)
    restored = text_of(rows + [(350, 361, "high", "")])
    proof.equal("to the byte", saved(page)[0], restored)
    page.click("#alert-close")


def check_play_and_views(proof, page):
    """Playing moves on, turning changes the figure, the timeline zooms."""
    picture = "document.getElementById('{}').toDataURL()"
    settle = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))"

    def changes(canvas, *keys):
        before = page.evaluate(picture.format(canvas))
        press(page, *keys)
        page.evaluate(settle)
        return page.evaluate(picture.format(canvas)) != before

    press(page, "Home", "Space")
    proof.until(page, "parseFloat(document.querySelector('#time').textContent) > 0.3")
    press(page, "Space")
    stopped = shown(page, "#frame")
    page.wait_for_timeout(200)
    proof.equal("space plays and pauses", shown(page, "#frame"), stopped)
    for what, canvas, key in [
        ("q turns the figure", "figure", "q"), ("f shows another view", "figure", "f"),
        ("r goes back", "figure", "r"), ("+ zooms the timeline", "ribbon", "+"),
        ("0 shows all", "ribbon", "0"),
    ]:
        proof.expect(what, changes(canvas, key))
    page.focus("#figure")
    frame = shown(page, "#frame")
    proof.expect("arrows turn the focused figure", changes("figure", "ArrowLeft"))
    proof.equal("and stay at the frame", shown(page, "#frame"), frame)
    page.evaluate("document.activeElement.blur()")
    press(page, "Home", "5*Shift+ArrowRight", "3*ArrowRight")
    proof.equal("a missing pose says so", shown(page, "#missing"), "no pose found in this frame")
    proof.equal("and has no measurement", shown(page, ".strip .value b"), "undefined")


def check_help_and_access(proof, page):
    """The help lists keys and takes none meanwhile; controls have names and show the focus."""
    labels = shown(page, "#segments")
    press(page, "h")
    proof.equal("h opens the help", page.locator("#help").is_visible(), True)
    press(page, "6")
    proof.equal("keys do nothing behind it", shown(page, "#segments"), labels)
    press(page, "Escape")
    proof.equal("escape closes it", page.locator("#help").is_visible(), False)
    nameless = page.evaluate("""[...document.querySelectorAll('button')].filter((button) =>
      !button.textContent.trim() && !button.getAttribute('aria-label')).length""")
    proof.equal("every button has a name", nameless, 0)
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    proof.equal("the focus is visible", outline, "solid")
    page.evaluate("document.querySelector('[data-command=play]').focus()")
    press(page, "Space")
    proof.equal("space on a focused button presses it once", shown(page, "#play"), "Pause")
    press(page, "Space")
    page.evaluate("document.activeElement.blur()")
    shown(page, "#time")
    slider = page.get_attribute("#ribbon", "aria-valuetext")
    proof.expect("the position is told to screen readers", "seconds" in (slider or ""), slider)


def check_pointer(proof, page):
    """A boundary that is dragged moves as one step."""
    before = shown(page, "#segments")
    box = page.locator("#ribbon").bounding_box()
    x = box["x"] + box["width"] * (TIMES[60] / END)
    page.mouse.move(x, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(x + 20, box["y"] + 40, steps=5)
    page.mouse.up()
    proof.expect("a boundary can be dragged", shown(page, "#segments") != before, before)
    press(page, "z")
    proof.equal("and one undo takes it back", shown(page, "#segments"), before)


def playing(page, *keys):
    """Starts to play at the first frame, in the slowest or another speed that keys choose."""
    press(page, "Home", *keys, "Space")


def check_painting(proof, page):
    """A class that is held while the clip plays labels the frames that pass, as one step."""
    before = shown(page, "#segments")
    rate = lambda: shown(page, "#rate")
    seen = [rate()]
    for _ in range(5):
        press(page, "t")
        seen.append(rate())
    proof.equal("speeds go down to a tenth", sorted(seen, key=lambda text: float(text[:-1])),
                ["0.1x", "0.25x", "0.5x", "1x", "2x", "4x"])
    press(page, "t")
    proof.equal("and come round", rate(), "1x")
    playing(page)
    page.wait_for_timeout(100)
    start = float(shown(page, "#time"))
    begun = time.monotonic()
    page.keyboard.down("4")
    page.wait_for_timeout(900)
    proof.expect("painting shows while it goes on", "until released" in status(page), status(page))
    page.keyboard.up("4")
    held = time.monotonic() - begun  # longer on a busy machine
    press(page, "Space")
    painted = rows_kept(page)
    spans = [row.split(",") for row in painted if row.split(",")[2] == "sideLeft"]
    made = [row for row in spans if abs(float(row[0]) - start) < 0.2]
    proof.equal("a held class makes one segment", len(made), 1)
    length = float(made[0][1]) - float(made[0][0])
    proof.expect("of the frames that passed", 0.6 < length < held + 0.7, made)
    proof.expect("whose boundaries are frames", all(float(at) in {*TIMES, END} for at in made[0][:2]))
    press(page, "z")
    proof.equal("and one undo takes it back", shown(page, "#segments"), before)
    press(page, "y")
    proof.equal("and redo paints it again", rows_kept(page), painted)
    press(page, "z")
    check_painting_ends(proof, page, before)


def check_painting_ends(proof, page, before):
    """Painting ends with the clip, with a pause and with the button; a press is no painting."""
    press(page, "End", "20*ArrowLeft", "Space")
    page.keyboard.down("i")
    proof.until(page, "document.querySelector('#play').textContent === 'Play'")
    proof.equal("the end of the clip ends it", rows_kept(page)[-1].split(",")[1:3], [str(END), "ignore"])
    page.keyboard.up("i")
    press(page, "z")
    proof.equal("once", shown(page, "#segments"), before)
    playing(page)
    page.keyboard.press("2")
    press(page, "Space")
    proof.equal("a press gives the segment the class, as ever", rows_kept(page)[0].split(",")[2], "forearm")
    press(page, "z")
    playing(page)
    box = page.locator(".class-button[data-name=reverse]").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    begun = time.monotonic()
    page.mouse.down()
    page.wait_for_timeout(500)
    page.mouse.up()
    held = time.monotonic() - begun
    press(page, "Space")
    rows = [row.split(",") for row in rows_kept(page)]
    proof.expect("a class button can be held, too", any(
        plank == "reverse" and float(start) < held + 1.5 and 0.2 < float(end) - float(start) < held + 1
        for start, end, plank, _ in rows), rows)
    press(page, "z")
    proof.equal("for one step", shown(page, "#segments"), before)
    page.evaluate("document.activeElement.blur()")


def check_edges(proof, page):
    """The picture follows an edge that is dragged, before it is let go."""
    press(page, "Home")
    before = shown(page, "#segments")
    picture = "document.getElementById('figure').toDataURL()"
    box = page.locator("#ribbon").bounding_box()
    x = box["x"] + box["width"] * (TIMES[60] / END)
    press(page, "f")
    page.mouse.move(x, box["y"] + 40)
    page.mouse.down()
    pictures, frames = [], []
    for step in (30, 60, 90):
        page.mouse.move(x + step, box["y"] + 40, steps=3)
        frames.append(shown(page, "#frame"))
        pictures.append(page.evaluate(picture))
    proof.expect("each place of the edge shows its frame", len(set(frames)) == 3, frames)
    proof.expect("and its picture", len(set(pictures)) == 3)
    proof.expect("and its time", "boundary at" in status(page), status(page))
    page.mouse.up()
    press(page, "z", "f", "f", "f", "f", "f")
    proof.equal("one undo takes the edge back", shown(page, "#segments"), before)


def check_doubts(proof, page):
    """j goes to where the detector is least sure, most changes first, and says where, not what."""
    press(page, "Home", "j")
    first = status(page)
    proof.expect("j goes to the least sure stretch", first.startswith("least sure 1 of "), first)
    changes = []
    total = int(first.split(" of ")[1].split(":")[0])
    for _ in range(total):
        changes.append(int(re.search(r", (\d+) changes? of the answer", status(page)).group(1)))
        press(page, "j")
    proof.equal("and comes round", status(page), first)
    proof.equal("most changes come first", changes, sorted(changes, reverse=True))
    press(page, "j", "Shift+J")
    proof.equal("Shift j goes back", status(page), first)
    proof.expect("it does not say the answer", not any(
        name in first for name in ("none", "forearm", "high", "side", "reverse", "aligned")), first)
    press(page, "h")
    told = shown(page, "#help")
    proof.expect("the key sheet says what least sure means", "least sure where" in told
                 and "hold class" in told and "next least sure stretch" in told, told)
    press(page, "Escape", "Home")


def drag(page, start, end, y=40):
    """Drags from one share of the ribbon's width to another."""
    box = page.locator("#ribbon").bounding_box()
    page.mouse.move(box["x"] + box["width"] * start, box["y"] + y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end, box["y"] + y, steps=6)
    page.mouse.up()


def check_dragging(proof, page):
    """A drag over the ribbon makes a segment, on the ruler and below a few pixels it only moves."""
    before = rows_kept(page)
    drag(page, 0.4, 0.6, y=8)
    proof.equal("a drag on the ruler changes nothing", rows_kept(page), before)
    drag(page, 0.25, 0.252)
    proof.equal("nor does a click on a segment", rows_kept(page), before)
    drag(page, 0.25, 0.5)
    press(page, "2", "a")
    made = rows_kept(page)
    proof.equal("a drag makes one segment", len(made), len(before) + 1)
    start, end, plank, form = made[-1].split(",")
    proof.expect("of the frames that were dragged over", abs(float(start) - END4 / 4) < 0.05
                 and abs(float(end) - END4 / 2) < 0.05, made)
    proof.equal("which takes a class", (plank, form), ("forearm", "aligned"))
    drag(page, 0.6, 0.4)
    press(page, "i")
    proof.equal("a drag to the left over two segments makes one, too",
                [row.split(",")[2] for row in rows_kept(page)], ["forearm", "ignore"])
    press(page, "2*z", "2*z", "z")
    proof.equal("and undo takes all of it back", rows_kept(page), before)


def rows_kept(page):
    """The rows of the labels that the page keeps in the browser."""
    shown(page, "#saved")
    kept = page.evaluate("""() => {
      const name = document.querySelector('#name').textContent;
      const key = Object.keys(localStorage).find((key) => key.endsWith(name));
      return JSON.parse(localStorage.getItem(key)).labels;
    }""")
    return kept.splitlines()[1:]


def check_loop(proof, page):
    """A segment is played again and again until the playhead leaves it."""
    drag(page, 0.25, 0.5)
    press(page, "2", "c")
    proof.equal("a loop shows", page.get_attribute("#loop", "aria-pressed"), "true")
    press(page, "Space")
    read = "parseFloat(document.querySelector('#time').textContent)"
    seen = []
    for _ in range(60):
        seen.append(page.evaluate(read))
        page.wait_for_timeout(50)
    press(page, "Space")
    low, high = END4 / 4 - 0.06, END4 / 2 + 0.06
    proof.expect("it stays in its segment", all(low < time < high for time in seen), seen)
    wraps = sum(1 for one, next_ in zip(seen, seen[1:]) if next_ < one)
    proof.expect("and begins again", wraps >= 2, seen)
    press(page, "End")
    proof.equal("leaving it ends it", page.get_attribute("#loop", "aria-pressed"), "false")
    press(page, "Home", "c")
    page.click("#loop")
    proof.equal("and so does its button", page.get_attribute("#loop", "aria-pressed"), "false")
    press(page, "2*z")


def check_walk(proof):
    """All recordings of a dataset on one page: walking, and saving in place."""
    folder = proof.folder / "data"
    names = write_dataset(folder)
    path = proof.folder / "dataset.html"
    proof.run("label", folder, "--html", path)
    page = proof.open(path, FOLDER_API)
    proof.equal("the walk begins at the first recording without labels",
                shown(page, "#queue-text"), "2 of 3; 1 labeled")
    proof.equal("hostile names of files do not run", page.evaluate("window.hacked"), None)
    proof.equal("and are shown as they are", shown(page, "#name").replace("\u2028", ""),
                HOSTILE_FILE.removesuffix(".poses.jsonl").replace("\u2028", ""))
    proof.equal("it has nothing to save", shown(page, "#saved"), "nothing to save")
    proof.accessible(page, "dataset")
    check_dragging(proof, page)
    check_loop(proof, page)
    press(page, "Home", "3")
    proof.equal("its labels are not saved", shown(page, "#queue-text"), "2 of 3; 2 labeled, 1 not saved")
    press(page, "PageUp")
    proof.equal("page up goes to the first one", shown(page, "#name"), "a")
    proof.equal("whose labels were found", rows_kept(page), ["0.0,2.0,none,", "2.0,4.033333,high,aligned"])
    proof.equal("and are saved", shown(page, "#saved"), "saved")
    press(page, "PageUp")
    proof.expect("before it there is none", "first recording" in status(page), status(page))
    press(page, "u")
    proof.equal("u goes to the next one that lacks labels", shown(page, "#name"), "takes/c")
    press(page, "4", "End", "b", "1", "PageUp")
    proof.equal("labels stay while walking", rows_kept(page), [f"0.0,{END4},high,"])
    press(page, "z")
    proof.equal("and so does what can be undone", shown(page, "#saved"), "nothing to save")
    press(page, "y")
    check_saving(proof, page, names)
    check_silence(proof, "dataset", page, path)
    proof.shot(page, "dataset")
    page.emulate_media(color_scheme="dark")
    # The colors of every element follow within two frames; axe must not read them before.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    proof.accessible(page, "dataset, dark")
    proof.shot(page, "dataset-dark")
    page.context.close()
    check_walk_by_downloads(proof, path)


def check_saving(proof, page, names):
    """Labels go beside their recordings, and nothing is replaced unseen."""
    downloads = []
    page.on("download", lambda made: downloads.append(made.suggested_filename))
    for choice, wanted in [("nothing", "Nothing was chosen"), ("other", "no manifest")]:
        page.evaluate(f"window.disk.choose = '{choice}'")
        press(page, "w")
        proof.until(page, "(wanted) => document.querySelector('#alert-text').textContent.includes(wanted)",
              wanted)
        proof.expect(f"choosing {choice} saves nothing", "not saved" in shown(page, "#saved"))
    page.evaluate("window.disk.choose = 'folder'")
    press(page, "w")
    proof.until(page, "document.querySelector('#saved').textContent === 'saved'")
    file = names[1].replace(".poses.jsonl", ".labels.csv")
    read = "(name) => window.disk.files[name]"
    proof.equal("labels are saved beside the recording", page.evaluate(read, file),
                f"start,end,plank,form\n0.0,{END4},high,\n")
    press(page, "PageDown", "w")
    proof.until(page, "document.querySelector('#saved').textContent === 'saved'")
    proof.expect("in its folder", (page.evaluate(read, "takes/c.labels.csv") or "").startswith("start"))
    proof.equal("the folder was asked for until it was chosen", page.evaluate("window.disk.asked"), 3)
    proof.equal("and everything is labeled", shown(page, "#queue-text"), "3 of 3; 3 labeled")
    page.evaluate("window.disk.put('takes/c.labels.csv', 'start,end,plank,form\\n0,1,none,\\n')")
    press(page, "Home", "2", "w")
    proof.until(page, "document.querySelector('#alert-text').textContent.includes('was changed')")
    proof.expect("labels that somebody else changed stay",
                 page.evaluate(read, "takes/c.labels.csv").endswith("0,1,none,\n"))
    press(page, "w")
    proof.until(page, "document.querySelector('#saved').textContent === 'saved'")
    proof.expect("until they are saved again", "forearm" in page.evaluate(read, "takes/c.labels.csv"))
    proof.equal("which ends the warning", page.locator("#alert").is_visible(), False)
    proof.equal("nothing was downloaded", downloads, [])
    with page.expect_download() as download:
        press(page, "Shift+W")
    proof.equal("unless asked for", download.value.suggested_filename, "c.labels.csv")


def check_walk_by_downloads(proof, path):
    """Where a browser cannot write files, labels are downloaded; unsaved ones warn on leaving."""
    page = proof.open(path)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    press(page, "PageDown", "5")
    data, name = downloaded(page)
    proof.equal("labels of a folder are downloaded by their name", name, "c.labels.csv")
    proof.expect("with their text", data.decode().endswith(",sideRight,\n"), data)
    press(page, "PageUp", "1", "PageUp")
    proof.reload(page)
    proof.equal("leaving warns of labels of recordings that are not shown", dialogs, ["beforeunload"])
    page.focus("#queue-list")
    press(page, "Home")
    proof.equal("the list goes to recordings by keys", shown(page, "#name"), "a")
    page.context.close()


def check_single_in_place(proof, path):
    """A single recording asks once where its labels go."""
    page = proof.open(path, FOLDER_API)
    for key in ("1", "2"):
        press(page, key, "w")
        proof.until(page, "document.querySelector('#saved').textContent === 'saved'")
    proof.equal("one file is asked for once", page.evaluate("window.disk.asked"), 1)
    proof.expect("and written in place", ",forearm,\n" in page.evaluate("window.disk.files['chosen.csv']"))
    page.context.close()


def write_video(proof):
    """A video, as a file."""
    path = proof.folder / "session.webm"
    path.write_bytes(proof.video())
    return path


def check_video(proof, page):
    """A local video keeps in step, with an offset that keys move."""
    path = write_video(proof)
    press(page, "Home", "Shift+ArrowRight")
    open_file(page, "v", path)
    near = "(at) => Math.abs(document.querySelector('#video').currentTime - at) < 0.05"
    proof.until(page, near, 1.0)
    proof.expect("a local video follows", page.locator("#video").is_visible())
    press(page, "3*l")
    proof.until(page, near, 1.06)
    proof.equal("its offset moves by keys", shown(page, "#offset"), "0.06 s")
    press(page, "Shift+K", "5*ArrowRight")
    proof.until(page, near, TIMES[35] - 0.44)
    proof.expect("and stays while stepping", shown(page, "#offset") == "-0.44 s")


def check_named_video(proof):
    """A video that the manifest names is there from the start, and goes with its recording."""
    folder, path = proof.folder / "named", proof.folder / "named.html"
    write_dataset(folder)
    (folder / "videos").mkdir()
    (folder / "videos/a b#1.webm").symlink_to(write_video(proof))
    manifest = json.loads((folder / "dataset.yaml").read_text(encoding="utf-8"))
    # The page begins with the first recording that lacks labels.
    manifest["sequences"][1]["video"] = "videos/a b#1.webm"
    (folder / "dataset.yaml").write_text(json.dumps(manifest), encoding="utf-8")
    proof.run("label", folder, "--html", path)
    page = proof.open(path)
    press(page, "Home", "Shift+ArrowRight")
    proof.until(page, "(at) => Math.abs(document.querySelector('#video').currentTime - at) < 0.05", 1.0)
    proof.expect("a named video follows", page.locator("#video").is_visible())
    press(page, "PageDown")
    proof.until(page, "document.querySelector('#video-box').hidden")
    proof.expect("another recording has none", not page.locator("#video").is_visible())
    press(page, "PageUp")
    proof.until(page, "!document.querySelector('#video-box').hidden")
    proof.equal("named video: nothing on the console", page.noise, [])
    page.context.close()


def check_silence(proof, what, page, path):
    """No word on the console, no request but for the page and files of this computer."""
    proof.equal(f"{what}: nothing on the console", page.noise, [])
    foreign = [url for url in page.requested if url != path.as_uri() and url[:5] != "blob:"]
    proof.equal(f"{what}: no request but the page", foreign, [])


def check_faces(proof, path):
    """Dark, narrow, with reduced motion: nothing is wider than the window."""
    for name, scheme, width in [("dark", "dark", 1440), ("narrow", "light", 420),
                                ("narrow-dark", "dark", 420), ("tablet", "light", 820)]:
        page = proof.open(path, color_scheme=scheme, reduced_motion="reduce",
                          viewport={"width": width, "height": 900})
        press(page, "1", "2*Shift+ArrowRight", "Shift+Digit3", "a", "2*Shift+ArrowRight")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        proof.expect(f"{name}: fits its window", wide <= 0, wide)
        least = 40 if width < 760 else 32
        small = page.evaluate("""(least) => [...document.querySelectorAll('button')].filter((one) =>
          one.offsetParent && one.getBoundingClientRect().height < least)
          .map((one) => one.textContent)""", least)
        proof.equal(f"{name}: no button is lower than {least} px", small, [])
        proof.shot(page, name, whole=True)
        proof.accessible(page, name)
        check_silence(proof, name, page, path)
        page.context.close()


def segments(page):
    """The names of the segments, as the list has them."""
    shown(page, "#segments")
    return page.locator("#segments .name").all_inner_texts()


def check_prefill(proof):
    """A detector's answers: marked, kept, and no label before somebody confirms them."""
    recording = proof.folder / "prefill.poses.jsonl"
    write_recording(recording, SECONDS, "s01")
    path = proof.folder / "page-prefill.html"
    proof.run("label", recording, "--html", path, "--prefill")
    page = proof.open(path)
    guessed = segments(page)
    proof.expect("answers fill the recording", len(guessed) > 1 and "unconfirmed" in guessed[0], guessed)
    proof.expect("and are counted apart from labels",
                 re.fullmatch(r"0 % labeled, \d+ % unconfirmed", shown(page, "#progress")), shown(page, "#progress"))
    proof.equal("they are nothing to save", shown(page, "#saved"), "nothing to save")
    proof.equal("a labels file does not contain them", saved(page)[0], b"start,end,plank,form\n")
    proof.reload(page)
    proof.equal("nor does it after a reload", segments(page), guessed)
    press(page, "Home", "p")
    proof.equal("p confirms the answer here", segments(page)[0], guessed[0].split("?")[0])
    proof.equal("which is then a label", len(saved(page)[0].decode().splitlines()), 2)
    press(page, "z")
    proof.equal("undo takes that back", saved(page)[0], b"start,end,plank,form\n")
    press(page, "Shift+P")
    proof.expect("what was not looked at is not confirmed", "no unconfirmed" in status(page), status(page))
    press(page, "n")
    proof.expect("n goes to an unconfirmed answer", shown(page, "#frame") != "frame 1 of 361", shown(page, "#frame"))
    press(page, "Home", "1")
    proof.equal("a class key decides", segments(page)[0], "none")
    press(page, "n", "Delete")
    left = segments(page)
    proof.expect("an answer can be deleted", "not labeled" in left, left)
    proof.reload(page)
    proof.equal("what was confirmed, deleted and left open survives a reload", segments(page), left)
    proof.equal("and is saved without what is open", len(saved(page)[0].decode().splitlines()), 2)
    check_seen(proof, page)
    proof.shot(page, "prefill")
    proof.accessible(page, "prefill")
    check_silence(proof, "prefill", page, path)
    page.context.close()


def check_seen(proof, page):
    """Shift p confirms what was shown from its first to its last frame, and nothing else."""
    before = [name for name in segments(page) if "unconfirmed" in name]
    press(page, "End")
    for _ in range(200):
        press(page, "ArrowLeft")
    press(page, "Shift+P")
    after = [name for name in segments(page) if "unconfirmed" in name]
    proof.expect("Shift p confirms what was looked at", len(after) < len(before) and "confirmed" in status(page),
                 (before, after, status(page)))


def check_long(proof):
    """Ten minutes at 30 Hz stay a few megabytes and can be labeled."""
    path = proof.make_page("long.poses.jsonl", 600, "s01")
    megabytes = path.stat().st_size / 1e6
    proof.expect(f"ten minutes take {megabytes:.1f} MB", megabytes < 6, megabytes)
    page = proof.open(path)
    press(page, "1", "End", "b", "2")
    data, name = downloaded(page)
    proof.equal("and are saved under their name", name, "long.labels.csv")
    proof.equal("to the last frame", data.decode().splitlines()[-1].split(",")[0], "600.0")
    check_silence(proof, "long", page, path)
    page.context.close()


def run(proof):
    path = proof.make_page(HOSTILE_FILE, SECONDS, HOSTILE)
    page = proof.open(path)
    check_fresh(proof, page)
    proof.accessible(page, "fresh page")
    check_hostile_names(proof, page)
    rows = check_labeling_by_keys(proof, page)
    check_edits(proof, page, rows)
    check_files(proof, page, rows)
    check_leaving(proof, page, rows)
    check_play_and_views(proof, page)
    check_help_and_access(proof, page)
    check_pointer(proof, page)
    check_painting(proof, page)
    check_edges(proof, page)
    check_doubts(proof, page)
    proof.accessible(page, "labels")
    press(page, "h")
    proof.accessible(page, "help")
    press(page, "Escape")
    proof.shot(page, "light")
    check_video(proof, page)
    proof.shot(page, "video")
    check_silence(proof, "labeling", page, path)
    page.context.close()
    check_faces(proof, path)
    check_single_in_place(proof, path)
    check_named_video(proof)
    check_walk(proof)
    check_prefill(proof)
    check_long(proof)


if __name__ == "__main__":
    prove(Proof, "labeling_page", arguments(__doc__).parse_args(), run)
