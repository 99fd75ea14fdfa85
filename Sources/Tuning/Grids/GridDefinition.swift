package import PlankDetection
package import PoseModel

package struct GridDefinition: Sendable {
  package let detectors: [DetectorVariant]
  package let smoothings: [SmoothingChoice]
  package let axes: [ParameterAxis]
  package let constraints: [AxisConstraint]

  package init(
    _ detectors: [DetectorVariant], smoothings: [SmoothingChoice] = [.none], axes: [ParameterAxis],
    constraints: [AxisConstraint] = []
  ) throws {
    guard !detectors.isEmpty, !smoothings.isEmpty else { throw TuningError.noDetector }
    guard Set(detectors.map(\.name)).count == detectors.count else {
      throw TuningError.repeatedDetector(detectors.map(\.name))
    }
    let available = detectors.flatMap { $0.definition.parameters.map(\.key) }
    for (index, axis) in axes.enumerated() {
      guard !axes[..<index].contains(where: { $0.key == axis.key }) else {
        throw TuningError.repeatedAxis(axis.key)
      }
      guard available.contains(axis.key) else {
        throw TuningError.unusedAxis(axis.key, available: available)
      }
    }
    self.detectors = detectors
    self.smoothings = smoothings
    self.axes = axes
    self.constraints = constraints
  }

  package func grid(_ stream: AnswerStream, _ data: MeasuredData) throws -> StreamGrid {
    let settings = detectors.flatMap { detector in smoothings.map { (detector, $0) } }
    let variants = try settings.enumerated().map { index, setting in
      try VariantGrid(
        stream, setting.0, smoothing: setting.1,
        axes: try resolve(setting.0.definition, data.variants[index]))
    }
    return try StreamGrid(stream, variants, constraints: constraints, varied: Set(axes.map(\.key)))
  }

  private func resolve(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence]
  ) throws -> [ResolvedAxis] {
    try axes.compactMap { axis in
      try detector.parameters.first { $0.key == axis.key }.map { definition in
        try axis.resolved(definition) {
          ObservedQuantiles.observations(of: axis.key, detector, sequences)
        }
      }
    }
  }

  package var dependsOnData: Bool {
    axes.contains { if case .quantiles = $0.values { true } else { false } }
  }
}

extension AnswerStream {
  /// The parameter for the number of frames in which the stream's debounce needs the same answer.
  var framesKey: ParameterKey { self == .plank ? .plankFrames : .formFrames }

  var other: AnswerStream { self == .plank ? .form : .plank }
}

package struct DetectorVariant: Hashable, Sendable {
  package let name: String
  package let definition: DetectorDefinition
  package private(set) var base: ParameterValues
  package let debounce: DebounceStrategy

  package init(
    _ definition: DetectorDefinition, base: ParameterValues? = nil,
    debounce: DebounceStrategy = .parameters
  ) {
    self.definition = definition
    self.base = base ?? definition.defaults
    self.debounce = debounce
    let isPlain = debounce == .parameters
    name =
      definition.name + (isPlain ? "" : " with " + debounce.text(parameters: definition.parameters))
  }

  package func with(_ values: ParameterValues) -> DetectorVariant {
    var variant = self
    variant.base = values
    return variant
  }

  package func keys(_ stream: AnswerStream) -> [ParameterKey] {
    definition.list(stream).parameterKeys + (debounce[stream] == nil ? [stream.framesKey] : [])
      + [.holdSeconds]
  }

  /// How many settings of a stream differ: the values that the stream reads, and its debounce.
  ///
  /// A different list of rules counts as one setting, whatever its values.
  package func differences(from other: DetectorVariant, _ stream: AnswerStream) -> Int {
    let debounces =
      debounce[stream] == other.debounce[stream] && bands(stream) == other.bands(stream)
    guard definition.list(stream) == other.definition.list(stream) else {
      return 1 + (debounces ? 0 : 1)
    }
    let keys = Set(keys(stream)).union(other.keys(stream))
    return keys.count { base[$0] != other.base[$0] } + (debounces ? 0 : 1)
  }

  private func bands(_ stream: AnswerStream) -> [SchmittBand] {
    let keys = definition.list(stream).parameterKeys
    return debounce.bands.filter {
      keys.contains($0.parameter) || keys.contains($0.parameter.calibrated)
    }
  }

  package func isBitParallel(_ stream: AnswerStream) -> Bool {
    debounce[stream] == nil && bands(stream).isEmpty
  }
}

/// The relation `left op right + margin` between two parameters.
///
/// Configurations that break the relation are degenerate: they are counted but not evaluated.
package struct AxisConstraint: Hashable, Sendable, CustomStringConvertible {
  package let left: ParameterKey
  package let comparison: Comparison
  package let right: ParameterKey
  package let margin: Double

  package init(
    _ left: ParameterKey, _ comparison: Comparison, _ right: ParameterKey, margin: Double = 0
  ) {
    self.left = left
    self.comparison = comparison
    self.right = right
    self.margin = margin
  }

  package var description: String {
    "\(left.rawValue) \(comparison.rawValue) \(right.rawValue)"
      + (margin == 0 ? "" : " + \(margin)")
  }

  package func holds(_ value: (ParameterKey) -> Double?) -> Bool {
    guard let left = value(left), let right = value(right).map({ $0 + margin }) else {
      return true
    }
    return switch comparison {
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .less: left < right
    case .lessOrEqual: left <= right
    }
  }
}

extension GridDefinition {
  /// How many configurations both streams have together.
  ///
  /// Axes that both streams use, such as `hold_seconds`, have one value for both.
  package static func pairCount(_ plank: StreamGrid, _ form: StreamGrid) throws -> Int {
    var sum = 0
    for (first, second) in zip(plank.variants, form.variants) {
      let shared = Set(first.axes.map(\.key))
      let axes = first.axes + second.axes.filter { !shared.contains($0.key) }
      guard let radix = MixedRadix(axes.map(\.values.count)) else {
        throw TuningError.gridTooLarge
      }
      let (total, isTooLarge) = sum.addingReportingOverflow(radix.count)
      guard !isTooLarge else { throw TuningError.gridTooLarge }
      sum = total
    }
    return sum
  }
}

/// Numbers whose digits have different bases, with the last digit fastest.
struct MixedRadix: Hashable, Sendable {
  let bases: [Int]
  let strides: [Int]
  let count: Int

  /// Nil if the numbers are more than an `Int` can count.
  init?(_ bases: [Int]) {
    var strides = bases
    var count = 1
    for place in bases.indices.reversed() {
      strides[place] = count
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: bases[place])
      guard !isTooLarge else { return nil }
      count = product
    }
    self.bases = bases
    self.strides = strides
    self.count = count
  }

  func digit(_ number: Int, _ place: Int) -> Int { number / strides[place] % bases[place] }

  func digits(of number: Int) -> [Int] { bases.indices.map { digit(number, $0) } }

  func number(of digits: [Int]) -> Int { zip(digits, strides).reduce(0) { $0 + $1.0 * $1.1 } }
}
