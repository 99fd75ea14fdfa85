"""The numbers that a page shows, and the numbers of the JSON result that they must equal.

A page may round; it may not compute. So each number of the visible text must be a number of the
result, rounded to the decimals that the page writes, in the unit that the page writes beside it.
A number in a row with names, such as a person or a metric, must be found where the result names one
of them, not just anywhere. What is no statement of the result has a rule of its own below.
"""

import bisect
import math
import re
from collections import defaultdict
from statistics import NormalDist

#: The text of a page block by block, with everything open: rows, items, paragraphs, texts of
#: pictures. With each block stand the names around it: headings, and the heads of its row and column.
#: Ticks of axes, and how many rows a folded table has, are no statements of the result.
READ = """() => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const blocks = new Map();
  const BLOCK = 'td, th, li, p, h1, h2, h3, h4, figcaption, caption, dt, dd, summary, pre, text, desc,'
    + ' title, svg, label, button, div, section, header';
  const add = (element, text) => {
    const block = element.closest(BLOCK) || element;
    if (!blocks.has(block)) blocks.set(block, []);
    blocks.get(block).push(text);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (element.closest('script, style, template, option, [data-proved-elsewhere]')) continue;
    if (!node.data.trim()) continue;
    const drawn = element.closest('svg') || element.getClientRects().length
      || element.closest('.said');
    if (drawn) add(element, node.data);
  }
  for (const name of ['aria-label', 'title', 'aria-description']) {
    for (const element of document.body.querySelectorAll(`[${name}]`)) {
      if (!element.closest('[data-proved-elsewhere]')) {
        blocks.set(Symbol(), [element.getAttribute(name), element]);
      }
    }
  }
  const head = (cell) => {
    const rows = cell.closest('table').tHead?.rows || [];
    const heads = rows.length ? rows[rows.length - 1].cells : [];
    return clean(heads[cell.cellIndex]?.textContent || '');
  };
  const rows = (element) => {
    const said = element.matches('summary') && /^(\d+) rows$/.exec(element.textContent.trim());
    return said && element.parentElement.querySelectorAll('tbody tr').length === Number(said[1]);
  };
  const clean = (text) => text.replace(/\\s+/g, ' ').trim();
  const around = (element) => {
    const names = [];
    const cell = element.closest('td, th');
    if (cell) {
      names.push(head(cell));
      for (const other of cell.parentElement.cells) {
        if (other !== cell && !/^[-+\u2212]?[\d.,]+( %)?$/.test(clean(other.textContent))) {
          names.push(clean(other.textContent));
        }
      }
    }
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
        if (/^H[1-4]$/.test(before.tagName) || before.matches('.name, caption, summary, .pill')) {
          names.push(clean(before.textContent));
          break;
        }
      }
      if (at.tagName === 'TABLE' && at.caption) names.push(clean(at.caption.textContent));
    }
    return names.join(' ');
  };
  return [...blocks].map(([block, texts]) => {
    const isName = typeof block === 'symbol';
    const element = isName ? texts[1] : block;
    return {
      text: clean(isName ? texts[0] : texts.join(' ')), around: around(element),
      kind: isName ? 'name' : element.tagName.toLowerCase(),
      group: (element.closest('[class]') || element).getAttribute('class') || '',
      head: element.closest('td') ? head(element.closest('td')) : '',
      tick: rows(element) || !!element.closest('.tick, .axis')
        || element.matches('text.fill-dim') && /^[-\d.,]+( \S+)?$/.test(clean(texts.join(' '))),
    };
  }).filter((block) => /\\d/.test(block.text));
}"""

#: A number as pages write it: an optional sign, thousands in groups, decimals.
NUMBER = re.compile(
    r"(?<![\w.])[-+\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]*\.?\d)(?:e[-+]?\d+)?")
