package import PoseModel

/// The lag of a smoother where planks begin, end and change, pooled over measurements.
///
/// The lag is that of `LagEstimate`, with one sum of squares for all windows of 2 s before to 2 s
/// after each true transition. The reference is a smoothing of the raw measurement that looks
/// ahead and has no lag of its own: noise that both share would pull the lag toward 0. It is read
/// between frames on straight lines, so that sequences of any frame rate pool. Each measurement
/// weighs by one over its variance in the windows.
package struct EntryLag: Hashable, Sendable {
  /// How long before and after a transition counts, in seconds.
  package static let reach = 2.0
  /// The longest lag.
  package static let longest = Seconds(1)

  private let interval: Double
  private var sums: [String: Sums] = [:]

  /// One measurement: sums of squared differences by lag, and the reference's moments.
  fileprivate struct Sums: Hashable {
    var squares: [Double]
    var count = 0
    var total = 0.0
    var totalSquares = 0.0
  }

  /// No transition yet.
  ///
  /// - Parameter interval: the step from lag to lag: the median frame interval of the dataset.
  package init(interval: Seconds) { self.interval = interval.value }

  private var most: Int {
    max(1, Int(min((Self.longest.value / interval + 1e-9).rounded(.down), mostLags)))
  }

  /// Adds one measurement of one sequence.
  ///
  /// Frames count whose output is there, and whose reference is over the whole search.
  ///
  /// - Parameters:
  ///   - name: the measurement.
  ///   - transitions: frames at which the truth changes.
  ///   - reference: what the smoother should follow, NaN where missing.
  ///   - output: what it puts out, NaN where missing.
  package mutating func add(
    _ name: String, times: [Double], transitions: [Int], reference: [Float], output: [Float]
  ) {
    var sum = sums[name] ?? Sums(squares: Array(repeating: 0, count: most + 2))
    let past = TimedReference(times: times, values: reference)
    var next = 0
    for transition in transitions {
      let near = times[transition]
      var frame = transition
      while frame > next, near - times[frame - 1] <= Self.reach { frame -= 1 }
      frame = max(frame, next)
      while frame < times.count, times[frame] - near <= Self.reach {
        let value = Double(output[frame])
        if value.isFinite, let values = past.values(at: frame, step: interval, most: most) {
          sum.add(value, values)
        }
        frame += 1
      }
      next = max(next, frame)
    }
    sums[name] = sum
  }

  /// Adds other sequences.
  package static func += (left: inout EntryLag, right: EntryLag) {
    for (name, other) in right.sums {
      guard var sum = left.sums[name] else {
        left.sums[name] = other
        continue
      }
      for index in sum.squares.indices { sum.squares[index] += other.squares[index] }
      sum.count += other.count
      sum.total += other.total
      sum.totalSquares += other.totalSquares
      left.sums[name] = sum
    }
  }

  /// The lag in seconds.
  package var lag: MetricValue {
    var errors = [Double](repeating: 0, count: most + 2)
    var isEmpty = true
    for (_, sum) in sums.sorted(by: { $0.key < $1.key }) where sum.count >= 3 {
      let mean = sum.total / Double(sum.count)
      let variance = sum.totalSquares / Double(sum.count) - mean * mean
      guard variance > 0 else { continue }
      isEmpty = false
      for index in errors.indices {
        errors[index] += sum.squares[index] / Double(sum.count) / variance
      }
    }
    guard !isEmpty else { return .undefined(.noTrueEvent) }
    guard !LagEstimate.isAtLimit(errors) else { return .undefined(.beyondSearch) }
    return .value(LagEstimate.least(errors) * interval)
  }
}

extension EntryLag.Sums {
  /// Adds an output with what it may lag behind, from the lag -1 on.
  fileprivate mutating func add(_ output: Double, _ references: [Double]) {
    for index in squares.indices {
      let difference = output - references[index]
      squares[index] += difference * difference
    }
    count += 1
    total += references[1]
    totalSquares += references[1] * references[1]
  }
}

/// A column that is read between its frames, on straight lines.
struct TimedReference {
  /// The longest gap that a line bridges, in seconds.
  private static let longestGap = 0.5

  /// The times of the frames in seconds.
  let times: [Double]
  /// A number per frame, NaN where missing.
  let values: [Float]

  /// The values one step after a frame, at it, one step before it and so on.
  ///
  /// - Returns: `most` + 2 values; nil where any is missing or beyond the ends.
  /// - Complexity: O(most + frames within the steps).
  func values(at frame: Int, step: Double, most: Int) -> [Double]? {
    var result: [Double] = []
    result.reserveCapacity(most + 2)
    var index = frame
    while index + 1 < times.count, times[index + 1] < times[frame] + step { index += 1 }
    for lag in -1...most {
      let time = times[frame] - Double(lag) * step
      while index > 0, times[index] > time { index -= 1 }
      guard let value = value(at: time, after: index) else { return nil }
      result.append(value)
    }
    return result
  }

  private func value(at time: Double, after index: Int) -> Double? {
    let here = Double(values[index])
    if times[index] == time { return here.isFinite ? here : nil }
    guard times[index] < time, index + 1 < times.count else { return nil }
    let gap = times[index + 1] - times[index]
    let result = here + (Double(values[index + 1]) - here) * (time - times[index]) / gap
    return gap <= Self.longestGap && result.isFinite ? result : nil
  }
}
