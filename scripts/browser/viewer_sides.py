"""Proofs of the viewer on pages of gates, comparisons and replays: both answers, what was lost, steadiness."""

import json
import math

from page_proof import NO_PLACE, SCRIPTED
from viewer_bench import PLACES, moved, opened, prove_still, shown

#: The detectors that are compared: the one before, and the one that is judged.
BEFORE, AFTER = "gravity", "article"
STREAMS = ("plank", "form")
#: The stretches that are listed: recording, class and answer, seconds, start and end as written.
LISTED = """() => [...document.querySelectorAll('.stretches li')].map((item) => ({
  sequence: item.querySelector('b').textContent,
  seconds: Number(item.querySelector('.n').textContent.split(' ')[0]),
  classes: [...item.querySelectorAll('.chip')].map((chip) => chip.textContent),
  from: item.querySelector('.when').textContent.split(' to ')[0] }))"""
#: The cells of a matrix as written, row by row.
CELLS = """(stream) => [...document.querySelectorAll(`.workbench table.matrix[data-stream=${stream}] tbody tr`)]
  .map((row) => [...row.querySelectorAll('td[data-frames]')].map((cell) => cell.textContent))
  .filter((row) => row.length > 0)"""
#: The lines of the moment: stream, truth and answers, and the names of sides.
NOW = """() => [...document.querySelectorAll('.viewer .now p')].map((line) => ({
  classes: [...line.querySelectorAll('.chip')].map((chip) => chip.textContent),
  other: line.querySelector('.other')?.textContent ?? '' }))"""


def make(proof):
    """The pages of a gate with and without a baseline, of a comparison and of a replay."""
    folder = proof.folder / "sides"
    folder.mkdir()

    def gate(detector):
        path = folder / "gate.yaml"
        path.write_text(
            f"dataset: {json.dumps(str(SCRIPTED))}\nbaseline: baseline.json\ndetector: {detector}\n"
            "resamples: 200\nrules:\n  - {metric: plank.f1_macro, margin: 0.02}\n")
        return path

    def page(name, *words):
        path = folder / f"{name}.html"
        told = proof.run(*words, "--format", "json", "--html", path, statuses=(0, 2, 3))
        return path, json.loads(told)["result"]

    pages = {"first": page("first", "gate", gate(AFTER))}
    proof.run("baseline", "update", gate(BEFORE), "--reason", "start", "--allow-dirty")
    pages["gate"] = page("gate", "gate", gate(AFTER))
    pages["compare"] = page("compare", "compare", SCRIPTED, BEFORE, AFTER, "--resamples", "200")
    pages["replay"] = page("replay", "replay", SCRIPTED, "s01-floor")
    return pages


def seconds_of(text):
    """Seconds of `1:02.50`."""
    minutes, _, seconds = text.rpartition(":")
    return 60 * int(minutes or 0) + float(seconds)


def signed(text):
    """The number of a cell."""
    return 0 if text == "·" else float(text.replace(",", "").replace("−", "-"))


def explained(proof, sequence, time, detector):
    """What the program says of a moment."""
    return json.loads(proof.run(
        "explain", SCRIPTED, sequence, "--at", time, "--detector", detector, "--format", "json"))


def prove_answers(proof, name, path, sides, chance):
    """Hover line, moment and rules have both answers, which are those of the program."""
    page = opened(proof, path)
    data = json.loads(page.text_content("#viewer-data"))
    proof.equal(f"{name}: sides", data["sides"], list(sides))
    held = [one["name"] for one in data["sequences"] if one["block"] is not None]
    differ = 0
    for sequence in held:
        for _ in range(3):
            address = f"#seq={sequence.replace('-', '%2D')}&t=0"
            page.evaluate("(hash) => { location.hash = hash; }", address)
            page.wait_for_timeout(250)
            proof.equal(f"{name}: the recording", shown(page)[0], sequence)
            page.locator(".timeline").scroll_into_view_if_needed()
            lane = page.locator(".viewer .ribbon canvas").first.bounding_box()
            at = lane["x"] + lane["width"] * chance.uniform(0.02, 0.98), lane["y"] + 40
            page.mouse.click(*at)
            page.mouse.move(at[0], at[1] + 4)
            lines = page.locator(".viewer .ribbon .readout").all_text_contents()
            time = page.inner_text(".viewer .command").split("--at ")[1].split(" ")[0]
            frame, now = shown(page)[1], page.evaluate(NOW)
            proof.check(f"frame {frame}: " in lines[0], f"{lines[0]}: frame {frame}")
            own = explained(proof, sequence, time, AFTER)
            other = explained(proof, sequence, time, BEFORE)
            proof.equal("the frame of both", (own["frame"], other["frame"]), (frame, frame))
            for place, stream in enumerate(STREAMS):
                what = f"{name}, {sequence}, frame {frame}, {stream}"
                one, two = own["streams"][stream], other["streams"][stream]
                words = f"truth {one['truth']}, {sides[1]} {two['prediction']}, {sides[0]} {one['prediction']}, "
                proof.check(words in lines[place], f"{what}: {lines[place]}, not {words}")
                wanted = [one["truth"], one["prediction"], two["prediction"]]
                proof.equal(f"{what}: the moment", now[place]["classes"], wanted)
                proof.check(now[place]["other"].startswith(f"{sides[1]}: "), f"{what}: {now[place]}")
                rule = [index for index, rule in enumerate(one["rules"]) if rule["decides"]]
                found = page.get_attribute(f'.reasons section[data-stream="{stream}"]', "data-rule")
                proof.equal(f"{what}: the rule", int(found), rule[0] if rule else NO_PLACE)
                differ += one["prediction"] != two["prediction"]
    proof.check(differ > 3, f"{name}: only {differ} answers differ")
    page.wait_for_timeout(400)
    said = page.text_content(".viewer [role=status]")
    proof.check(f"{sides[1]} answers " in said, f"{name}: it says {said}")
    proof.close(page)


