/// How long an answer took to follow one true change.
package struct Latency: Hashable, Sendable {
  /// Seconds from the change to the first answer; where there was none, how long one could have
  /// come.
  ///
  /// Below 0 where the rule lets answers come early.
  package let seconds: Double
  /// Whether no answer came in time: it would have taken longer than `seconds`.
  package let isCensored: Bool
  /// Whether the answer was there already before the change.
  package let isEarly: Bool

  /// Makes a latency.
  package init(seconds: Double, isCensored: Bool, isEarly: Bool = false) {
    self.seconds = seconds
    self.isCensored = isCensored
    self.isEarly = isEarly
  }
}
