struct BarScale: Hashable, Sendable {
  let range: ClosedRange<Double>

  func percent(_ value: Double) -> Double {
    let width = range.upperBound - range.lowerBound
    guard width > 0, value.isFinite else { return value > range.lowerBound ? 100 : 0 }
    return 100 * min(1, max(0, (value - range.lowerBound) / width))
  }

  func place(_ value: Double) -> String { Self.text(percent(value)) }

  /// Where a stretch of values lies: the attributes `x` and `width`, at least half a percent wide.
  func stretch(_ one: Double, _ other: Double) -> HTML {
    let ends = [percent(one), percent(other)].sorted()
    let width = Self.text(max(ends[1] - ends[0], 0.5))
    return "x=\"\(Self.text(ends[0]))\" width=\"\(width)\""
  }

  private static func text(_ percent: Double) -> String { NumberText.fixed(percent, 2) + "%" }

  /// The next number of the form 1, 2 or 5 times a power of ten that is not below a magnitude.
  static func roundEnd(_ magnitude: Double) -> Double {
    guard magnitude > 0, magnitude.isFinite else { return 1 }
    var power = 1e-9
    while power * 10 <= magnitude { power *= 10 }
    let steps = [1.0, 2, 5, 10].map { $0 * power }
    return steps.first { $0 >= magnitude * (1 - 1e-9) } ?? steps[3]
  }
}
