package import PlankDetection
internal import PoseModel

/// A rule with one comparison separates its own class from those that later rules answer.
///
/// Of these, the one counts whose median is nearest on the other side; the threshold stands in the
/// middle of both medians, as far as the plateau reaches.
package struct ThresholdPlacement: Codable, Hashable, Sendable {
  package struct ClassMedian: Codable, Hashable, Sendable {
    package let label: String
    package let median: Double

    private enum CodingKeys: String, CodingKey {
      case median
      case label = "class"
    }
  }

  package struct Pair: Codable, Hashable, Sendable {
    package let comparison: String
    package let own: ClassMedian
    package let other: ClassMedian
  }

  package let key: ParameterKey
  package let unit: MeasurementUnit
  package let pairs: [Pair]
  /// The middle of the medians, averaged over the pairs; negated if the rules negate the parameter.
  package let middle: Double

  private enum CodingKeys: String, CodingKey {
    case unit, pairs, middle
    case key = "parameter"
  }

  var gap: Double {
    pairs.reduce(0) { $0 + abs($1.own.median - $1.other.median) } / Double(pairs.count)
  }
}

/// A class's median is taken in each source, where frames weigh what they last, and averaged over
/// the sources.
///
/// A parameter separates classes if every comparison with it is the only one of its rule, and if
/// that rule alone answers its class. `none` is no such class: its median is nobody's posture.
package struct ClassMedians: Sendable {
  private struct Sample {
    let values: [(value: Float, sequence: Int32)]
  }

  private struct Separation {
    let predicate: Predicate
    let own: UInt8
    let others: [UInt8]
  }

  private struct Variant {
    let axes: [(definition: ParameterDefinition, separations: [Separation])]
    let samples: [Measurement: [UInt8: Sample]]
  }

  private let stream: AnswerStream
  private let variants: [Variant]
  private let weights: [Double]
  private let sequences: [[Int]]
  private let sources: [String?]

  /// - Complexity: O(frames log frames) per variant and measurement; 8 bytes per frame.
  package init(_ grid: StreamGrid, _ table: SubjectTable, _ data: MeasuredData) {
    precondition(data.variants.count == grid.variants.count, "every variant is measured")
    stream = grid.stream
    weights = data.sequences.map(\.frameWeight.value)
    sequences = table.sequences
    sources = table.sources
    variants = zip(grid.variants, data.variants).map { grid, measured in
      let list = grid.detector.list(grid.stream)
      let axes = grid.axes.filter { $0.values.count > 1 }.compactMap { axis in
        Self.separations(by: axis.key, in: list)
          .map { (definition: axis.definition, separations: $0) }
      }
      var samples: [Measurement: [UInt8: Sample]] = [:]
      for measurement in Set(axes.flatMap(\.separations).map(\.predicate.measurement)) {
        samples[measurement] = Self.samples(of: measurement, grid.stream, measured)
      }
      return Variant(axes: axes, samples: samples)
    }
  }

  /// The placements in the order of the variant's axes; axes whose parameter separates no classes
  /// in their data are left out.
  ///
  /// `drawn` may repeat subjects.
  func placements(_ variant: Int, _ drawn: [Int]) -> [ThresholdPlacement] {
    var counts: [String?: [Double]] = [:]
    for subject in drawn {
      for sequence in sequences[subject] {
        counts[sources[subject], default: Array(repeating: 0, count: weights.count)][sequence] +=
          weights[sequence]
      }
    }
    let bySource = counts.sorted { ($0.key ?? "") < ($1.key ?? "") }.map(\.value)
    return variants[variant].axes.compactMap { axis in
      let pairs = axis.separations.compactMap { pair($0, variant, bySource) }
      guard !pairs.isEmpty else { return nil }
      let middles = pairs.map { found in
        (found.isNegated ? -1 : 1) * (found.pair.own.median + found.pair.other.median) / 2
      }
      return ThresholdPlacement(
        key: axis.definition.key, unit: axis.definition.unit, pairs: pairs.map(\.pair),
        middle: middles.reduce(0, +) / Double(middles.count))
    }
  }

  private func pair(
    _ separation: Separation, _ variant: Int, _ bySource: [[Double]]
  ) -> (pair: ThresholdPlacement.Pair, isNegated: Bool)? {
    let predicate = separation.predicate
    func median(_ label: UInt8) -> Double? {
      guard let sample = variants[variant].samples[predicate.measurement]?[label] else {
        return nil
      }
      let medians = bySource.compactMap { Self.median(sample, $0) }
      return medians.isEmpty ? nil : medians.reduce(0, +) / Double(medians.count)
    }
    guard let own = median(separation.own) else { return nil }
    let isAbove = predicate.comparison == .greater || predicate.comparison == .greaterOrEqual
    var nearest: (label: UInt8, median: Double)?
    for label in separation.others {
      guard let other = median(label), isAbove ? other < own : other > own else { continue }
      if let known = nearest, abs(known.median - own) <= abs(other - own) { continue }
      nearest = (label: label, median: other)
    }
    guard let nearest else { return nil }
    func named(_ label: UInt8, _ median: Double) -> ThresholdPlacement.ClassMedian {
      ThresholdPlacement.ClassMedian(label: stream.labels[Int(label)], median: median)
    }
    return (
      pair: ThresholdPlacement.Pair(
        comparison: predicate.description, own: named(separation.own, own),
        other: named(nearest.label, nearest.median)),
      isNegated: predicate.isNegated
    )
  }

  private static func median(_ sample: Sample, _ weights: [Double]) -> Double? {
    let total = sample.values.reduce(0) { $0 + weights[Int($1.sequence)] }
    guard total > 0 else { return nil }
    var sum = 0.0
    var lower: Double?
    for (value, sequence) in sample.values where weights[Int(sequence)] > 0 {
      if let lower { return (lower + Double(value)) / 2 }
      sum += weights[Int(sequence)]
      if abs(sum - total / 2) <= 1e-9 * total {
        lower = Double(value)
      } else if sum > total / 2 {
        return Double(value)
      }
    }
    return lower
  }

  private static func samples(
    of measurement: Measurement, _ stream: AnswerStream, _ measured: [MeasuredSequence]
  ) -> [UInt8: Sample] {
    var values: [UInt8: [(value: Float, sequence: Int32)]] = [:]
    for (index, sequence) in measured.enumerated() {
      for (code, value) in zip(sequence.truth.codes(stream), sequence.columns[measurement])
      where FrameTruth.isScored(code) && value.isFinite {
        values[code, default: []].append((value: value, sequence: Int32(index)))
      }
    }
    return values.mapValues { own in
      Sample(values: own.sorted { ($0.value, $0.sequence) < ($1.value, $1.sequence) })
    }
  }

  private static func separations(
    by key: ParameterKey, in list: DecisionList
  ) -> [Separation]? {
    func isPosture(_ label: AnswerLabel) -> Bool { label != .plank(.none) }
    var separations: [Separation] = []
    for (index, rule) in list.rules.enumerated()
    where rule.predicates.contains(where: { $0.parameter == key }) {
      let others = Set(list.rules[(index + 1)...].map(\.label).filter(isPosture))
      guard rule.predicates.count == 1, isPosture(rule.label),
        list.rules.count(where: { $0.label == rule.label }) == 1
      else { return nil }
      separations.append(
        Separation(
          predicate: rule.predicates[0], own: rule.label.code,
          others: others.map(\.code).sorted()))
    }
    return separations.isEmpty ? nil : separations
  }
}
