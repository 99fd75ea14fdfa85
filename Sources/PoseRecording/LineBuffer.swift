#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

struct LineBuffer {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(4096) }

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Adds a `Float` as the shortest decimal that reads back to it.
  mutating func add(_ value: Float) {
    // At most 15 bytes, which a String holds without allocating.
    bytes.append(contentsOf: value.description.utf8)
  }

  mutating func add(_ value: Double) { value.write(to: &self) }

  mutating func add(_ value: Int) { addDigits(value.magnitude, isNegative: value < 0) }

  /// Writes `units` of the last decimal, without trailing zeros unless `padded`.
  mutating func add(units: Int, decimals: Int, padded: Bool) {
    var magnitude = units.magnitude
    var places = decimals
    if !padded {
      while places > 0, magnitude.isMultiple(of: 10) {
        magnitude /= 10
        places -= 1
      }
    }
    let scale = Self.power(of: places)
    addDigits(magnitude / scale, isNegative: units < 0)
    guard places > 0 else { return }
    add(".")
    var divisor = scale / 10
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
      divisor /= 10
    }
  }

  /// The number in units of its last decimal, half away from zero; nil if it is too large.
  static func units(of value: Double, decimals: Int) -> Int? {
    let scaled = (value * Double(power(of: decimals))).rounded(.toNearestOrAwayFromZero)
    return scaled.magnitude < 9e18 ? Int(scaled) : nil
  }

  mutating func add(quoted text: String) {
    add("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): add("\\\"")
      case UInt8(ascii: "\\"): add("\\\\")
      case UInt8(ascii: "\n"): add("\\n")
      case UInt8(ascii: "\r"): add("\\r")
      case UInt8(ascii: "\t"): add("\\t")
      case 0..<0x20:
        add("\\u00")
        bytes.append(Self.hexadecimal(byte >> 4))
        bytes.append(Self.hexadecimal(byte & 15))
      default: bytes.append(byte)
      }
    }
    add("\"")
  }

  private mutating func addDigits(_ value: UInt, isNegative: Bool) {
    if isNegative { add("-") }
    var divisor: UInt = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }

  private static func power(of decimals: Int) -> UInt {
    var result: UInt = 1
    for _ in 0..<decimals { result *= 10 }
    return result
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

extension LineBuffer: TextOutputStream {
  mutating func write(_ string: String) { bytes.append(contentsOf: string.utf8) }

  /// Replaces the default, which would make a `String` and allocate above 15 bytes.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: buffer)
  }
}
