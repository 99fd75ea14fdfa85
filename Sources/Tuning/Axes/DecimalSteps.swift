enum DecimalSteps {
  static let mostValues = 100_000

  /// How many i from 0 have i <= (to - from) / step + 1e-9, so that an end that is a multiple of
  /// the step is included.
  static func count(from: Double, to: Double, step: Double) -> Int {
    let steps = (to - from) / step + 1e-9
    return steps < Double(Int32.max) ? Int(steps) + 1 : Int.max
  }

  /// from + i step, each the nearest `Double` to the decimal sum, so that 0.05 is 0.05 to the bit;
  /// numbers with more digits than 64 bits hold are added in binary.
  static func values(from: Double, step: Double, _ indices: some Sequence<Int>) -> [Double] {
    let decimals = Decimal.aligned(from, step)
    return indices.map { index in
      decimals.flatMap { $0.start.adding(index, times: $0.step) } ?? from + Double(index) * step
    }
  }

  private struct Decimal {
    private var digits: Int
    private var scale: Int

    private init?(_ value: Double) {
      guard value.isFinite else { return nil }
      let parts = "\(value)".split(separator: "e")
      let number = parts[0].split(separator: ".", omittingEmptySubsequences: false)
      let fraction = number.count > 1 ? number[1] : ""
      let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      guard let digits = Int(String(number[0]) + String(fraction)) else { return nil }
      self.digits = digits
      scale = fraction.count - exponent
    }

    static func aligned(_ start: Double, _ step: Double) -> (start: Decimal, step: Decimal)? {
      guard var start = Decimal(start), var step = Decimal(step) else { return nil }
      let scale = max(start.scale, step.scale)
      guard start.extend(to: scale), step.extend(to: scale) else { return nil }
      return (start, step)
    }

    func adding(_ factor: Int, times step: Decimal) -> Double? {
      let (offset, isTooLong) = step.digits.multipliedReportingOverflow(by: factor)
      let (sum, isTooLarge) = digits.addingReportingOverflow(offset)
      guard !isTooLong, !isTooLarge, let value = Double("\(sum)e\(-scale)") else { return nil }
      return value == 0 ? 0 : value
    }

    private mutating func extend(to other: Int) -> Bool {
      for _ in 0..<min(other - scale, 40) {
        let (product, isTooLong) = digits.multipliedReportingOverflow(by: 10)
        guard !isTooLong else { return false }
        digits = product
      }
      scale = other
      return true
    }
  }
}
