import PoseModel

/// The newest samples of four signals with their times.
///
/// A row has a sample of every lane, and the newest samples of all lanes are in the last row. A
/// lane that misses a sample moves up by a row instead, so lanes differ only in how far back their
/// samples go. Memory grows only when a window in seconds meets a rate that it has not met before.
struct LaneWindow: Sendable {
  private let length: WindowLength
  private var values: [Lanes]
  private var times: [Lanes]
  private var end = 0
  /// How many of the newest rows have one time in all lanes.
  private var commonTimes = 0

  private(set) var rowCount = 0
  /// How many samples each lane has if they differ; otherwise nil.
  private(set) var ownCounts: Lanes?

  init(_ length: WindowLength) {
    self.length = length
    values = Array(repeating: Lanes(), count: 2 * max(1, length.expectedCount))
    times = values
  }

  var counts: Lanes { ownCounts ?? Lanes(repeating: Double(rowCount)) }

  var isInStep: Bool { ownCounts == nil && commonTimes >= rowCount }

  var oldestTimes: Lanes { oldest(in: times) }

  /// Passes on all rows, the oldest first; the last rows belong to every lane, earlier ones to the
  /// lanes whose count covers them.
  @inline(__always) func withRows<Result>(
    _ body: (_ values: UnsafeBufferPointer<Lanes>, _ times: UnsafeBufferPointer<Lanes>) -> Result
  ) -> Result {
    let rows = end - rowCount..<end
    return values.withUnsafeBufferPointer { values in
      times.withUnsafeBufferPointer { times in
        body(
          UnsafeBufferPointer(rebasing: values[rows]), UnsafeBufferPointer(rebasing: times[rows]))
      }
    }
  }

  @inline(__always) func sums(_ weight: (_ age: Int) -> Double) -> Lanes {
    withRows { rows, _ in
      var sums = Lanes()
      guard let counts = ownCounts else {
        for age in rows.indices { sums += weight(age) * rows[rows.count - 1 - age] }
        return sums
      }
      for age in rows.indices {
        let next = sums + weight(age) * rows[rows.count - 1 - age]
        sums.replace(with: next, where: counts .> Double(age))
      }
      return sums
    }
  }

  @inline(__always) func numbers(_ make: (_ count: Int) -> Double) -> Lanes {
    guard let counts = ownCounts else { return Lanes(repeating: rowCount > 0 ? make(rowCount) : 0) }
    var numbers = Lanes()
    for lane in numbers.indices where counts[lane] > 0 { numbers[lane] = make(Int(counts[lane])) }
    return numbers
  }

  mutating func removeAll(in lanes: LaneMask) {
    setCounts(counts.replacing(with: Lanes(), where: lanes))
  }

  @inline(__always) mutating func append(
    _ newest: Lanes, at time: Double, in lanes: LaneMask,
    removed: (Lanes, LaneMask) -> Void = { _, _ in }
  ) {
    if all(lanes), ownCounts == nil, case .frames(let frames) = length {
      if rowCount >= frames {
        removed(values[end - rowCount], .all)
        rowCount -= 1
      }
    } else {
      while case let full = lanes .& fullLanes(at: time), any(full) {
        removed(oldest(in: values), full)
        setCounts(counts.replacing(with: counts - 1, where: full))
      }
    }
    if end == values.count { makeRoom() }
    if all(lanes) {
      values[end] = newest
      times[end] = Lanes(repeating: time)
      commonTimes += 1
      rowCount += 1
      if let counts = ownCounts { setCounts(counts + 1) }
    } else {
      push(newest, at: time, in: lanes)
    }
    end += 1
  }

  @inline(__always) private func fullLanes(at time: Double) -> LaneMask {
    switch length {
    case .frames(let frames): counts .>= Double(frames)
    case .seconds(let seconds):
      (counts .> 0) .& (time - oldest(in: times) .>= seconds - Debouncer.tolerance)
    }
  }

  @inline(__always) private func oldest(in rows: [Lanes]) -> Lanes {
    guard let counts = ownCounts else { return rows[max(0, end - max(1, rowCount))] }
    var oldest = Lanes()
    for lane in oldest.indices where counts[lane] > 0 {
      oldest[lane] = rows[end - Int(counts[lane])][lane]
    }
    return oldest
  }

  private mutating func setCounts(_ counts: Lanes) {
    rowCount = Int(counts.max())
    ownCounts = all(counts .== counts[0]) ? nil : counts
    if rowCount == 0 { (end, commonTimes) = (0, 0) }
  }

