"""Golden values of the temporal metrics, computed with published implementations.

Events and bins: sed_eval. Edit distance: rapidfuzz. Quantiles of censored latencies:
lifelines. Matchings of transitions and segments: scipy. Quantiles of dwells: numpy.
Segmental F1 (MS-TCN's eval.py is no package), flickers, latencies and holds: frame by
frame from their definitions, written apart from the Swift code.
"""

import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

import numpy as np  # noqa: E402
import sed_eval  # noqa: E402
from lifelines import KaplanMeierFitter  # noqa: E402
from rapidfuzz.distance import Levenshtein  # noqa: E402
from run import rounded  # noqa: E402
from scipy.sparse import csr_array  # noqa: E402
from scipy.sparse.csgraph import maximum_bipartite_matching  # noqa: E402
from temporal_cases import CLASSES, SEED, all_cases, segments  # noqa: E402

GOLDEN = Path(__file__).resolve().parents[2] / "Tests/EvaluationTests/Goldens/temporal_metrics.json"
COLLARS = [0.1, 0.25, 0.5, 1.0]
OVERLAPS = [0.10, 0.25, 0.50]
PACKAGES = ["sed_eval", "lifelines", "rapidfuzz", "numpy", "scipy"]
NEAR = 0.5


def event_list(text, rate):
    return [
        {"event_label": letter, "onset": start / rate, "offset": end / rate, "file": "x"}
        for letter, start, end in segments(text)
    ]


def event_counts(truth, answers, rate):
    """[collar, ends, matched, truth, answers, substitutions] under each rule, by sed_eval.

    sed_eval takes substitutions greedily in the order of the lists; where another order
    gives another number, the number is null.
    """
    rows = []
    for ends in (True, False):
        for collar in COLLARS:
            found = []
            for turn in (1, -1):
                metric = sed_eval.sound_event.EventBasedMetrics(
                    list(CLASSES),
                    evaluate_onset=True,
                    evaluate_offset=ends,
                    t_collar=collar,
                    percentage_of_length=0.5,
                    event_matching_type="optimal",
                )
                metric.evaluate(event_list(truth, rate)[::turn] or [], event_list(answers, rate)[::turn] or [])
                found.append({key: int(value) for key, value in metric.overall.items()})
            one, other = found
            assert one["Ntp"] == other["Ntp"], "maximum matchings have one size"
            same = one["Nsubs"] == other["Nsubs"]
            rows.append([collar, ends, one["Ntp"], one["Nref"], one["Nsys"], one["Nsubs"] if same else None])
    return rows


def bin_counts(truth, answers, rate):
    metric = sed_eval.sound_event.SegmentBasedMetrics(list(CLASSES), time_resolution=1.0)
    metric.evaluate(
        event_list(truth, rate), event_list(answers, rate), evaluated_length_seconds=float(np.ceil(len(truth) / rate))
    )
    return [int(metric.overall[key]) for key in ("Ntp", "Nref", "Nsys")]


def edit_score(truth, answers):
    one = [letter for letter, _, _ in segments(truth)]
    other = [letter for letter, _, _ in segments(answers)]
    longer = max(len(one), len(other))
    return 100.0 if longer == 0 else 100 * (1 - Levenshtein.distance(one, other) / longer)


def segment_hits(truth, answers):
    """Hits at each overlap by the rule of MS-TCN: the best overlap only, first come."""
    true = segments(truth)
    hits = []
    for overlap in OVERLAPS:
        taken = set()
        for letter, start, end in segments(answers):
            shared = [
                max(0, min(end, e) - max(start, s)) / (max(end, e) - min(start, s)) if name == letter else 0.0
                for name, s, e in true
            ]
            best = int(np.argmax(shared)) if shared else None
            if best is not None and shared[best] >= overlap and best not in taken:
                taken.add(best)
        hits.append(len(taken))
    return hits


def matched(table):
    """The size of a maximum matching, by scipy (Hopcroft and Karp)."""
    if table.size == 0:
        return 0
    return int((maximum_bipartite_matching(csr_array(table)) >= 0).sum())


def optimal_hits(truth, answers):
    """Hits at each overlap where every answer may take any event."""
    true = segments(truth)
    found = segments(answers)
    hits = []
    for overlap in OVERLAPS:
        table = np.zeros((len(true), len(found)), dtype=int)
        for row, (name, s, e) in enumerate(true):
            for column, (letter, start, end) in enumerate(found):
                shared = len(set(range(s, e)) & set(range(start, end)))
                union = len(set(range(s, e)) | set(range(start, end)))
                table[row, column] = name == letter and shared / union >= overlap
        hits.append(matched(table))
    return hits


def changes(text):
    return [(frame, text[frame]) for frame in range(1, len(text)) if text[frame] != text[frame - 1]]


