package import PlankDetection
package import PoseModel

/// The axes of an experiment before data are seen: detectors, smoothings, numbers, constraints.
package struct GridDefinition: Sendable {
  /// The detectors, each with its debounce and the values of parameters that no axis varies.
  package let detectors: [DetectorVariant]
  /// The smoothings.
  package let smoothings: [SmoothingVariant]
  /// The numeric axes, the last one fastest.
  package let axes: [ParameterAxis]
  /// Relations between parameters that a cell must keep.
  package let constraints: [AxisConstraint]

  /// Checks and makes a definition.
  ///
  /// - Throws: `TuningError` for no detector, repeated axes, and axes that no detector uses.
  package init(
    _ detectors: [DetectorVariant],
    smoothings: [SmoothingVariant] = [.none], axes: [ParameterAxis],
    constraints: [AxisConstraint] = []
  ) throws(TuningError) {
    guard !detectors.isEmpty, !smoothings.isEmpty else { throw .noDetector }
    guard Set(detectors.map(\.name)).count == detectors.count else {
      throw .repeatedDetector(detectors.map(\.name))
    }
    let available = detectors.flatMap { $0.definition.parameters.map(\.key) }
    for (index, axis) in axes.enumerated() {
      guard !axes[..<index].contains(where: { $0.key == axis.key }) else {
        throw .repeatedAxis(axis.key)
      }
      guard available.contains(axis.key) else {
        throw .unusedAxis(axis.key, available: available)
      }
    }
    self.detectors = detectors
    self.smoothings = smoothings
    self.axes = axes
    self.constraints = constraints
  }

  /// Checks and makes a definition of detectors that are debounced by their parameters.
  package init(
    detectors: [(definition: DetectorDefinition, base: ParameterValues)],
    smoothings: [SmoothingVariant] = [.none], axes: [ParameterAxis],
    constraints: [AxisConstraint] = []
  ) throws(TuningError) {
    try self.init(
      detectors.map { DetectorVariant($0.definition, base: $0.base) }, smoothings: smoothings,
      axes: axes, constraints: constraints)
  }

  /// The grid of a stream, with quantile axes resolved on some data.
  ///
  /// - Parameter data: the sequences of every variant, detectors slowest.
  /// - Throws: `TuningError` for axes without usable values and grids that are too large.
  package func grid(
    _ stream: AnswerStream, _ data: MeasuredData
  ) throws(TuningError) -> StreamGrid {
    var variants: [VariantGrid] = []
    for (index, detector) in detectors.enumerated() {
      for (place, smoothing) in smoothings.enumerated() {
        let sequences = data.variants[index * smoothings.count + place]
        variants.append(
          try VariantGrid(
            stream, detector, smoothing: smoothing.name,
            axes: try resolve(detector.definition, sequences)))
      }
    }
    return try StreamGrid(
      stream, variants, constraints: constraints, varied: Set(axes.map(\.key)))
  }

  private func resolve(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence]
  ) throws(TuningError) -> [ResolvedAxis] {
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
