import Platform
import PoseModel
import PoseRecording

struct CSVRows: Sendable {
  let text: CSVText
  let columns: [String]?
  let hasDecimalCommas: Bool
  let remarks: [TableRemark]
  let declaredUnit: String?
  let declaredRate: Double?
  private let rows: [Int]
  private let lineNumbers: [Int]
  private let numbered: Range<Int>?
  /// The columns of matrices, each of which also appears in a row's node as a list.
  private let matrices: [Range<Int>]
  private let hasGroups: Bool
  private let keys: [String]?
  private static let sampleSize = 50
  private static let numbersKey = "numbers"
  /// Texts that R, SAS, spreadsheets and C print for a missing number; `nan` is already a number.
  private static let nothing: Set<Substring> = [
    "NA", "N/A", "n/a", "#N/A", "-", "--", ".", "-1.#IND", "1.#IND", "1.#QNAN", "-1.#QNAN",
    "-nan(ind)", "#DIV/0!", "<NA>", "\\N", "undefined", "(null)",
  ]

  init(_ source: NamedText, cut: Int = 0) throws {
    var (text, numbers) = CSVText(source).joiningQuotedLines()
    lineNumbers = numbers
    let header = try TableHeader(text)
    text.separator = header.separator
    // A table that was concatenated from files repeats the header.
    let repeated = header.names == nil ? nil : text.lines[max(header.first, 1) - 1]
    var rows = (min(header.first, text.lines.count)..<text.lines.count).filter {
      !text.lines[$0].isBlank && text.lines[$0] != repeated
    }
    let summaries = Self.summaries(below: rows, text)
    rows.removeLast(summaries.count)
    self.rows = rows
    self.text = text
    let tail = TableRemark(
      finding: "\(CountText.of(cut, "NUL byte")) at the end omitted",
      evidence: "a program that reserves space leaves them if it is stopped")
    let summary = summaries.last.map { one in
      TableRemark(
        finding: "\(CountText.of(summaries.count, "row")) at the end left out, from line "
          + "\(numbers[one.line] + 1) on",
        evidence: "`\(one.word)` is a word for statistics, where rows above have numbers",
        isNoted: true)
    }
    remarks = header.remarks + [summary].compactMap(\.self) + (cut == 0 ? [] : [tail])
    declaredUnit = header.declaredUnit
    declaredRate = header.declaredRate
    columns = header.names?.map { String($0.trimmed { $0 == " " || $0 == "\t" }) }
    let sample = rows.prefix(Self.sampleSize).map { [text] in text.fields(ofLine: $0) }
    let hasDecimalCommas =
      text.separator != UInt8(ascii: ",")
      && sample.contains { $0.contains { Self.withPoint($0) != nil } }
    self.hasDecimalCommas = hasDecimalCommas
    hasGroups =
      hasDecimalCommas
      && sample.contains { $0.contains { $0.contains(".") && Self.withPoint($0) != nil } }
    numbered = header.names == nil ? nil : header.numbered
    let matrices = MatrixColumns.find(columns ?? []) { column in
      sample.map { fields in
        guard let field = fields[safe: column] else { return nil }
        return Double(
          decimal: hasDecimalCommas ? Self.withPoint(field) ?? String(field) : String(field))
      }
    }
    self.matrices = matrices.map(\.columns)
    var keys = columns
    if let numbered { keys?.replaceSubrange(numbered, with: [Self.numbersKey]) }
    self.keys = keys.map { $0 + matrices.map(\.name) }
    guard let first = rows.first else { return }
    let expected = columns?.count ?? text.fieldCount(ofLine: first)
    for line in rows {
      let count = text.fieldCount(ofLine: line)
      // Rows may end with separators, as motion-capture software writes them.
      guard
        count == expected
          || (count > expected && text.fields(ofLine: line)[expected...].allSatisfy(\.isEmpty))
      else {
        // Words of a sentence are no columns.
        let isText = text.separator == CSVText.blanks && columns != nil && expected < 5
        throw PoseSourceError.wrongFieldCount(
          SourcePlace(file: source.name, line: numbers[line] + 1), found: count,
          expected: isText ? 1 : expected)
      }
    }
  }

  init(nothingIn file: String) {
    text = CSVText(NamedText(name: file, text: ""))
    (columns, hasDecimalCommas, remarks, declaredUnit) = (nil, false, [], nil)
    (declaredRate, hasGroups) = (nil, false)
    (rows, lineNumbers, numbered, matrices, keys) = ([], [], nil, [], nil)
  }