def lost_of(result):
    """The seconds that only the first side of a comparison has right, by recording and stream."""
    recordings = result["pairs"][0]["recordings"]
    return {(one["sequence"], one["stream"]): one["lost_s"] for one in recordings}


def prove_lost(proof, name, path, lost, result):
    """What only the other side has right is listed first, and lasts as long as the result says."""
    page = opened(proof, path)
    data = json.loads(page.text_content("#viewer-data"))
    title, listed = page.inner_text(".stretches h3 >> nth=0"), page.evaluate(LISTED)
    count = sum(stream["lost"] for stream in data["streams"])
    proof.equal(f"{name}: the title", title,
                f"{count} stretches in which only {data['sides'][1]} is right")
    proof.equal(f"{name}: stretches", len(listed), count)
    lengths = [one["seconds"] for one in listed]
    proof.equal(f"{name}: longest first", lengths, sorted(lengths, reverse=True))
    stream_of = {label: stream["name"] for stream in data["streams"] for label in stream["labels"]}
    sums = {}
    for one in listed:
        key = one["sequence"], stream_of[one["classes"][0]]
        sums[key] = sums.get(key, 0) + one["seconds"]
    wanted = {key: seconds for key, seconds in lost.items() if seconds > 0}
    proof.equal(f"{name}: recordings with losses", sorted(sums), sorted(wanted))
    for key, seconds in wanted.items():
        proof.check(abs(sums[key] - seconds) <= 0.005 * count + 1e-6,
                    f"{name}, {key}: {sums[key]} s are listed, not {seconds}")
    for moment in result.get("worse_moments", []):
        # Stretches of both answers may be parts of one that only the judged side has.
        inside = [one for one in listed if one["sequence"] == moment["sequence"]
                  and one["classes"] == [moment["truth"], moment["prediction"]]
                  and -0.01 <= seconds_of(one["from"]) - moment["start_s"] <= moment["duration_s"]]
        proof.check(inside, f"{name}: {moment} is not listed")
    page.locator(".workbench td[data-frames]:not([data-frames='0'])").first.click()
    page.get_by_role("button", name="What was lost").click()
    proof.equal(f"{name}: back to what was lost", page.evaluate(LISTED), listed)
    page.locator("button.stretch").nth(2).click()
    page.wait_for_timeout(250)
    proof.equal(f"{name}: the recording of a stretch", shown(page)[0], listed[2]["sequence"])
    time = float(page.inner_text(".viewer .place").split(" ")[0])
    proof.check(abs(time - seconds_of(listed[2]["from"])) < 0.006, f"{name}: {time}, not {listed[2]}")
    classes = [line["classes"] for line in page.evaluate(NOW)]
    wanted = listed[2]["classes"] + listed[2]["classes"][:1]
    proof.check(wanted in classes, f"{name}: {wanted} is not among {classes}")
    proof.close(page)


def matrices_of(result, name):
    """The seconds of both sides by stream, and how they differ: the judged side's first."""
    sides = {one["name"]: one["streams"] for one in result["sides"]}
    own, other = (sides[one] for one in (("candidate", "baseline") if "candidate" in sides
                                         else (AFTER, BEFORE)))
    found = {}
    for stream in STREAMS:
        one, two = (side[stream]["confusion_s"]["rows"] for side in (own, other))
        change = [[a - b for a, b in zip(*rows)] for rows in zip(one, two)]
        told = own[stream].get("confusion_change_s")
        if told is not None:
            flat = zip(sum(told, []), sum(change, []))
            if not all(math.isclose(a, b, abs_tol=1e-6) for a, b in flat):
                raise AssertionError(f"{name}: the result does not add up")
        found[stream] = one, change
    return found


