internal import PoseModel

extension GridDescription {
  /// The grid as text, a fact a line: equal grids have equal lines, and the first line in which
  /// two grids differ says what changed.
  ///
  /// Numbers are the shortest decimals that read back as the same `Double`.
  package var lines: [String] {
    ["stream \(stream.rawValue)"] + constraints.map { "constraint \($0)" }
      + variants.flatMap(\.lines)
  }
}

extension GridDescription.Variant {
  fileprivate var lines: [String] {
    ["detector \(detector), \(reading) axes, smoothing \(smoothing)"]
      + rules.map { "rule \($0)" }
      + fixed.map { "parameter \($0.name) (\($0.unit)): \($0.value)" }
      + axes.map { axis in
        "axis \(axis.name) (\(axis.unit)): "
          + axis.values.map { "\($0)" }.joined(separator: " ")
      }
  }
}
