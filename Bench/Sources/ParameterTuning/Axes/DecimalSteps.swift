/// Numbers in decimal steps, exact where binary sums are not.
enum DecimalSteps {
  /// The largest number of values that one axis may have.
  static let mostValues = 100_000

  /// How many values there are from + i step up to `to`, counted from i = 0.
  ///
  /// i <= (to - from) / step + 1e-9, so that an end that is a multiple of the step is included.
  static func count(from: Double, to: Double, step: Double) -> Int {
    let steps = (to - from) / step + 1e-9
    return steps < Double(Int32.max) ? Int(steps) + 1 : Int.max
  }

  /// from + i step as the nearest `Double` to the decimal sum, so that 0.05 is 0.05 to the bit.
  ///
  /// Both numbers are taken as their shortest decimal texts. Numbers with more digits than 64 bits
  /// hold are added in binary.
  static func value(from: Double, step: Double, index: Int) -> Double {
    guard let start = Decimal(from), let width = Decimal(step) else {
      return from + Double(index) * step
    }
    let scale = max(start.scale, width.scale)
    guard let first = start.mantissa(at: scale), let unit = width.mantissa(at: scale) else {
      return from + Double(index) * step
    }
    let (offset, isTooLong) = unit.multipliedReportingOverflow(by: index)
    let (sum, isTooLarge) = first.addingReportingOverflow(offset)
    guard !isTooLong, !isTooLarge, let value = Double("\(sum)e\(-scale)") else {
      return from + Double(index) * step
    }
    return value == 0 ? 0 : value
  }

  /// A decimal number: digits times ten to the power of -scale.
  private struct Decimal {
    private let digits: Int
    let scale: Int

    /// Parses the shortest decimal text of a number; nil if it has too many digits.
    init?(_ value: Double) {
      guard value.isFinite else { return nil }
      let parts = "\(value)".split(separator: "e")
      let number = parts[0].split(separator: ".", omittingEmptySubsequences: false)
      let fraction = number.count > 1 ? number[1] : ""
      let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      guard let digits = Int(String(number[0]) + String(fraction)) else { return nil }
      self.digits = digits
      scale = fraction.count - exponent
    }

    /// The digits at a scale that is not smaller; nil on overflow.
    func mantissa(at other: Int) -> Int? {
      var result = digits
      for _ in 0..<min(other - scale, 40) {
        let (product, isTooLong) = result.multipliedReportingOverflow(by: 10)
        guard !isTooLong else { return nil }
        result = product
      }
      return result
    }
  }
}
