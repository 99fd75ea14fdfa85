# Everything a person or a machine does here. `make` alone lists it.
SHELL := /usr/bin/env bash -o pipefail
DATASET ?= datasets/scripted
SECONDS ?= 60

.PHONY: help setup run test pages lint docs quotes check prove sanitize fuzz bench data release

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-10s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the native libraries (Debian or Homebrew)
	@scripts/setup

# A debug build is ready in less than half the time and fast enough for a first result. Without the index, which only
# editors read, the compiler works a fifth less.
run: setup ## the main job: evaluate a dataset (DATASET=folder)
	@swift build --product planklab --disable-index-store
	@.build/debug/planklab evaluate $(DATASET)

test: setup ## all tests
	@scripts/test

pages: setup ## what runs in a browser: tests in node, WebAssembly, pages in Chromium
	@scripts/prove-pages

lint: ## the format of every Swift file
	@swift format lint --strict --recursive Package.swift Sources Tests

docs: setup ## build the documentation of what apps link; a broken link fails
	@scripts/docs

quotes: setup ## write what pages quote of outputs, from what the commands print now
	@scripts/build planklab
	@scripts/prove-docs --write

check: lint test docs ## the one gate for people and CI

data: setup ## make the whole studio in datasets/studio/generated, in seconds
	@scripts/build planklab
	@rm -rf datasets/studio/generated
	@.build/release/planklab synthesize datasets/studio/studio.yaml --output datasets/studio/generated

release: setup ## archive, checksum, formula and notes of a release, up to the upload (GITHUB_REPOSITORY=OWNER/NAME)
	@scripts/publish --check
	@scripts/release
	@scripts/publish --prepare .build-release

prove: setup ## the slow proofs, with a table of their times: mutated inputs, killed programs, a browser
	@scripts/prove

sanitize: setup ## all tests under the address, thread and undefined-behavior sanitizers
	@scripts/sanitize

fuzz: setup ## every reader under libFuzzer (READER=name SECONDS=600 for one, or for longer)
	@scripts/fuzz "$(READER)" "$(SECONDS)"

bench: setup ## timings with answer checksums
	@scripts/build planklab-benchmarks
	@.build/release/planklab-benchmarks
