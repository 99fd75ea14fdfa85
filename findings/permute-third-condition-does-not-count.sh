#!/usr/bin/env bash
# The guess: stratified_permutationtest of permute takes, as documented, the difference of two conditions, and from
# three on the standard deviation over all of them, in each group, whatever the number of groups.
# The truth: it is the number of groups that decides. With two groups, the first two conditions are compared, and
# whatever comes after them in the alphabet takes no part, however far off it is. With three groups or more, all do.
# With one group, which the documentation allows, an error is raised.
# Version: permute 0.2, cryptorandom 0.4, numpy 2.4.6, scipy 1.17.1 (PyPI). Run with Python 3.11.
# Seen (detectors a, b and c on 10 people per detector and group, scores with noise of 1, and c better by 5): two
# groups: p 0.67; three groups: p 0.002. Named so that the better one is first, two groups: p 0.002.
# Who is hurt: who compares several detectors within two groups, as beginners and trainers: the best one is left out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps permute==0.2 cryptorandom==0.4 numpy==2.4.6 scipy==1.17.1
venv/bin/python - <<'END_PYTHON'
import importlib.metadata
import numpy
from permute.stratified import stratified_permutationtest, stratified_permutationtest_mean

print("permute", importlib.metadata.version("permute"))


def chance(groups, best):
    random = numpy.random.default_rng(0)
    group = numpy.repeat(numpy.arange(groups), 30)
    detector = numpy.tile(numpy.repeat(["a", "b", "c"], 10), groups)
    score = random.normal(size=30 * groups) + 5 * (detector == best)
    value, statistic, _ = stratified_permutationtest(group, detector, score, reps=500, seed=1)
    print(f"{groups} groups, {best} is better by 5: p {value:.3f}, statistic {statistic:.2f}")
    higher = score + 1000 * (detector == "c")
    return value, stratified_permutationtest_mean(group, detector, higher) == statistic


value, same = chance(2, "c")
assert 0.5 < value < 0.8 and same, "changed: with two groups the third condition counts"
value, same = chance(3, "c")
assert value < 0.01 and not same, "changed: three groups"
value, same = chance(2, "a")
assert value < 0.01 and same, "changed: two groups, the first condition is better"
print("as stated: with two groups the third condition takes no part")
END_PYTHON
