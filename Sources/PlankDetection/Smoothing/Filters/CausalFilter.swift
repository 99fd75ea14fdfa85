/// A filter of one number that sees the past only.
///
/// Filters get finite samples at increasing times and no long gaps: `FilterChannel` sees to that.
/// Updating allocates nothing once windows have grown to their size.
protocol CausalFilter: Sendable {
  /// What an update works out from times alone, and so once for many signals.
  associatedtype TimeWork: PlankDetection.TimeWork = NoTimeWork

  /// Forgets everything and starts at a sample.
  ///
  /// - Returns: the first output, which is the sample for every filter here.
  mutating func start(_ value: Double, at time: Double) -> Double

  /// Takes in the next sample.
  ///
  /// - Parameters:
  ///   - value: the sample, finite.
  ///   - time: its time in seconds.
  ///   - interval: the time since the sample before, above 0.
  ///   - work: what was worked out before, for this signal or another one behind an equal filter.
  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout TimeWork
  ) -> Double
}

/// What equal filters of many signals share: anything that depends on times and parameters alone.
///
/// Whoever uses it checks that it was worked out for the same times, so that a signal with gaps of
/// its own gets the same numbers as alone.
protocol TimeWork: Sendable {
  /// Nothing worked out yet.
  init()
}

/// Nothing: what depends on times alone is no work, or depends on values too.
struct NoTimeWork: TimeWork {}

/// A number of one interval, kept until another interval comes.
struct IntervalWork: TimeWork {
  private var interval = Double.nan
  private var number = 0.0

  /// The number of an interval.
  mutating func number(of interval: Double, _ make: (Double) -> Double) -> Double {
    if interval != self.interval {
      number = make(interval)
      self.interval = interval
    }
    return number
  }
}

/// One signal through one filter, with the rules that all filters share.
///
/// - A missing sample (NaN, infinite, or at no finite time) puts out NaN and changes nothing.
/// - More than `SmoothingStrategy.largestGap` since the last sample starts afresh, and so does a
///   clock that goes back by more.
/// - A sample at or before the time of the last one puts out the last output again.
/// - An output that is not finite, as sums of huge numbers may be, starts afresh at the sample.
///
/// So every output is finite or the answer to a missing sample.
struct FilterChannel<Filter: CausalFilter>: Sendable {
  private var filter: Filter
  private var lastTime = -Double.infinity
  private var lastOutput = Double.nan

  /// Makes a channel without a past.
  init(_ filter: Filter) { self.filter = filter }

  /// Takes in the next sample and gives the filtered one.
  mutating func update(
    _ value: Double, at time: Double, _ work: inout Filter.TimeWork
  ) -> Double {
    guard value.isFinite, time.isFinite else { return .nan }
    let interval = time - lastTime
    if abs(interval) > SmoothingStrategy.largestGap + Debouncer.tolerance {
      return restart(value, at: time)
    }
    guard interval > 0 else { return lastOutput }
    let output = filter.update(value, at: time, after: interval, &work)
    guard output.isFinite else { return restart(value, at: time) }
    lastTime = time
    lastOutput = output
    return output
  }

  /// Forgets the past.
  mutating func reset() { lastTime = -.infinity }

  private mutating func restart(_ value: Double, at time: Double) -> Double {
    lastTime = time
    lastOutput = filter.start(value, at: time)
    return lastOutput
  }
}
