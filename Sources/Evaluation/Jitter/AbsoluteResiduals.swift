internal import Statistics

/// The median of any number of absolute values in bounded memory.
///
/// Up to `exactLimit` values are kept as they are (4 bytes each). Beyond that they are counted in
/// bins of equal relative width, 1/1024 of an octave's start, over 2^-30...2^14 (176 KiB), in
/// batches of some 8,192 (32 KiB): the median is then within 0.1 % of the exact one. The result
/// depends on the values alone, not on their order or their division into sequences.
struct AbsoluteResiduals: Hashable, Sendable {
  static let exactLimit = 32_768
  private static let mostWaiting = 8192

  private var kept: [Float] = []
  private var bins: [UInt32] = []
  private(set) var count = 0

  mutating func add(_ values: UnsafeMutableBufferPointer<Double>, from center: Double) {
    for start in stride(from: 0, to: values.count, by: Self.mostWaiting) {
      let part = values[start..<min(start + Self.mostWaiting, values.count)]
      count += part.count
      kept += part.lazy.map { Float(abs($0 - center)) }
      countWaiting()
    }
  }

  mutating func add(_ other: AbsoluteResiduals) {
    count += other.count
    kept += other.kept
    countWaiting()
    guard !other.bins.isEmpty else { return }
    if bins.isEmpty { bins = Array(repeating: 0, count: Self.binCount) }
    for (bin, added) in other.bins.enumerated() { bins[bin] += added }
  }

  var median: Double? {
    guard count > Self.exactLimit else { return Description.median(kept.map(Double.init)) }
    var all = self
    all.bin()
    return (all.binned((count - 1) / 2) + all.binned(count / 2)) / 2
  }

  private mutating func countWaiting() {
    if count > Self.exactLimit, kept.count > Self.mostWaiting { bin() }
  }

  private mutating func bin() {
    if bins.isEmpty { bins = Array(repeating: 0, count: Self.binCount) }
    bins.withUnsafeMutableBufferPointer { bins in
      for value in kept { bins[Self.bin(of: value)] += 1 }
    }
    kept.removeAll(keepingCapacity: kept.capacity <= 2 * Self.mostWaiting)
  }

  private func binned(_ rank: Int) -> Double {
    var before = 0
    for (bin, inside) in bins.enumerated() {
      if rank < before + Int(inside) {
        let share = (Double(rank - before) + 0.5) / Double(inside)
        let low = Self.lowerBound(of: bin)
        return low + share * (Self.lowerBound(of: bin + 1) - low)
      }
      before += Int(inside)
    }
    return 0
  }

  // The leading bits of a positive Float are its exponent and then its mantissa, so cutting off the
  // last 13 leaves a number that grows by one from bin to bin. Bin 0 is for all smaller values.
  private static let shift: UInt32 = 13
  private static let least = Float(0x1p-30).bitPattern >> shift
  private static let greatest = Float(0x1p14).bitPattern >> shift
  private static let binCount = Int(greatest - least) + 1

  private static func bin(of value: Float) -> Int {
    let leading = value.bitPattern >> shift
    return leading <= least ? 0 : Int(min(leading, greatest) - least)
  }

  private static func lowerBound(of bin: Int) -> Double {
    bin == 0 ? 0 : Double(Float(bitPattern: (UInt32(bin) + least) << shift))
  }
}
