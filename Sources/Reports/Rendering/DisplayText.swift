internal import Evaluation
package import PlankDetection
internal import Platform
internal import PoseModel
internal import Statistics

/// Numbers for people, written the same way everywhere and independently of the locale.
///
/// - A count has a comma before every three digits, and its noun: `count`.
/// - A measured number has fixed decimals, and commas where it may be large: `fixed`, `grouped`.
/// - A share is a percentage with one decimal, or with none in a sentence: `percent`,
///   `wholePercent`. A metric between 0 and 1 has three decimals.
/// - A setting or its limits are written as options take them, without commas: `shortest`.
package enum NumberText {
  /// Takes 0...9 decimals; halves are rounded away from zero, and `-0` is written `0`.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
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

  package static func fixed(_ value: Double?, _ decimals: Int) -> String {
    value.map { fixed($0, decimals) } ?? "n/a"
  }

  static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    return value > 0 && text.contains { ("1"..."9").contains($0) } ? "+" + text : text
  }

  static func grouped(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    guard let whole = Int(text.prefix { $0 != "." }), whole.magnitude >= 1000 else { return text }
    return CountText.of(whole) + text.drop { $0 != "." }
  }

  package static func shortest(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : "\(value)"
  }

  package static func short(_ value: Double) -> String {
    var text = fixed(value, 6)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  package static func percent(_ share: Double) -> String { fixed(share * 100, 1) + " %" }

  /// Returns 0 or 100 only if the share is exactly 0 or 1; other shares near the ends are `under 1
  /// %` and `over 99 %`.
  static func wholePercent(_ share: Double) -> String {
    if share > 0, share < 0.005 { return "under 1 %" }
    if share < 1, share >= 0.995 { return "over 99 %" }
    return fixed(100 * share, 0) + " %"
  }

  package static func count(_ value: Int) -> String { CountText.of(value) }

  package static func count(_ value: Int, _ noun: String, plural: String? = nil) -> String {
    CountText.of(value, noun, plural: plural)
  }

  package static func people(_ count: Int, named: Bool = true) -> String {
    named ? self.count(count, "person", plural: "people") : self.count(count, "recording")
  }

  static func milliseconds(_ seconds: MetricValue) -> String {
    seconds.number.map { fixed(1000 * $0, 0) } ?? "n/a"
  }

  /// The number of decimals that an uncertainty justifies, 0...6.
  ///
  /// The uncertainty keeps two digits if they are 10 to 35, otherwise one, as the Particle Data
  /// Group rounds: 0.012 gives 3 decimals, 0.05 gives 2, and 0.3 gives 2.
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

package enum TimeText {
  package static func about(_ seconds: Double) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    if seconds <= 99 { return "\(max(1, Int(seconds.rounded(.up)))) s" }
    if minutes < 99.5 { return NumberText.fixed(minutes, 0) + " min" }
    if hours < 9.95 { return NumberText.fixed(hours, 1) + " h" }
    return hours < 47.5 ? NumberText.fixed(hours, 0) + " h" : NumberText.fixed(days, 0) + " days"
  }
}

extension MetricValue {
  func text(_ decimals: Int = 3) -> String { NumberText.fixed(number, decimals) }

  var percentText: String { number.map(NumberText.percent) ?? "n/a" }
}

extension Interval {
  func text(_ decimals: Int = 3) -> String {
    "\(NumberText.fixed(lower, decimals)) to \(NumberText.fixed(upper, decimals))"
  }
}

extension MetricIntervals {
  var methodText: String {
    switch method {
    case .clusterT: "cluster t"
    case .bca: "BCa bootstrap"
    case .alike: "all alike"
    case nil: ""
    }
  }
}

extension [StreamUncertainty] {
  func alikeSentence(_ keys: [MetricKey]) -> String {
    var names: [Int: [String]] = [:]
    for key in keys {
      let interval = lazy.compactMap { $0.intervals[key]?.wider.interval }.first
      guard let interval, interval.method == .alike else { continue }
      let range = key.metric.range
      let others = interval.width / (range.upperBound - range.lowerBound)
      names[Int((100 * others).rounded()), default: []].append("`\(key)`")
    }
    return names.sorted { $0.key < $1.key }.map { percent, names in
      "The same for every person here: \(names.joined(separator: ", ")). The intervals allow up "
        + "to \(percent) % of all people to differ."
    }.joined(separator: " ")
  }
}

extension IntervalValue {
  var shortText: String { interval?.text() ?? "none" }

  func text(_ decimals: Int = 3) -> String {
    switch self {
    case .interval(let interval): interval.text(decimals)
    case .undefined(let gap): "none: \(gap.rawValue)"
    }
  }
}

