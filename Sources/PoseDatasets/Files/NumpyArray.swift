internal import PoseModel

/// `.npy`, format versions 1 to 3: numbers of 4 and 8 bytes, C order, low byte first; values stay
/// in the bytes of the file and are converted when they are asked for.
package struct NumpyArray: Sendable {
  enum ElementType: String, CaseIterable {
    case float32 = "<f4"
    case float64 = "<f8"
    case int32 = "<i4"
    case int64 = "<i8"

    var byteCount: Int { self == .float32 || self == .int32 ? 4 : 8 }
  }

  package let name: String
  /// How many values there are along each axis, the slowest axis first; empty for one number.
  package let shape: [Int]
  private let type: ElementType
  private let bytes: ArraySlice<UInt8>

  /// `name` is how errors name the array; the declared size is compared with the bytes that are
  /// there before anything is made of it.
  package init(name: String, bytes: [UInt8]) throws {
    do throws(ArrayProblem) {
      let header = try NumpyHeader(bytes)
      self.name = name
      shape = header.shape
      type = header.type
      self.bytes = bytes[header.dataStart...]
      let count = try Self.count(of: shape)
      let (size, overflow) = count.multipliedReportingOverflow(by: type.byteCount)
      guard !overflow, size == self.bytes.count else {
        throw .wrongLength(shape: shape, found: self.bytes.count)
      }
    } catch {
      throw PoseSourceError.unusableArray(name: name, error)
    }
  }

  package var count: Int { shape.reduce(1, *) }

  package subscript(position: Int) -> Double {
    switch type {
    case .float32: Double(Float(bitPattern: load(position)))
    case .float64: Double(bitPattern: load(position))
    case .int32: Double(Int32(bitPattern: load(position)))
    case .int64: Double(Int64(bitPattern: load(position)))
    }
  }

  package func values(_ range: Range<Int>) -> [Double] { range.map { self[$0] } }

  private func load<Bits: FixedWidthInteger>(_ position: Int) -> Bits {
    let start = position * type.byteCount
    return bytes.withUnsafeBytes {
      Bits(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Bits.self))
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
}

private struct NumpyHeader {
  let type: NumpyArray.ElementType
  let shape: [Int]
  let dataStart: Int

  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  private static let longestShape = 8

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
    guard let fields = scanner.dictionary() else { throw .unreadableHeader }
    guard case .text(let order)? = fields["fortran_order"],
      case .text(let descr)? = fields["descr"],
      case .numbers(let shape)? = fields["shape"], shape.count <= Self.longestShape
    else { throw .unreadableHeader }
    guard let type = NumpyArray.ElementType(rawValue: descr) else {
      throw .elementType(found: descr)
    }
    guard order == "False" else { throw .columnOrder }
    self.type = type
    self.shape = shape
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

package enum ArrayProblem: Error, Hashable, Sendable {
  case notAnArray
  case truncated
  case unknownVersion(Int)
  case unreadableHeader
  case elementType(found: String)
  case columnOrder
  /// More or fewer bytes than the shape needs; nil where the shape is beyond all memory.
  case wrongLength(shape: [Int], found: Int?)
  case damagedArchive(String)
  case unsupportedArchive(String)
  case tooLarge(bytes: Int, limit: Int)

  var message: String {
    switch self {
    case .notAnArray:
      "the file does not begin like a NumPy array; save it with numpy.save or numpy.savez"
    case .truncated: "the array ends early; copy or save the file again"
    case .unknownVersion(let version):
      "the array has format version \(version); save it with numpy.save, which writes 1 to 3"
    case .unreadableHeader:
      "the array's header cannot be read; save the file again with numpy.save"
    case .elementType(let found):
      "the numbers are of type `\(found.prefix(40))`; allowed: "
        + NumpyArray.ElementType.allCases.map(\.rawValue).joined(separator: ", ")
        + "; convert the array with .astype('<f4')"
    case .columnOrder:
      "the array is in Fortran order; save numpy.ascontiguousarray of it"
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