  private mutating func push(_ newest: Lanes, at time: Double, in lanes: LaneMask) {
    for row in (end - rowCount..<end).reversed() {
      values[row + 1].replace(with: values[row], where: .!lanes)
      times[row + 1].replace(with: times[row], where: .!lanes)
    }
    values[end].replace(with: newest, where: lanes)
    times[end].replace(with: Lanes(repeating: time), where: lanes)
    commonTimes = 0
    setCounts(counts.replacing(with: counts + 1, where: lanes))
  }

  private mutating func makeRoom() {
    for row in 0..<rowCount {
      values[row] = values[end - rowCount + row]
      times[row] = times[end - rowCount + row]
    }
    end = rowCount
    guard 2 * rowCount > values.count else { return }
    values += repeatElement(Lanes(), count: rowCount)
    times += repeatElement(Lanes(), count: rowCount)
  }
}

struct SortedWindow: Sendable {
  private var window: LaneWindow
  /// The samples of every lane, the smallest first, and infinity after the last.
  private var sorted: [Lanes]

  init(_ length: WindowLength) {
    window = LaneWindow(length)
    sorted = Array(repeating: Lanes(repeating: .infinity), count: length.expectedCount + 2)
  }

  mutating func removeAll(in lanes: LaneMask) {
    for row in 0..<window.rowCount {
      sorted[row].replace(with: Lanes(repeating: .infinity), where: lanes)
    }
    window.removeAll(in: lanes)
  }

  @inline(__always) mutating func append(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    let nothing = Lanes(repeating: .infinity)
    var leaving = nothing
    var isLeaving = false
    let rows = window.rowCount + 1
    if rows == sorted.count { sorted += repeatElement(nothing, count: rows) }
    window.append(values, at: time, in: lanes) { old, full in
      if isLeaving { Self.exchange(leaving, for: nothing, in: &sorted, rows: rows) }
      leaving = nothing.replacing(with: old, where: full)
      isLeaving = true
    }
    let entering = nothing.replacing(with: values, where: lanes)
    Self.exchange(leaving, for: entering, in: &sorted, rows: rows)
  }

  /// Infinity stands for no sample; of equal samples the first one leaves, and the new one comes
  /// before them.
  @inline(__always) private static func exchange(
    _ leaving: Lanes, for entering: Lanes, in sorted: inout [Lanes], rows: Int
  ) {
    sorted.withUnsafeMutableBufferPointer { sorted in
      var before = Lanes(repeating: -.infinity)
      var here = sorted[0]
      for row in 0..<rows {
        let next = sorted[row + 1]
        let kept = next.replacing(with: here, where: here .< leaving)
        sorted[row] = kept.lesser(entering.greater(before))
        (before, here) = (kept, next)
      }
    }
  }

  /// For an even count, the mean of the two middle samples; every used lane needs a sample.
  var medians: Lanes {
    guard let counts = window.ownCounts else { return median(of: window.rowCount) }
    var medians = Lanes()
    for lane in medians.indices where counts[lane] > 0 {
      medians[lane] = median(of: Int(counts[lane]))[lane]
    }
    return medians
  }

  private func median(of count: Int) -> Lanes {
    let half = count / 2
    return count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  /// O(samples): those nearest to a center are consecutive, and the farthest of them is at one end.
  func medianDeviations(from centers: Lanes) -> Lanes {
    guard let counts = window.ownCounts else {
      return deviations(from: centers, count: window.rowCount)
    }
    var deviations = Lanes()
    for lane in deviations.indices where counts[lane] > 0 {
      deviations[lane] = self.deviations(from: centers, count: Int(counts[lane]))[lane]
    }
    return deviations
  }

  private func deviations(from centers: Lanes, count: Int) -> Lanes {
    let last = distances(from: centers, rank: count / 2, count: count)
    guard count.isMultiple(of: 2) else { return last }
    return (distances(from: centers, rank: count / 2 - 1, count: count) + last) / 2
  }

  private func distances(from centers: Lanes, rank: Int, count: Int) -> Lanes {
    sorted.withUnsafeBufferPointer { sorted in
      var least = Lanes(repeating: .infinity)
      for row in 0..<count - rank {
        let farthest = (centers - sorted[row]).greater(sorted[row + rank] - centers)
        least = farthest.lesser(least)
      }
      return least
    }
  }
}

enum WindowLength: Hashable, Sendable {
  case frames(Int)
  /// The samples of the newest stretch of time, without its older end.
  case seconds(Double)

  init(_ settings: StrategySettings<SmoothingKind>) {
    self =
      settings[.windowSeconds].map(WindowLength.seconds)
      ?? .frames(Int(settings.value(.windowFrames)))
  }

  var expectedCount: Int {
    switch self {
    case .frames(let count): count
    case .seconds(let seconds): Int((seconds * 60).rounded(.up)) + 2
    }
  }
}