  /// Finds the rows at the end that begin with a word such as `mean`, beginning with the last.
  private static func summaries(below rows: [Int], _ text: CSVText) -> [(line: Int, word: String)] {
    guard let first = rows.first.map(text.fields(ofLine:)) else { return [] }
    return rows.dropFirst().reversed().lazy.map { line in
      let words = zip(text.fields(ofLine: line), first).lazy
        .filter { $1.contains(where: \.isNumber) }.map { $0.0.lowercased() }
      let word = words.first { word in
        word.split(separator: " ").contains { statistics.contains(String($0)) }
      }
      return (line, word ?? "")
    }
    .prefix { !$0.1.isEmpty }.prefix(mostSummaries).map { $0 }
  }

  private static let mostSummaries = 12

  static let statistics: Set = [
    "mean", "average", "avg", "median", "std", "stdev", "stddev", "sd", "sem", "var", "variance",
    "min", "max", "minimum", "maximum", "range", "sum", "total", "count", "25%", "50%", "75%",
    "mittelwert", "summe", "gesamtergebnis", "moyenne", "media", "totale",
  ]

  var count: Int { rows.count }

  /// The largest number of columns: five people with MediaPipe's 553 holistic points, at five
  /// numbers per point, need 13,825.
  static let mostColumns = 16_384
  private static let longestLine = 1 << 20

  static func checkLines(of source: NamedBytes) throws {
    try source.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var (line, start) = (1, 0)
      while start < bytes.count {
        let feed = memchr(base + start, 0x0A, bytes.count - start)
        let end = feed.map { UnsafeRawPointer($0) - base } ?? bytes.count
        guard end - start <= longestLine else {
          throw SourcePlace(file: source.name, line: line).unexpected(
            "the text",
            "a line of \(CountText.of(end - start, "byte")), which is neither JSON nor a table "
              + "row", "JSON, or a table whose rows have at most 1 MiB")
        }
        (line, start) = (line + 1, end + 1)
      }
    }
  }

  func line(ofRow row: Int) -> Int { lineNumbers[rows[row]] + 1 }

  func frames(_ layout: PoseTable.Layout) throws -> [TableFrame] {
    let rows = Array(rows.indices).dropFirst(layout.skip)
    guard layout.kind == .rows, let group = layout.group else { return rows.map { .row($0) } }
    let groups = try RowGroups.frames(
      of: Array(rows), layout, by: group, node: node(ofRow:),
      place: { SourcePlace(file: text.file, line: line(ofRow: $0)) })
    return groups.map { .rows($0) }
  }

  func node(ofRow row: Int) -> JSONNode {
    let line = line(ofRow: row)
    let fields = text.fields(ofLine: rows[row])
    var values = fields.prefix(columns?.count ?? fields.count).map { node($0, line: line) }
    guard let keys else { return JSONNode(.list(values), line: line) }
    let lists = matrices.map { JSONNode(.list(Array(values[$0])), line: line) }
    if let numbered {
      let list = JSONNode(.list(Array(values[numbered])), line: line)
      values.replaceSubrange(numbered, with: [list])
    }
    values += lists
    return JSONNode(.object(keys: keys, values: values), line: line)
  }

  func texts(ofRow row: Int) -> JSONNode {
    let line = line(ofRow: row)
    let texts = text.fields(ofLine: rows[row]).map { JSONNode(.text(String($0)), line: line) }
    return JSONNode(fields: Array(zip(columns ?? [], texts)), line: line)
  }

  private func node(_ field: Substring, line: Int) -> JSONNode {
    guard let last = field.utf8.last,
      !"ADNa-.)!>d".utf8.contains(last) || !Self.nothing.contains(field)
    else { return JSONNode(.null, line: line) }
    let text = hasDecimalCommas ? withPoint(field) : Self.withoutCommas(field) ?? String(field)
    return PrintedValue.node(text, line: line) ?? JSONNode(.text(text), line: line)
  }

  /// Returns a number with commas between thousands, such as `-1,229.50`.
  private static func withoutCommas(_ field: Substring) -> String? {
    let bytes = field.utf8
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")),
      bytes[comma...].contains(UInt8(ascii: "."))
    else { return nil }
    return GroupMark.signedNumber(field, ",").map { "\($0)" }
  }

  /// Rewrites a decimal comma as a point, also in numbers such as `1.229,50`; nil for other texts.
  static func withPoint(_ field: Substring) -> String? {
    if let comma = field.firstIndex(of: ","), field[..<comma].contains("."),
      let number = grouped(field)
    {
      return number
    }
    let parts = field.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[1].utf8.first, (48...57).contains(first) else {
      return nil
    }
    let text = parts[0] + "." + parts[1]
    return Double(decimal: text) == nil ? nil : String(text)
  }

  /// Returns a number with points between thousands, such as `1.229` or `-1.229,50`.
  private static func grouped(_ field: Substring) -> String? {
    guard field.contains("."), !field.hasPrefix("0"), !field.hasPrefix("-0") else { return nil }
    return GroupMark.signedNumber(field, ".").map { "\($0)" }
  }

  private func withPoint(_ field: Substring) -> String {
    Self.withPoint(field) ?? (hasGroups ? Self.grouped(field) : nil) ?? String(field)
  }

  func whole() -> JSONNode {
    let list = JSONNode(.list(rows.indices.map(node(ofRow:))), line: 1)
    return JSONNode(fields: [(PoseTable.rowsKey, list)], line: 1)
  }

  func node(ofRows rows: [Int]) -> JSONNode { .frame(ofRows: rows.map(node(ofRow:))) }
}

