#!/usr/bin/env bash
# The guess: a package whose tests are all of Swift Testing needs no index, since Swift Testing finds its tests when it
# runs. So `swift test --disable-xctest --disable-index-store` saves the time that indexing costs.
# The truth: on Linux the build of tests still reads the index, for XCTest's list of classes, and ends with "index store
# path does not exist". Without the option, the same package passes.
# Version: Swift 6.3.1, its own SwiftPM and Swift Testing, Linux. No package is installed.
# Who is hurt: who wants the fifth of a test build's processor time that the index takes.
set -euo pipefail
[ "$(uname)" = Linux ] || { echo "only Linux lists XCTest's classes by the index" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p Sources/Sums Tests/SumsTests
cat >Package.swift <<'END'
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "Sums",
  targets: [.target(name: "Sums"), .testTarget(name: "SumsTests", dependencies: ["Sums"])])
END
echo 'public func sum(_ a: Int, _ b: Int) -> Int { a + b }' >Sources/Sums/Sums.swift
printf '%s\n' 'import Sums' 'import Testing' '@Test func adds() { #expect(sum(1, 2) == 3) }' \
  >Tests/SumsTests/SumsTests.swift

swift --version 2>/dev/null | head -n 1
status=0
swift test --disable-xctest --disable-index-store >without.log 2>&1 || status=$?
grep 'error: ' without.log | sed "s|$folder|.|g"
if [ "$status" -eq 0 ] || ! grep -q 'index store path does not exist' without.log; then
  echo "changed: tests are built without the index" >&2
  exit 1
fi
if ! swift test --disable-xctest >with.log 2>&1 || ! grep -q 'Test run with 1 test .*passed' with.log; then
  echo "changed: the same package does not pass with the index" >&2
  exit 1
fi
echo "as stated: fails without the index, passes with it"
