import Testing

@testable import Tuning

@Suite("Variable integers")
struct VariableIntegerTests {
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
