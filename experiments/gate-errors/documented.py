"""Files as the documentation shows them, for proofs that must not drift away from it."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def file(page, path):
    """The text of the block that a page says to write to a path."""
    text = (ROOT / page).read_text()
    found = re.search(rf"<!-- proof: file {re.escape(path)} -->\n```\w*\n(.*?)```\n", text, re.DOTALL)
    if not found:
        raise SystemExit(f"{page}: shows no file {path}")
    return found.group(1)


def gate(anchor=None):
    """The gate of docs/ci.md for a folder `data` and answers, with an anchor if one is named."""
    text = file("docs/ci.md", "planklab/gate.yaml")
    text = re.sub(r"^dataset: .*", "dataset: data", text, flags=re.M)
    text = re.sub(r"^parameters: .*", "predictions: answers", text, flags=re.M)
    return re.sub(r"^baseline: (.*)", rf"baseline: \1\nanchor: {anchor}", text, flags=re.M) if anchor else text
