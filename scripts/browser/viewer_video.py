"""The proof of the video beside the figure of a report's viewer."""

import base64
import json
import shutil

from page_proof import SCRIPTED

#: A name that needs every kind of encoding.
VIDEO = "clips/a b#1%41&\u00e9.webm"
RECORD = """async () => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [320, 180];
  const pen = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.start();
  for (let frame = 0; frame < 40; frame++) {
    pen.fillStyle = `hsl(${frame * 9} 80% 50%)`;
    pen.fillRect(0, 0, 320, 180);
    await new Promise((done) => setTimeout(done, 50));
  }
  const stopped = new Promise((done) => { recorder.onstop = done; });
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}"""
STATE = """() => {
  const video = document.querySelector('.viewer video');
  const box = video.getBoundingClientRect();
  return {
    isShown: video.offsetParent !== null, isPaused: video.paused, time: video.currentTime,
    ready: video.readyState, isSeeking: video.seeking, fit: getComputedStyle(video).objectFit,
    note: document.querySelector('.viewer .video-bar p').textContent, width: box.width,
    figure: document.querySelector('.viewer .figure').getBoundingClientRect().width,
    shown: Number(document.querySelector('.viewer .place').textContent.split(' ')[0]),
  };
}"""


def settled(page):
    """The state of the video once it has stopped seeking."""
    for _ in range(60):
        page.wait_for_timeout(50)
        state = page.evaluate(STATE)
        if state["ready"] >= 2 and not state["isSeeking"]:
            return state
    return state


def prove_video(proof):
    """A video that the manifest names is beside the figure, in step with it."""
    folder = proof.folder / "with-video"
    shutil.copytree(SCRIPTED, folder)
    blank = proof.browser.new_page()
    (folder / "clips").mkdir()
    (folder / VIDEO).write_bytes(base64.b64decode(blank.evaluate(RECORD)))
    blank.close()
    recording = next(folder.rglob("s04-pelvis.poses.jsonl")).relative_to(folder)
    labels = next(folder.rglob("s04-pelvis.labels.csv")).relative_to(folder)
    (folder / "dataset.yaml").write_text(json.dumps({"sequences": [
        {"poses": str(recording), "labels": str(labels), "video": VIDEO}]}))
    path = proof.folder / "pages" / "video.html"
    path.parent.mkdir()
    proof.run("evaluate", folder, "--html", path)
    name = str(recording).removesuffix(".poses.jsonl")
    page = proof.open(path)
    policy = page.get_attribute("meta[http-equiv]", "content")
    proof.check("media-src blob: 'self';" in policy, policy)
    page.evaluate("(name) => { location.hash = `#seq=${encodeURIComponent(name)}&t=0.5`; }", name)
    page.wait_for_selector(".viewer[data-frame]")
    page.wait_for_timeout(300)
    state = settled(page)
    proof.check(state["isShown"] and state["isPaused"] and state["ready"] >= 2, f"a video: {state}")
    proof.equal("its proportions", state["fit"], "contain")
    proof.check(abs(state["time"] - state["shown"]) < 0.02, f"at the same time: {state}")
    for key in (".", ".", "Shift+ArrowRight", ",", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    state = settled(page)
    proof.check(abs(state["time"] - state["shown"]) < 0.02, f"after quick steps: {state}")
    proof.shot(page, "video")
    page.keyboard.press("Home")
    page.keyboard.press("l")
    page.wait_for_timeout(900)
    state = page.evaluate(STATE)
    proof.check(not state["isPaused"] and abs(state["time"] - state["shown"]) < 0.3, f"plays: {state}")
    page.keyboard.press("k")
    proof.check(page.evaluate(STATE)["isPaused"], "K pauses it, too")
    proof.equal("the console", page.noise, [])
    proof.check(all(url.startswith("file://") for url in page.requested), page.requested)
    page.context.close()
    moved = proof.folder / "moved.html"
    shutil.copy(path, moved)
    page = proof.open(moved)
    page.evaluate("(name) => { location.hash = `#seq=${encodeURIComponent(name)}&t=0.5`; }", name)
    page.wait_for_selector(".viewer[data-frame]")
    page.wait_for_timeout(300)
    note = page.evaluate(STATE)["note"]
    proof.check(note.endswith("cannot be played from here; open it from this computer"), note)
    page.context.close()
    print("  video")
