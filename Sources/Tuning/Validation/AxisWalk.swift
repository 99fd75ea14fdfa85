internal import PlankDetection
internal import PoseModel

struct AxisWalk: Sendable {
  private(set) var thresholds: [Double] = []
  private let width: Int
  private var storage: [UInt32] = []

  init(width: Int) { self.width = width }

  func numbers(at index: Int) -> ArraySlice<UInt32> {
    storage[index * width..<(index + 1) * width]
  }

  func numbers(atThreshold threshold: Double) -> ArraySlice<UInt32> {
    numbers(at: max(0, thresholds.partitioningIndex { $0 > threshold } - 1))
  }

  mutating func add(_ threshold: Double, _ numbers: ArraySlice<UInt32>) {
    guard thresholds.isEmpty || self.numbers(at: thresholds.count - 1) != numbers else { return }
    thresholds.append(threshold)
    storage += numbers
  }

  mutating func append(_ next: AxisWalk) {
    for index in next.thresholds.indices { add(next.thresholds[index], next.numbers(at: index)) }
  }
}

/// Between two neighboring thresholds at which a frame's comparison turns over, every label stays
/// the same, and so does every number.
///
/// Only deciding frames count, those whose label turns over with the comparison: the sequence is
/// scored once for each of their thresholds.
struct WalkedSequence {
  let sequence: MeasuredSequence
  let stream: AnswerStream
  let detector: DetectorVariant
  let key: ParameterKey
  let engine: SweepEngine

  private static let thresholdsPerPass = 1024

  /// Two detectors with equal signatures give the same walk.
  ///
  /// With a larger threshold a comparison holds in a part of the frames or in more of them, never
  /// in others, so the number of frames identifies them.
  var signature: [Int] {
    let frames = stream == .plank ? ParameterKey.plankFrames : .formFrames
    var signature = [frames, .holdSeconds].map {
      Int(bitPattern: UInt((detector.base[$0] ?? 0).bitPattern))
    }
    for comparison in comparisons(where: { $0 != key }) {
      let threshold = comparison.threshold(detector.base[comparison.parameter] ?? .nan)
      let column = sequence.columns[comparison.measurement]
      signature.append(column.count { comparison.order.holds($0, threshold) })
    }
    return signature
  }

  /// - Complexity: O(deciding frames x frames).
  func walk(_ range: ClosedRange<Double>) async throws -> AxisWalk {
    let thresholds = try [range.lowerBound] + turningPoints(range)
    let data = try MeasuredData(variants: [[sequence]])
    var walk: AxisWalk?
    for start in stride(from: 0, to: thresholds.count, by: Self.thresholdsPerPass) {
      let part = Array(thresholds[start..<min(start + Self.thresholdsPerPass, thresholds.count)])
      let line = try GridDefinition([detector], axes: [ParameterAxis(key, .list(part))])
      let grid = try line.grid(stream, data)
      let cells = try await StreamSweep(grid, data, engine: engine).evaluate(0..<grid.cellCount)
      var longer = walk ?? AxisWalk(width: cells.layout.stride)
      for position in cells.ids.indices { longer.add(part[position], cells.numbers(at: position)) }
      walk = longer
    }
    return walk ?? AxisWalk(width: 0)
  }

  private func turningPoints(_ range: ClosedRange<Double>) throws -> [Double] {
    let comparisons = comparisons { $0 == key }
    var turns: [(frame: Int, comparison: Int)] = []
    for (index, comparison) in comparisons.enumerated() {
      let (low, high) = (
        comparison.threshold(range.lowerBound), comparison.threshold(range.upperBound)
      )
      for (frame, value) in sequence.columns[comparison.measurement].enumerated()
      where comparison.order.holds(value, low) != comparison.order.holds(value, high) {
        turns.append((frame: frame, comparison: index))
      }
    }
    guard !turns.isEmpty else { return [] }
    let isDeciding = try decidingFrames(range, turns.map(\.frame))
    let points = turns.compactMap { frame, index -> Double? in
      guard isDeciding[frame] else { return nil }
      let comparison = comparisons[index]
      let value = sequence.columns[comparison.measurement][frame]
      return range.firstChange { comparison.order.holds(value, comparison.threshold($0)) }
    }
    return Set(points).sorted()
  }

  /// A frame in which one comparison turns over once has one label before and one after it.
  ///
  /// Where more than one does, the labels at both ends say nothing about those between; with
  /// hysteresis, nor does a frame's own label. `turning` has a frame once for each comparison.
  private func decidingFrames(_ range: ClosedRange<Double>, _ turning: [Int]) throws -> [Bool] {
    let (low, high) = (try labels(range.lowerBound), try labels(range.upperBound))
    guard !hasHysteresis else { return low.map { $0 != Debouncer.undetermined } }
    var isDeciding = zip(low, high).map { $0 != $1 }
    var turned = Array(repeating: false, count: low.count)
    for frame in turning {
      if turned[frame] { isDeciding[frame] = low[frame] != Debouncer.undetermined }
      turned[frame] = true
    }
    return isDeciding
  }

  private func labels(_ threshold: Double) throws -> [UInt8] {
    var parameters = detector.base
    try parameters.set(key, to: threshold)
    return try BatchDetector(
      detector.definition, parameters: parameters, debounce: detector.debounce
    ).run(stream, sequence.columns, times: sequence.times, startsMid: sequence.startsMid).raw
  }

  private var hasHysteresis: Bool {
    let keys = detector.definition.list(stream).parameterKeys
    return detector.debounce.bands.contains { keys.contains($0.parameter) }
  }

  private func comparisons(where isMeant: (ParameterKey) -> Bool) -> [ThresholdComparison] {
    detector.definition.list(stream).rules.flatMap(\.predicates)
      .filter { isMeant($0.parameter) }
      .flatMap { predicate in
        ([0] + detector.shifts(of: predicate.parameter)).map {
          ThresholdComparison(
            measurement: predicate.measurement, order: predicate.comparison,
            parameter: predicate.parameter, isNegated: predicate.isNegated, shift: $0)
        }
      }
  }
}

private struct ThresholdComparison {
  let measurement: Measurement
  let order: Comparison
  let parameter: ParameterKey
  let isNegated: Bool
  let shift: Double

  func threshold(_ parameter: Double) -> Float {
    Float((isNegated ? -parameter : parameter) + shift)
  }
}

extension DetectorVariant {
  /// The distances from a parameter to both ends of the band around it; none without hysteresis.
  func shifts(of key: ParameterKey) -> [Double] {
    debounce.bands.filter { $0.parameter == key }.flatMap { [$0.halfWidth, -$0.halfWidth] }
  }
}

extension ClosedRange<Double> {
  /// About 60 calls; the condition changes exactly once.
  func firstChange(_ condition: (Double) -> Bool) -> Double {
    let first = condition(lowerBound)
    var (same, changed) = (lowerBound.rank, upperBound.rank)
    while true {
      let middle = (same & changed) + ((same ^ changed) >> 1)
      guard middle != same else { return Double(rank: changed) }
      if condition(Double(rank: middle)) == first { same = middle } else { changed = middle }
    }
  }
}

extension Double {
  fileprivate var rank: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits < 0 ? Int64.min - bits - 1 : bits
  }

  fileprivate init(rank: Int64) {
    self.init(bitPattern: UInt64(bitPattern: rank < 0 ? Int64.min - rank - 1 : rank))
  }
}
