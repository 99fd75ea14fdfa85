#!/usr/bin/env python3
"""Compares committed goldens with published implementations, or records them.

    python scripts/oracles/run.py [NAME ...]             compare; exits 1 on a difference
    python scripts/oracles/run.py --record NAME ...      write the goldens of these oracles

Each oracle computes its cases a second time, with scikit-learn, scipy, sed_eval, lifelines, allantools, statsmodels, filterpy
or OneEuroFilter (requirements.txt; `ward_metrics` needs aqudem, which has requirements of its own and Python 3.12). Versions
of packages may differ, values may not: an oracle says how far they may be apart. Run it when a golden is recorded.
"""

import argparse
import importlib
import json
import random
import sys
from importlib.metadata import version

ORACLES = [
    "classification_metrics", "temporal_metrics", "spectra", "jitter", "lag", "resampling", "smoothing_filters",
]
ALL = [*ORACLES, "ward_metrics"]


def equal(where, committed, found):
    """Whether two numbers are the same, for oracles that have no rule of their own."""
    return committed == found


class Stream:
    """Draws from random.Random.random() alone: Python keeps that stream across versions."""

    def __init__(self, seed, name):
        self.unit = random.Random(f"{seed}/{name}").random

    def below(self, bound):
        return int(self.unit() * bound)


def document(oracle):
    """What the golden holds: what the oracle says, or else its cases, their seed and its packages."""
    if hasattr(oracle, "document"):
        return oracle.document()
    versions = {name: version(name) for name in oracle.PACKAGES}
    facts = getattr(oracle, "FACTS", {})
    return {"schema_version": 1, "seed": oracle.SEED, "versions": versions, **facts, "cases": oracle.cases()}


def rounded(value, digits=12):
    """Floats to so many significant digits, as goldens hold them; a number under 1e-12 becomes 0."""
    if isinstance(value, float):
        result = float(f"{value:.{digits}g}")
        return 0.0 if abs(result) < 1e-12 else result
    if isinstance(value, dict):
        return {key: rounded(part, digits) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(part, digits) for part in value]
    return value


def differences(where, committed, found, same):
    """Paths at which two JSON values differ."""
    if isinstance(committed, dict) and isinstance(found, dict):
        for key in sorted(committed.keys() | found.keys()):
            if key in committed and key in found:
                yield from differences(f"{where}/{key}", committed[key], found[key], same)
            else:
                yield f"{where}/{key}: only in {'committed' if key in committed else 'recomputed'}"
    elif isinstance(committed, list) and isinstance(found, list):
        if len(committed) != len(found):
            yield f"{where}: {len(committed)} elements committed, {len(found)} recomputed"
        for index, pair in enumerate(zip(committed, found)):
            yield from differences(f"{where}[{index}]", *pair, same)
    elif type(committed) is float and type(found) is float:
        if not same(where, committed, found):
            yield f"{where}: committed {committed!r}, recomputed {found!r}"
    elif type(committed) is not type(found) or committed != found:
        yield f"{where}: committed {committed!r}, recomputed {found!r}"


def refused(text):
    raise ValueError(f"{text} is not strict JSON")


def values(content):
    return {key: value for key, value in content.items() if key != "versions"}


def compare(oracle, content):
    """Names the differences from the committed golden; returns how many there are."""
    committed = json.loads(oracle.GOLDEN.read_text("utf-8"), parse_constant=refused)
    found = list(differences(
        "", values(committed), values(json.loads(json.dumps(content))), getattr(oracle, "same", equal)))
    for line in found:
        print(line, file=sys.stderr)
    cases = sum(len(value) for value in content.values() if isinstance(value, list))
    print(f"{oracle.GOLDEN.name}: {cases} cases, {len(found)} differences")
    return len(found)


def rows(content):
    """The layout of most goldens: keys in order, and a case per line."""
    parts = []
    for key, value in sorted(content.items()):
        if isinstance(value, list) and isinstance(value[0], dict):
            lines = ",\n".join("  " + json.dumps(case, sort_keys=True) for case in value)
            parts.append(f' "{key}": [\n{lines}\n ]')
        else:
            parts.append(json.dumps({key: value}, indent=1, sort_keys=True)[2:-2])
    return "{\n" + ",\n".join(parts) + "\n}\n"


def record(oracle, content):
    """Writes the golden in the layout of its oracle."""
    text = getattr(oracle, "layout", rows)(content)
    if json.loads(text) != json.loads(json.dumps(content)):
        sys.exit(f"{oracle.GOLDEN.name}: the layout changed the content")
    oracle.GOLDEN.write_text(text, "utf-8")
    print(f"{oracle.GOLDEN.name}: written")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ALL))
    parser.add_argument("--record", action="store_true", help="write the goldens instead of comparing")
    options = parser.parse_args()
    unknown = set(options.names) - set(ALL)
    if unknown or options.record and not options.names:
        parser.error(f"there is no oracle {', '.join(sorted(unknown))}" if unknown else "--record needs names")
    wrong = 0
    for name in options.names or ORACLES:
        oracle = importlib.import_module(name)
        content = document(oracle)
        if options.record:
            record(oracle, content)
        else:
            wrong += compare(oracle, content)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
