internal import PoseModel

/// A stream, as a command line names it.
package enum StreamChoice: String, CaseIterable, Sendable {
  /// The plank class.
  case plank
  /// The form.
  case form

  /// The stream that is meant.
  var stream: AnswerStream { self == .plank ? .plank : .form }
}
