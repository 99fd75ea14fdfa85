import CZlib
internal import PoseModel
import PoseRecording

/// An array in NumPy's `.npy` format, versions 1 to 3.
///
/// Values stay in the file's bytes and are converted on access.
package struct NumpyArray: Sendable {
  package let name: String
  /// The number of values along each axis, in row-major order; empty for a single number.
  package let shape: [Int]
  private let type: NumpyType
  private let bytes: ArraySlice<UInt8>
  private let fields: [NumpyHeader.Field]

  package init(name: String, bytes: [UInt8]) throws {
    do throws(ArrayProblem) {
      let header = try NumpyHeader(bytes)
      let data = bytes[header.dataStart...]
      let count = try Self.count(of: header.shape)
      let (size, overflow) = count.multipliedReportingOverflow(by: header.type.byteCount)
      guard !overflow, size == data.count, count == 0 || size > 0 else {
        throw .wrongLength(shape: header.shape, found: data.count)
      }
      let array = NumpyArray(name, header.shape, header.type, data, header.fields)
      self = header.isFortran ? array.reordered() : array
    } catch { throw PoseSourceError.unusableArray(name: name, error) }
  }

  private init(
    _ name: String, _ shape: [Int], _ type: NumpyType, _ bytes: ArraySlice<UInt8>,
    _ fields: [NumpyHeader.Field] = []
  ) {
    (self.name, self.shape, self.type, self.bytes, self.fields) = (name, shape, type, bytes, fields)
  }

  package var count: Int { shape.reduce(1, *) }

  var hasNumbers: Bool { type.isNumber && fields.isEmpty }

  package subscript(position: Int) -> Double {
    switch (type.kind, type.byteCount) {
    case (.float, 2): Double(Self.half(load(position)))
    case (.float, 4): Double(Float(bitPattern: load(position)))
    case (.float, 8): Double(bitPattern: load(position))
    case (.signed, 1): Double(Int8(bitPattern: load(position)))
    case (.signed, 2): Double(Int16(bitPattern: load(position)))
    case (.signed, 4): Double(Int32(bitPattern: load(position)))
    case (.signed, 8), (.date, 8), (.span, 8): Double(Int64(bitPattern: load(position)))
    case (.unsigned, 1), (.boolean, 1): Double(load(position) as UInt8)
    case (.unsigned, 2): Double(load(position) as UInt16)
    case (.unsigned, 4): Double(load(position) as UInt32)
    case (.unsigned, 8): Double(load(position) as UInt64)
    default: .nan
    }
  }

  package func values(_ range: Range<Int>) -> [Double] { range.map { self[$0] } }

  /// Converts a 16-bit number (IEEE 754 binary16), a type that some platforms lack.
  private static func half(_ bits: UInt16) -> Float {
    let sign: Float = bits >> 15 == 1 ? -1 : 1
    let (exponent, fraction) = (Int(bits >> 10 & 31), Float(bits & 1023))
    switch exponent {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
      return sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
    }
  }

  private func load<Bits: FixedWidthInteger>(_ position: Int) -> Bits {
    let start = position * type.byteCount
    return bytes.withUnsafeBytes {
      let bits = $0.loadUnaligned(fromByteOffset: start, as: Bits.self)
      return type.isBigEndian ? Bits(bigEndian: bits) : Bits(littleEndian: bits)
    }
  }

  private static func count(of shape: [Int]) throws(ArrayProblem) -> Int {
    var count = 1
    for extent in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow else { throw .wrongLength(shape: shape, found: nil) }
      count = product
    }
    return count
  }

  var texts: [String]? {
    guard type.kind == .unicode || type.kind == .bytes, count < 1 << 16 else { return nil }
    let size = type.byteCount
    return (0..<count).map { position in
      let start = bytes.startIndex + position * size
      let own = bytes[start..<start + size]
      if type.kind == .bytes { return String(decoding: own.prefix { $0 != 0 }, as: UTF8.self) }
      var text = ""
      for scalar in stride(from: start, to: start + size - 3, by: 4) {
        let four = bytes[scalar..<scalar + 4]
        let bits = (type.isBigEndian ? Array(four) : four.reversed()).reduce(UInt32(0)) {
          $0 << 8 | UInt32($1)
        }
        guard bits != 0, let one = Unicode.Scalar(bits) else { break }
        text.unicodeScalars.append(one)
      }
      return text
    }
  }

  var records: [(name: String, array: NumpyArray)] {
    let (count, size) = (count, type.byteCount)
    return fields.map { field in
      var own: [UInt8] = []
      own.reserveCapacity(count * field.byteCount)
      for position in 0..<count {
        let start = bytes.startIndex + position * size + field.offset
        own.append(contentsOf: bytes[start..<start + field.byteCount])
      }
      return (field.name, NumpyArray(name, shape + field.shape, field.type, own[...]))
    }
  }

  func ordered(_ axes: [Int]) -> NumpyArray {
    guard axes != Array(shape.indices), count > 0 else { return self }
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    return copied(axes.map { shape[$0] }, strides: axes.map { strides[$0] })
  }

  private func reordered() -> NumpyArray {
    guard shape.count > 1 else { return self }
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropFirst() { strides[axis] = strides[axis - 1] * shape[axis - 1] }
    return copied(shape, strides: strides)
  }

  private func copied(_ shape: [Int], strides: [Int]) -> NumpyArray {
    let size = type.byteCount
    var own: [UInt8] = []
    own.reserveCapacity(bytes.count)
    var place = [Int](repeating: 0, count: shape.count)
    for _ in 0..<count {
      var offset = bytes.startIndex
      for axis in shape.indices { offset += place[axis] * strides[axis] * size }
      own.append(contentsOf: bytes[offset..<offset + size])
      for axis in shape.indices.reversed() {
        place[axis] += 1
        if place[axis] < shape[axis] { break }
        place[axis] = 0
      }
    }
    return NumpyArray(name, shape, type, own[...], fields)
  }
}

