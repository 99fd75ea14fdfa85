internal import PoseDatasets

/// Frame times as whole microseconds from one frame to the next.
struct MicrosecondSteps {
  private(set) var steps: [UInt32] = []
  private(set) var isExact = true

  init(_ times: [Double]) {
    var previous: Double?
    for time in times {
      let whole = (time * 1e6).rounded()
      let step = whole - (previous ?? whole)
      guard whole / 1e6 == time, let step = UInt32(exactly: step) else {
        isExact = false
        return
      }
      steps.append(step)
      previous = whole
    }
  }
}

enum PackedTimes {
  /// The steps between the times of sequences, one after the other: whole microseconds where that is
  /// exact, else the bits of the times themselves.
  static func text(_ times: [[Double]]) -> String {
    let steps = times.map { MicrosecondSteps($0) }
    guard steps.allSatisfy(\.isExact) else {
      return "bits:" + PackedColumn.text(times.flatMap { $0.map(\.bitPattern) })
    }
    return "steps:" + PackedColumn.text(steps.flatMap(\.steps))
  }
}

/// Numbers packed for a page: their bytes sorted by place, deflated, in base64.
///
/// Bytes of equal place have more in common than neighbors: measurements shrink by another tenth.
enum PackedColumn {
  static func text<Number: FixedWidthInteger & UnsignedInteger>(_ numbers: [Number]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * MemoryLayout<Number>.size)
    for place in stride(from: 0, to: Number.bitWidth, by: 8) {
      for number in numbers { bytes.append(UInt8(truncatingIfNeeded: number >> Number(place))) }
    }
    return text(bytes, .numbers)
  }

  static func text(_ bytes: [UInt8], _ content: PackedBytes.Content) -> String {
    guard let packed = PackedBytes.deflated(bytes, content) else {
      preconditionFailure("no memory to pack \(bytes.count) bytes")
    }
    return Base64.text(of: packed)
  }
}

enum PackedSteps {
  /// Each number's step from the frame before, which wraps around, zigzag-coded like a protocol
  /// buffer's `sint32`: a sixth smaller than two's complement.
  /// - Parameter stride: how many numbers a frame has.
  static func text(_ numbers: [Int16], stride: Int) -> String {
    PackedColumn.text(steps(numbers, stride: stride))
  }

  static func steps(_ numbers: [Int16], stride: Int) -> [UInt16] {
    numbers.indices.map { place in
      let step = numbers[place] &- (place < stride ? 0 : numbers[place - stride])
      return UInt16(bitPattern: (step << 1) ^ (step >> 15))
    }
  }
}

struct PackedValues: Hashable, Sendable {
  /// `steps:` with whole multiples of `unit`, the least `Int16` for NaN; or `bits:` with the numbers
  /// themselves, where a few that are far larger than the others leave these no digits.
  let text: String
  /// What the multiples count, in the unit of the numbers: a part of the power of ten below the
  /// largest one.
  let unit: Double

  /// NaN where undefined; `perDecade` is how many multiples the power of ten has.
  init(_ values: [Float], perDecade: Double = 1000) {
    let sizes = values.lazy.filter { !$0.isNaN }.map { Double($0.magnitude) }
    let (count, largest, sum) = sizes.reduce((0, 0.0, 0.0)) {
      ($0.0 + 1, max($0.1, $1), $0.2 + $1)
    }
    let isEven = largest.isFinite && sum * Self.mostOverMean >= largest * Double(count)
    unit = largest > 0 && isEven ? Self.decade(of: largest) / perDecade : 1
    guard isEven else {
      text = "bits:" + PackedColumn.text(values.map(\.bitPattern))
      return
    }
    let unit = unit
    text =
      "steps:"
      + PackedSteps.text(
        values.map { $0.isNaN ? Int16.min : Int16((Double($0) / unit).rounded()) }, stride: 1)
  }

  private static let mostOverMean = 50.0

  private static func decade(of number: Double) -> Double {
    var decade = 1.0
    while decade * 10 <= number { decade *= 10 }
    while decade > number { decade /= 10 }
    return decade
  }
}
