import PoseRecording

/// Lists and points that a program printed into a text: JSON in a field of a table, arrays as NumPy
/// and dictionaries as Python print them, `SIMD3<Float>(0.1, 0.2, 0.3)` as Swift does.
struct PrintedValue {
  private var rest: Substring.UTF8View
  private let line: Int

  private static let depthLimit = 8

  /// Nil for a text that is only a text.
  static func node(_ text: String, line: Int) -> JSONNode? {
    guard let first = text.utf8.first, mayBegin(first, text) else { return nil }
    // Landmarks of MediaPipe print as `x: 0.1 y: 0.2 z: 0.3`.
    let isBare = first == UInt8(ascii: "x")
    var value = PrintedValue(rest: isBare ? "{\(text)}"[...].utf8 : text[...].utf8, line: line)
    guard let node = value.value(depth: 0), value.isAtEnd else { return nil }
    // `[left]` and `(1)` are labels.
    return switch node.content {
    case .list(let values):
      values.count > 1 || values.first?.flatNumbers.count ?? 0 > 1 ? node : nil
    case .object: node
    default: nil
    }
  }

  private static func mayBegin(_ byte: UInt8, _ text: String) -> Bool {
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") {
      return true
    }
    if text.hasPrefix("x:") || text.hasPrefix("x=") { return true }
    return isLetter(byte) && byte != UInt8(ascii: "x") && (text.utf8.last == UInt8(ascii: ")"))
      && text.utf8.count > 4
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
  }

  private var isAtEnd: Bool { rest.allSatisfy { $0 <= 0x20 } }

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
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted(byte)
    default: return word(depth)
    }
  }

  /// Elements with commas or blanks between; names in front of values make an object, and are left
  /// out behind the values of a call, such as `dtype=float32`.
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

  /// A number, a word, or a type with its value in parentheses.
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
  /// The same value with texts that are printed lists or points unpacked; nil if there are none.
  func unpacked(depth: Int = 0) -> JSONNode? {
    guard depth < 12 else { return nil }
    switch content {
    case .text(let text): return PrintedValue.node(text, line: line)
    case .list(let elements):
      return Self.unpacked(elements, depth).map { JSONNode(.list($0), line: line) }
    case .object(let keys, let values):
      return Self.unpacked(values, depth).map {
        JSONNode(.object(keys: keys, values: $0), line: line)
      }
    default: return nil
    }
  }

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
