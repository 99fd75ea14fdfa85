/// A filter of one number that sees only the past.
///
/// Filters get finite samples at increasing times and no long gaps; `FilterChannel` ensures that.
/// Updating allocates nothing once windows have grown to their size.
protocol CausalFilter: Sendable {
  /// What an update works out from times alone, and so once for many signals.
  associatedtype TimeWork: PlankDetection.TimeWork = NoTimeWork

  /// Forgets everything and starts at a sample.
  ///
  /// - Returns: the first output, which is the sample for every filter here.
  mutating func start(_ value: Double, at time: Double) -> Double

  /// Takes the next sample.
  ///
  /// - Parameters:
  ///   - value: the sample, finite.
  ///   - time: its time in seconds.
  ///   - interval: the time since the previous sample, above 0.
  ///   - work: earlier results, for this signal or another one with an equal filter.
  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout TimeWork
  ) -> Double
}

/// Results that equal filters of many signals share: they depend only on times and parameters.
///
/// Users check that it was computed for the same times, so that a signal with its own gaps gets the
/// same numbers as alone.
protocol TimeWork: Sendable {
  /// Makes an empty result.
  init()
}

/// No shared results: those that depend on times alone cost nothing, or there are none.
struct NoTimeWork: TimeWork {}

/// A number that depends on the interval, kept until the interval changes.
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
/// - A missing sample (NaN, infinite, or at no finite time) gives NaN and changes nothing.
/// - After more than `SmoothingStrategy.largestGap` without a sample the filter restarts, and so it
///   does when the clock goes back by more.
/// - A sample at or before the time of the last one gives the last output again.
/// - An output that is not finite, such as a sum of huge numbers, restarts the filter at the
///   sample.
///
/// So every output is finite, or belongs to a missing sample.
struct FilterChannel<Filter: CausalFilter>: Sendable {
  private var filter: Filter
  private var lastTime = -Double.infinity
  private var lastOutput = Double.nan

  /// Makes a channel without memory.
  init(_ filter: Filter) { self.filter = filter }

  /// Takes the next sample and returns the filtered one.
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
