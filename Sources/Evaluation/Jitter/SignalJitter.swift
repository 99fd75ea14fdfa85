internal import PoseModel
internal import Statistics

struct SignalJitter: Hashable, Sendable {
  private var steps = StepSums()
  private var lagOne = LagOneSums()
  private var holds = 0
  private var residuals: [AbsoluteResiduals]
  private var spectral: SpectralSums?
  private var smoothness: SmoothnessSums?

  init(dimension: Int, detail: JitterDetail) {
    residuals = Array(repeating: AbsoluteResiduals(), count: dimension)
    if detail.hasSpectra { spectral = SpectralSums() }
    if detail == .spectra { smoothness = SmoothnessSums() }
  }

  mutating func add(
    _ hold: Range<Int>, _ clock: JitterTable.Clock, _ series: StridedSeries, _ scan: inout HoldScan
  ) {
    scan.pass(over: series, hold, clock.times)
    guard scan.count > 0 else { return }
    holds += 1
    steps += scan.sums
    lagOne += LagOneSums(scan)
    if let interval = clock.interval {
      spectral?.add(scan, interval: interval)
      smoothness?.add(scan, interval: interval)
    }
    for axis in residuals.indices {
      scan.withValues(of: axis) { values in
        guard let median = Description.median(reordering: values) else { return }
        residuals[axis].add(values, from: median)
      }
    }
  }

  mutating func add(_ other: SignalJitter) {
    guard other.holds > 0 else { return }
    steps += other.steps
    lagOne += other.lagOne
    holds += other.holds
    for axis in residuals.indices { residuals[axis].add(other.residuals[axis]) }
    if let part = other.spectral { spectral?.add(part) }
    if let part = other.smoothness { smoothness?.add(part) }
  }

  func row(_ signal: JitterSignal) -> JitterRow {
    let spreads = residuals.compactMap { residual in
      residual.median.map { Description.normalConsistency * $0 }
    }
    let spread = spreads.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let frames = residuals.first?.count ?? 0
    func root(_ squares: Double, _ count: Int, _ reason: UndefinedReason) -> MetricValue {
      count > 0 ? .value((squares / Double(count)).squareRoot()) : .undefined(reason)
    }
    return JitterRow(
      signal: signal, rmsStep: root(steps.stepSquares, steps.pairs, .noValidPair),
      rmsSpeed: root(steps.speedSquares, steps.pairs, .noValidPair),
      noise: steps.noise(dimension: residuals.count),
      robustSpread: spreads.isEmpty ? .undefined(.noValidFrame) : .value(spread),
      acceleration: .ratio(steps.accelerations, Double(steps.triples), orElse: .noValidTriple),
      jerk: root(steps.jerkSquares, steps.quadruples, .noValidQuadruple),
      lagOneCorrelation: frames > 0 ? lagOne.correlation : .undefined(.noValidFrame),
      spectral: spectral?.jitter, spectralArcLength: smoothness?.spectralArcLength,
      logDimensionlessJerk: smoothness?.logDimensionlessJerk, frames: frames,
      pairs: steps.pairs, triples: steps.triples, holds: holds)
  }
}

protocol SignalValue {
  var square: Double { get }
  static func - (left: Self, right: Self) -> Self
  static func * (factor: Double, value: Self) -> Self
  static func / (value: Self, divisor: Double) -> Self
}

extension Double: SignalValue {
  var square: Double { self * self }
}

extension SIMD3<Double>: SignalValue {
  var square: Double { (self * self).sum() }
}

struct StepSums: Hashable {
  private(set) var stepSquares = 0.0
  private(set) var speedSquares = 0.0
  private(set) var pairs = 0
  private(set) var accelerations = 0.0
  private(set) var triples = 0
  private(set) var jerkSquares = 0.0
  private(set) var quadruples = 0

  func noise(dimension: Int) -> MetricValue {
    guard pairs > 0 else { return .undefined(.noValidPair) }
    return .value((stepSquares / Double(2 * dimension) / Double(pairs)).squareRoot())
  }

  mutating func add(step: some SignalValue, interval: Double) {
    let square = step.square
    stepSquares += square
    speedSquares += square / (interval * interval)
    pairs += 1
  }

  fileprivate mutating func add(bend: some SignalValue) {
    accelerations += bend.square.squareRoot()
    triples += 1
  }

  fileprivate mutating func add(jerk: some SignalValue) {
    jerkSquares += jerk.square
    quadruples += 1
  }

  static func += (left: inout StepSums, right: StepSums) {
    left.stepSquares += right.stepSquares
    left.speedSquares += right.speedSquares
    left.pairs += right.pairs
    left.accelerations += right.accelerations
    left.triples += right.triples
    left.jerkSquares += right.jerkSquares
    left.quadruples += right.quadruples
  }
}

