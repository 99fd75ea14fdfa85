package protocol NamedInput: Sendable { var name: String { get } }

extension NamedInput {
  /// The name's last component without its extension and `.gz`, usable as a file name.
  ///
  /// It has at most 120 characters; characters other than ASCII letters, digits, `.`, `_` and `-`
  /// become `-`.
  package var stem: String {
    let last = name.split(separator: "/").last ?? ""
    let file = last.hasSuffix(".gz") && last.count > 3 ? last.dropLast(3) : last
    let end = file.lastIndex(of: ".").flatMap { $0 > file.startIndex ? $0 : nil } ?? file.endIndex
    let stem = file[..<end].prefix(120).map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "-"
    }
    return stem.isEmpty ? "unnamed" : String(stem)
  }
}

package struct NamedBytes: NamedInput {
  package let name: String
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  func unpacked() throws -> NamedBytes {
    NamedBytes(name: name, bytes: PlainText.bytes(of: try PackedBytes.unpacked(bytes, file: name)))
  }
}

/// Converts text to UTF-8 with line feeds; spreadsheets write UTF-16, and some programs end lines
/// with only a carriage return.
enum PlainText {
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let sampleSize = 4096

  static func bytes(of bytes: [UInt8]) -> [UInt8] {
    let text = utf8(ofUTF16: bytes) ?? bytes
    guard hasOldLineEnds(text) else { return text }
    return text.map { $0 == carriageReturn ? lineFeed : $0 }
  }

  private static func utf8(ofUTF16 bytes: [UInt8]) -> [UInt8]? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count.isMultiple(of: 2) else {
      return nil
    }
    let units = stride(from: 2, to: bytes.count, by: 2).map { index in
      let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? one | other << 8 : one << 8 | other
    }
    guard !units.contains(0) else { return nil }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  private static func hasOldLineEnds(_ bytes: [UInt8]) -> Bool {
    !bytes.contains(lineFeed) && bytes.contains(carriageReturn)
      && bytes.prefix(sampleSize).allSatisfy { $0 >= 0x20 || $0 == carriageReturn || $0 == 0x09 }
  }
}

package struct NamedText: NamedInput, Hashable {
  package let name: String
  package let text: String

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  package init(name: String, text: String) {
    self.name = name
    let scalars = text.unicodeScalars
    self.text = scalars.first == "\u{FEFF}" ? String(scalars.dropFirst()) : text
  }

  package init(name: String, bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding replaces invalid bytes, so the first difference is the fault.
    let decoded = Array(text.utf8)
    guard decoded == bytes else {
      let good = zip(bytes, decoded).prefix { $0 == $1 }
      let line = good.count { $0.0 == UInt8(ascii: "\n") } + 1
      throw PoseSourceError.notText(SourcePlace(file: name, line: line))
    }
    self.init(name: name, text: text)
  }
}

package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int

  package var description: String { "\(file):\(line)" }

  func unexpected(_ path: String, _ found: String, _ allowed: String) -> PoseSourceError {
    .unexpectedValue(file: description, path: path, found: found, allowed: allowed)
  }

  func unusable(_ found: String, _ remedy: String) -> PoseSourceError {
    .unusable(description, found, remedy)
  }
}

/// The lines and fields of a table; a quoted field may not contain a line break.
struct CSVText {
  let file: String
  let lines: [Substring]
  var separator = UInt8(ascii: ",")

  init(_ source: NamedText) {
    file = source.name
    var lines = source.text.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    while let last = lines.last, last.utf8.allSatisfy(Self.isBlank) { lines.removeLast() }
    self.lines = lines
  }

  /// A value of `separator` that means any number of blanks and tabs between fields.
  static let blanks = UInt8(ascii: " ")

