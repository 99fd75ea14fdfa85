package import PoseModel

/// When an answer counts as having followed the truth.
package struct LatencyRule: Hashable, Sendable {
  /// How long before the true change an answer may begin and still count.
  package let early: Seconds
  /// How long the answer must then stay.
  package let confirm: Seconds

  /// Makes a rule.
  package init(early: Seconds = Seconds(0), confirm: Seconds = Seconds(0)) {
    self.early = early
    self.confirm = confirm
  }

  /// The rule of the metrics: no earlier than the change, and the first frame counts.
  package static let standard = LatencyRule()
}
