/// Numbers whose digits have a base each; the last digit is the fastest.
struct MixedRadix: Hashable, Sendable {
  /// The base of every digit.
  let bases: [Int]
  /// How many numbers there are; 1 without digits.
  let count: Int

  /// Makes a system; nil where there are more numbers than an `Int` holds.
  init?(_ bases: [Int]) {
    var count = 1
    for base in bases {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: base)
      guard !isTooLarge else { return nil }
      count = product
    }
    self.bases = bases
    self.count = count
  }

  /// The digits of a number.
  func digits(of number: Int) -> [Int] {
    var rest = number
    var digits = bases
    for place in bases.indices.reversed() {
      digits[place] = rest % bases[place]
      rest /= bases[place]
    }
    return digits
  }

  /// The number of some digits.
  func number(of digits: [Int]) -> Int {
    zip(digits, bases).reduce(0) { $0 * $1.1 + $1.0 }
  }
}
