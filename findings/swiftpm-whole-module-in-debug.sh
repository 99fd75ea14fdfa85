#!/usr/bin/env bash
# The guess: a target that only computes is compiled as in a release, in an otherwise debug package, by the flags
# `-O -whole-module-optimization`.
# The truth: with two files or more the compiler ends with "index output filenames do not match input source files". A
# debug build writes an index, with one output per file, and whole modules on one thread have one output. With
# `-num-threads 2` there is one output per file again and the same target builds.
# Version: Swift 6.3.1 with its own SwiftPM, Linux. No package is installed.
# Who is hurt: who optimizes kernels in debug builds so that tests run faster; the message names neither flag.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p Sources/Sums
echo 'func one() -> Int { 1 }' >Sources/Sums/One.swift
echo 'public func two() -> Int { one() + 1 }' >Sources/Sums/Two.swift
manifest() {
  cat >Package.swift <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "Sums", targets: [.target(name: "Sums", swiftSettings: [.unsafeFlags([$1])])])
END
}

swift --version 2>/dev/null | head -n 1
manifest '"-O", "-whole-module-optimization"'
status=0
swift build >one.log 2>&1 || status=$?
grep 'error: ' one.log
if [ "$status" -eq 0 ] || ! grep -q 'index output filenames do not match' one.log; then
  echo "changed: whole modules build in debug" >&2
  exit 1
fi
manifest '"-O", "-whole-module-optimization", "-num-threads", "2"'
swift build >two.log 2>&1 || { echo "changed: two threads do not help" >&2; exit 1; }
echo "as stated: one thread fails, two build"
