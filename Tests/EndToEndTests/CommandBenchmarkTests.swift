import Foundation
import TestSupport
import Testing

@Suite("Benchmark of whole commands")
struct CommandBenchmarkTests {
  static let pairs: [(before: String, after: String, isEqual: Bool, says: String)] = [
    (#"{"a": [1, 2]}"#, #"{"a": [1, 2]}"#, true, "2 numbers equal, checksum"),
    (#"{"a": 0.3, "b": 1}"#, #"{"a": 0.30000000000000004}"#, true, "1 of them up to rounding"),
    (#"{"timing": {"s": 1}, "a": 1}"#, #"{"timing": {"s": 2}, "a": 1}"#, true, "1 of timing"),
    (
      #"{"l": [{"name": "x", "n": 1}]}"#, #"{"l": [{"name": "w"}, {"name": "x", "n": 1}]}"#, true,
      "1 numbers equal"
    ),
    (#"{"a": 1, "b": 5}"#, #"{"a": 1, "b": 5.00001}"#, false, #"first at "b": 5.0, 5.00001"#),
    (#"{"a": 1}"#, #"{"b": 1}"#, false, "no number in common"),
    (
      #"{"a": 1, "b": {"c": 5, "d": 6}}"#, #"{"a": 1, "e": [7]}"#, true,
      "; missing here: 1 of e; only here: 2 of b"
    ),
  ]

  @Test(
    "Programs must find the same numbers, up to rounding and except what is measured",
    arguments: pairs)
  func agreement(pair: (before: String, after: String, isEqual: Bool, says: String)) throws {
    let workspace = try Workspace()
    let before = try Self.program("before", pair.before, workspace)
    let after = try Self.program("after", pair.after, workspace)
    let run = try Program.shell(
      "planklab-benchmarks commands \(after) \(before) --dataset . --only compare --rounds 1")
    #expect(run.status == (pair.isEqual ? 0 : 1), "\(run.output)\(run.errors)")
    #expect(run.output.contains(pair.says), "\(run.output)")
  }

  @Test("One program must find every number on one thread that it finds on two")
  func threads() throws {
    let workspace = try Workspace()
    let path = try Self.executable(
      "program",
      """
      #!/bin/sh
      case "$*" in
        *"--jobs 1") echo '{"a": 1, "front": [2, 3]}' ;;
        *) echo '{"a": 1, "front": [2]}' ;;
      esac

      """, workspace)
    try Program.shell(
      "planklab-benchmarks commands \(path) --dataset . --only tune --rounds 1"
    ).expect(1, output: "one thread: DIFFERENT; only here: 1 of front")
  }

  @Test("A program that fails is named with its message")
  func failure() throws {
    let workspace = try Workspace()
    let path = try Self.executable(
      "fails", "#!/bin/sh\necho 'no such dataset' >&2\nexit 66\n", workspace)
    try Program.shell(
      "planklab-benchmarks commands \(path) --dataset . --only evaluate --rounds 1"
    ).expect(1, errors: #"evaluate: exit code 66: "no such dataset\n""#)
  }

  private static func program(
    _ name: String, _ result: String, _ workspace: Workspace
  ) throws -> String {
    let text = """
      #!/bin/sh
      while [ $# -gt 1 ]; do
        [ "$1" = --output ] && printf '%b\\n' '\(result)' > "$2"
        shift
      done

      """
    return try executable(name, text, workspace)
  }

  private static func executable(
    _ name: String, _ text: String, _ workspace: Workspace
  ) throws -> String {
    let path = try workspace.write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }
}

@Suite("Heap allocations of the detector")
struct AllocationTests {
  #if os(Linux)
    static let isSupported = true
  #else
    static let isSupported = false
  #endif

  private static let counter = Repository.file("scripts/proofs/malloc_counter.c").path

  @Test(
    "A preloaded counter sees planted allocations, and then none per frame",
    .enabled(if: isSupported, "not on this system: the counter needs glibc"))
  func nothingIsAllocated() throws {
    let workspace = try Workspace()
    let library = workspace.path("malloc_counter.so")
    // The toolchain has a C compiler of its own where the system has none.
    try Program.shell(
      "$(command -v cc || command -v clang) -shared -fPIC -O2 -o \(library) \(Self.counter)"
    ).expect(0)
    try Program.shell("LD_PRELOAD=\(library) planklab-benchmarks allocations 1200").expect(
      0, output: "planted: 1000 allocations in 1000 frames are seen",
      "session with log: 0 allocations")
  }

  @Test("Without the counter nothing is claimed")
  func unsupported() throws {
    try Program.shell("planklab-benchmarks allocations").expect(69)
  }
}

@Suite("Sources on a Mac")
struct AppleSourcesTests {
  @Test(
    "All that planklab and apps are made of compiles against stand-ins of Apple's libraries",
    .enabled(
      if: FailingCalls.canBe, "not on this system: the proof needs Linux, cc and Python 3.10"))
  func typecheck() throws {
    let built = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    let run = try Program.shell("exec scripts/prove-darwin --sample '\(built)'").expect(0)
    let end = "Tuning, Reports, PlankBench\ninjected faults found: 1"
    #expect(run.output.contains(end), "\(run.output)")
  }
}
