#!/usr/bin/env python3
"""The proof that pages of results state the numbers of their results, in a headless Chromium.

Every command with a page writes it and its JSON: of the committed dataset, and of a copy in which
every name is made to do harm. Each number of the page's text must be a number of the JSON, rounded;
where a row has names, it must be where the result has them. No name may become markup, run, or
turn the text around it. The proof proves itself: a page with a changed digit must fail.
scripts/prove-pages result_numbers starts it.
"""

import json
import re
import shutil

from page_numbers import READ, Result, numbers
from page_proof import SCRIPTED, PageProof, arguments, prove

#: Names that would be markup, end texts, turn them around, break lines or fill the page.
HOSTILE = [
    "<img src=x onerror=\"document.title='harm'\">", "</script><script>document.title='harm'</script>",
    "\"' onmouseover='document.title=1' `x` {{data}}", "right\u202eleft\u2066to\u2069",
    "line\nbreak\tand\u2028more", "long " * 60,
]
#: What turns the direction of text, and must be written as an escape or isolated.
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f]")
#: The share of a page's numbers that may stand elsewhere in the result than the names beside them.
STRAY = 0.25
#: The share of changed digits that must be noticed without knowing what the page was made of.
NOTICED = 0.35
#: In how many parts of a page digits are changed.
SAMPLE = 150


class Proof(PageProof):
    """Pages of results, made in a folder of their own."""

    @property
    def directory(self):
        return self.folder


def dataset(folder, hostile):
    """A copy of the scripted dataset, with hostile names of the dataset, people, recordings, tags."""
    shutil.copytree(SCRIPTED, folder / "data")
    if not hostile:
        return
    manifest = folder / "data" / "dataset.yaml"
    text = re.sub(r"(?m)^name: .*$", lambda _: f"name: {json.dumps(HOSTILE[0])}",
                  manifest.read_text())
    people = dict(zip(("s01", "s02", "s03", "s04", "s05"), HOSTILE[1:]))
    text = re.sub(r"subject: (\w+)", lambda at: f"subject: {json.dumps(people[at[1]])}", text)
    text = re.sub(r"view: (\w+)", lambda at: f"view: {json.dumps(HOSTILE[0] + at[1])}", text)
    manifest.write_text(text)


def gate(folder, detector, name):
    """A gate with three rules."""
    (folder / "gate.yaml").write_text(
        f"dataset: data\nbaseline: baseline.json\ndetector: {detector}\nresamples: 200\nrules:\n"
        f"  - {{metric: plank.f1_macro, margin: 0.02, name: {json.dumps(name)}}}\n"
        "  - {metric: form.f1_macro, margin: 0.05, severity: warning}\n"
        "  - {metric: plank.flickers_per_minute, at_most: 2}\n")


def experiment(folder, question):
    """A small experiment."""
    (folder / "small").mkdir()
    (folder / "small" / "experiment.yaml").write_text(
        f"question: {json.dumps(question)}\ndataset: ../data\ndetector: gravity\naxes:\n"
        "  sag: {from: 1cm, to: 9cm, step: 1cm}\n  pike: {from: 1cm, to: 9cm, step: 1cm}\n"
        "  elbow_split: {from: 100deg, to: 170deg, step: 10deg}\n"
        "objective: [plank.balanced_accuracy, form.balanced_accuracy]\n"
        "tolerance: 0.01\nresamples: 20\nseed: 1\n")


def make_pages(proof, hostile):
    """The pages of results by name, each with its decoded result."""
    folder = proof.folder / ("hostile" if hostile else "scripted")
    folder.mkdir()
    proof.folder = folder
    dataset(folder, hostile)
    rule, question = (HOSTILE[:2] if hostile else ("no worse", "Which limits?"))
    gate(folder, "gravity", rule)
    proof.run("baseline", "update", "gate.yaml", "--reason", "start", "--allow-dirty")
    gate(folder, "article", rule)
    experiment(folder, question)
    commands = {
        "evaluate": ("evaluate", "data"),
        "compare": ("compare", "data", "gravity", "article", "--resamples", "200"),
        "gate": ("gate", "gate.yaml"),
        "tune": ("tune", "small"),
        "sweep": ("sweep", "small", "--store", "cells.sqlite"),
        "smoothers": ("smoothers", "compare", "data"),
        "replay": ("replay", "data", "s01-floor"),
        # A prefix of names has no hostile characters, so hostile data stand alone.
        "suggest": ("suggest", "data", *(() if hostile else (SCRIPTED.parent / "studio",)), "--detector", "trunk"),
    }
    made = {}
    for name, words in commands.items():
        path = folder / f"{name}.html"
        told = proof.run(*words, "--format", "json", "--html", path, statuses=(0, 2, 3))
        path.with_suffix(".json").write_text(told)
        made[name] = (path, Result(json.loads(told)))
    proof.folder = folder.parent
    return made


