import Foundation
import Testing

/// The benchmark of whole commands compares what two programs write; small scripts stand for them.
@Suite("Benchmark of whole commands")
struct CommandBenchmarkTests {
  /// Two results and whether they count as equal.
  static let pairs: [(before: String, after: String, isEqual: Bool, says: String)] = [
    (#"{"a": [1, 2]}"#, #"{"a": [1, 2]}"#, true, "2 numbers equal, checksum"),
    (#"{"a": 0.3, "b": 1}"#, #"{"a": 0.30000000000000004}"#, true, "1 of them but for rounding"),
    (#"{"timing": {"s": 1}, "a": 1}"#, #"{"timing": {"s": 2}, "a": 1}"#, true, "1 of timing"),
    (
      #"{"l": [{"name": "x", "n": 1}]}"#, #"{"l": [{"name": "w"}, {"name": "x", "n": 1}]}"#, true,
      "1 numbers equal"
    ),
    (#"{"a": 1, "b": 5}"#, #"{"a": 1, "b": 5.00001}"#, false, #"first at "b": 5.0, 5.00001"#),
    (#"{"a": 1}"#, #"{"b": 1}"#, false, "no number in common"),
  ]

  @Test(
    "Programs must find the same numbers, but for rounding and what is measured", arguments: pairs)
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

  @Test("A program that fails is named with its message")
  func failure() throws {
    let workspace = try Workspace()
    let path = try workspace.write(
      "#!/bin/sh\necho 'no such dataset' >&2\nexit 66\n", to: "fails")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
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
        [ "$1" = --output ] && echo '\(result)' > "$2"
        shift
      done

      """
    let path = try workspace.write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }
}
