/// Numbers in as few bytes as they need, with runs of zeros in one number.
///
/// A number above 0 is seven bits a byte, the lowest first, the high bit set in all bytes but the
/// last (LEB128). A zero byte begins a run of zeros; the number after it is how many follow the
/// first.
enum VariableInteger {
  /// Adds numbers to bytes.
  static func append(_ numbers: [UInt32], to bytes: inout [UInt8]) {
    var index = 0
    while index < numbers.count {
      let number = numbers[index]
      index += 1
      guard number == 0 else {
        append(number, to: &bytes)
        continue
      }
      var more: UInt32 = 0
      while index < numbers.count, numbers[index] == 0 {
        index += 1
        more += 1
      }
      bytes.append(0)
      append(more, to: &bytes)
    }
  }

  /// Reads so many numbers, which must use up the bytes.
  ///
  /// - Returns: nil for bytes that end early, go on, or hold a number above `UInt32.max`.
  static func read(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt32]? {
    var rest = bytes
    var numbers: [UInt32] = []
    numbers.reserveCapacity(count)
    while numbers.count < count {
      guard let number = next(&rest) else { return nil }
      numbers.append(number)
      guard number == 0 else { continue }
      guard let more = next(&rest), Int(more) <= count - numbers.count else { return nil }
      numbers.append(contentsOf: repeatElement(0, count: Int(more)))
    }
    return rest.isEmpty ? numbers : nil
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func next(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 28, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return UInt32(exactly: number) }
    }
    return nil
  }
}
