"""The proof of the video beside the figure of a report's viewer."""

import json
import shutil

from urllib.parse import quote

import viewer_moments
from page_proof import SCRIPTED

#: A name that needs every kind of encoding.
VIDEO = "clips/a b#1%41&\u00e9.webm"
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


def at(proof, path, name):
    """Opens a page half a second into a recording."""
    return viewer_moments.at(proof, path, f"#seq={quote(name, safe='')}&t=0.5")


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
    (folder / "clips").mkdir()
    (folder / VIDEO).write_bytes(proof.video())
    recording = next(folder.rglob("s04-pelvis.poses.jsonl")).relative_to(folder)
    labels = next(folder.rglob("s04-pelvis.labels.csv")).relative_to(folder)
    (folder / "dataset.yaml").write_text(json.dumps({"sequences": [
        {"poses": str(recording), "labels": str(labels), "video": VIDEO}]}))
    path = proof.folder / "pages" / "video.html"
    path.parent.mkdir()
    proof.run("evaluate", folder, "--html", path)
    name = str(recording).removesuffix(".poses.jsonl")
    page = at(proof, path, name)
    policy = page.get_attribute("meta[http-equiv]", "content")
    proof.check("media-src blob: 'self';" in policy, policy)
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
    page = at(proof, moved, name)
    note = page.evaluate(STATE)["note"]
    proof.check(note.endswith("cannot be played from here; open it from this computer"), note)
    page.context.close()
    print("  video")
