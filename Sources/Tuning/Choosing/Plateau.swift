package import PlankDetection
internal import PoseModel

package struct Plateau: Hashable, Sendable {
  package struct Side: Codable, Hashable, Sendable {
    /// The number of steps from the chosen configuration to the first one that is off the plateau
    /// or past the last value of the axis.
    package let steps: Int
    package let cliff: Double?
  }

  package struct Extent: Codable, Hashable, Sendable {
    package let key: ParameterKey
    package let unit: MeasurementUnit
    package let from: Double
    package let to: Double
    package let count: Int
    package let below: Side
    package let above: Side

    private enum CodingKeys: String, CodingKey {
      case unit, from, to, below, above
      case key = "parameter"
      case count = "values"
    }

    package var width: Double { to - from }
  }

  package let cells: [Int]
  package let cell: Int
  /// The number of steps to the nearest configuration outside the plateau, or to the grid's end.
  ///
  /// Rejected configurations and diagonals count. The end of an axis with two values does not
  /// count, because both values are at an end.
  package let margin: Int
  /// The number of steps to the nearest evaluated configuration outside the plateau, including
  /// diagonals; nil if the grid has none.
  package let cliffDistance: Int?
  package let axes: [Extent]

  /// Whether the grid's end or a rejected configuration is nearer than every cliff, so that the
  /// plateau may extend beyond the evaluated part.
  package var isLimitedByEdge: Bool { cliffDistance.map { $0 > margin } ?? true }
}

/// A connected part of the configurations that are as good as the best one.
struct PlateauRegion {
  let variant: Int
  let cells: [Int]
  private let grid: VariantGrid
  private let start: Int
  private let center: Int
  private let distances: [Int]

  var margin: Int { distances[center] }

  /// The id of the configuration with the largest margin; of several, the one nearest to the
  /// centroid.
  var centerID: Int { start + center }

  static func parts(
    of members: [Bool], _ grid: StreamGrid, variant: Int, _ order: PreferenceOrder
  ) -> [PlateauRegion] {
    let lattice = grid.variants[variant].radix
    let distances = lattice.distances(in: members)
    let start = grid.cells(of: variant).lowerBound
    return lattice.components(of: members).map { component in
      PlateauRegion(
        variant: variant, cells: component, grid: grid.variants[variant], start: start,
        center: center(of: component, distances, lattice) {
          order.prefers(start + $0, to: start + $1)
        }, distances: distances)
    }
  }

  private static func center(
    of component: [Int], _ distances: [Int], _ lattice: MixedRadix, prefers: (Int, Int) -> Bool
  ) -> Int {
    let centroid = lattice.bases.indices.map { axis in
      Double(component.reduce(0) { $0 + lattice.digit($1, axis) }) / Double(component.count)
    }
    func offset(_ cell: Int) -> Double {
      centroid.enumerated().reduce(0) { sum, axis in
        let steps = Double(lattice.digit(cell, axis.offset)) - axis.element
        return sum + steps * steps
      }
    }
    let margin = component.reduce(0) { max($0, distances[$1]) }
    let innermost = component.filter { distances[$0] == margin }
    let offsets = innermost.map(offset)
    let least = offsets.min() ?? 0
    let nearest = zip(innermost, offsets).filter { $1 <= least + 1e-9 }.map(\.0)
    return nearest.min(by: prefers) ?? component[0]
  }

  /// Distances along an axis are in units of the gap between the medians of its classes.
  ///
  /// Equal distances are decided by the margin, then by `PreferenceOrder`.
  func cell(
    nearestTo placements: [ThresholdPlacement], _ order: PreferenceOrder
  ) -> Int {
    let (axes, lattice) = (grid.axes, grid.radix)
    let placed = placements.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { placement in
      axes.firstIndex { $0.key == placement.key }.map { (axis: $0, placement: placement) }
    }
    let free = axes.indices.filter { axis in !placed.contains { $0.axis == axis } }
    let slice = cells.filter { cell in
      free.allSatisfy { lattice.digit(cell, $0) == lattice.digit(center, $0) }
    }
    let offsets = slice.map { cell in
      placed.reduce(0) { sum, part in
        let value = axes[part.axis].values[lattice.digit(cell, part.axis)]
        let offset = (value - part.placement.middle) / part.placement.gap
        return sum + offset * offset
      }
    }
    let least = offsets.min() ?? 0
    let nearest = zip(slice, offsets).filter { $1 <= least + 1e-9 }.map(\.0)
    let margin = nearest.reduce(0) { max($0, distances[$1]) }
    return nearest.filter { distances[$0] == margin }
      .min { order.prefers(start + $0, to: start + $1) } ?? center
  }

