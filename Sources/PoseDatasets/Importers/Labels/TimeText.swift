/// A time as a program wrote it, before its unit is known.
enum RawTime: Hashable, Sendable {
  case number(Double)
  /// A clock's time, such as 1:30, or a number that names its unit.
  case seconds(Double)
  /// A clock's time whose last part counts frames, such as 00:00:12:15.
  case timecode(seconds: Double, frames: Double)

  var number: Double? { if case .number(let value) = self { value } else { nil } }
}

/// Reads numbers, and times of a clock: `12.5`, `12.5 s`, `1:30`, `00:01:30.250`, `0:01:30,250`.
enum TimeText {
  /// `hasFreeCommas`: whether commas separate nothing, so that one can only be a decimal comma.
  static func time(_ text: some StringProtocol, hasFreeCommas: Bool) -> RawTime? {
    let text = trimmed(text)
    guard !text.isEmpty, text.utf8.count <= longest else { return nil }
    if text.contains(":") { return clock(text) }
    if let value = number(text, hasFreeCommas: hasFreeCommas) { return .number(value) }
    for (ending, factor) in [("ms", 0.001), ("s", 1), ("sec", 1)] where text.hasSuffix(ending) {
      let rest = trimmed(text.dropLast(ending.count))
      guard let value = number(rest, hasFreeCommas: hasFreeCommas) else { continue }
      return .seconds(roundedToMicroseconds(value * factor))
    }
    return nil
  }

  static func number(_ text: Substring, hasFreeCommas: Bool) -> Double? {
    var plain = text
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    // Where commas separate fields, `1,250` in quotes may be a thousand.
    if parts.count == 2, hasFreeCommas || parts[1].count != 3, !text.contains(".") {
      plain = "\(parts[0]).\(parts[1])"
    }
    guard let value = Double(decimal: plain), value.isFinite, value.magnitude < largest else {
      return nil
    }
    return value
  }

  private static let longest = 40
  private static let largest = 1e15

  private static func clock(_ text: Substring) -> RawTime? {
    var text = text
    var days = 0.0
    for mark in [" days ", " day "] {
      guard let range = text.firstRange(of: mark) else { continue }
      guard let count = digits(text[..<range.lowerBound]) else { return nil }
      days = count
      text = text[range.upperBound...]
    }
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...4).contains(parts.count) else { return nil }
    var rest: Substring?
    if parts.count == 4 { rest = parts.removeLast() }
    let last = parts.removeLast().split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "," })
    guard let whole = last.first.flatMap(digits), whole < 60, last.count <= 2 else { return nil }
    var seconds = whole
    if last.count == 2 {
      guard digits(last[1]) != nil, let fraction = Double(decimal: "0." + last[1]) else {
        return nil
      }
      seconds += fraction
    }
    var factor = 60.0
    for (index, part) in parts.reversed().enumerated() {
      guard let value = digits(part), value < 60 || index == parts.count - 1 else { return nil }
      seconds += value * factor
      factor *= 60
    }
    seconds = roundedToMicroseconds(seconds + days * 86400)
    guard let rest else { return .seconds(seconds) }
    guard last.count == 1, let count = digits(rest) else { return nil }
    if rest.count == 3 { return .seconds(roundedToMicroseconds(seconds + count / 1000)) }
    return .timecode(seconds: seconds, frames: count)
  }

  private static func digits(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Double(text)
  }

  private static func trimmed(_ text: some StringProtocol) -> Substring {
    var text = Substring(text).drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
