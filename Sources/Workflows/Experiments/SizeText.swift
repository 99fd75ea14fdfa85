internal import Reporting

/// Sizes for people.
enum SizeText {
  /// A number of bytes with its unit: `782 bytes`, `1.6 MB`, `95 GB`.
  static func bytes(_ bytes: Double) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(count(bytes.rounded())) bytes" }
    var (value, unit) = (bytes / 1000, 0)
    while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
    return NumberText.fixed(value, value < 10 ? 1 : 0) + " " + units[unit]
  }

  /// A whole number with its thousands apart: `81,000,000`.
  static func count(_ number: Double) -> String {
    guard number < 1e15 else { return "\(number)" }
    let digits = Array(NumberText.fixed(number, 0))
    let parts = digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left.isMultiple(of: 3) ? "," : "") + String(digits[index])
    }
    return parts.joined()
  }
}
