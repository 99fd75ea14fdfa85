internal import PlankDetection
package import PoseModel

/// A stream's grid in plain words and numbers, to be stored and compared.
///
/// Two grids with equal descriptions give every cell the same id and the same meaning.
package struct GridDescription: Codable, Hashable, Sendable {
  /// A parameter with one value for all cells of a variant.
  package struct FixedParameter: Codable, Hashable, Sendable {
    /// The name in files and on the command line.
    package let name: String
    /// The unit of the value; `-` for pure numbers.
    package let unit: String
    /// The value.
    package let value: Double

    private enum CodingKeys: String, CodingKey {
      case unit, value
      case name = "parameter"
    }
  }

  /// A parameter that cells vary.
  package struct Axis: Codable, Hashable, Sendable {
    /// The name in files and on the command line.
    package let name: String
    /// The unit of the values; `-` for pure numbers.
    package let unit: String
    /// The values, ascending.
    package let values: [Double]

    private enum CodingKeys: String, CodingKey {
      case unit, values
      case name = "parameter"
    }
  }

  /// The cells of one detector and one smoothing.
  package struct Variant: Codable, Hashable, Sendable {
    /// The detector's name.
    package let detector: String
    /// The direction that the detector takes for vertical.
    package let reading: String
    /// The stream's rules, one sentence each.
    package let rules: [String]
    /// The smoothing's name.
    package let smoothing: String
    /// The parameters on which answers or constraints depend and that no axis varies.
    package let fixed: [FixedParameter]
    /// The axes, the last one fastest.
    package let axes: [Axis]

    private enum CodingKeys: String, CodingKey {
      case detector, rules, smoothing, fixed, axes
      case reading = "vertical"
    }

    /// How many cells there are, including degenerate ones.
    package var cellCount: Int { axes.reduce(1) { $0 * $1.values.count } }

    /// The distance in cells of two neighbors along each axis.
    package var strides: [Int] {
      var strides = Array(repeating: 1, count: axes.count)
      for index in axes.indices.dropLast().reversed() {
        strides[index] = strides[index + 1] * axes[index + 1].values.count
      }
      return strides
    }
  }

  /// The stream.
  package let stream: AnswerStream
  /// The variants in the order of their cells.
  package let variants: [Variant]
  /// The constraints of cells.
  package let constraints: [String]

  /// How many cells there are, including degenerate ones.
  package var cellCount: Int { variants.reduce(0) { $0 + $1.cellCount } }

  /// States a grid.
  package init(stream: AnswerStream, variants: [Variant], constraints: [String]) {
    self.stream = stream
    self.variants = variants
    self.constraints = constraints
  }

  /// Describes a grid.
  package init(_ grid: StreamGrid) {
    stream = grid.stream
    let constrained = grid.constraints.flatMap { [$0.left, $0.right] }
    variants = grid.variants.map { Variant($0, constrained: constrained) }
    constraints = grid.constraints.map(\.description)
  }
}

extension GridDescription.Variant {
  /// Describes a variant.
  ///
  /// - Parameter constrained: the parameters that decide which cells are degenerate.
  fileprivate init(_ grid: VariantGrid, constrained: [ParameterKey]) {
    let used = grid.keys + constrained
    let varied = Set(grid.axes.map(\.key))
    detector = grid.detectorName
    reading = grid.detector.axes.rawValue
    rules = grid.detector.list(grid.stream).sentences
    smoothing = grid.smoothing.text
    fixed = grid.base.entries
      .filter { used.contains($0.definition.key) && !varied.contains($0.definition.key) }
      .map {
        GridDescription.FixedParameter(
          name: $0.definition.key.rawValue, unit: $0.definition.unit.rawValue, value: $0.value)
      }
    axes = grid.axes.map {
      GridDescription.Axis(
        name: $0.key.rawValue, unit: $0.definition.unit.rawValue, values: $0.values)
    }
  }
}

extension GridDescription {
  /// The grid as text, one fact per line: equal grids have equal lines, and the first line that
  /// differs says what changed.
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
