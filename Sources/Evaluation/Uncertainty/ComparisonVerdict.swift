/// What a comparison says about a metric.
package enum ComparisonVerdict: String, CaseIterable, Hashable, Sendable {
  /// The second side is better, beyond what the subjects' differences explain.
  case better
  /// The second side is worse.
  case worse
  /// The data cannot tell.
  case cannotTell = "cannot tell"
}
