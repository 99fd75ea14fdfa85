#!/usr/bin/env bash
# The guess: BayesianFilter.run() and run_synchronous() take observations and their times, one each. The initial state
# is that of the first time, an observation counts at its own time, and each state is that of the time beside it.
# The truth: run() first predicts by 1 / rate_hz and only then reports the first time, so every state is one step of the
# filter ahead of the time it is given. run_synchronous() leaves the initial state in place but takes the first
# observation at the second time, the second at the third, and the last one never.
# Version: bayesfilter 0.2.0, numpy 2.4.6 (PyPI). Run with Python 3.11.
# Seen (a joint at 0 with a speed of 1 m/s, which the initial state knows; times 0, 0.5, 1, 1.5, 2): run() at 2 Hz 0.5,
# 1, 1.5, 2, 2.5; at 20 Hz 0.05 at time 0. run_synchronous(), if sure of the observations alone: 0, 0, 0.5, 1, 1.5.
# Who is hurt: who filters poses: by one way they are early, by the other late, and the size depends on the rate.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps bayesfilter==0.2.0 numpy==2.4.6
venv/bin/python -W error - <<'END_PYTHON'
import importlib.metadata
import numpy as np
from bayesfilter.distributions import Gaussian
from bayesfilter.filtering import BayesianFilter
from bayesfilter.model import StateTransitionModel
from bayesfilter.observation import Observation

print("bayesfilter", importlib.metadata.version("bayesfilter"))
times = np.array([0, 0.5, 1, 1.5, 2])


def tool(doubt):
    motion = StateTransitionModel(
        lambda state, step: np.array([state[0] + step * state[1], state[1]]), np.eye(2) * doubt,
        lambda state, step: np.array([[1, step], [0, 1]]))
    return BayesianFilter(motion, Gaussian(np.array([0.0, 1.0]), np.eye(2) * 1e-9))


def observe(doubt):
    return [Observation(np.array([time]), np.array([[doubt]]), lambda state: state[:1],
                        lambda state: np.array([[1.0, 0.0]])) for time in times]


def places(states):
    return [round(float(state.mean()[0]), 3) + 0 for state in states]


def run(rate):
    states, clock = tool(1e-9).run(observe(1e3), times, rate, use_jacobian=True)
    seen = dict(zip([round(float(time), 3) for time in clock], places(states)))
    print(f"run() at {rate} Hz, the first ones:", dict(list(seen.items())[:5]))
    return seen


assert run(2) == {0: 0.5, 0.5: 1, 1: 1.5, 1.5: 2, 2: 2.5}, "changed: run() is not one step ahead"
fine = run(20)
assert fine[0] == 0.05 and fine[1] == 1.05, "changed: the step of run() is not that of its rate"
kept = places(tool(0).run_synchronous(observe(1e3), times, use_jacobian=True))
late = places(tool(1e3).run_synchronous(observe(1e-9), times, use_jacobian=True))
print("run_synchronous(), sure of the motion:", kept)
print("run_synchronous(), sure of the observations:", late)
assert kept == [0, 0.5, 1, 1.5, 2], "changed: run_synchronous() without observations"
assert late == [0, 0, 0.5, 1, 1.5], "changed: observations count at their own time"
print("as stated: one way is a step ahead, the other a step behind")
END_PYTHON
