#!/usr/bin/env bash
# The guess: sample(..., sampling="hierarchical") of bootstrap-ci draws people instead of frames, and ci(...) after it
# gives the interval for these draws; ci(..., nr_bootstrap_samples=1000) draws anew, as its documentation says.
# The truth: the draws are new, but the statistic is computed only if it never was. So from the second interval of an
# object on, all are those of its first draws: other seeds change nothing, nor do more draws, and an interval over
# frames is returned as one over people. Nothing is raised or warned.
# Version: bootstrap-ci 0.0.1, numpy 2.4.6, numba 0.68.1, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (10 people with 100 frames each, about 80 right): over frames 0.772 to 0.823, and again with another seed. Over
# people after that: 0.772 to 0.823; over people, asked first: 0.746 to 0.852.
# Who is hurt: who compares the interval over frames with the one over people: they agree, so people seem alike.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bootstrap-ci==0.0.1 numpy==2.4.6 numba==0.68.1 llvmlite==0.50.0 scipy==1.17.1 \
  matplotlib==3.11.2 contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 packaging==26.4 \
  pillow==13.0.0 pyparsing==3.3.3 python-dateutil==2.9.0.post0 six==1.17.0
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from bootstrap_ci import Bootstrap

print("bootstrap-ci", importlib.metadata.version("bootstrap-ci"))
random = numpy.random.default_rng(0)
chances = numpy.clip(random.normal(0.8, 0.1, 10), 0, 1)
right = (random.random((10, 100)) < chances[:, None]).astype(float).ravel()
people = [list(range(start, start + 100)) for start in range(0, 1000, 100)]
draw_people = {"method": "cases", "strategy": [True, False]}


def over_frames(bootstrap, seed):
    low, high = bootstrap.ci(coverages=0.95, side="two", method="percentile", nr_bootstrap_samples=1000, seed=seed)
    print(f"over frames, seed {seed}: {low:.4f} to {high:.4f}")
    return float(low), float(high)


def over_people(bootstrap, name):
    bootstrap.sample(1000, seed=1, sampling="hierarchical", sampling_args=draw_people)
    low, high = bootstrap.ci(
        coverages=0.95, side="two", method="percentile", sampling="hierarchical", sampling_args=draw_people)
    print(f"over people, {name}: {low:.4f} to {high:.4f}")
    return float(low), float(high)


used = Bootstrap(right, numpy.mean, group_indices=people)
first, second = over_frames(used, 1), over_frames(used, 2)
third = over_people(used, "asked after frames")
alone = over_people(Bootstrap(right, numpy.mean, group_indices=people), "asked first")
fresh = over_frames(Bootstrap(right, numpy.mean, group_indices=people), 2)
assert first == second == third, "changed: a second interval"
assert fresh != first, "changed: another seed, asked first"
assert alone[1] - alone[0] > 1.5 * (third[1] - third[0]), "changed: over people, asked first"
print("as stated: the interval over people is the one over frames, if that was asked for before")
END_PYTHON
