package import PoseModel

/// What one uninterrupted hold is.
package struct HoldRule: Hashable, Sendable {
  /// The longest gap that does not end a hold; it counts as held.
  ///
  /// The bound is included.
  package let forgivenGap: Seconds

  /// Makes a rule.
  package init(forgivenGap: Seconds) { self.forgivenGap = forgivenGap }

  /// The rule of the metrics: half a second, as long as an answer is held over missing frames.
  package static let standard = HoldRule(forgivenGap: Seconds(0.5))
}
