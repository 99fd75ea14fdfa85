/// What a command hands back: a result for stdout, remarks for stderr, an exit code.
package struct Outcome: Sendable {
  /// The result.
  package var text: String
  /// Remarks that are not part of the result, a line each.
  package var remarks: [String]
  /// The exit code.
  package var status: ExitStatus

  /// Makes an outcome.
  package init(_ text: String, remarks: [String] = [], status: ExitStatus = .success) {
    self.text = text
    self.remarks = remarks
    self.status = status
  }
}
