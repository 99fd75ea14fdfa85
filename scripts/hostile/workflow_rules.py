"""What holds of every workflow, so that a fork's pull request reaches nothing but its own job.

    python workflow_rules.py FILE.yml ...

Each rule first has to find a violation that is planted into a sound workflow. Needs ruamel.yaml.
"""

import copy
import pathlib
import re
import sys
from collections.abc import Callable, Iterator

from ruamel.yaml import YAML

#: Events with which a stranger would start a workflow that has the rights and secrets of the repository.
PRIVILEGED = {
    "pull_request_target", "workflow_run", "issue_comment", "issues", "discussion", "discussion_comment", "fork",
    "watch", "pull_request_review", "pull_request_review_comment",
}


def jobs(workflow: dict) -> Iterator[tuple[str, dict]]:
    yield from workflow["jobs"].items()


def steps(workflow: dict) -> Iterator[tuple[str, dict]]:
    for name, job in jobs(workflow):
        yield from ((name, step) for step in job.get("steps", []))


def events(workflow: dict) -> set[str]:
    on = workflow["on"]
    return {on} if isinstance(on, str) else set(on)


def writes(permissions: object) -> set[str]:
    """The permissions to write; a text such as `write-all` is one by itself."""
    if isinstance(permissions, dict):
        return {name for name, right in permissions.items() if right == "write"}
    return {str(permissions)} if permissions is not None and "write" in str(permissions) else set()


def texts(value: object) -> Iterator[str]:
    """All texts below a value."""
    if isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    else:
        yield str(value)


def privileged_event(workflow: dict) -> Iterator[str]:
    yield from sorted(events(workflow) & PRIVILEGED)


def token_that_writes(workflow: dict) -> Iterator[str]:
    if "permissions" not in workflow:
        yield "no permissions, so those of the repository's settings"
    yield from writes(workflow.get("permissions"))
    for name, job in jobs(workflow):
        allowed = {"pull-requests"} if "pull_request" in events(workflow) else {"contents"}
        yield from (f"{name}: {right}" for right in writes(job.get("permissions")) - allowed)


def code_beside_a_token_that_writes(workflow: dict) -> Iterator[str]:
    """A job of a pull request that may write runs the action and planklab, and nothing that the checkout holds."""
    if "pull_request" not in events(workflow):
        return
    for name, job in jobs(workflow):
        if writes(job.get("permissions")):
            for step in job["steps"]:
                for line in step.get("run", "").splitlines():
                    if not line.startswith("planklab "):
                        yield f"{name}: {line}"


def secret(workflow: dict) -> Iterator[str]:
    yield from (text for text in texts(workflow) if re.search(r"\bsecrets\b\s*[.\[)]", text))
    yield from (name for name, job in jobs(workflow) if "secrets" in job)


def endless_job(workflow: dict) -> Iterator[str]:
    yield from (name for name, job in jobs(workflow) if not job.get("timeout-minutes"))


def machines(job: dict) -> list[str]:
    """What a job runs on, by all values of its matrix."""
    machine, matrix = str(job.get("runs-on")), job.get("strategy", {}).get("matrix", {})
    key = re.fullmatch(r"\$\{\{ matrix\.(\w+) \}\}", machine)
    if key is None or not isinstance(matrix, dict):
        return [machine]
    values, include = matrix.get(key[1], []), matrix.get("include", [])
    if not isinstance(values, list) or not isinstance(include, list):
        return [machine]
    return [str(value) for value in values + [row[key[1]] for row in include if key[1] in row]] or [machine]


def own_runner(workflow: dict) -> Iterator[str]:
    for name, job in jobs(workflow):
        for machine in machines(job):
            if not re.fullmatch(r"(ubuntu|macos)-[0-9.]+(-arm)?", machine):
                yield f"{name}: {machine}"


def cache_of_strangers(workflow: dict) -> Iterator[str]:
    """A workflow that publishes takes nothing from a cache."""
    if any(writes(job.get("permissions")) for _, job in jobs(workflow)):
        for name, step in steps(workflow):
            if "cache" in str(step.get("uses")) or "cache" in step.get("with", {}):
                yield name


