package import PlankDetection
package import PoseModel

/// The grids of one stream for all detectors and smoothings, one after another.
///
/// Ids depend only on the declared axes, detectors and smoothings. Degenerate configurations keep
/// their ids and are never evaluated.
package struct StreamGrid: Sendable {
  package let stream: AnswerStream
  package let variants: [VariantGrid]
  package let constraints: [AxisConstraint]
  private let starts: [Int]
  private let varied: Set<ParameterKey>

  init(
    _ stream: AnswerStream, _ variants: [VariantGrid], constraints: [AxisConstraint],
    varied: Set<ParameterKey>
  ) throws {
    var starts: [Int] = [0]
    for variant in variants {
      let (end, isTooLarge) = starts[starts.count - 1].addingReportingOverflow(variant.cellCount)
      guard !isTooLarge else { throw TuningError.gridTooLarge }
      starts.append(end)
    }
    self.stream = stream
    self.variants = variants
    self.starts = starts
    self.constraints = constraints
    self.varied = varied
  }

  package var cellCount: Int { starts[starts.count - 1] }

  package func cells(of variant: Int) -> Range<Int> { starts[variant]..<starts[variant + 1] }

  package func locate(_ cell: Int) -> (variant: Int, local: Int) {
    let variant = starts.dropFirst().dropLast().partitioningIndex { $0 > cell } - 1
    return (variant: variant, local: cell - starts[variant])
  }

  func variant(of cell: Int) -> VariantGrid { variants[locate(cell).variant] }

  package func isAccepted(_ cell: Int) -> Bool {
    guard !constraints.isEmpty else { return true }
    let (index, local) = locate(cell)
    let variant = variants[index]
    let used = variant.keys
    let digits = variant.digits(of: local)
    return constraints.allSatisfy { constraint in
      let isKnown = [constraint.left, constraint.right].allSatisfy {
        used.contains($0) || !varied.contains($0)
      }
      guard isKnown else { return true }
      return constraint.holds { variant.value(of: $0, at: digits) }
    }
  }

  var acceptedCount: Int {
    constraints.isEmpty ? cellCount : (0..<cellCount).count(where: isAccepted)
  }

  package func accepted(in range: Range<Int>) -> [Int] { range.filter(isAccepted) }

  package func parameters(of cell: Int) throws -> ParameterValues {
    let (variant, local) = locate(cell)
    return try variants[variant].parameters(of: local)
  }
}

/// The configurations of one stream for one detector and smoothing.
///
/// A configuration is a number in mixed radix over the axes on which the stream's answers depend,
/// with the last axis fastest. Nothing is stored per configuration.
package struct VariantGrid: Sendable {
  package let stream: AnswerStream
  package let variant: DetectorVariant
  package let smoothing: SmoothingChoice
  package let axes: [ResolvedAxis]
  let radix: MixedRadix

  init(
    _ stream: AnswerStream, _ variant: DetectorVariant, smoothing: SmoothingChoice,
    axes: [ResolvedAxis]
  ) throws {
    let used = variant.keys(stream)
    self.stream = stream
    self.variant = variant
    self.smoothing = smoothing
    self.axes = axes.filter { used.contains($0.key) }
    guard let radix = MixedRadix(self.axes.map(\.values.count)) else {
      throw TuningError.gridTooLarge
    }
    self.radix = radix
  }

  package var detector: DetectorDefinition { variant.definition }

  package var detectorName: String { variant.name }

  package var base: ParameterValues { variant.base }

  package var keys: [ParameterKey] { variant.keys(stream) }

  package var cellCount: Int { radix.count }

  package func digits(of cell: Int) -> [Int] { radix.digits(of: cell) }

  package func cell(at digits: [Int]) -> Int { radix.number(of: digits) }

  package func value(of key: ParameterKey, at digits: [Int]) -> Double? {
    for (axis, digit) in zip(axes, digits) where axis.key == key { return axis.values[digit] }
    return base[key]
  }

  package func parameters(of cell: Int) throws -> ParameterValues {
    var values = base
    for (axis, digit) in zip(axes, digits(of: cell)) {
      try values.set(axis.key, to: axis.values[digit])
    }
    return values
  }
}

/// A description of a grid; in grids with equal descriptions, every id has the same meaning.
package struct GridDescription: Codable, Hashable, Sendable {
  package struct FixedParameter: Codable, Hashable, Sendable {
    package let parameter: String
    package let unit: String
    package let value: Double
  }

  package struct Axis: Codable, Hashable, Sendable {
    package let parameter: String
    package let unit: String
    package let values: [Double]
  }

  package struct Variant: Codable, Hashable, Sendable {
    package let detector: String
    /// How the detector finds the vertical.
    package let vertical: String
    package let rules: [String]
    package let smoothing: String
    package let fixed: [FixedParameter]
    package let axes: [Axis]

    package var cellCount: Int { axes.reduce(1) { $0 * $1.values.count } }

    /// Nil for more configurations than an `Int` can count.
    var radix: MixedRadix? { MixedRadix(axes.map(\.values.count)) }
  }

  package let stream: AnswerStream
  package let variants: [Variant]
  package let constraints: [String]

  package var cellCount: Int { variants.reduce(0) { $0 + $1.cellCount } }
}

extension GridDescription {
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
    vertical = grid.detector.axes.rawValue
    rules = grid.detector.list(grid.stream).sentences
    smoothing = grid.smoothing.text
    fixed = grid.base.entries
      .filter { used.contains($0.definition.key) && !varied.contains($0.definition.key) }
      .map {
        GridDescription.FixedParameter(
          parameter: $0.definition.key.rawValue, unit: $0.definition.unit.rawValue, value: $0.value)
      }
    axes = grid.axes.map {
      GridDescription.Axis(
        parameter: $0.key.rawValue, unit: $0.definition.unit.rawValue, values: $0.values)
    }
  }
}

extension GridDescription {
  /// One fact per line, so that the first line that differs says what changed.
  ///
  /// Numbers are the shortest decimals that read back as the same `Double`.
  package var lines: [String] {
    ["stream \(stream.rawValue)"] + constraints.map { "constraint \($0)" }
      + variants.flatMap(\.lines)
  }
}

extension GridDescription.Variant {
  fileprivate var lines: [String] {
    ["detector \(detector), \(vertical) axes, smoothing \(smoothing)"] + rules.map { "rule \($0)" }
      + fixed.map { "parameter \($0.parameter) (\($0.unit)): \($0.value)" }
      + axes.map { axis in
        "axis \(axis.parameter) (\(axis.unit)): "
          + axis.values.map { "\($0)" }.joined(separator: " ")
      }
  }
}
