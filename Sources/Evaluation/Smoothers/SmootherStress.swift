/// One chosen smoother on data that was made worse.
package struct SmootherStress: Hashable, Sendable {
  /// What was done to the frames.
  package enum Condition: String, CaseIterable, Hashable, Sendable {
    /// Nothing.
    case asRecorded = "as recorded"
    /// Every other frame is left out.
    case halfRate = "half rate"
    /// One frame in ten is left out, by a seeded draw.
    case dropped = "10 % dropped"
    /// Every time is off by a normal 5 ms, by a seeded draw; the order stays.
    case jitteredClock = "jittered clock"
  }

  /// What was done.
  package let condition: Condition
  /// The smoother, with its numbers under the condition; ratios are to raw data alike.
  package let point: SmootherPoint

  /// Makes a row.
  package init(condition: Condition, point: SmootherPoint) {
    self.condition = condition
    self.point = point
  }
}