package enum ArrayProblem: Error, Hashable, Sendable {
  case notAnArray
  case truncated
  case unknownVersion(Int)
  case unreadableHeader
  case elementType(found: String)
  case wrongLength(shape: [Int], found: Int?)
  case damagedArchive(String)
  case unsupportedArchive(String)
  case tooLarge(bytes: Int, limit: Int)

  var message: String {
    switch self {
    case .notAnArray:
      "the file does not start like a NumPy array; save it with numpy.save or numpy.savez"
    case .truncated: "the array ends early; copy or save the file again"
    case .unknownVersion(let version):
      "the array has format version \(version); save it with numpy.save, which writes 1 to 3"
    case .unreadableHeader: "the array's header cannot be read; save the file again with numpy.save"
    case .elementType(let found) where found.contains("O"):
      "the array holds Python objects (dtype=object), which NumPy pickles and only Python can read; "
        + "save numbers instead: numpy.save('poses.npy', numpy.stack(list_of_arrays).astype('<f4')) "
        + "for frames of one shape; for others, use numpy.savez with an array each, or json.dump"
    case .elementType(let found):
      "the values are of type `\(found.prefix(40))`; allowed are numbers, text, and records of "
        + "them; convert the array with .astype('<f4')"
    case .wrongLength(let shape, let found):
      "the shape \(Self.text(shape)) does not fit "
        + (found.map { "the \(CountText.of($0, "byte")) of numbers" } ?? "into memory")
        + "; save the file again"
    case .damagedArchive(let what): "the archive is damaged: \(what); copy or save it again"
    case .unsupportedArchive(let what): "\(what); save the arrays with numpy.savez"
    case .tooLarge(let bytes, let limit):
      "a compressed array holds \(CountText.of(bytes, "byte")); allowed: at most "
        + "\(CountText.of(limit)); save fewer frames per file"
    }
  }

  static func text(_ shape: [Int]) -> String {
    "(" + shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? ",)" : ")")
  }
}

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
    // A unit of time may follow in brackets.
    guard let size = Int(rest.prefix(while: \.isDigit)), size >= 0, size < 1 << 20 else {
      return nil
    }
    if kind == .unicode || kind == .bytes {
      (self.kind, byteCount) = (kind, kind == .unicode ? 4 * size : size)
    } else {
      guard Self.sizes[kind]?.contains(size) ?? false else { return nil }
      (self.kind, byteCount) = (kind, size)
    }
  }

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
      fields.append(Field(name: name, type: type, shape: shape, offset: offset, byteCount: size))
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
    }
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

