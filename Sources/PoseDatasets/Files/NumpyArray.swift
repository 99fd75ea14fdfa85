internal import PoseModel

/// `.npy`, format versions 1 to 3, as NumPy writes it: numbers of either byte order, rows or columns
/// first, texts, and records of several fields.
///
/// Values stay in the bytes of the file and are converted when they are asked for.
package struct NumpyArray: Sendable {
  package let name: String
  /// How many values there are along each axis, the slowest axis first; empty for one number.
  package let shape: [Int]
  private let type: NumpyType
  private let bytes: ArraySlice<UInt8>
  private let fields: [NumpyHeader.Field]

  /// `name` is how errors name the array; the declared size is compared with the bytes that are
  /// there before anything is made of it.
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
    } catch {
      throw PoseSourceError.unusableArray(name: name, error)
    }
  }

  private init(
    _ name: String, _ shape: [Int], _ type: NumpyType, _ bytes: ArraySlice<UInt8>,
    _ fields: [NumpyHeader.Field] = []
  ) {
    (self.name, self.shape, self.type, self.bytes, self.fields) = (name, shape, type, bytes, fields)
  }

  package var count: Int { shape.reduce(1, *) }

  var hasNumbers: Bool { type.isNumber && fields.isEmpty }

  /// NaN for what is no number.
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

  /// Numbers of 16 bits (IEEE 754 binary16), which not all platforms have as a type.
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
}

// Texts, fields and axes.
extension NumpyArray {
  /// The texts of an array of texts; nil for any other.
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

  /// The fields of a structured array as arrays of their own; empty for any other.
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

  /// The same values with the axis in front; the others keep their order.
  func moving(axis: Int) -> NumpyArray {
    guard axis != 0, count > 0, shape.indices.contains(axis) else { return self }
    let order = [axis] + shape.indices.filter { $0 != axis }
    return copied(order.map { shape[$0] }, strides: order.map { rowStrides[$0] })
  }

  private var rowStrides: [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    return strides
  }

  /// Values that were written with the first axis fastest.
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
    case .elementType(let found) where found.contains("O"):
      "the array holds Python objects (dtype=object), which NumPy pickles and only Python can read; "
        + "save numbers instead: numpy.save('poses.npy', numpy.stack(list_of_arrays).astype('<f4')) "
        + "for frames of one shape, numpy.savez with an array each, or json.dump for others"
    case .elementType(let found):
      "the values are of type `\(found.prefix(40))`; allowed are numbers and texts, and records of "
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
