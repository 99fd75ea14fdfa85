/// A line of a script without the spaces between signs; texts and patterns stay as they are.
struct CompactLine {
  /// Behind what no statement ends, so that the next line may follow at once.
  static let openEnds = Set(";,{([".utf8)
  /// Beside what a space means nothing.
  private static let signs = Set("=+-*/<>?:&|,;{}()[]!%".utf8)
  /// Behind what a slash begins a pattern.
  private static let beforePatterns = Set("(,=:[!&|?{};".utf8)
  private static let (space, slash, escape) = (
    UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "\\")
  )

  private let line: [UInt8]
  private var place = 0
  private var result: [UInt8] = []

  /// Takes a line without its indentation.
  init(_ line: Substring) { self.line = Array(line.utf8) }

  /// The shorter line.
  mutating func text() -> [UInt8] {
    while place < line.count { step() }
    return result
  }

  private mutating func step() {
    switch line[place] {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): copyText(until: line[place])
    case UInt8(ascii: "`"): copyTemplate()
    case Self.slash where beginsPattern: copyPattern()
    case Self.space:
      if isNeeded { result.append(Self.space) }
      place += 1
    default: copy()
    }
  }

  private mutating func copy() {
    result.append(line[place])
    place += 1
  }

  /// Whether a space separates two words, or two signs that would be another one.
  private var isNeeded: Bool {
    guard let before = result.last, place + 1 < line.count else { return false }
    let after = line[place + 1]
    if before == after, Self.signs.contains(before) { return true }
    return !Self.signs.contains(before) && !Self.signs.contains(after) && after != Self.space
  }

  private var beginsPattern: Bool {
    guard let before = result.last(where: { $0 != Self.space }) else { return true }
    return Self.beforePatterns.contains(before) || result.suffix(6).elementsEqual("return".utf8)
      || result.suffix(7).elementsEqual("return ".utf8)
  }

  private mutating func copyText(until end: UInt8) {
    copy()
    while place < line.count, line[place] != end {
      if line[place] == Self.escape, place + 1 < line.count { copy() }
      copy()
    }
    if place < line.count { copy() }
  }

  /// A pattern ends at a slash outside of brackets.
  private mutating func copyPattern() {
    copy()
    var isInClass = false
    while place < line.count, isInClass || line[place] != Self.slash {
      if line[place] == Self.escape, place + 1 < line.count { copy() }
      if line[place] == UInt8(ascii: "[") { isInClass = true }
      if line[place] == UInt8(ascii: "]") { isInClass = false }
      copy()
    }
    if place < line.count { copy() }
  }

  /// A template with its values, which may hold texts and templates.
  private mutating func copyTemplate() {
    copy()
    while place < line.count, line[place] != UInt8(ascii: "`") {
      if line[place] == Self.escape, place + 1 < line.count {
        copy()
        copy()
      } else if line[place...].starts(with: "${".utf8) {
        copyValue()
      } else {
        copy()
      }
    }
    if place < line.count { copy() }
  }

  private mutating func copyValue() {
    copy()
    copy()
    var depth = 1
    while place < line.count, depth > 0 {
      switch line[place] {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): copyText(until: line[place])
      case UInt8(ascii: "`"): copyTemplate()
      case Self.slash where beginsPattern: copyPattern()
      case UInt8(ascii: "{"):
        depth += 1
        copy()
      case UInt8(ascii: "}"):
        depth -= 1
        copy()
      default: copy()
      }
    }
  }
}