/// One array of `numpy.save`, or several of `numpy.savez`: a ZIP file of `.npy` files.
package struct NumpyArchive: Sendable {
  static let sizeLimit = 1 << 30

  private struct Entry {
    let isDeflated: Bool
    let checksum: UInt32
    let packedCount: Int
    let count: Int
    let headerStart: Int
  }

  package let file: String
  package var names: [String] { entries.keys.sorted() }

  private let bytes: [UInt8]
  private let entries: [String: Entry?]

  package init(_ source: NamedBytes) throws {
    file = source.name
    bytes = source.bytes
    guard bytes.starts(with: [0x50, 0x4B]) else {
      entries = [source.stem: nil]
      return
    }
    do throws(ArrayProblem) { entries = try Self.directory(of: ByteFields(bytes: bytes)) } catch {
      throw PoseSourceError.unusableArray(name: source.name, error)
    }
  }

  package func array(_ name: String) throws -> NumpyArray? {
    guard let entry = entries[name] else { return nil }
    guard let entry else { return try NumpyArray(name: file, bytes: bytes) }
    let place = "\(file), array `\(name.prefix(60))`"
    let unpacked: [UInt8]
    do throws(ArrayProblem) { unpacked = try contents(of: entry) } catch {
      throw PoseSourceError.unusableArray(name: place, error)
    }
    return try NumpyArray(name: place, bytes: unpacked)
  }

  private func contents(of entry: Entry) throws(ArrayProblem) -> [UInt8] {
    let fields = ByteFields(bytes: bytes)
    guard try fields.number(4, at: entry.headerStart) == 0x0403_4B50 else {
      throw .damagedArchive("an array does not begin where the directory says")
    }
    let nameLength = try fields.number(2, at: entry.headerStart + 26)
    let extraLength = try fields.number(2, at: entry.headerStart + 28)
    let start = entry.headerStart + 30 + nameLength + extraLength
    let packed = try fields.slice(start, count: entry.packedCount)
    let contents =
      entry.isDeflated
      ? try? PackedBytes.inflated(packed, windowBits: -MAX_WBITS, limit: entry.count)
      : Array(packed)
    guard let contents, contents.count == entry.count else {
      throw .damagedArchive("an array does not unpack to its size")
    }
    let checksum = contents.withUnsafeBytes { buffer in
      UInt32(crc32_z(0, buffer.bindMemory(to: UInt8.self).baseAddress, contents.count))
    }
    guard checksum == entry.checksum else {
      throw .damagedArchive("the checksum of an array is wrong")
    }
    return contents
  }

  private static func directory(of fields: ByteFields) throws(ArrayProblem) -> [String: Entry?] {
    let end = try endOfDirectory(in: fields)
    let count = try fields.number(2, at: end + 10)
    var position = try fields.number(4, at: end + 16)
    guard count != 0xFFFF, position != 0xFFFF_FFFF else {
      throw .unsupportedArchive("the archive is in the ZIP64 format for more than 4 GB")
    }
    var entries: [String: Entry?] = [:]
    for _ in 0..<count {
      let (name, entry, next) = try self.entry(at: position, in: fields)
      position = next
      guard let name else { continue }
      guard entries.updateValue(entry, forKey: name) == nil else {
        throw .damagedArchive("two arrays are called `\(name.prefix(60))`")
      }
    }
    return entries
  }

  private static func entry(
    at position: Int, in fields: ByteFields
  ) throws(ArrayProblem) -> (name: String?, entry: Entry, next: Int) {
    guard try fields.number(4, at: position) == 0x0201_4B50 else {
      throw .damagedArchive("its directory ends early")
    }
    let method = try fields.number(2, at: position + 10)
    let entry = Entry(
      isDeflated: method == 8, checksum: UInt32(try fields.number(4, at: position + 16)),
      packedCount: try fields.number(4, at: position + 20),
      count: try fields.number(4, at: position + 24),
      headerStart: try fields.number(4, at: position + 42))
    let nameLength = try fields.number(2, at: position + 28)
    let rest = try fields.number(2, at: position + 30) + fields.number(2, at: position + 32)
    let name = String(decoding: try fields.slice(position + 46, count: nameLength), as: UTF8.self)
    let next = position + 46 + nameLength + rest
    guard name.hasSuffix(".npy") else { return (nil, entry, next) }
    guard try fields.number(2, at: position + 8) & 1 == 0, method == 0 || method == 8 else {
      throw .unsupportedArchive("an array is encrypted or compressed by method \(method)")
    }
    guard entry.count <= sizeLimit else { throw .tooLarge(bytes: entry.count, limit: sizeLimit) }
    return (String(name.dropLast(4)), entry, next)
  }

  /// Returns the position of the end-of-directory record, which a comment of up to 65,535 bytes may
  /// follow.
  private static func endOfDirectory(in fields: ByteFields) throws(ArrayProblem) -> Int {
    var position = fields.bytes.count - 22
    let last = max(0, position - 0xFFFF)
    while position >= last {
      if try fields.number(4, at: position) == 0x0605_4B50 { return position }
      position -= 1
    }
    throw .truncated
  }
}

private struct ByteFields {
  let bytes: [UInt8]

  func number(_ count: Int, at position: Int) throws(ArrayProblem) -> Int {
    try slice(position, count: count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func slice(_ position: Int, count: Int) throws(ArrayProblem) -> ArraySlice<UInt8> {
    guard position >= 0, count >= 0, position <= bytes.count - count else { throw .truncated }
    return bytes[position..<position + count]
  }
}
