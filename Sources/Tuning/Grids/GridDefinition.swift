package import PlankDetection
package import PoseModel

/// The axes of an experiment before data is seen: detectors, smoothings, numbers, constraints.
package struct GridDefinition: Sendable {
  /// The detectors, each with its debounce and the values of parameters that no axis varies.
  package let detectors: [DetectorVariant]
  /// The smoothings.
  package let smoothings: [SmoothingChoice]
  /// The numeric axes, the last one fastest.
  package let axes: [ParameterAxis]
  /// Relations between parameters that a cell must keep.
  package let constraints: [AxisConstraint]

  /// Checks and makes a definition.
  ///
  /// - Throws: `TuningError` for no detector, repeated axes, and axes that no detector uses.
  package init(
    _ detectors: [DetectorVariant],
    smoothings: [SmoothingChoice] = [.none], axes: [ParameterAxis],
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

  /// The grid of a stream, with quantile axes resolved on some data.
  ///
  /// - Parameter data: the sequences of every variant, detectors slowest.
  /// - Throws: `TuningError` for axes without usable values and grids that are too large.
  package func grid(_ stream: AnswerStream, _ data: MeasuredData) throws -> StreamGrid {
    var variants: [VariantGrid] = []
    for (index, detector) in detectors.enumerated() {
      for (place, smoothing) in smoothings.enumerated() {
        let sequences = data.variants[index * smoothings.count + place]
        variants.append(
          try VariantGrid(
            stream, detector, smoothing: smoothing,
            axes: try resolve(detector.definition, sequences)))
      }
    }
    return try StreamGrid(
      stream, variants, constraints: constraints, varied: Set(axes.map(\.key)))
  }

  private func resolve(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence]
  ) throws -> [ResolvedAxis] {
    var resolved: [ResolvedAxis] = []
    for axis in axes {
      guard let definition = detector.parameters.first(where: { $0.key == axis.key }) else {
        continue
      }
      resolved.append(
        try axis.resolved(definition) {
          ObservedQuantiles.observations(of: axis.key, detector, sequences)
        })
    }
    return resolved
  }

  /// Whether the values of an axis depend on the data.
  package var dependsOnData: Bool {
    axes.contains { if case .quantiles = $0.values { true } else { false } }
  }
}

/// One value of the detector axis: rules, debounce, and fixed values.
package struct DetectorVariant: Hashable, Sendable {
  /// The name in reports; unique in an experiment.
  package let name: String
  /// The rules.
  package let definition: DetectorDefinition
  /// The values of parameters that no axis varies.
  package let base: ParameterValues
  /// How raw labels are debounced.
  package let debounce: DebounceStrategy

  /// Makes a variant.
  package init(
    _ definition: DetectorDefinition, base: ParameterValues? = nil,
    debounce: DebounceStrategy = .parameters
  ) {
    self.definition = definition
    self.base = base ?? definition.defaults
    self.debounce = debounce
    let isPlain = debounce == .parameters
    name =
      definition.name
      + (isPlain ? "" : " with " + debounce.text(parameters: definition.parameters))
  }

  /// The same detector with other values.
  package func with(_ values: ParameterValues) -> DetectorVariant {
    DetectorVariant(name: name, definition: definition, base: values, debounce: debounce)
  }

  private init(
    name: String, definition: DetectorDefinition, base: ParameterValues, debounce: DebounceStrategy
  ) {
    self.name = name
    self.definition = definition
    self.base = base
    self.debounce = debounce
  }

  /// The parameters on which the answers of a stream depend.
  package func keys(_ stream: AnswerStream) -> [ParameterKey] {
    let frames = stream == .plank ? ParameterKey.plankFrames : .formFrames
    return definition.list(stream).parameterKeys + (debounce[stream] == nil ? [frames] : [])
      + [.holdSeconds]
  }

  /// Whether the bit-parallel engine can express the stream's debounce.
  package func isBitParallel(_ stream: AnswerStream) -> Bool {
    let keys = definition.list(stream).parameterKeys
    return debounce[stream] == nil && !debounce.bands.contains { keys.contains($0.parameter) }
  }
}

/// A relation between two parameters that a cell must keep: `left op right + margin`.
///
/// Cells that break it are degenerate: they are counted but not evaluated.
package struct AxisConstraint: Hashable, Sendable, CustomStringConvertible {
  /// The parameter on the left.
  package let left: ParameterKey
  /// The comparison.
  package let comparison: Comparison
  /// The parameter on the right.
  package let right: ParameterKey
  /// The number added to the right side, in its unit.
  package let margin: Double

  /// Makes a constraint.
  package init(
    _ left: ParameterKey, _ comparison: Comparison, _ right: ParameterKey, margin: Double = 0
  ) {
    self.left = left
    self.comparison = comparison
    self.right = right
    self.margin = margin
  }

  /// The relation as written in experiments.
  package var description: String {
    "\(left.rawValue) \(comparison.rawValue) \(right.rawValue)"
      + (margin == 0 ? "" : " + \(margin)")
  }

  /// Whether values keep the relation; true if a side is missing.
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
