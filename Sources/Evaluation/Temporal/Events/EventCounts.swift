/// How many events of a class were found under one rule; sums over sequences.
package struct EventCounts: Hashable, Sendable {
  /// Pairs of a true and an answered event: a maximum one-to-one matching.
  package private(set) var matched = 0
  /// True events.
  package private(set) var truth = 0
  /// Answered events.
  package private(set) var answers = 0

  /// No events.
  package init() {}

  /// Makes counts.
  init(matched: Int, truth: Int, answers: Int) {
    self.matched = matched
    self.truth = truth
    self.answers = answers
  }

  /// True events without an answered one.
  package var missed: Int { truth - matched }
  /// Answered events without a true one.
  package var inserted: Int { answers - matched }

  /// Adds the counts of other events.
  package static func += (left: inout EventCounts, right: EventCounts) {
    left.matched += right.matched
    left.truth += right.truth
    left.answers += right.answers
  }
}
