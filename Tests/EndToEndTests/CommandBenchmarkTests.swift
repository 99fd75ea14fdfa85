import Foundation
import Testing

/// The benchmark of whole commands compares what two programs write; small scripts stand for them.
@Suite("Benchmark of whole commands")
struct CommandBenchmarkTests {
  /// Two results and whether they count as equal.
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

  @Test("Numbers that are named may differ")
  func exceptions() throws {
    let workspace = try Workspace()
    let before = try Self.program("before", #"{"a": 1, "old": {"b": 1}}"#, workspace)
    let after = try Self.program("after", #"{"a": 1, "old": {"b": 2}}"#, workspace)
    let run = try Program.shell(
      "planklab-benchmarks commands \(after) \(before) --dataset . --only compare --rounds 1 "
        + "--except old")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("left out: 1 of old"), "\(run.output)")
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
    let run = try Program.shell(
      "planklab-benchmarks commands \(path) --dataset . --only tune --rounds 1")
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("one thread: DIFFERENT; only here: 1 of front"), "\(run.output)")
  }

  @Test(
    "Exports with other bytes have as many lines, and the same numbers on every hundredth",
    arguments: [
      (before: #"{"a": 1}\n{"b": 2}"#, isEqual: true, says: "every hundredth of 2 lines compared"),
      (before: #"{"a": 1}"#, isEqual: false, says: "1 lines, the program's result has 2"),
      (before: #"{"a": 2}\n{"b": 2}"#, isEqual: false, says: #"first at "lines[0].a": 2.0, 1.0"#),
    ])
  func exports(example: (before: String, isEqual: Bool, says: String)) throws {
    let workspace = try Workspace()
    let before = try Self.program("before", example.before, workspace)
    let after = try Self.program("after", #"{"a": 1}\n{"b": 3}"#, workspace)
    let run = try Program.shell(
      "planklab-benchmarks commands \(after) \(before) --dataset . --only export --rounds 1")
    #expect(run.status == (example.isEqual ? 0 : 1), "\(run.output)\(run.errors)")
    #expect(run.output.contains(example.says), "\(run.output)")
  }

  @Test("A program that fails is named with its message")
  func failure() throws {
    let workspace = try Workspace()
    let path = try Self.executable(
      "fails", "#!/bin/sh\necho 'no such dataset' >&2\nexit 66\n", workspace)
    let run = try Program.shell(
      "planklab-benchmarks commands \(path) --dataset . --only evaluate --rounds 1")
    #expect(run.status == 1)
    #expect(run.errors.contains(#"evaluate: exit code 66: "no such dataset\n""#), "\(run.errors)")
  }

  /// A script that writes a result to the file after `--output`.
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
