"""What the proofs of pages share: a browser, the program, and pages that must stay silent."""

import argparse
import base64
import subprocess
import sys
import tempfile
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTED = ROOT / "datasets" / "scripted"
#: What stands for no rule and no comparison in the viewer: a list may have more than 255 of either.
NO_PLACE = 2**32 - 1
#: A name that would end the data block, load a picture and fill a place of the template.
HOSTILE = "</script><img src=x onerror=\"document.title='harm'\"> {{data}} \u2028 '"


class PageProof:
    """A browser, the program, and pages that must stay silent."""

    #: Where the program runs.
    directory = ROOT
    viewport = {"width": 1440, "height": 900}

    def __init__(self, browser, planklab, folder, name):
        self.browser, self.planklab, self.folder, self.name = browser, planklab, folder, name
        self.checks = 0

    def check(self, condition, what):
        """Ends the run where something is not so."""
        self.checks += 1
        if not condition:
            sys.exit(f"{self.name}: FAILED: {what}")

    def equal(self, what, found, wanted):
        """Ends the run where two values differ."""
        self.check(found == wanted, f"{what}: {found!r}, not {wanted!r}")

    #: The commands that run one detector.
    DETECTING = {"evaluate", "explain", "thresholds", "replay", "smoothers"}

    def run(self, *words, statuses=(0,)):
        """Runs the program; what it prints. Proofs know what `gravity` answers, so it runs unless words name another."""
        named = {"--detector", "--parameters", "--predictions"} & set(words)
        detector = ["--detector", "gravity"] if words[0] in self.DETECTING and not named else []
        done = subprocess.run(
            [self.planklab, *map(str, words), *detector], capture_output=True, text=True, timeout=1200,
            cwd=self.directory)
        self.check(done.returncode in statuses, f"{words} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def open(self, path, script="", **context):
        """Opens a page from file://, with a script that runs before its own, and watches what it says."""
        made = self.browser.new_context(**{"viewport": self.viewport, **context})
        page = made.new_page()
        page.add_init_script(script)
        page.noise, page.requested = [], []
        page.on("console", lambda message: page.noise.append(message.text))
        page.on("pageerror", lambda error: page.noise.append(str(error)))
        page.on("request", lambda request: page.requested.append(request.url))
        page.goto(path.as_uri())
        self.wait_until_shown(page)
        return page

    def wait_until_shown(self, page):
        """Waits until a page that was opened is whole, its viewer with a frame included."""
        page.wait_for_function("""() => [...document.querySelectorAll('.viewer')]
          .every((viewer) => viewer.dataset.frame || viewer.closest('dialog, [hidden]'))""")
        self.settle(page)

    def until(self, page, condition, *arguments):
        """Waits for a condition of the page; policies forbid the eval of Playwright's own waiting for values."""
        for _ in range(300):
            if page.evaluate(condition, *arguments):
                return
            page.wait_for_timeout(50)
        self.check(False, f"waited in vain for {condition} {arguments}")

    def settle(self, page):
        """Waits for the two frames within which colors and places follow a change."""
        page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def close(self, page):
        """Closes a page that has said nothing and asked for nothing but itself."""
        self.equal("the console", page.noise, [])
        self.equal("requests", [url for url in page.requested if not url.startswith("file://")], [])
        self.equal("files", len(page.requested), 1)
        page.context.close()

    def accessible(self, page, what):
        """No violation of the rules of axe-core."""
        self.settle(page)
        found = Axe().run(page).response["violations"]
        told = [(rule["id"], [node["html"][:160] for node in rule["nodes"][:3]]) for rule in found]
        self.equal(f"{what}: violations of axe-core's rules", told, [])

    def video(self):
        """The bytes of two seconds of a changing canvas, as the browser itself records them."""
        page = self.browser.new_page()
        data = page.evaluate("""async () => {
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [320, 180];
          const pen = canvas.getContext('2d');
          const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
          const parts = [];
          recorder.ondataavailable = ({ data }) => parts.push(data);
          const stopped = new Promise((done) => { recorder.onstop = done; });
          recorder.start();
          for (let frame = 0; frame < 60; frame++) {
            pen.fillStyle = `hsl(${frame * 6} 80% 50%)`;
            pen.fillRect(0, 0, 320, 180);
            await new Promise((done) => setTimeout(done, 33));
          }
          recorder.stop();
          await stopped;
          const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        }""")
        page.close()
        return base64.b64decode(data)

    def shot(self, page, name, whole=False):
        """Keeps a picture."""
        page.screenshot(path=str(self.folder / f"{name}.png"), full_page=whole)


def arguments(description):
    """A reader of the options that every proof has."""
    reader = argparse.ArgumentParser(description=description)
    reader.add_argument("--planklab", required=True)
    reader.add_argument("--chromium", required=True)
    return reader


def prove(kind, name, options, body):
    """Starts the browser, runs the checks of a body, and says how many hold."""
    folder = Path(tempfile.mkdtemp(prefix=name.replace("_", "-") + "-"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"])
        proof = kind(browser, str(Path(options.planklab).resolve()), folder, name)
        body(proof)
        browser.close()
    print(f"{name}: {proof.checks} checks hold; pictures in {folder}")
