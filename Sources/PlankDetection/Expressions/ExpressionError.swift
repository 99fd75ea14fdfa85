/// A mistake in the text of an expression or a condition, with its position and a remedy.
public struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the text, from 1.
  public let line: Int
  /// The position in the line, counted in Unicode scalars from 1.
  public let column: Int
  /// What was found at the position.
  public let found: String
  /// What is allowed at the position.
  public let allowed: String
  /// What to do about it.
  public let remedy: String

  /// The position in words; the line is included from the second line on.
  public var place: String { (line > 1 ? "line \(line), " : "") + "column \(column)" }

  /// The position, the problem and the remedy in one sentence.
  public var description: String { "\(place): found \(found); allowed: \(allowed); \(remedy)" }
}

struct ExpressionToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case word(String)
    case number(Double, suffix: String)
    case sign(String)
    case end
  }

  let kind: Kind
  let offset: Int

  var quoted: String {
    switch kind {
    case .word(let text), .sign(let text): "`\(text)`"
    case .number(let value, let suffix): "`\(value)\(suffix)`"
    case .end: "the end"
    }
  }
}

struct ExpressionScanner {
  /// In bytes; the limit keeps parsing time negligible.
  static let largestText = 4096

  private let bytes: [UInt8]
  private var next = 0
  private(set) var token = ExpressionToken(kind: .end, offset: 0)

  init(_ text: String) throws(ExpressionError) {
    bytes = Array(text.utf8)
    guard bytes.count <= Self.largestText else {
      throw error(
        at: Self.largestText, found: "a text of \(bytes.count) bytes",
        allowed: "at most \(Self.largestText)", "split it into several named ones")
    }
    try advance()
  }

  mutating func advance() throws(ExpressionError) {
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
    let start = next
    guard start < bytes.count else {
      token = ExpressionToken(kind: .end, offset: start)
      return
    }
    let byte = bytes[start]
    if Self.isLetter(byte) {
      token = ExpressionToken(kind: .word(takeWord()), offset: start)
    } else if Self.isDigit(byte) || byte == UInt8(ascii: ".") {
      token = ExpressionToken(kind: try takeNumber(), offset: start)
    } else {
      token = ExpressionToken(kind: .sign(try takeSign()), offset: start)
    }
  }

  mutating func take(_ kind: ExpressionToken.Kind) throws(ExpressionError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  mutating func expect(sign: String) throws(ExpressionError) {
    guard try take(.sign(sign)) else {
      throw unexpected(allowed: "`\(sign)`", "add `\(sign)`, or remove what is here")
    }
  }

  func unexpected(allowed: String, _ remedy: String) -> ExpressionError {
    error(at: token.offset, found: token.quoted, allowed: allowed, remedy)
  }

  func error(at offset: Int, found: String, allowed: String, _ remedy: String) -> ExpressionError {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return ExpressionError(
      line: line, column: column, found: found, allowed: allowed, remedy: remedy)
  }

  private mutating func takeWord() -> String {
    let start = next
    while next < bytes.count, Self.isLetter(bytes[next]) || Self.isDigit(bytes[next]) { next += 1 }
    return String(decoding: bytes[start..<next], as: UTF8.self)
  }

  private mutating func takeNumber() throws(ExpressionError) -> ExpressionToken.Kind {
    let start = next
    while next < bytes.count, Self.isDigit(bytes[next]) || bytes[next] == UInt8(ascii: ".") {
      next += 1
    }
    takeExponent()
    let digits = String(decoding: bytes[start..<next], as: UTF8.self)
    let suffixStart = next
    while next < bytes.count, Self.isLetter(bytes[next]) || bytes[next] >= 0x80 { next += 1 }
    guard let value = Double(digits), value.isFinite else {
      throw error(
        at: start, found: "`\(digits)`", allowed: "a finite number such as 0.5 or 5cm",
        "correct the number")
    }
    return .number(value, suffix: String(decoding: bytes[suffixStart..<next], as: UTF8.self))
  }

  /// An `e` without digits begins a suffix, not an exponent.
  private mutating func takeExponent() {
    guard next < bytes.count, bytes[next] | 0x20 == UInt8(ascii: "e") else { return }
    var end = next + 1
    if end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") {
      end += 1
    }
    guard end < bytes.count, Self.isDigit(bytes[end]) else { return }
    while end < bytes.count, Self.isDigit(bytes[end]) { end += 1 }
    next = end
  }

  private mutating func takeSign() throws(ExpressionError) -> String {
    let start = next
    let byte = bytes[start]
    let isComparison = byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    guard isComparison || "+-*/(),".utf8.contains(byte) else {
      var end = start + 1
      while end < bytes.count, Self.isForeign(bytes[end]) { end += 1 }
      throw error(
        at: start, found: "`\(String(decoding: bytes[start..<end], as: UTF8.self))`",
        allowed: "names, numbers, + - * / ( ) , and comparisons", "remove it")
    }
    next += 1
    if isComparison, next < bytes.count, bytes[next] == UInt8(ascii: "=") { next += 1 }
    return String(decoding: bytes[start..<next], as: UTF8.self)
  }

  private static func isForeign(_ byte: UInt8) -> Bool {
    !isSpace(byte) && !isLetter(byte) && !isDigit(byte) && !"+-*/(),.".utf8.contains(byte)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }
}