struct StepRun<Value: SignalValue> {
  private var value: Value
  private var time: Double
  private var slope, bend: Value
  private var one = 0.0
  private var two = 0.0
  private var length = 1

  init(_ value: Value, at time: Double) {
    (self.value, self.time, slope, bend) = (value, time, value, value)
  }

  @inline(__always) mutating func extend(
    to next: Value, at nextTime: Double, _ sums: inout StepSums
  ) {
    let interval = nextTime - time
    let step = next - value
    let newSlope = step / interval
    sums.add(step: step, interval: interval)
    if length > 1 {
      let both = interval + one
      let newBend = 2 * (newSlope - slope) / both
      sums.add(bend: newBend)
      if length > 2 { sums.add(jerk: 3 * (newBend - bend) / (interval + two)) }
      (bend, two) = (newBend, both)
    }
    (value, time, slope, one) = (next, nextTime, newSlope, interval)
    length += 1
  }
}

struct LagOneSums: Hashable {
  private var products = 0.0
  private var squares = 0.0

  init() {}

  init(_ scan: HoldScan) {
    scan.forEachAxis { values in
      guard !values.isEmpty else { return }
      let mean = values.reduce(0, +) / Double(values.count)
      for run in scan.runs {
        var previous = 0.0
        for index in run {
          let distance = values[index] - mean
          squares += distance * distance
          if index > run.lowerBound { products += distance * previous }
          previous = distance
        }
      }
    }
  }

  var correlation: MetricValue { .ratio(products, squares, orElse: .constant) }

  static func += (left: inout LagOneSums, right: LagOneSums) {
    left.products += right.products
    left.squares += right.squares
  }
}

package struct BoneVariation: Codable, Hashable, Sendable {
  package let name: String
  package let frames: Int
  package let length: MetricValue
  /// The standard deviation about each hold's mean, divided by the mean length.
  package let variation: MetricValue
}

struct BoneTable: Hashable, Sendable {
  private var sums: [String: BoneSums] = [:]

  mutating func add(_ joints: JointSeries, _ holds: [Range<Int>]) {
    var lengths: [Double] = []
    for bone in Skeleton.vision3d.bones {
      guard let parent = joints.series(bone.parent), let child = joints.series(bone.child) else {
        continue
      }
      var sum = sums[Self.name(bone)] ?? BoneSums()
      for hold in holds {
        lengths.removeAll(keepingCapacity: true)
        for frame in hold {
          guard let one = parent.sample(frame), let other = child.sample(frame) else { continue }
          lengths.append(((one - other) * (one - other)).sum().squareRoot())
        }
        sum.add(lengths)
      }
      sums[Self.name(bone)] = sum
    }
  }

  static func += (left: inout BoneTable, right: BoneTable) {
    for (name, sum) in right.sums { left.sums[name, default: BoneSums()].add(sum) }
  }

  var rows: [BoneVariation] {
    Skeleton.vision3d.bones.compactMap { bone in sums[Self.name(bone)]?.variation(Self.name(bone)) }
  }

  private static func name(_ bone: (parent: Joint, child: Joint)) -> String {
    "\(bone.parent.name)-\(bone.child.name)"
  }
}

extension JointSeries {
  func series(_ joint: Joint) -> StridedSeries? {
    let offset = layout.offsets[joint.index]
    guard offset >= 0 else { return nil }
    return StridedSeries(
      values: positions, offset: offset, stride: layout.stride, dimension: layout.dimension,
      period: nil)
  }
}

struct BoneSums: Hashable {
  private var frames = 0
  private var lengths = 0.0
  private var squares = 0.0

  mutating func add(_ values: [Double]) {
    guard !values.isEmpty else { return }
    let mean = values.reduce(0, +) / Double(values.count)
    frames += values.count
    lengths += mean * Double(values.count)
    squares += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  mutating func add(_ other: BoneSums) {
    frames += other.frames
    lengths += other.lengths
    squares += other.squares
  }

  func variation(_ name: String) -> BoneVariation {
    let count = Double(frames)
    let spread = frames > 0 ? (squares / count).squareRoot() : 0
    return BoneVariation(
      name: name, frames: frames, length: .ratio(lengths, count, orElse: .noValidFrame),
      variation: frames == 0
        ? .undefined(.noValidFrame) : .ratio(spread, lengths / count, orElse: .constant))
  }
}

/// Stores up to `exactLimit` values; beyond that, counts values in bins.
///
/// The bins over 2^-30...2^14 are each 1/1024 as wide as the start of their octave, so the median
/// is within 0.1 % of the exact one. The order of the values does not matter.
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

  // The leading bits of a positive Float are its exponent and then its mantissa. Without the last
  // 13 bits, the number grows by one from bin to bin. Bin 0 is for all smaller values.
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
