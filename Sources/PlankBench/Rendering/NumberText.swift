internal import Evaluation
internal import PoseModel

/// Numbers for people, in one way everywhere and independent of the locale.
///
/// - A count has a comma before every three digits, and its noun: `count`.
/// - A measured number has fixed decimals, and commas where it may be large: `fixed`, `grouped`.
/// - A share is a percentage with one decimal, in a sentence with none: `percent`, `wholePercent`.
///   A metric between 0 and 1 has three decimals.
/// - A setting or its limits are as options take them, without commas: `shortest`.
enum NumberText {
  /// Halves are rounded away from zero; `-0` is written `0`.
  ///
  /// Decimals are 0...9.
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

  /// With its sign: `+0.104`.
  static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    return value > 0 && text.contains { ("1"..."9").contains($0) } ? "+" + text : text
  }

  static func grouped(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    guard let whole = Int(text.prefix { $0 != "." }), whole.magnitude >= 1000 else { return text }
    return CountText.of(whole) + text.drop { $0 != "." }
  }

  static func shortest(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : "\(value)"
  }

  /// A number to six significant decimals, without needless zeros.
  static func short(_ value: Double) -> String {
    var text = fixed(value, 6)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  static func percent(_ share: Double) -> String { fixed(share * 100, 1) + " %" }

  /// A share as a whole percentage that is 0 or 100 only if the share is.
  static func wholePercent(_ share: Double) -> String {
    if share > 0, share < 0.005 { return "under 1 %" }
    if share < 1, share >= 0.995 { return "over 99 %" }
    return fixed(100 * share, 0) + " %"
  }

  static func count(_ value: Int) -> String { CountText.of(value) }

  static func count(_ value: Int, _ noun: String, plural: String? = nil) -> String {
    CountText.of(value, noun, plural: plural)
  }

  static func people(_ count: Int) -> String { self.count(count, "person", plural: "people") }

  static func milliseconds(_ seconds: MetricValue) -> String {
    seconds.number.map { fixed(1000 * $0, 0) } ?? "n/a"
  }

  /// The uncertainty keeps two digits if they are 10 to 35 and one otherwise, as the Particle Data
  /// Group rounds: 0.012 gives 3 decimals, 0.05 gives 2, 0.3 gives 2.
  /// - Returns: 0...6; 4 for an uncertainty of 0 or a non-finite one.
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

enum TimeText {
  /// Only the magnitude: `35 s`, `3 min`, `2.5 h`, `4 days`; seconds are rounded up, never to 0.
  static func about(_ seconds: Double) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    if seconds <= 99 { return "\(max(1, Int(seconds.rounded(.up)))) s" }
    if minutes < 99.5 { return NumberText.fixed(minutes, 0) + " min" }
    if hours < 9.95 { return NumberText.fixed(hours, 1) + " h" }
    return hours < 47.5 ? NumberText.fixed(hours, 0) + " h" : NumberText.fixed(days, 0) + " days"
  }
}
