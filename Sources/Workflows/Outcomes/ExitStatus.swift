/// The exit codes, which scripts read.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done, and gates passed.
  case success = 0
  /// Something unexpected happened.
  case unexpected = 1
  /// A gate failed.
  case gateFailed = 2
  /// A comparison cannot be made, or cannot tell.
  case notComparable = 3
  /// The command line was wrong.
  case usage = 64
  /// A file's content was wrong; errors that lint finds are.
  case badData = 65
  /// An input does not exist.
  case noInput = 66
  /// An output cannot be created.
  case cannotCreate = 73
}
