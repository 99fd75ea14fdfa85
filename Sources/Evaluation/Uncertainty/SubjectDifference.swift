/// How one subject's number differs between two sides.
package struct SubjectDifference: Hashable, Sendable {
  /// Who; nil for sequences whose subject is unknown.
  package let subject: String?
  /// The number on the first side.
  package let before: MetricValue
  /// The number on the second side.
  package let after: MetricValue

  /// Second minus first; nil where one of them is undefined.
  package var difference: Double? {
    guard let before = before.number, let after = after.number else { return nil }
    return after - before
  }

  /// Differences up to this count as ties: rounding is no win.
  package static let tie = 1e-9
}