  func plateau(around cell: Int, evaluated: [Bool]) -> Plateau {
    let inside = Set(cells)
    let lattice = grid.radix
    let varied = lattice.bases.indices.filter { lattice.bases[$0] > 1 }
    return Plateau(
      cells: cells.map { $0 + start }, cell: cell + start, margin: distances[cell],
      cliffDistance: evaluated.indices.filter { evaluated[$0] && !inside.contains($0) }
        .map { lattice.distance($0, cell) }.min(),
      axes: varied.map { axis in
        Self.extent(axis, from: cell, inside, lattice, evaluated: evaluated, grid.axes[axis])
      })
  }

  private static func extent(
    _ axis: Int, from start: Int, _ inside: Set<Int>, _ lattice: MixedRadix, evaluated: [Bool],
    _ resolved: ResolvedAxis
  ) -> Plateau.Extent {
    let digit = lattice.digit(start, axis)
    func side(_ direction: Int) -> (last: Int, side: Plateau.Side) {
      var place = digit
      var cell = start
      while true {
        let next = place + direction
        guard resolved.values.indices.contains(next) else {
          return (last: place, side: Plateau.Side(steps: abs(next - digit), cliff: nil))
        }
        cell += direction * lattice.strides[axis]
        guard inside.contains(cell) else {
          let cliff = evaluated[cell] ? resolved.values[next] : nil
          return (last: place, side: Plateau.Side(steps: abs(next - digit), cliff: cliff))
        }
        place = next
      }
    }
    let (below, above) = (side(-1), side(1))
    return Plateau.Extent(
      key: resolved.key, unit: resolved.definition.unit, from: resolved.values[below.last],
      to: resolved.values[above.last], count: above.last - below.last + 1,
      below: below.side, above: above.side)
  }
}

/// A lattice of configurations, in which neighbors are within one step on every axis.
///
/// Axes with a single value are ignored.
extension MixedRadix {
  func distance(_ left: Int, _ right: Int) -> Int {
    bases.indices.reduce(0) { max($0, abs(digit(left, $1) - digit(right, $1))) }
  }

  func forEachNeighbor(_ cell: Int, _ body: (Int) -> Void) {
    visit(cell, 0) { if $0 != cell { body($0) } }
  }

  private func visit(_ cell: Int, _ axis: Int, _ body: (Int) -> Void) {
    guard axis < bases.count else { return body(cell) }
    let digit = digit(cell, axis)
    for step in max(-1, -digit)...min(1, bases[axis] - 1 - digit) {
      visit(cell + step * strides[axis], axis + 1, body)
    }
  }

  func components(of members: [Bool]) -> [[Int]] {
    var isOpen = members
    var components: [[Int]] = []
    for start in 0..<count where isOpen[start] {
      isOpen[start] = false
      var component = [start]
      var next = 0
      while next < component.count {
        forEachNeighbor(component[next]) { neighbor in
          guard isOpen[neighbor] else { return }
          isOpen[neighbor] = false
          component.append(neighbor)
        }
        next += 1
      }
      components.append(component.sorted())
    }
    return components
  }

  /// The grid ends one step beyond its last values, but an axis with two values has no such ends.
  func distances(in members: [Bool]) -> [Int] {
    var distances = members.map { $0 ? 1 : 0 }
    guard bases.contains(where: { $0 > 1 }) else { return distances }
    var current = members
    while true {
      let last = current
      for axis in bases.indices where bases[axis] > 1 { current = eroded(current, axis) }
      guard current.contains(true), current != last else { return distances }
      for cell in 0..<count where current[cell] { distances[cell] += 1 }
    }
  }