enum GroupMark {
  private static let marks: Set<Character> = [",", ".", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"]

  /// Returns the thousands separator; if `areWhole`, a separator that always precedes three digits
  /// is one.
  static func find(in texts: [Substring], areWhole: Bool) -> Character? {
    for text in texts {
      let used = text.filter { marks.contains($0) }
      guard let mark = used.first, used.count > 1 || !",.".contains(mark),
        number(text, mark) != nil
      else { continue }
      return mark
    }
    guard areWhole, let mark = texts.lazy.compactMap({ $0.first { ",.".contains($0) } }).first,
      texts.contains(where: { !$0.contains(mark) }),
      texts.allSatisfy({ $0.isEmpty || number($0, mark) != nil })
    else { return nil }
    return mark
  }

  static func signedNumber(_ text: Substring, _ mark: Character) -> Double? {
    text.first == "-" ? number(text.dropFirst(), mark).map { -$0 } : number(text, mark)
  }

  static func number(_ text: Substring, _ mark: Character) -> Double? {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count == 1 || (1...3).contains(first.count) else {
      return nil
    }
    let digits = parts.dropFirst().map { $0.prefix { ("0"..."9").contains($0) } }
    guard digits.allSatisfy({ $0.count == 3 }),
      zip(parts.dropFirst(), digits).dropLast().allSatisfy({ $0.count == 3 && $1.count == 3 })
    else { return nil }
    let joined = parts.joined().replacing(",", with: ".")
    return Double(decimal: joined)
  }
}

extension Substring {
  var isBlank: Bool { utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

/// Parses a list or a point that a program printed as text: JSON, NumPy's arrays, Python's
/// dictionaries, or points such as Swift's `SIMD3<Float>(0.1, 0.2, 0.3)`.
struct PrintedValue {
  private var rest: Substring.UTF8View
  private let line: Int

  private static let depthLimit = 8

  static func node(_ text: String, line: Int) -> JSONNode? {
    guard let first = text.utf8.first, mayBegin(first, text) else { return nil }
    // MediaPipe prints `x: 0.1 y: 0.2 z: 0.3`, without braces, and Unreal `X=10.0 Y=20.0 Z=30.0`.
    let isBare = Self.isBare(text)
    var value = PrintedValue(rest: isBare ? "{\(text)}"[...].utf8 : text[...].utf8, line: line)
    guard let node = value.value(depth: 0), value.rest.allSatisfy({ $0 <= 0x20 }) else {
      return nil
    }
    // Texts such as `[left]` and `(1)` are names, not lists.
    return switch node.content {
    case .list(let values):
      values.count > 1 || values.first?.flatNumbers.count ?? 0 > 1 ? node : nil
    case .object: node
    default: nil
    }
  }

  private static func isBare(_ text: String) -> Bool {
    ["x:", "x=", "X="].contains(where: text.hasPrefix)
  }

  private static func mayBegin(_ byte: UInt8, _ text: String) -> Bool {
    if "[{(<".utf8.contains(byte) { return true }
    if isBare(text) { return true }
    let isLetter =
      (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
    return isLetter && byte != UInt8(ascii: "x") && text.utf8.last == UInt8(ascii: ")")
      && text.utf8.count > 4
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 <= 0x20 } }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func value(depth: Int) -> JSONNode? {
    skipBlanks()
    guard depth < Self.depthLimit, let byte = rest.first else { return nil }
    switch byte {
    case UInt8(ascii: "["): return collection(end: "]", depth)
    case UInt8(ascii: "("): return collection(end: ")", depth)
    case UInt8(ascii: "{"): return collection(end: "}", depth)
    case UInt8(ascii: "<"):  // as Blender prints `<Vector (0.1, 0.2, 0.3)>`
      rest = rest.dropFirst()
      guard let inner = value(depth: depth + 1) else { return nil }
      // A name precedes the numbers.
      let named = inner.ownText == nil ? inner : value(depth: depth + 1)
      return take(">") ? named : nil
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted(byte)
    default: return word(depth)
    }
  }

  private mutating func collection(end: Unicode.Scalar, _ depth: Int) -> JSONNode? {
    rest = rest.dropFirst()
    var keys: [String] = []
    var values: [JSONNode] = []
    while !take(end) {
      guard let value = value(depth: depth + 1) else { return nil }
      if take(":") || take("="), let key = value.text {
        guard let named = self.value(depth: depth + 1) else { return nil }
        if keys.count == values.count {
          keys.append(key)
          values.append(named)
        } else if end != ")" || !keys.isEmpty {
          return nil
        }
      } else {
        values.append(value)
      }
      if !take(",") {
        skipBlanks()
        if rest.isEmpty { return nil }
      }
    }
    guard !keys.isEmpty else { return JSONNode(.list(values), line: line) }
    guard keys.count == values.count, Set(keys).count == keys.count else { return nil }
    return JSONNode(.object(keys: keys, values: values), line: line)
  }

  private mutating func quoted(_ quote: UInt8) -> JSONNode? {
    let content = rest.dropFirst()
    guard let end = content.firstIndex(of: quote) else { return nil }
    let text = String(content[..<end])
    rest = content[content.index(after: end)...]
    return text.map { JSONNode(.text($0), line: line) }
  }

  private mutating func word(_ depth: Int) -> JSONNode? {
    let marks = Array(" ,:=[](){}\"'\t\n\r".utf8)
    let bytes = rest.prefix { !marks.contains($0) }
    guard !bytes.isEmpty, let text = String(bytes) else { return nil }
    rest = rest[bytes.endIndex...]
    if let number = Double(decimal: text) { return JSONNode(.number(number), line: line) }
    if rest.first == UInt8(ascii: "(") {
      guard let inner = collection(end: ")", depth) else { return nil }
      if case .object(["rawValue"], let values) = inner.content { return values.first }
      if case .list(let values) = inner.content, values.count == 1 { return values[0] }
      return inner
    }
    switch text.lowercased() {
    case "nan", "none", "null", "nil", "inf", "-inf", "infinity", "-nan":
      return JSONNode(.null, line: line)
    case "true", "false": return JSONNode(.boolean(text.lowercased() == "true"), line: line)
    default: return JSONNode(.text(text), line: line)
    }
  }
}

extension JSONNode {
  func unpacked(depth: Int = 0) -> JSONNode? {
    guard depth < 12 else { return nil }
    switch content {
    case .text(let text): return PrintedValue.node(text, line: line)
    case .list(let elements):
      if let pairs = Self.pairs(elements, line) { return pairs.unpacked(depth: depth) ?? pairs }
      return Self.unpacked(elements, depth).map { JSONNode(.list($0), line: line) }
    case .object(let keys, let values):
      return Self.unpacked(values, depth).map {
        JSONNode(.object(keys: keys, values: $0), line: line)
      }
    default: return nil
    }
  }

  /// Converts the list [key, value, key, value, ...] that Swift makes from a dictionary whose keys
  /// are not strings.
  private static func pairs(_ elements: [JSONNode], _ line: Int) -> JSONNode? {
    guard elements.count >= 12, elements.count.isMultiple(of: 2), elements[0].ownText != nil else {
      return nil
    }
    let keys = stride(from: 0, to: elements.count, by: 2).compactMap { elements[$0].ownText }
    let values = stride(from: 1, to: elements.count, by: 2).map { elements[$0] }
    guard 2 * keys.count == elements.count, Set(keys).count == keys.count,
      values.allSatisfy({ $0.ownText == nil }), JointNames(keys).found.count >= 6
    else { return nil }
    return JSONNode(.object(keys: keys, values: values), line: line)
  }

  var hasPairs: Bool { elements.map { Self.pairs($0, line) != nil } ?? false }

  private static func unpacked(_ nodes: [JSONNode], _ depth: Int) -> [JSONNode]? {
    var result: [JSONNode]?
    for (index, node) in nodes.enumerated() {
      guard let unpacked = node.unpacked(depth: depth + 1) else { continue }
      if result == nil { result = nodes }
      result?[index] = unpacked
    }
    return result
  }
}
