package import PoseModel

/// The lag of `LagEstimate`, with one sum of squares for all windows from 2 s before to 2 s after
/// each true transition.
///
/// The reference is a smoothing that looks ahead and has no lag of its own: noise shared by both
/// would pull the lag toward 0. Each measurement is weighted by one over its variance in the
/// windows.
package struct EntryLags: Hashable, Sendable {
  /// How long before and after a transition counts, in seconds.
  package static let reach = 2.0
  package static let longest = Seconds(1)

  private let interval: Double
  private let smoothers: Int
  private var sums: [String: EntrySums] = [:]

  /// - Parameter interval: the step from lag to lag: the median frame interval of the dataset.
  package init(interval: Seconds, smoothers: Int) {
    self.interval = interval.value
    self.smoothers = smoothers
  }

  private var most: Int {
    max(1, Int(min((Self.longest.value / interval + 1e-9).rounded(.down), mostLags)))
  }

  package struct Signal {
    let name: String
    let reference: [Float]
    let outputs: [[Float]]

    package init(name: String, reference: [Float], outputs: [[Float]]) {
      self.name = name
      self.reference = reference
      self.outputs = outputs
    }
  }

  /// Frames count if they have an output, and a reference over the whole search.
  package mutating func add(times: [Double], transitions: [Int], _ signals: [Signal]) {
    precondition(
      signals.allSatisfy { $0.outputs.count == smoothers }, "every smoother has an output")
    let lags = most + 2
    var sums = signals.map {
      self.sums[$0.name] ?? EntrySums(smoothers: smoothers, lags: lags)
    }
    var places = LaggedPlaces(count: lags)
    var references = Array(repeating: 0.0, count: lags)
    var next = 0
    for transition in transitions {
      let near = times[transition]
      var frame = transition
      while frame > next, near - times[frame - 1] <= Self.reach { frame -= 1 }
      frame = max(frame, next)
      while frame < times.count, times[frame] - near <= Self.reach {
        if places.find(at: frame, of: times, step: interval) {
          for (index, signal) in signals.enumerated()
          where places.read(signal.reference, into: &references) {
            sums[index].add(signal.outputs, at: frame, references)
          }
        }
        frame += 1
      }
      next = max(next, frame)
    }
    for (signal, sum) in zip(signals, sums) { self.sums[signal.name] = sum }
  }

  package var lags: [MetricValue] { (0..<smoothers).map(lag) }

  private func lag(of smoother: Int) -> MetricValue {
    var errors = [Double](repeating: 0, count: most + 2)
    var isEmpty = true
    for (_, sum) in sums.sorted(by: { $0.key < $1.key }) {
      guard let shares = sum.shares(of: smoother) else { continue }
      isEmpty = false
      for (index, share) in shares.enumerated() { errors[index] += share }
    }
    guard !isEmpty else { return .undefined(.noTrueEvent) }
    guard !LagEstimate.isAtLimit(errors) else { return .undefined(.beyondSearch) }
    return .value(LagEstimate.least(errors) * interval)
  }
}

private struct EntrySums: Hashable {
  private struct Moments: Hashable {
    var count = 0
    var total = 0.0
    var squares = 0.0
  }

  private var squares: [Double]
  private var moments: [Moments]

  init(smoothers: Int, lags: Int) {
    squares = Array(repeating: 0, count: smoothers * lags)
    moments = Array(repeating: Moments(), count: smoothers)
  }

  mutating func add(_ outputs: [[Float]], at frame: Int, _ references: [Double]) {
    let here = references[1]
    squares.withUnsafeMutableBufferPointer { squares in
      references.withUnsafeBufferPointer { references in
        guard var row = squares.baseAddress, let past = references.baseAddress else { return }
        for smoother in outputs.indices {
          let output = Double(outputs[smoother][frame])
          if output.isFinite {
            for lag in 0..<references.count {
              let difference = output - past[lag]
              row[lag] += difference * difference
            }
            moments[smoother].count += 1
            moments[smoother].total += here
            moments[smoother].squares += here * here
          }
          row += references.count
        }
      }
    }
  }

  /// The mean squared differences of a smoother by lag, over the reference's variance; nil for fewer
  /// than three frames and for a reference that does not vary.
  func shares(of smoother: Int) -> [Double]? {
    let own = moments[smoother]
    guard own.count >= 3 else { return nil }
    let mean = own.total / Double(own.count)
    let variance = own.squares / Double(own.count) - mean * mean
    guard variance > 0 else { return nil }
    let lags = squares.count / moments.count
    return squares[smoother * lags..<(smoother + 1) * lags].map {
      $0 / Double(own.count) / variance
    }
  }
}

private struct LaggedPlaces {
  private static let longestGap = 0.5

  private var places: [(frame: Int, since: Double, gap: Double)]

  init(count: Int) { places = Array(repeating: (0, 0, 0), count: count) }

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
