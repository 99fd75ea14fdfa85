internal import PoseModel
import PoseRecording

/// How one value is written, as `<f4`: byte order, kind and size.
struct NumpyType: Hashable, Sendable {
  enum Kind: Character {
    case float = "f"
    case signed = "i"
    case unsigned = "u"
    case boolean = "b"
    case date = "M"
    case span = "m"
    case unicode = "U"
    case bytes = "S"
    case record = "V"
  }

  let kind: Kind
  let byteCount: Int
  let isBigEndian: Bool

  private static let sizes: [Kind: [Int]] = [
    .float: [2, 4, 8], .signed: [1, 2, 4, 8], .unsigned: [1, 2, 4, 8], .boolean: [1], .date: [8],
    .span: [8],
  ]

  var isNumber: Bool { Self.sizes[kind] != nil }

  init?(_ text: String) {
    var rest = text[...]
    guard let mark = rest.first else { return nil }
    isBigEndian = mark == ">"
    if "<>|=".contains(mark) { rest = rest.dropFirst() }
    guard let kind = rest.popFirst().flatMap(Kind.init) else { return nil }
    // A unit of time follows in brackets.
    guard let size = Int(rest.prefix { $0.isASCII && $0.isNumber }), size >= 0, size < 1 << 20
    else {
      return nil
    }
    if kind == .unicode || kind == .bytes {
      (self.kind, byteCount) = (kind, kind == .unicode ? 4 * size : size)
    } else {
      guard Self.sizes[kind]?.contains(size) ?? false else { return nil }
      (self.kind, byteCount) = (kind, size)
    }
  }

  /// A record of several fields.
  init(recordOf byteCount: Int) {
    (kind, self.byteCount, isBigEndian) = (.record, byteCount, false)
  }
}

struct NumpyHeader {
  struct Field: Sendable {
    let name: String
    let type: NumpyType
    let shape: [Int]
    let offset: Int
    let byteCount: Int
  }

  let type: NumpyType
  let fields: [Field]
  let isFortran: Bool
  let shape: [Int]
  let dataStart: Int

  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  private static let longestShape = 8
  private static let mostFields = 1000

  init(_ bytes: [UInt8]) throws(ArrayProblem) {
    guard bytes.starts(with: Self.magic) else { throw .notAnArray }
    guard bytes.count >= 12 else { throw .truncated }
    let version = bytes[6]
    guard (1...3).contains(version) else { throw .unknownVersion(Int(version)) }
    let lengthBytes = version == 1 ? 2 : 4
    let length = bytes[8..<8 + lengthBytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    let start = 8 + lengthBytes
    guard length <= bytes.count - start else { throw .truncated }
    dataStart = start + length
    var scanner = PythonScanner(bytes[start..<dataStart])
    guard let dictionary = scanner.dictionary() else { throw .unreadableHeader }
    guard case .text(let order)? = dictionary["fortran_order"],
      case .text(let descr)? = dictionary["descr"],
      case .numbers(let shape)? = dictionary["shape"], shape.count <= Self.longestShape
    else { throw .unreadableHeader }
    isFortran = order == "True"
    self.shape = shape
    if let type = NumpyType(descr) {
      (self.type, fields) = (type, [])
    } else {
      guard let fields = Self.fields(descr), let last = fields.last else {
        throw .elementType(found: descr)
      }
      self.fields = fields
      type = NumpyType(recordOf: last.offset + last.byteCount)
    }
  }

  /// `[('x', '<f4'), ('p', '<f4', (3,))]`; nil for fields of fields and other types.
  private static func fields(_ descr: String) -> [Field]? {
    guard descr.hasPrefix("["), descr.utf8.count < 1 << 16,
      case .list(let entries)? = PrintedValue.node(descr, line: 1)?.content,
      entries.count <= mostFields
    else { return nil }
    var fields: [Field] = []
    var offset = 0
    for entry in entries {
      guard case .list(let parts) = entry.content, parts.count == 2 || parts.count == 3,
        let name = parts[0].text, case .text(let word) = parts[1].content,
        let type = NumpyType(word)
      else { return nil }
      let shape = parts.count == 3 ? parts[2].flatNumbers.compactMap { Int(exactly: $0) } : []
      let size = shape.reduce(type.byteCount) { product, extent in
        extent > 0 && extent < 1 << 20 && product < 1 << 24 ? product * extent : 1 << 30
      }
      guard size < 1 << 30 else { return nil }
      fields.append(
        Field(name: name, type: type, shape: shape, offset: offset, byteCount: size))
      offset += size
    }
    return fields
  }
}

private struct PythonScanner {
  enum Value {
    case text(String)
    case numbers([Int])
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// A dictionary with quoted keys; nil where the text is anything else.
  mutating func dictionary() -> [String: Value]? {
    guard take("{") else { return nil }
    var fields: [String: Value] = [:]
    while !take("}") {
      guard let key = quoted(), take(":"), let value = value(), fields[key] == nil else {
        return nil
      }
      fields[key] = value
      if !take(",") {
        guard take("}") else { return nil }
        break
      }
    }
    skipBlanks()
    return rest.isEmpty ? fields : nil
  }

  private mutating func value() -> Value? {
    if let text = quoted() { return .text(text) }
    if take("(") { return tuple() }
    if rest.first == UInt8(ascii: "["), let end = rest.lastIndex(of: UInt8(ascii: "]")) {
      defer { rest = rest[(end + 1)...] }
      return .text(String(decoding: rest[...end], as: UTF8.self))
    }
    let word = rest.prefix { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }
    rest = rest[word.endIndex...]
    return word.isEmpty ? nil : .text(String(decoding: word, as: UTF8.self))
  }

  private mutating func tuple() -> Value? {
    var numbers: [Int] = []
    while !take(")") {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
      rest = rest[digits.endIndex...]
      _ = rest.first == UInt8(ascii: "L") ? rest.popFirst() : nil  // Python 2 wrote 3L
      numbers.append(number)
      if !take(",") {
        guard take(")") else { return nil }
        break
      }
      skipBlanks()
    }
    skipBlanks()
    return .numbers(numbers)
  }

  private mutating func quoted() -> String? {
    skipBlanks()
    guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""),
      let end = rest.dropFirst().firstIndex(of: quote)
    else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
  }
}