  private func eroded(_ members: [Bool], _ axis: Int) -> [Bool] {
    var result = members
    for cell in 0..<count where members[cell] {
      let digit = digit(cell, axis)
      if bases[axis] == 2 {
        result[cell] = members[cell + (digit == 0 ? strides[axis] : -strides[axis])]
        continue
      }
      result[cell] =
        digit > 0 && digit + 1 < bases[axis] && members[cell - strides[axis]]
        && members[cell + strides[axis]]
    }
    return result
  }
}

/// The place of a threshold halfway between the medians of two classes, as far as the plateau
/// allows.
///
/// A rule with one comparison separates its own class from those that later rules answer. Of the
/// later classes, the one whose median is nearest on the other side counts.
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
  /// The midpoint of the two medians, averaged over the pairs; negated if rules negate the
  /// parameter.
  package let middle: Double

  private enum CodingKeys: String, CodingKey {
    case unit, pairs, middle
    case key = "parameter"
  }

  var gap: Double {
    pairs.reduce(0) { $0 + abs($1.own.median - $1.other.median) } / Double(pairs.count)
  }
}

/// The medians of the measurements that separate classes.
///
/// The median of a class is taken in each source, with frames weighted by their duration, and
/// averaged over the sources. A parameter separates classes if every comparison with it is the only
/// one of its rule, and if that rule alone answers its class. The class `none` is not separated,
/// because its median is no single posture.
package struct ClassMedians: Sendable {
  /// The observed values in ascending order, each with the index of its sequence.
  private typealias Sample = [(value: Float, sequence: Int32)]

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

  /// - Complexity: O(frames log frames) per variant and measurement; 8 bytes of memory per frame.
  init(_ grid: StreamGrid, _ people: SubjectGroups, _ data: MeasuredData) throws {
    precondition(data.variants.count == grid.variants.count, "every variant is measured")
    stream = grid.stream
    weights = data.sequences.map(\.frameWeight.value)
    sequences = people.sequences
    sources = try people.sources(data.sequences.map(\.source))
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

  /// Leaves out axes that separate no classes; classes that the drawn subjects lack are not
  /// separated.
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
    let beyond = separation.others.compactMap { label in
      median(label).map { (label: label, median: $0) }
    }.filter { isAbove ? $0.median < own : $0.median > own }
    guard let nearest = beyond.min(by: { abs($0.median - own) < abs($1.median - own) })
    else { return nil }
    func named(_ label: UInt8, _ median: Double) -> ThresholdPlacement.ClassMedian {
      ThresholdPlacement.ClassMedian(label: stream.labels[Int(label)], median: median)
    }
    return (
      pair: ThresholdPlacement.Pair(
        comparison: predicate.description, own: named(separation.own, own),
        other: named(nearest.label, nearest.median)), isNegated: predicate.isNegated
    )
  }

  private static func median(_ sample: Sample, _ weights: [Double]) -> Double? {
    let total = sample.reduce(0) { $0 + weights[Int($1.sequence)] }
    guard total > 0 else { return nil }
    var sum = 0.0
    var lower: Double?
    for (value, sequence) in sample where weights[Int(sequence)] > 0 {
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
    var values: [UInt8: Sample] = [:]
    for (index, sequence) in measured.enumerated() {
      for (code, value) in zip(sequence.truth.codes(stream), sequence.columns[measurement])
      where FrameTruth.isScored(code) && value.isFinite {
        values[code, default: []].append((value: value, sequence: Int32(index)))
      }
    }
    return values.mapValues { own in
      own.sorted { ($0.value, $0.sequence) < ($1.value, $1.sequence) }
    }
  }

  private static func separations(by key: ParameterKey, in list: DecisionList) -> [Separation]? {
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
          predicate: rule.predicates[0], own: rule.label.code, others: others.map(\.code).sorted()))
    }
    return separations.isEmpty ? nil : separations
  }
}
