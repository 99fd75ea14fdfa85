import Foundation
import PoseRecording
import Testing

@testable import PoseDatasets

@Suite("Arrays of NumPy") struct NumpyArrayTests {
  private static let numbers: [Float] = [1, -2.5, 3, 0.125, 7, -0.5]

  private func problem(_ bytes: [UInt8]) throws -> ArrayProblem {
    let error = try #require(throws: PoseSourceError.self) {
      let archive = try NumpyArchive(NamedBytes(name: "a.npz", bytes: bytes))
      for name in archive.names { _ = try archive.array(name) }
    }
    guard case .unusableArray(_, let problem) = error else {
      throw error
    }
    return problem
  }

  @Test("Numbers of 8 bytes and whole numbers are read")
  func otherTypes() throws {
    let doubles = try NumpyArray(name: "a", bytes: NumpyFile.npy(doubles: [0.1, -3], shape: [2]))
    #expect(doubles.values(0..<2) == [0.1, -3])
    let whole = NumpyFile.npy(NumpyFile.bytes(Int64(-5)), shape: [], type: "<i8", order: "False")
    #expect(try NumpyArray(name: "a", bytes: whole)[0] == -5)
  }

  @Test("An archive gives its arrays by name, stored or deflated", arguments: [false, true])
  func archive(isDeflated: Bool) throws {
    let one = NumpyFile.npy(Self.numbers, shape: [6])
    let two = NumpyFile.npy(Array(repeating: 4, count: 5000), shape: [50, 100])
    let archive = try NumpyArchive(
      NamedBytes(
        name: "a.npz", bytes: NumpyFile.npz([("two", two), ("one", one)], isDeflated: isDeflated)))
    #expect(archive.names == ["one", "two"])
    #expect(try archive.array("one")?.values(0..<6) == Self.numbers.map(Double.init))
    #expect(try archive.array("two")?.shape == [50, 100])
    #expect(try archive.array("three") == nil)
  }

  @Test(
    "Numbers of either byte order and of other sizes are read",
    arguments: [
      (">f4", [0xC0, 0x20, 0, 0], -2.5), ("<f2", [0x00, 0xC1], -2.5), (">f2", [0xC1, 0x00], -2.5),
      ("<f2", [0x01, 0x00], 0x1p-24), ("|i1", [0xFE], -2), ("<u2", [0x01, 0x02], 513),
      (">i2", [0xFF, 0xFE], -2), ("|b1", [1], 1), ("<u8", [5, 0, 0, 0, 0, 0, 0, 0], 5),
    ] as [(String, [UInt8], Double)])
  func types(type: String, data: [UInt8], number: Double) throws {
    let bytes = NumpyFile.npy(data, shape: [1], type: type, order: "False")
    #expect(try NumpyArray(name: "a", bytes: bytes)[0] == number)
  }

  @Test("Columns first come out as rows first, and axes can have another order")
  func order() throws {
    let columns = NumpyFile.npy([1, 4, 2, 5, 3, 6], shape: [2, 3], order: "True")
    let array = try NumpyArray(name: "a", bytes: columns)
    #expect(array.shape == [2, 3] && array.values(0..<6) == [1, 2, 3, 4, 5, 6])
    let moved = array.ordered([1, 0])
    #expect(moved.shape == [3, 2] && moved.values(0..<6) == [1, 4, 2, 5, 3, 6])
  }

  @Test("Fields of records are arrays of their own, and texts are texts")
  func records() throws {
    let data = [Float(1), 2, 3, 4, 5, 6].flatMap { NumpyFile.bytes($0.bitPattern) }
    let header =
      "{'descr': [('x', '<f4'), ('p', '<f4', (2,))], 'fortran_order': False, 'shape': (2,), }"
    let records = try NumpyArray(name: "a", bytes: NumpyFile.npy(data, header: header)).records
    #expect(records.map(\.name) == ["x", "p"] && records.map(\.array.shape) == [[2], [2, 2]])
    #expect(records[1].array.values(0..<4) == [2, 3, 5, 6])
    let letters = "nose\0hip\0\0".unicodeScalars.flatMap { NumpyFile.bytes($0.value) }
    let texts = NumpyFile.npy(letters, shape: [2], type: "<U5", order: "False")
    #expect(try NumpyArray(name: "a", bytes: texts).texts == ["nose", "hip"])
  }

  @Test("Objects of Python are refused with how to convert them")
  func objects() throws {
    let object = NumpyFile.npy(Self.numbers, shape: [6], type: "|O")
    #expect(try problem(object) == .elementType(found: "|O"))
    #expect(try problem(object).message.contains(".astype('<f4')"))
    let nothing = NumpyFile.npy([], shape: [Int.max], type: "<U0")
    #expect(throws: PoseSourceError.self) { try NumpyArray(name: "a", bytes: nothing) }
  }

  @Test("A shape that does not fit the bytes is refused, however large it claims to be")
  func shapes() throws {
    #expect(
      try problem(NumpyFile.npy(Self.numbers, shape: [7])) == .wrongLength(shape: [7], found: 24))
    let huge = [Int.max, 4]
    #expect(
      try problem(NumpyFile.npy(Self.numbers, shape: huge)) == .wrongLength(shape: huge, found: nil)
    )
    let wide = [Int.max / 4]
    #expect(
      try problem(NumpyFile.npy(Self.numbers, shape: wide)) == .wrongLength(shape: wide, found: 24))
  }

  @Test("An array without numbers is not walked through, however endless it claims to be")
  func endless() throws {
    let none: [Float] = []
    let array = try NumpyArray(name: "a", bytes: NumpyFile.npy(none, shape: [0, 4, Int.max]))
    #expect(array.ordered([2, 0, 1]).count == 0)
    let arrays = [
      ("one", NumpyFile.npy(Self.numbers, shape: [1, 6])),
      ("endless", NumpyFile.npy(none, shape: [1, Int.max, 0])),
    ]
    let bytes = NumpyFile.npz(arrays, isDeflated: false)
    let columns = try ArrayColumns(NamedBytes(name: "a.npz", bytes: bytes))
    #expect(columns.count == 1 && columns.node(0)["endless"]?.isEmpty == true)
  }

  @Test(
    "A header that is not NumPy's is refused",
    arguments: [
      "", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), } x",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (0,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
      "['descr', '<f4']",
    ])
  func headers(text: String) throws {
    #expect(try problem(NumpyFile.npy([], header: text)) == .unreadableHeader)
  }

  @Test("Bytes that are cut off anywhere are refused, in an array and in an archive")
  func truncated() throws {
    let array = NumpyFile.npy(Self.numbers, shape: [6])
    let archive = NumpyFile.npz([("a", array)], isDeflated: true)
    for count in 1..<array.count {
      #expect(throws: PoseSourceError.self) {
        try NumpyArray(name: "a", bytes: Array(array.prefix(count)))
      }
    }
    for count in 2..<archive.count {
      #expect(throws: Never.self) { _ = try problem(Array(archive.prefix(count))) }
    }
  }

  @Test("An archive with a wrong checksum, size or method is refused")
  func damaged() throws {
    let bytes = NumpyFile.npz([("a", NumpyFile.npy(Self.numbers, shape: [6]))])
    let start = 30 + "a.npy".utf8.count
    var wrongData = bytes
    wrongData[start + 128] ^= 1
    #expect(try problem(wrongData) == .damagedArchive("the checksum of an array is wrong"))
    let directory = start + 128 + 24
    var claimed = bytes
    claimed.replaceSubrange(directory + 24..<directory + 28, with: NumpyFile.bytes(UInt32.max))
    #expect(
      try problem(claimed) == .tooLarge(bytes: Int(UInt32.max), limit: NumpyArchive.sizeLimit))
    var method = bytes
    method[directory + 10] = 14
    #expect(
      try problem(method) == .unsupportedArchive("an array is encrypted or compressed by method 14")
    )
  }

  @Test("A deflated array that unpacks to more than it says is refused")
  func bomb() throws {
    let array = NumpyFile.npy(Array(repeating: 0, count: 100_000), shape: [100_000])
    var bytes = NumpyFile.npz([("a", array)], isDeflated: true)
    let end = bytes.count - 22
    let directory = end - 46 - "a.npy".utf8.count
    bytes.replaceSubrange(directory + 24..<directory + 28, with: NumpyFile.bytes(UInt32(1000)))
    #expect(try problem(bytes) == .damagedArchive("an array does not unpack to its size"))
  }

  @Test("Two arrays of one name are refused")
  func repeated() throws {
    let array = NumpyFile.npy(Self.numbers, shape: [6])
    #expect(
      try problem(NumpyFile.npz([("a", array), ("a", array)]))
        == .damagedArchive("two arrays are called `a`"))
  }
}

