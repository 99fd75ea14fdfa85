package import PoseModel

/// The lag of a smoother where planks start, end and change, pooled over measurements.
///
/// The lag is that of `LagEstimate`, with one sum of squares for all windows from 2 s before to 2 s
/// after each true transition. The reference is a smoothing of the raw measurement that looks ahead
/// and has no lag of its own: noise shared by both would pull the lag toward 0. It is interpolated
/// linearly between frames, so that sequences of any frame rate can be pooled. Each measurement is
/// weighted by one over its variance in the windows.
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

  /// No transitions yet.
  ///
  /// - Parameter interval: the step from lag to lag: the median frame interval of the dataset.
  package init(interval: Seconds) { self.interval = interval.value }

  private var most: Int {
    max(1, Int(min((Self.longest.value / interval + 1e-9).rounded(.down), mostLags)))
  }

  /// A measurement of a sequence behind a smoother.
  package struct Signal {
    /// The measurement.
    let name: String
    /// What the smoother should follow, NaN where missing.
    let reference: [Float]
    /// Its output, NaN where missing.
    let output: [Float]

    /// Takes a measurement; each column has one number per frame.
    package init(name: String, reference: [Float], output: [Float]) {
      self.name = name
      self.reference = reference
      self.output = output
    }
  }

  /// Adds the measurements of one sequence.
  ///
  /// Frames count if they have an output, and a reference over the whole search.
  ///
  /// - Parameter transitions: frames at which the truth changes.
  /// - Complexity: O(frames near transitions x lags x measurements); times are searched once for
  ///   all measurements.
  package mutating func add(times: [Double], transitions: [Int], _ signals: [Signal]) {
    var sums = signals.map { signal in
      self.sums[signal.name] ?? Sums(squares: Array(repeating: 0, count: most + 2))
    }
    var places = LaggedPlaces(count: most + 2)
    var references = Array(repeating: 0.0, count: most + 2)
    var next = 0
    for transition in transitions {
      let near = times[transition]
      var frame = transition
      while frame > next, near - times[frame - 1] <= Self.reach { frame -= 1 }
      frame = max(frame, next)
      while frame < times.count, times[frame] - near <= Self.reach {
        if places.find(at: frame, of: times, step: interval) {
          for (index, signal) in signals.enumerated() {
            let value = Double(signal.output[frame])
            if value.isFinite, places.read(signal.reference, into: &references) {
              sums[index].add(value, references)
            }
          }
        }
        frame += 1
      }
      next = max(next, frame)
    }
    for (signal, sum) in zip(signals, sums) { self.sums[signal.name] = sum }
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

/// Where columns are read for every lag behind a frame, interpolated linearly between frames.
private struct LaggedPlaces {
  /// The longest gap that is interpolated, in seconds.
  private static let longestGap = 0.5

  /// The frame at or before each place, how long before, and the time to the next frame; a time of
  /// 0 is that of the frame itself.
  private var places: [(frame: Int, since: Double, gap: Double)]

  /// Makes room for the lags -1, 0, 1 and so on, `count` in all.
  init(count: Int) { places = Array(repeating: (0, 0, 0), count: count) }

  /// Finds the times one step after a frame, at it, one step before it and so on.
  ///
  /// - Returns: false if one of them is beyond the ends or in a gap.
  /// - Complexity: O(lags + frames within them).
  mutating func find(at frame: Int, of times: [Double], step: Double) -> Bool {
    var index = frame
    while index + 1 < times.count, times[index + 1] < times[frame] + step { index += 1 }
    for place in places.indices {
      let time = times[frame] - Double(place - 1) * step
      while index > 0, times[index] > time { index -= 1 }
      if times[index] == time {
        places[place] = (index, 0, 0)
        continue
      }
      guard times[index] < time, index + 1 < times.count else { return false }
      let gap = times[index + 1] - times[index]
      guard gap <= Self.longestGap else { return false }
      places[place] = (index, time - times[index], gap)
    }
    return true
  }

  /// Reads a column at the places; false where a value is missing.
  func read(_ column: [Float], into values: inout [Double]) -> Bool {
    for (index, place) in places.enumerated() {
      let here = Double(column[place.frame])
      let value =
        place.gap == 0
        ? here : here + (Double(column[place.frame + 1]) - here) * place.since / place.gap
      guard value.isFinite else { return false }
      values[index] = value
    }
    return true
  }
}
