internal import PlankDetection
package import PoseModel

/// Two grids with equal descriptions give every cell the same id and the same meaning.
package struct GridDescription: Codable, Hashable, Sendable {
  package struct FixedParameter: Codable, Hashable, Sendable {
    package let name: String
    package let unit: String
    package let value: Double

    private enum CodingKeys: String, CodingKey {
      case unit, value
      case name = "parameter"
    }
  }

  package struct Axis: Codable, Hashable, Sendable {
    package let name: String
    package let unit: String
    package let values: [Double]

    private enum CodingKeys: String, CodingKey {
      case unit, values
      case name = "parameter"
    }
  }

  package struct Variant: Codable, Hashable, Sendable {
    package let detector: String
    package let reading: String
    package let rules: [String]
    package let smoothing: String
    package let fixed: [FixedParameter]
    package let axes: [Axis]

    private enum CodingKeys: String, CodingKey {
      case detector, rules, smoothing, fixed, axes
      case reading = "vertical"
    }

    package var cellCount: Int { axes.reduce(1) { $0 * $1.values.count } }

    package var strides: [Int] {
      var strides = Array(repeating: 1, count: axes.count)
      for index in axes.indices.dropLast().reversed() {
        strides[index] = strides[index + 1] * axes[index + 1].values.count
      }
      return strides
    }
  }

  package let stream: AnswerStream
  package let variants: [Variant]
  package let constraints: [String]

  package var cellCount: Int { variants.reduce(0) { $0 + $1.cellCount } }

  package init(stream: AnswerStream, variants: [Variant], constraints: [String]) {
    self.stream = stream
    self.variants = variants
    self.constraints = constraints
  }

  package init(_ grid: StreamGrid) {
    stream = grid.stream
    let constrained = grid.constraints.flatMap { [$0.left, $0.right] }
    variants = grid.variants.map { Variant($0, constrained: constrained) }
    constraints = grid.constraints.map(\.description)
  }
}

extension GridDescription.Variant {
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
  /// One fact per line: equal grids have equal lines, and the first line that differs says what
  /// changed; numbers are the shortest decimals that read back as the same `Double`.
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