def prove_matrices(proof, name, path, matrices, is_whole):
    """From the start matrices show the change; their cells lead to their stretches and frames."""
    page = opened(proof, path)
    data = json.loads(page.text_content("#viewer-data"))
    cells = 0
    for stream in data["streams"]:
        seconds, change = matrices[stream["name"]]
        written = page.evaluate(CELLS, stream["name"])
        proof.equal(f"{name}: rows", len(written), len(change))
        for truth, row in enumerate(change):
            for answer, value in enumerate(row):
                text = written[truth][answer]
                what = f"{name}, {stream['name']}, {truth} {answer}"
                proof.check(abs(signed(text) - value) <= 0.05 + 1e-6, f"{what}: {text}, not {value}")
                proof.check(value < 0.06 or text.startswith("+") or "first" in name,
                            f"{what}: {text} has no sign")
                cells += 1
                cell = page.locator(
                    f'.workbench table[data-stream="{stream["name"]}"] td[data-frames]').nth(
                        truth * len(row) + answer)
                if int(cell.get_attribute("data-frames")) == 0 or not cell.is_visible():
                    continue
                cell.click()
                listed = page.evaluate(LISTED)
                labels = stream["labels"]
                proof.check(all(one["classes"] == [labels[truth], labels[answer]] for one in listed),
                            f"{what}: other classes are listed")
                listed_s = sum(one["seconds"] for one in listed)
                slack = 0.005 * len(listed) + 0.05
                note = page.inner_text(".stretches .words")
                if is_whole:
                    proof.check(abs(listed_s - seconds[truth][answer]) <= slack,
                                f"{what}: {listed_s} s are listed, not {seconds[truth][answer]}")
                else:
                    is_short = listed_s < seconds[truth][answer] - slack
                    proof.equal(f"{what}: the note says so, {note}", "differ less" in note, is_short)
    proof.close(page)
    return cells


def prove_first(proof, path, result):
    """Without a baseline the page shows where the candidate is wrong, with one answer."""
    page = opened(proof, path)
    data = json.loads(page.text_content("#viewer-data"))
    proof.check("sides" not in data, "nothing is compared")
    proof.equal("the title", page.inner_text(".workbench h2"), "Where it is wrong")
    proof.equal("no other answer", page.locator(".viewer .other").count(), 0)
    listed = page.evaluate(LISTED)
    rows = {stream: result["sides"][0]["streams"][stream]["confusion_s"]["rows"]
            for stream in STREAMS}
    wrong = sum(value for matrix in rows.values() for truth, row in enumerate(matrix)
                for answer, value in enumerate(row) if truth != answer)
    proof.equal("the list", page.inner_text(".stretches h3 >> nth=0"), f"{len(listed)} wrong stretches")
    proof.check(abs(sum(one["seconds"] for one in listed) - wrong) <= 0.005 * len(listed) + 0.01,
                f"{wrong} s are wrong, and {sum(one['seconds'] for one in listed)} are listed")
    proof.close(page)
    return {stream: (matrix, matrix) for stream, matrix in rows.items()}


def prove_pauses(proof, path, result):
    """Each pause of a replay leads to the frame where its cause began."""
    page = opened(proof, path)
    before = page.evaluate(PLACES)
    causes = [pause["cause_start_s"] for which in ("labels", "predictions", "predictions_by_grade")
              for pause in result["sessions"][which]["pauses"]]
    links = page.locator("a.show")
    proof.equal("links to pauses", links.count(), len(causes))
    proof.check(len(causes) > 3, f"only {len(causes)} pauses")
    for place, cause in enumerate(causes):
        links.nth(place).click()
        page.wait_for_timeout(250)
        time = float(page.inner_text(".viewer .place").split(" ")[0])
        proof.check(abs(time - cause) < 0.001, f"a pause leads to {time}, not {cause}")
        box = page.locator(".pictures").bounding_box()
        proof.check(-1 <= box["y"] < 700, f"the picture is in sight: {box}")
        proof.equal("what a link moved", moved(page, before), [])
    page.evaluate("location.hash = '#stream=plank&cell=none,high'")
    proof.settle(page)
    proof.check("has no matrix of plank" in page.inner_text(".address-note"), "a cell is refused")
    proof.equal("no matrix", page.locator("table.matrix[role=grid]").count(), 0)
    proof.close(page)
    return len(causes)


def prove_sides(proof, chance):
    """All proofs of this file."""
    pages = make(proof)
    sides = {"gate": ("candidate", "baseline"), "compare": (AFTER, BEFORE)}
    lost = lost_of(pages["compare"][1])
    for name, names in sides.items():
        path, result = pages[name]
        prove_answers(proof, name, path, names, chance)
        prove_lost(proof, name, path, lost, result)
        cells = prove_matrices(proof, name, path, matrices_of(result, name), name == "gate")
        print(f"  {name}: both answers, {sum(lost.values()):.1f} s lost, {cells} cells of changes")
    prove_matrices(proof, "first", pages["first"][0], prove_first(proof, *pages["first"]), True)
    print("  gate without a baseline")
    print(f"  replay: {prove_pauses(proof, *pages['replay'])} pauses lead to their frames")
    for name, (path, _) in pages.items():
        prove_still(proof, name, path)
    print("  gate, compare, replay: nothing moves")