def stability(truth, answers, rate):
    """[answered, true, false, missed transitions, flickers]."""
    found, true = changes(answers), changes(truth)
    table = np.array([[a == b and abs(i - j) / rate <= NEAR for j, b in true] for i, a in found], dtype=int).reshape(
        len(found), len(true)
    )
    pairs = matched(table)
    runs = segments(answers, "n" + CLASSES)
    flickers = 0
    for (one, _, last), (_, start, end), (two, first, _) in zip(runs, runs[1:], runs[2:], strict=False):
        constant = len(set(truth[last - 1 : first + 1])) == 1
        flickers += one == two and (end - start) / rate < NEAR and constant
    return [len(found), len(true), len(found) - pairs, len(true) - pairs, flickers]


def dwells(text, rate):
    """By class, none first: [runs, tenth, median, ninetieth, longest, share under 0.5 s]."""
    rows = []
    for letter in "n" + CLASSES:
        lengths = [(end - start) / rate for _, start, end in segments(text, letter)]
        if not lengths:
            rows.append([0, None, None, None, None, None])
            continue
        quantiles = [float(q) for q in np.quantile(lengths, [0.1, 0.5, 0.9])]
        short = sum(length < NEAR for length in lengths) / len(lengths)
        rows.append([len(lengths), *quantiles, max(lengths), short])
    return rows


def latencies(truth, answers, rate):
    """(detections, releases) as (frames, followed, observed) over all classes.

    Nothing is scored before the first frame: an event there was not seen to begin.
    """
    detections, releases = [], []
    for letter in CLASSES:
        own = [(s, e) for name, s, e in segments(truth) if name == letter]
        for index, (start, end) in enumerate(own):
            hit = next((i for i in range(start, end) if answers[i] == letter), None)
            detections.append(((end if hit is None else hit) - start, hit is not None, start > 0))
            if end == len(truth) or hit is None:
                continue
            horizon = own[index + 1][0] if index + 1 < len(own) else len(truth)
            let_go = next((i for i in range(end, horizon) if answers[i] != letter), None)
            releases.append(((horizon if let_go is None else let_go) - end, let_go is not None, True))
    return detections, releases


def latency_values(observations, rate):
    """[count, hits, p50, p90, mean over hits, observed], null where undefined.

    Quantiles and means in seconds, over those that were observed.
    """
    count, all_hits = len(observations), sum(hit for _, hit, _ in observations)
    known = [(frames, hit) for frames, hit, observed in observations if observed]
    if not known:
        return [count, all_hits, None, None, None, 0]
    frames = np.array([frames for frames, _ in known], dtype=float)
    followed = np.array([hit for _, hit in known])
    # lifelines wants positive times: one more frame, taken off again.
    fitter = KaplanMeierFitter().fit((frames + 1) / rate, followed)
    quantiles = []
    for share in (0.5, 0.9):
        # Products of fractions are not exact; a tie at the share counts as reached.
        curve = fitter.survival_function_["KM_estimate"]
        reached = [t for t, s in curve.items() if s <= 1 - share + 1e-9]
        at = reached[0] if reached else None
        own = fitter.percentile(1 - share)
        if at is not None and np.isfinite(own):
            assert own >= at - 1e-12
        quantiles.append(None if at is None else at - 1 / rate)
    hits = frames[followed]
    return [count, all_hits, *quantiles, float(hits.mean() / rate) if len(hits) else None, len(known)]


def longest(text, letters, rate):
    """The longest hold in seconds with gaps up to half a second forgiven."""
    best = 0
    held = None
    for frame, letter in enumerate(text):
        if letter not in letters:
            continue
        if held is None or (frame - held[1] - 1) / rate > 0.5:
            held = [frame, frame]
        held[1] = frame
        best = max(best, held[1] - held[0] + 1)
    return best / rate


def holds(truth, answers, rate):
    """[true s, answered s, longest true s, longest answered s], any plank."""
    return [
        sum(letter in CLASSES for letter in truth) / rate,
        sum(letter in CLASSES for letter in answers) / rate,
        longest(truth, CLASSES, rate),
        longest(answers, CLASSES, rate),
    ]


def cases():
    found = []
    for name, rate, truth, answers in all_cases():
        detections, releases = latencies(truth, answers, rate)
        found.append({
            "name": name, "rate": rate, "truth": truth, "answers": answers,
            "events": event_counts(truth, answers, rate), "bins": bin_counts(truth, answers, rate),
            "edit": rounded(edit_score(truth, answers)), "segment_hits": segment_hits(truth, answers),
            "optimal_hits": optimal_hits(truth, answers), "stability": stability(truth, answers, rate),
            "dwells": rounded(dwells(answers, rate)), "detection": rounded(latency_values(detections, rate)),
            "release": rounded(latency_values(releases, rate)), "holds": rounded(holds(truth, answers, rate))})
    return found