def faults(blocks, result):
    """The numbers that the result does not have, and those that it has elsewhere."""
    missing, stray = [], []
    for block in blocks:
        absent, elsewhere = result.missing(block)
        missing += [f"{shown.text} in “{block['text'][:120]}”" for shown in absent]
        stray += [f"{shown.text} in “{block['text'][:120]}”" for shown in elsewhere]
    return missing, stray


def changed(digit):
    """Another digit."""
    return str((int(digit) + 5) % 10)


def share_noticed(blocks, result):
    """The share of numbers in which a changed last digit is noticed, in a sample of a page."""
    noticed = total = 0
    sample = blocks[::max(1, len(blocks) // SAMPLE)]
    for block in sample:
        for number in numbers(block["text"], result.digit_names):
            text = block["text"]
            at = number.start + len(number.text) - 1
            if not text[at:at + 1].isdigit():
                continue
            other = {**block, "text": text[:at] + changed(text[at]) + text[at + 1:]}
            before, after = faults([block], result), faults([other], result)
            total += 1
            noticed += len(after[0]) > len(before[0]) or len(after[1]) > len(before[1])
    return noticed / max(1, total)


def prove_numbers(proof, name, path, result):
    """What the page says is what the result says; what that is worth is printed."""
    page = proof.open(path)
    blocks = [block for block in page.evaluate(READ) if not block["tick"]]
    missing, stray = faults(blocks, result)
    shown = sum(len(numbers(block["text"], result.digit_names)) for block in blocks)
    proof.check(shown > 20, f"{name}: only {shown} numbers are read")
    proof.equal(f"{name}: numbers that the result does not have", missing, [])
    proof.check(len(stray) <= max(3, STRAY * shown),
                f"{name}: {len(stray)} of {shown} numbers stand elsewhere in the result: {stray[:9]}")
    return page, blocks, shown, len(stray)


def prove_failing(proof, name, page, result, blocks):
    """A digit that is changed on the open page is noticed."""
    place = page.evaluate("""() => {
      const walker = document.createTreeWalker(document.querySelector('.column'), 4);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        const at = /\\d\\.\\d{3}|\\d{2}\\.\\d/.exec(node.data);
        if (at && !node.parentElement.closest('details, svg, code')) {
          node.data = node.data.replace(at[0], at[0][0] === '9' ? '7654.321' : '98765.4');
          return at[0];
        }
      }
    }""")
    proof.check(place, f"{name}: there is no number to change")
    found, _ = faults([block for block in page.evaluate(READ) if not block["tick"]], result)
    proof.check(found, f"{name}: {place} was changed, and nobody noticed")
    noticed = share_noticed(blocks, result)
    proof.check(noticed >= NOTICED, f"{name}: only {noticed:.0%} of changed digits are noticed")
    return noticed


def prove_harmless(proof, name, page):
    """No name became markup or ran, and none turns the text around it."""
    harm = page.evaluate("""() => [
      document.title, document.querySelectorAll('img, iframe, object, embed, base').length,
      [...document.querySelectorAll('*')].filter((element) =>
        [...element.attributes].some((own) => own.name.startsWith('on'))).length]""")
    proof.check(harm[0] not in ("harm", "1") and harm[1:] == [0, 0], f"{name}: {harm}")
    texts = page.evaluate("""() => {
      const texts = [document.title, document.body.innerText];
      for (const element of document.body.querySelectorAll('*')) {
        for (const name of ['aria-label', 'title']) texts.push(element.getAttribute(name) || '');
      }
      return texts;
    }""")
    turned = [text[max(0, at.start() - 30):at.end() + 30] for text in texts
              for at in BIDI.finditer(text)]
    proof.equal(f"{name}: texts that are turned around", turned[:5], [])


def main():
    """Runs all proofs."""
    def body(proof):
        for hostile in (False, True):
            for name, (path, result) in make_pages(proof, hostile).items():
                page, blocks, shown, stray = prove_numbers(proof, name, path, result)
                note = f"{shown} numbers hold, {stray} of them not beside their names"
                if hostile:
                    prove_harmless(proof, name, page)
                else:
                    noticed = prove_failing(proof, name, page, result, blocks)
                    note += f"; {noticed:.0%} of changed digits are noticed"
                proof.close(page)
                print(f"  {name}{', hostile names' if hostile else ''}: {note}", flush=True)

    prove(Proof, "result_numbers", arguments(__doc__).parse_args(), body)


if __name__ == "__main__":
    main()