  func joiningQuotedLines() -> (text: CSVText, numbers: [Int]) {
    guard lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\"")) }) else {
      return (self, Array(lines.indices))
    }
    var joined: [Substring] = []
    var numbers: [Int] = []
    var isOpen = false
    for (index, line) in lines.enumerated() {
      if isOpen, let first = joined.popLast() {
        joined.append(first.base[first.startIndex..<line.endIndex])
      } else {
        joined.append(line)
        numbers.append(index)
      }
      let isOdd = !line.utf8.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
      if isOdd, isOpen || Self.opensField(line) { isOpen.toggle() }
    }
    return isOpen ? (self, Array(lines.indices)) : (CSVText(self, lines: joined), numbers)
  }

  /// Joins lines within quotes; blank lines are added so that the lines below keep their numbers.
  static func flattened(_ source: NamedText) -> NamedText {
    let whole = CSVText(source)
    let (text, numbers) = whole.joiningQuotedLines()
    guard numbers.count < whole.lines.count else { return source }
    // A line that was joined to the one above is a comment, not blank.
    var lines = [String](repeating: "\\", count: whole.lines.count)
    for (line, number) in zip(text.lines, numbers) {
      lines[number] = String(line.map { $0.isNewline ? " " : $0 })
    }
    return NamedText(name: source.name, text: lines.joined(separator: "\n") + "\n")
  }

  /// Whether the last quote of a line begins a field, unlike that of `5'10"`.
  private static func opensField(_ line: Substring) -> Bool {
    let before = line.utf8.lastIndex(of: UInt8(ascii: "\"")).map { line.utf8[..<$0] }
    return before?.last { $0 != UInt8(ascii: " ") }.map { ",;|\t\"".utf8.contains($0) } ?? true
  }

  init(_ other: CSVText, lines: [Substring]) {
    (file, separator, self.lines) = (other.file, other.separator, lines)
  }

  func fieldCount(ofLine index: Int) -> Int {
    if separator == Self.blanks { return fields(ofLine: index).count }
    var isQuoted = false
    var count = 1
    for byte in lines[index].utf8 {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == separator && !isQuoted { count += 1 }
    }
    return count
  }

  func fields(ofLine index: Int) -> [Substring] {
    let line = lines[index]
    if separator == Self.blanks { return split(line, omittingEmpty: true, where: Self.isBlank) }
    guard line.utf8.contains(UInt8(ascii: "\"")) else { return plainFields(line) }
    return split(line, omittingEmpty: false) { $0 == separator }
  }

  private func split(
    _ line: Substring, omittingEmpty: Bool, where separates: (UInt8) -> Bool
  ) -> [Substring] {
    var isQuoted = false
    return line.utf8.split(omittingEmptySubsequences: omittingEmpty) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return separates(byte) && !isQuoted
    }.map { Self.unquoted(Substring($0.trimmed(while: Self.isBlank))) }
  }

  private func plainFields(_ line: Substring) -> [Substring] {
    let bytes = line.utf8
    var fields: [Substring] = []
    // `start` is the field's first byte, and `end` follows its last byte that is not blank.
    var start = bytes.startIndex
    var end = start
    var isBlankSoFar = true
    var index = start
    while index < bytes.endIndex {
      let byte = bytes[index]
      let next = bytes.index(after: index)
      if byte == separator {
        fields.append(line[start..<end])
        (start, end, isBlankSoFar) = (next, next, true)
      } else if Self.isBlank(byte) {
        if isBlankSoFar { (start, end) = (next, next) }
      } else {
        (end, isBlankSoFar) = (next, false)
      }
      index = next
    }
    fields.append(line[start..<end])
    return fields
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func unquoted(_ field: Substring) -> Substring {
    guard field.count >= 2, field.first == "\"", field.last == "\"" else { return field }
    let content = field.dropFirst().dropLast()
    let parts = content.split(separator: "\"\"", omittingEmptySubsequences: false)
    return Substring(parts.joined(separator: "\""))
  }
}

struct JSONObjects {
  struct Element {
    let line: Int
    let bytes: ArraySlice<UInt8>
  }

  let elements: [Element]

  init(_ source: NamedText) throws {
    let bytes = Array(source.text.utf8)
    var elements: [Element] = []
    var line = 1
    var position = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"):
        guard let end = Self.end(of: bytes, from: position) else {
          throw PoseSourceError.unexpectedValue(
            file: "\(source.name):\(line)", path: "the object", found: "cut off",
            allowed: "a whole one: delete the rest of the file from this line on")
        }
        elements.append(Element(line: line, bytes: bytes[position..<end]))
        line += bytes[position..<end].count { $0 == UInt8(ascii: "\n") }
        position = end
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ","),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        position += 1
      default:
        let found = String(
          decoding: bytes[position..<min(position + 12, bytes.count)], as: UTF8.self)
        throw PoseSourceError.unexpectedValue(
          file: "\(source.name):\(line)", path: "the text", found: "`\(found)`",
          allowed: "one JSON object per frame, each on its own line")
      }
    }
    self.elements = elements
  }

  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isText = false
    var isEscaped = false
    for position in start..<bytes.count {
      let byte = bytes[position]
      if isEscaped {
        isEscaped = false
      } else if isText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return position + 1 }
      }
    }
    return nil
  }
}

extension [any CodingKey] {
  var jsonPath: String {
    let path = map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return String(path.drop { $0 == "." })
  }
}