def kept_credentials(workflow: dict) -> Iterator[str]:
    for name, step in steps(workflow):
        if str(step.get("uses")).startswith("actions/checkout@") and (
                step.get("with", {}).get("persist-credentials") is not False):
            yield name


def moving_action(workflow: dict) -> Iterator[str]:
    for name, step in steps(workflow):
        uses = step.get("uses", "")
        if uses and not uses.startswith(("./", "OWNER/planklab@")) and not re.search(r"@[0-9a-f]{40}$", uses):
            yield f"{name}: {uses}"


def text_in_a_script(workflow: dict) -> Iterator[str]:
    yield from (f"{name}: {step['run']}" for name, step in steps(workflow) if "${{" in step.get("run", ""))


SOUND = """
on: pull_request
permissions: {contents: read}
jobs:
  gate:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: {contents: read, pull-requests: write}
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd
        with: {persist-credentials: false}
      - run: planklab gate gate.yaml
"""


def step(**facts: object) -> Callable[[dict], None]:
    """Adds a step to the sound workflow."""
    return lambda workflow: workflow["jobs"]["gate"]["steps"].append(facts)


def job(**facts: object) -> Callable[[dict], None]:
    """Changes the job of the sound workflow."""
    return lambda workflow: workflow["jobs"]["gate"].update(facts)


#: Each rule with changes of the sound workflow that break it.
RULES: dict[Callable[[dict], Iterator[str]], list[Callable[[dict], None]]] = {
    privileged_event: [lambda workflow: workflow.update(on={"pull_request_target": None}),
                       lambda workflow: workflow.update(on=["push", "workflow_run"])],
    token_that_writes: [lambda workflow: workflow.pop("permissions"), job(permissions="write-all"),
                        lambda workflow: workflow.update(permissions={"contents": "write"}),
                        job(permissions={"contents": "write"})],
    code_beside_a_token_that_writes: [step(run="swift test"), step(run="planklab gate gate.yaml\n./build")],
    secret: [step(run="echo", env={"KEY": "${{ secrets.KEY }}"}), job(secrets="inherit"),
             step(run="echo", env={"ALL": "${{ toJSON(secrets) }}"})],
    endless_job: [lambda workflow: workflow["jobs"]["gate"].pop("timeout-minutes")],
    own_runner: [job(**{"runs-on": "self-hosted"}), job(**{"runs-on": ["self-hosted", "linux"]}),
                 job(**{"runs-on": "${{ matrix.machine }}",
                        "strategy": {"matrix": {"include": [{"machine": "ubuntu-24.04"}, {"machine": "mine"}]}}}),
                 job(**{"runs-on": "${{ matrix.machine }}", "strategy": {"matrix": {
                     "machine": ["ubuntu-24.04"], "include": "${{ fromJSON(needs.list.outputs.machines) }}"}}}),
                 job(**{"runs-on": "${{ matrix.machine }}"})],
    cache_of_strangers: [step(uses="actions/cache@" + "0" * 40),
                         step(uses="a/b@" + "0" * 40, **{"with": {"cache": "npm"}})],
    kept_credentials: [step(uses="actions/checkout@" + "0" * 40)],
    moving_action: [step(uses="actions/setup-python@v5"), step(uses="a/b@main")],
    text_in_a_script: [step(run="planklab gate ${{ github.head_ref }}")],
}


def plant(sound: dict) -> None:
    """Every rule finds what is planted, and nothing in the sound workflow."""
    for rule, plants in RULES.items():
        if found := list(rule(sound)):
            sys.exit(f"workflow_rules: {rule.__name__} finds {found} in a sound workflow")
        for change in plants:
            workflow = copy.deepcopy(sound)
            change(workflow)
            if not list(rule(workflow)):
                sys.exit(f"workflow_rules: {rule.__name__} does not find what was planted")


def main() -> None:
    yaml = YAML(typ="safe")
    plant(yaml.load(SOUND))
    faults = 0
    for path in sys.argv[1:]:
        workflow = yaml.load(pathlib.Path(path))
        for rule in RULES:
            for found in rule(workflow):
                faults += 1
                print(f"{path}: {rule.__name__.replace('_', ' ')}: {found}")
    print(f"workflow_rules: {len(sys.argv) - 1} workflows, {len(RULES)} rules, {sum(map(len, RULES.values()))} planted "
          f"violations found, {faults} others")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
