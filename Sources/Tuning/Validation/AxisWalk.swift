internal import PlankDetection
internal import PoseModel

/// The numbers of one sequence along one axis: they change at few thresholds.
struct AxisWalk: Sendable {
  /// The thresholds at which the numbers start to hold, ascending; the first is where the walk
  /// starts.
  private(set) var thresholds: [Double] = []
  /// How many numbers the sequence has.
  private let width: Int
  private var storage: [UInt32] = []

  /// Makes an empty walk.
  init(width: Int) { self.width = width }

  /// The sequence's own numbers from a threshold on.
  func numbers(at index: Int) -> ArraySlice<UInt32> {
    storage[index * width..<(index + 1) * width]
  }

  /// The numbers at any threshold that is not before the walk.
  ///
  /// - Complexity: O(log thresholds).
  func numbers(atThreshold threshold: Double) -> ArraySlice<UInt32> {
    numbers(at: max(0, thresholds.partitioningIndex { $0 > threshold } - 1))
  }

  /// Adds numbers from a larger threshold on, unless they are those from before it.
  mutating func add(_ threshold: Double, _ numbers: ArraySlice<UInt32>) {
    guard thresholds.isEmpty || self.numbers(at: thresholds.count - 1) != numbers else { return }
    thresholds.append(threshold)
    storage += numbers
  }

  /// Adds a walk that starts where this one ends.
  mutating func append(_ next: AxisWalk) {
    for index in next.thresholds.indices { add(next.thresholds[index], next.numbers(at: index)) }
  }
}

/// A sequence under a detector with one moving threshold.
///
/// Between two neighboring thresholds at which a frame's comparison turns over, every label stays
/// the same, and so does every number. Only deciding frames count, those whose label turns over
/// with the comparison: the sequence is scored once for each of their thresholds.
struct WalkedSequence {
  /// The sequence.
  let sequence: MeasuredSequence
  /// The stream.
  let stream: AnswerStream
  /// The detector; its base are the values of all other parameters.
  let detector: DetectorVariant
  /// The parameter that moves.
  let key: ParameterKey
  /// The engine that scores.
  let engine: SweepEngine

  /// The largest number of thresholds that are scored at a time, which bounds the memory.
  private static let thresholdsPerPass = 1024

  /// What the labels depend on besides the parameter that moves: two detectors with equal
  /// signatures give the same walk.
  ///
  /// With a larger threshold a comparison holds in a part of the frames or in more of them, never
  /// in others. So the number of frames identifies the frames in which it holds.
  /// - Complexity: O(frames x predicates).
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

  /// Scores the sequence from the lower bound of a range of thresholds to the upper one.
  ///
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

  /// The smallest thresholds above the lower bound at which a deciding frame gets another label,
  /// ascending.
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

  /// Whether a frame's label turns over within a range of thresholds.
  ///
  /// A frame in which one comparison turns over once has one label before and one after it. Where
  /// more than one does, the labels at both ends say nothing about those between; with hysteresis,
  /// nor does a frame's own label.
  /// - Parameter turning: the frames in which a comparison turns over, once for each.
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

  /// The raw labels at a threshold.
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

  /// Every comparison of the stream's rules with a parameter; with hysteresis, also those with both
  /// ends of its band.
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

/// A comparison of a measurement with a parameter, or with one end of the band around it.
private struct ThresholdComparison {
  let measurement: Measurement
  let order: Comparison
  let parameter: ParameterKey
  let isNegated: Bool
  /// The distance from the parameter.
  let shift: Double

  /// The number that is compared, as the detector rounds it; it rises or falls with the parameter.
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
  /// The smallest number at which a condition differs from its value at the lower bound.
  ///
  /// - Precondition: the condition changes exactly once.
  /// - Complexity: O(log numbers), about 60 calls.
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
  /// The position among all numbers, ascending.
  fileprivate var rank: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits < 0 ? Int64.min - bits - 1 : bits
  }

  /// The number at a position.
  fileprivate init(rank: Int64) {
    self.init(bitPattern: UInt64(bitPattern: rank < 0 ? Int64.min - rank - 1 : rank))
  }
}