#: What has digits and states no number of the result: hashes, versions, times of day, names.
NOT_NUMBERS = [
    re.compile(r"\\u\{[0-9A-F]+\}"),
    re.compile(r"\b[0-9a-f]{12,}\b"),
    re.compile(r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?\b"),
    re.compile(r"\b\d{8}T\d{6}Z-[0-9a-f]+\b"),
    re.compile(r"\bplanklab \d+\.\d+\.\d+\b"),
]
#: The end of a scale, and the power with which a gate's smallest loss is computed.
SCALES = [re.compile(r"(?<=\d of )100\b"), re.compile(r"(?<=\d out of )100\b"), re.compile(r"\b0 to 100\b"),
          re.compile(r"\b4 of 5(?= cases)")]
#: How much a unit after a number, or the name of a member, makes of the member's value.
UNITS = [
    ("%", (1, 100)), ("point", (1, 100)), ("cm", (1, 100)), ("mm", (1, 1000)), ("ms", (1, 1000)),
    ("kB", (0.001, 1)), ("MB", (1e-6, 1)), ("min", (1, 1 / 60)),
    ("minutes", (1, 1 / 60)), ("cm/s^2", (1, 100)), ("cm, cm/s^2", (1, 100)),
    ("for +0.01", (0.01,)), ("°", (1, 180 / math.pi)),
]


#: A time of a recording, in minutes and seconds.
TIME = re.compile(r"(?<![\w.:])(\d+):(\d{2}(?:\.\d+)?)(?![\w:])")
#: A unit after a number; the ends of a range, and a number before its interval, share the last one.
UNIT = re.compile(
    r"(?:\)?(?: →| ->| to| \.\.\.| \() ?[-+\u2212]?[\d.,]*\d){0,3}\)?[ \u00a0]?"
    r"(%|points?|cm|mm|ms|kB|MB|min|°)(?![\w/])")


class Leaf:
    """A number of the result, with every name that leads to it."""

    def __init__(self, value, names, path):
        self.value, self.names, self.path = value, names, path


def words(text):
    """The names within a text."""
    return set(re.findall(r"[A-Za-z_][\w.-]*\w|\w+-\w+", text))


def leaves(result):
    """All numbers of a decoded result; those in its texts, too, and the lengths of its lists.

    A number has the names of the members that lead to it, and every text of the records, which are
    the objects of a list, that it is in, but for those of long lists within these. What readers do in
    their heads counts as a number, too: the end of what has a start and a length, the change from
    before to after, what worse frames and other values of a parameter change of an objective, how
    many more people would prove an advice, and the sum of a row of a matrix.
    """
    found = []

    def walk(value, names, path, is_record=False):
        if isinstance(value, bool) or value is None:
            return
        if isinstance(value, (int, float)):
            found.append(Leaf(float(value), names, path))
        elif isinstance(value, str):
            for number in numbers(value, set()):
                found.append(Leaf(number.value, names | words(value), path))
        elif isinstance(value, list):
            found.append(Leaf(float(len(value)), names, path + ".count"))
            if value and all(isinstance(row, list) and row and all(
                    isinstance(cell, (int, float)) for cell in row) for row in value):
                found.extend(Leaf(float(sum(row)), names, path + ".sum") for row in value)
            for index, item in enumerate(value):
                walk(item, names, f"{path}[{index}]", True)
        else:
            own = {text for text in value.values() if isinstance(text, str)}
            own = names | (strings(value, SHORT) if is_record else own)
            if "start_s" in value and "duration_s" in value:
                found.append(Leaf(value["start_s"] + value["duration_s"], own, path + ".end_s"))
            ends = [value.get(key) for key in ("before", "after")]
            if all(isinstance(end, (int, float)) for end in ends):
                found.append(Leaf(ends[1] - ends[0], own, path + ".change"))
            if {"better", "candidates", "people"} <= value.keys():
                found.append(Leaf(people_missing(value), own, path + ".missing"))
            found.extend(Leaf(change, own | {name, "worse_frames"}, path + ".change")
                         for name, change in objective_changes(value))
            for key, item in value.items():
                walk(item, own | {key}, f"{path}.{key}")

    walk(result, frozenset(), "")
    return found


def people_missing(advice):
    """How many more people who change alike would prove an advice, with a risk of 0.025 and six people at least."""
    normal, sure = NormalDist(), max(advice["better"], 1 - advice["better"])
    if not 0.5 < sure < 1:
        return math.inf
    ratio = normal.inv_cdf(1 - 0.025 / advice["candidates"]) / normal.inv_cdf(sure)
    return max(1, max(6, math.ceil(advice["people"] * ratio**2)) - advice["people"])


def objective_changes(stream):
    """What a tuned stream's number changes on worse frames and along its parameters, by name."""
    if not isinstance(stream.get("objective"), dict) or "worse_frames" not in stream:
        return
    objective = stream["objective"]
    for row in stream["worse_frames"]:
        if None not in (row["objective"], objective.get("recommended")):
            yield row["condition"], row["objective"] - objective["recommended"]
    for profile in stream["views"]["profiles"]:
        for value in profile["objective"]:
            if value is not None:
                yield profile["parameter"], value - objective["found_on_grid"]


#: A longer list of records names too much to say of what a number is.
SHORT = 9


def strings(value, longest=math.inf):
    """All texts of a decoded result, and the names of its members, but for records of longer lists."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, list):
        return set().union(*(strings(item, longest) for item in value
                             if len(value) <= longest or not isinstance(item, dict)))
    if isinstance(value, dict):
        return set(value).union(*(strings(item, longest) for item in value.values()))
    return set()


class Shown:
    """A number as it is written, with how it may be rounded."""

    def __init__(self, text, unit, start=0):
        self.text, self.unit, self.start = text, unit, start
        plain = text.replace(",", "").replace("\u2212", "-")
        self.value = float(plain)
        self.decimals = len(plain.partition(".")[2].partition("e")[0])

    def factors(self):
        """What the unit may make of a member's value."""
        return next((factors for unit, factors in UNITS if unit == self.unit), (1,))

    @property
    def slack(self):
        """Half of the last digit."""
        return 0.5 * 10**-self.decimals * (1 + 1e-6) + 1e-9

    def equals(self, value):
        """Whether a member of the result, in the unit of the page, is written so."""
        signs = (1,) if self.text[0] in "+-\u2212" else (1, -1)
        return any(abs(sign * value * factor - self.value) <= self.slack
                   for factor in self.factors() for sign in signs)


def numbers(text, names):
    """The numbers of a text; `names` are taken out before, longest first."""
    for name in names:
        text = re.sub(r"(?<![\w.])" + re.escape(name) + r"(?!\w|\.\d)",
                      lambda found: "#" * len(found[0]), text)
    for rule in NOT_NUMBERS + SCALES:
        text = rule.sub(lambda found: "#" * len(found[0]), text)
    found = []
    for match in TIME.finditer(text):
        seconds = 60 * int(match[1]) + float(match[2])
        found.append(Shown(f"{seconds:.{len(match[2].partition('.')[2])}f}", "", match.start()))
    text = TIME.sub(lambda match: "#" * len(match[0]), text)
    for match in NUMBER.finditer(text):
        unit = UNIT.match(text[match.end():])
        unit = unit[1].removesuffix("s") if unit and unit[1] == "points" else unit[1] if unit else ""
        found.append(Shown(match[0], unit, match.start()))
    return found


class Result:
    """The numbers of a result, by the names that lead to them."""

    #: A name that leads to more than this share of the numbers, and to more than so many, says little about one.
    COMMON, FEW = 0.2, 150

    def __init__(self, decoded):
        self.leaves = leaves(decoded)
        # Names with digits: of people, recordings, smoothers and files, but no number with a unit.
        self.digit_names = sorted(
            (text for text in strings(decoded) if re.search(r"\d", text)
             and (re.search(r"[A-Za-z_-]{2}|^[A-Za-z]", text) and not re.match(r"[-+]?\d", text)
                  or len(text) > 80)), key=len, reverse=True)
        self.sizes = sorted((abs(leaf.value), index) for index, leaf in enumerate(self.leaves))
        self.named = defaultdict(set)
        for index, leaf in enumerate(self.leaves):
            for name in leaf.names:
                if len(name.split()) > 3:
                    continue  # a sentence, which names nothing
                for word in words(name) | {name}:
                    self.named[word].add(index)
                    for part in word.split("."):
                        self.named[part].add(index)

    def scope(self, text):
        """The numbers to which the telling names of a text lead; nil for a text without any."""
        found = {word for word in words(text) | set(text.split()) 
                 if len(word) > 2 and word in self.named}
        most = max(self.FEW, self.COMMON * len(self.leaves))
        telling = [word for word in found if len(self.named[word]) <= most]
        return set().union(*(self.named[word] for word in telling or found)) if found else None

    def matches(self, shown):
        """The places of all numbers that are written so."""
        found = set()
        for factor in shown.factors():
            least = (abs(shown.value) - shown.slack) / factor
            for size, index in self.sizes[bisect.bisect_left(self.sizes, (least, -1)):]:
                if size * factor > abs(shown.value) + shown.slack:
                    break
                if shown.equals(self.leaves[index].value):
                    found.add(index)
        return found

    def missing(self, block):
        """The numbers of a block that the result does not have, and those that it has elsewhere."""
        near = self.scope(block["text"])
        if near is None:
            near = self.scope(block["around"])
        none, elsewhere = [], []
        unit = re.search(r"\b(cm, cm/s\^2)\b", block["around"]) or re.search(
            r"(?:^|[ ,])(%|cm|mm|ms|kB|MB|min|minutes|for \+0\.01)$", block["head"])
        for shown in numbers(block["text"], self.digit_names):
            shown.unit = shown.unit or (unit[1] if unit else "")
            matches = self.matches(shown)
            if not matches:
                none.append(shown)
            elif near is not None and not matches & near:
                elsewhere.append(shown)
        return none, elsewhere
