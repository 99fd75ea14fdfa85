import Foundation
import Testing

/// Runs in which a call of the C library fails: a library that stands before it, which is compiled.
enum FailingCalls {
  /// Whether that can be.
  static let canBe: Bool = {
    #if os(Linux)
      let line =
        "{ command -v cc || command -v clang; } && python3 -c 'import sqlite3'"
      return Program.hasPython && (try? Program.shell(line))?.status == 0
    #else
      return false
    #endif
  }()

  /// Runs a line of commands once for each of the first `stat` and `access` of the program, which
  /// then fails.
  ///
  /// - Parameter check: is called with what came of each run, and the number of the call.
  static func eachStat(
    upTo count: Int, _ line: String, in workspace: Workspace,
    _ check: (Program.Run, Int) throws -> Void
  ) throws {
    let source = Program.root.appendingPathComponent("scripts/hostile/fault_injection.c").path
    let library = workspace.path("fault_injection.so")
    let built = try Program.shell(
      "$(command -v cc || command -v clang) -shared -fPIC -O2 -o '\(library)' '\(source)'")
    try #require(built.status == 0, "\(built.errors)")
    for number in 1...count {
      let variables =
        "export PLANKLAB_FAULT_CALL=stat PLANKLAB_FAULT_AT=\(number) PLANKLAB_FAULT_SPARE=libdispatch; "
      let run = try Program.shell(
        variables + line.replacing("planklab ", with: "LD_PRELOAD='\(library)' planklab "),
        in: workspace.folder)
      try check(run, number)
    }
  }
}
