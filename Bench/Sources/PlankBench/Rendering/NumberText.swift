@_spi(Bench) internal import PoseModel

/// Numbers for people: fixed decimals, independent of the locale.
enum NumberText {
  /// A number with fixed decimals, halves rounded away from zero; `-0` is written `0`.
  ///
  /// - Parameter decimals: 0...9.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "n/a" : value < 0 ? "-inf" : "inf" }
    let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    let scaled = (value.magnitude * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled < 9e15 else { return "\(value)" }
    let digits = String(Int(scaled))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// The shortest decimal of a number; whole numbers without a point.
  static func shortest(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : "\(value)"
  }

  /// A share between 0 and 1 as a percentage with one decimal.
  static func percent(_ share: Double) -> String { fixed(share * 100, 1) + " %" }

  /// A count in groups of three digits: `12,345`.
  static func count(_ value: Int) -> String { CountText.of(value) }

  /// A count with what is counted: `1 frame`, `12,345 frames`.
  static func count(_ value: Int, _ noun: String, plural: String? = nil) -> String {
    CountText.of(value, noun, plural: plural)
  }

  /// How many decimals a number deserves, given its uncertainty, such as half an interval.
  ///
  /// The uncertainty keeps two digits if they are 10 to 35 and one otherwise, as the Particle Data
  /// Group rounds: 0.012 gives 3 decimals, 0.05 gives 2, 0.3 gives 2.
  ///
  /// - Returns: 0 to 6; 4 for an uncertainty of 0 or one that is not finite.
  static func decimals(bearing uncertainty: Double) -> Int {
    guard uncertainty > 0, uncertainty.isFinite else { return 4 }
    var (leading, decimals) = (uncertainty, 0)
    while leading < 1, decimals < 6 {
      leading *= 10
      decimals += 1
    }
    return leading < 3.55 ? min(6, decimals + 1) : decimals
  }
}
