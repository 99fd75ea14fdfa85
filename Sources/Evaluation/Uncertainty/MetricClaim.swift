/// What a contest of smoothers says of a difference.
package enum ComparisonVerdict: String, CaseIterable, Hashable, Sendable, Codable {
  case better
  case worse
  case cannotTell = "cannot tell"
  case same
  case undefined
}

package enum MetricClaim {
  package static let risk = 0.05
}
