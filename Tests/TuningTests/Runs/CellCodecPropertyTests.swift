import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Cell encoding") struct CellCodecPropertyTests {
  private static let sweeps: [StreamSweep]? = try? SweepCase(
    seed: 3, sequences: 4, frames: 100
  ).sweeps

  private static func numbers(_ count: Int, seed: Int) -> [UInt32] {
    var random = SplitMix64(spread: seed)
    let extremes: [UInt32] = [0, 1, 127, 128, .max, .max - 1, 1 << 31, (1 << 31) - 1]
    return (0..<count).map { _ in
      switch random.index(below: 4) {
      case 0: 0
      case 1: random.pick(extremes)
      case 2: UInt32(random.index(below: 300))
      default: UInt32(truncatingIfNeeded: random.next())
      }
    }
  }

  @Test("Any numbers of any layout read back", arguments: Draws.seeds(40))
  func randomNumbers(seed: Int) throws {
    for sweep in try #require(Self.sweeps) {
      let codec = CellCodec(sweep.layout)
      let numbers = Self.numbers(sweep.layout.stride, seed: seed)
      #expect(codec.decode(codec.encode(numbers[...])) == numbers)
    }
  }

  @Test("Real cells read back, and noisy as they are take less than half of their numbers' bytes")
  func realCells() async throws {
    for sweep in try #require(Self.sweeps) {
      let codec = CellCodec(sweep.layout)
      let table = try await sweep.evaluate(0..<sweep.grid.cellCount)
      var bytes = 0
      for position in table.ids.indices {
        let encoded = codec.encode(table.numbers(at: position))
        bytes += encoded.count
        #expect(codec.decode(encoded) == Array(table.numbers(at: position)))
      }
      #expect(bytes < table.storage.count * 2)
    }
  }

  @Test("Bytes of another format, cut or longer bytes are refused")
  func damaged() throws {
    let sweep = try #require(Self.sweeps?.first)
    let codec = CellCodec(sweep.layout)
    var bytes = codec.encode(Self.numbers(sweep.layout.stride, seed: 5)[...])
    #expect(codec.decode(bytes.dropLast()) == nil)
    #expect(codec.decode(bytes + [1]) == nil)
    #expect(codec.decode([]) == nil)
    bytes[0] = 1
    #expect(codec.decode(bytes) == nil)
  }
}

@Suite("Variable integers") struct VariableIntegerTests {
  @Test(
    "Numbers are seven bits per byte, the lowest first, and runs of zeros one number",
    arguments: [
      ([], []), ([1], [1]), ([127, 128], [127, 0x80, 1]), ([300], [0xAC, 2]),
      ([.max], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), ([0], [0, 0]), ([0, 0, 0], [0, 2]),
      ([5, 0, 0, 7, 0], [5, 0, 1, 7, 0, 0]),
    ] as [([UInt32], [UInt8])])
  func bytes(numbers: [UInt32], expected: [UInt8]) {
    let bytes = numbers.withUnsafeBufferPointer { numbers in
      VariableInteger.withBytes(numbers, after: 9) { Array($0) }
    }
    #expect(bytes == [9] + expected)
    #expect(VariableInteger.read(bytes, from: 1, count: numbers.count) == numbers)
  }

  @Test(
    "Bytes that are not exactly so many numbers are refused",
    arguments: [
      ([], 1), ([0x80], 1), ([1, 2], 1), ([0, 3], 3), ([0], 1),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0x1F], 1), ([0x80, 0x80, 0x80, 0x80, 0x80, 1], 1),
    ] as [([UInt8], Int)])
  func refused(bytes: [UInt8], count: Int) {
    #expect(VariableInteger.read(bytes, count: count) == nil)
  }
}
