import Testing

@testable import PoseDatasets

@Suite("Arrays of NumPy")
struct NumpyArrayTests {
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

  @Test("An array has its shape and its numbers, the last axis fastest")
  func values() throws {
    let array = try NumpyArray(name: "a", bytes: NumpyFile.npy(Self.numbers, shape: [2, 3]))
    #expect(array.shape == [2, 3])
    #expect(array.values(0..<6) == Self.numbers.map(Double.init))
  }

  @Test("Numbers of 8 bytes and whole numbers are read")
  func otherTypes() throws {
    let doubles = try NumpyArray(name: "a", bytes: NumpyFile.npy(doubles: [0.1, -3], shape: [2]))
    #expect(doubles.values(0..<2) == [0.1, -3])
    let whole = NumpyFile.npy(
      NumpyFile.bytes(Int64(-5)), shape: [], type: "<i8", order: "False")
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

  @Test("Another type or order of numbers is refused by name, with how to convert it")
  func typeAndOrder() throws {
    let big = NumpyFile.npy(Self.numbers, shape: [6], type: ">f4")
    #expect(try problem(big) == .elementType(found: ">f4"))
    #expect(try problem(big).message.contains(".astype('<f4')"))
    let columns = NumpyFile.npy(Self.numbers, shape: [2, 3], order: "True")
    #expect(try problem(columns) == .columnOrder)
    #expect(try problem(columns).message.contains("numpy.ascontiguousarray"))
    let record = NumpyFile.npy(
      [], header: "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (0,), }")
    #expect(try problem(record) == .elementType(found: "[('x', '<f4')]"))
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