/// Bytes as NumPy writes them, from the published descriptions of `.npy` and ZIP.
enum NumpyFile {
  /// An array of format version 1.
  static func npy(
    _ values: [Float], shape: [Int], type: String = "<f4", order: String = "False"
  ) -> [UInt8] {
    npy(values.flatMap { bytes($0.bitPattern) }, shape: shape, type: type, order: order)
  }

  /// An array of numbers of 8 bytes.
  static func npy(doubles values: [Double], shape: [Int]) -> [UInt8] {
    npy(values.flatMap { bytes($0.bitPattern) }, shape: shape, type: "<f8", order: "False")
  }

  static func npy(_ data: [UInt8], shape: [Int], type: String, order: String) -> [UInt8] {
    let tuple = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    return npy(
      data, header: "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (\(tuple)), }")
  }

  static func npy(_ data: [UInt8], header text: String) -> [UInt8] {
    let padding = 64 - (10 + text.utf8.count + 1) % 64
    let header = Array((text + String(repeating: " ", count: padding) + "\n").utf8)
    return [0x93] + Array("NUMPY".utf8) + [1, 0] + bytes(UInt16(header.count)) + header + data
  }

  static func npz(_ arrays: [(name: String, bytes: [UInt8])], isDeflated: Bool = false) -> [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for array in arrays {
      let name = Array((array.name + ".npy").utf8)
      let packed = isDeflated ? deflated(array.bytes) : array.bytes
      let fields =
        bytes(UInt16(20)) + bytes(UInt16(0)) + bytes(UInt16(isDeflated ? 8 : 0)) + bytes(UInt32(0))
        + bytes(checksum(array.bytes)) + bytes(UInt32(packed.count))
        + bytes(UInt32(array.bytes.count)) + bytes(UInt16(name.count)) + bytes(UInt16(0))
      directory +=
        bytes(UInt32(0x0201_4B50)) + bytes(UInt16(20)) + fields + bytes(UInt16(0))
        + bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt32(0)) + bytes(UInt32(file.count)) + name
      file += bytes(UInt32(0x0403_4B50)) + fields + name + packed
    }
    let count = bytes(UInt16(arrays.count))
    let end =
      bytes(UInt32(0x0605_4B50)) + bytes(UInt32(0)) + count + count
      + bytes(UInt32(directory.count)) + bytes(UInt32(file.count)) + bytes(UInt16(0))
    return file + directory + end
  }

  /// A text as gzip packs it (RFC 1952).
  static func gzip(_ text: String) -> [UInt8] {
    let contents = Array(text.utf8)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflated(contents) + bytes(checksum(contents))
      + bytes(UInt32(contents.count))
  }

  /// The four arrays of an encoder with one axis more, for one image.
  static func arrays(_ images: [PoseNetEncoder]) -> [(name: String, bytes: [UInt8])] {
    guard let first = images.first else { return [] }
    let shape = [images.count, first.rows, first.columns]
    return [
      ("heatmaps", npy(images.flatMap(\.heatmaps), shape: shape + [17])),
      ("offsets", npy(images.flatMap(\.offsets), shape: shape + [34])),
      ("displacements_fwd", npy(images.flatMap(\.forward), shape: shape + [32])),
      ("displacements_bwd", npy(images.flatMap(\.backward), shape: shape + [32])),
    ]
  }

  static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  /// A raw stream: that of zlib without its two bytes before and four behind.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    Array((PackedBytes.deflated(bytes, .repetitive) ?? []).dropFirst(2).dropLast(4))
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}