package enum WordText {
  static func list(_ words: [String]) -> String {
    words.count <= 4 ? all(words) : first(3, of: words)
  }

  static func all(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  package static func first(_ count: Int, of words: [String]) -> String {
    words.prefix(count).joined(separator: ", ")
      + (words.count > count ? " and \(words.count - count) more" : "")
  }

  static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension AnswerStream {
  package var title: String {
    switch self {
    case .plank: "Plank"
    case .form: "Form"
    }
  }
}

extension MeasurementUnit {
  package var suffix: String { self == .ratio || self == .frames ? "" : " " + rawValue }
}

/// Makes text from files safe to show in terminals and service logs.
///
/// A name could move the cursor, clear the screen, reverse the reading direction, look like another
/// name, or begin a line that a service obeys, such as `::error::`.
package enum PrintableText {
  package static func of(_ text: String, keepsLines: Bool = false) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let beginsCommand =
        scalar == ":" && rest.first == ":" && previous.properties.isWhitespace
        || scalar == "#" && previous == "#"
          && (rest.first == "[" || rest.starts(with: "vso[".unicodeScalars))
      if isControl(scalar, keepsLines) || beginsCommand {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return result
  }

  /// One line, shortened in the middle, because the problem is at the beginning and the remedy at
  /// the end.
  package static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > longestLine else { return of(text) }
    let tail = longestLine / 4
    let left = scalars.count - longestLine
    return of(String(scalars.prefix(longestLine - tail)))
      + " ... (\(left) characters left out) ... " + of(String(scalars.suffix(tail)))
  }

  /// Indents the lines after the first, so that a name from a file cannot begin a line.
  package static func lines(_ text: String) -> String {
    text.replacing("\t", with: " ").split(separator: "\n  ", omittingEmptySubsequences: false)
      .map { line(String($0)) }.joined(separator: "\n  ")
  }

  private static let longestLine = 4000

  private static func isControl(_ scalar: Unicode.Scalar, _ keepsLines: Bool) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: !(keepsLines && (scalar == "\n" || scalar == "\t"))
    case .lineSeparator, .paragraphSeparator: true
    default: unseen.contains(scalar.value)
    }
  }

  private static let unseen: Set<UInt32> = Set(0x202A...0x202E).union(0x2066...0x2069)
    .union([0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0xFEFF]).union(0x2060...0x2064)
}

package enum PathText {
  /// Shortens `a/../b` to `b`, unless no file has that name, as behind a symbolic link.
  package static func short(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      if part == "..", let last = parts.last, last != "..", last != ".", !last.isEmpty {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    let short = parts.joined(separator: "/")
    return FileManager.default.fileExists(atPath: short) ? short : path
  }
}

package enum ShellWord {
  package static func quoted(_ word: String) -> String {
    guard PrintableText.of(word) == word else { return escaped(word.utf8) }
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "/._-+=:,@%".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  package static func path(_ path: String) -> String {
    quoted(path.hasPrefix("-") ? "./" + path : path)
  }

  package static func escaped(_ word: some Sequence<UInt8>) -> String {
    let plain = " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=,@%".utf8
    let text = word.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "$'" + text.joined() + "'"
  }

  package static func command(_ words: [String], with option: String? = nil) -> String {
    let added = [option].compactMap(\.self).filter { !words.contains($0) }
    return planklab(words.dropFirst() + added)
  }

  package static func planklab(_ words: [String]) -> String { line(["planklab"] + words) }

  package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}

package enum CSVText {
  package static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  package static func name(_ name: String) -> String { quoted(PrintableText.of(name)) }

  package static func fields(of line: Substring) -> [Substring] {
    guard line.contains("\"") else {
      return line.split(separator: ",", omittingEmptySubsequences: false)
    }
    var fields: [Substring] = [""]
    var isQuoted = false
    var previous: Character?
    for character in line {
      switch character {
      case "\"":
        if !isQuoted, previous == "\"", let last = fields.indices.last { fields[last].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
      previous = character
    }
    return fields
  }
}

extension ParameterDefinition {
  /// Returns a text that reads back as exactly the same value.
  package func optionText(_ value: Double) -> String {
    guard !isInteger else { return NumberText.shortest(value) }
    let text = ParameterText.of(value, unit: unit).filter { $0 != " " }
    return (try? parse(text)) == value ? text : NumberText.shortest(value)
  }
}

package enum ParameterText {
  package static func of(_ value: Double, unit: MeasurementUnit) -> String {
    switch unit {
    case .ratio: NumberText.short(value)
    case .meters: NumberText.short(100 * value) + " cm"
    case .frames: NumberText.short(value) + (value == 1 ? " frame" : " frames")
    default: NumberText.short(value) + " " + unit.rawValue
    }
  }

  package static func of(_ value: Double, unit: String) -> String {
    MeasurementUnit(rawValue: unit).map { of(value, unit: $0) }
      ?? NumberText.short(value) + " " + unit
  }

  package static func range(_ range: ClosedRange<Double>, unit: String) -> String {
    let low = of(range.lowerBound, unit: unit)
    let high = of(range.upperBound, unit: unit)
    guard low != high else { return low }
    let number = low.prefix { $0 != " " }
    return "\(number) to \(high)"
  }
}

extension MetricKey {
  package var countsClasses: Bool { if case .classes = metric.formula { true } else { false } }
}
