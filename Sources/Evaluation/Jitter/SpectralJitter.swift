internal import PoseModel
package import Statistics

package struct AllanPoint: Codable, Hashable, Sendable {
  /// The averaging time in seconds; if frame rates differ, the mean of the times within one octave.
  package let seconds: Double
  package let deviation: Double
  package let differences: Int
}

package struct SpectralJitter: Codable, Hashable, Sendable {
  /// The Allan deviations by averaging time, which doubles from one frame up to a quarter of a
  /// hold.
  package let allan: [AllanPoint]
  /// One spectrum per frame rate; results leave them out.
  package internal(set) var spectra: [PowerSpectrum] = []
  /// The power from 3 Hz up, divided by the power from 0.3 Hz up; undefined for holds shorter than
  /// 13.3 s.
  package let highFrequencyRatio: MetricValue

  /// The averaging time with the lowest Allan deviation.
  ///
  /// Longer averaging does not help, so no smoother for holds needs a longer time constant.
  package let bestAveraging: MetricValue
  /// Whether the deviation still falls at the longest averaging time.
  package let isStillFalling: Bool

  private enum CodingKeys: String, SnakeCaseKey {
    case allan, highFrequencyRatio
    case bestAveraging = "best_averaging_s"
    case isStillFalling = "still_falling"
  }

  init(allan: [AllanPoint], spectra: [PowerSpectrum], highFrequencyRatio: MetricValue) {
    let best = allan.min { ($0.deviation, $0.seconds) < ($1.deviation, $1.seconds) }
    self.allan = allan
    self.spectra = spectra
    self.highFrequencyRatio = highFrequencyRatio
    bestAveraging = best.map { .value($0.seconds) } ?? .undefined(.holdTooShort)
    isStillFalling = allan.count > 1 && best?.seconds == allan.last?.seconds
  }
}

/// A hold is cut between valid frames that are more than 0.25 s apart, and each piece is resampled
/// at the sequence's median interval.
struct SpectralSums: Hashable {
  static let longestBridge = 0.25
  /// The lowest resolved frequency in hertz.
  static let lowest = 0.3
  /// The lowest frequency in hertz at which a body's movement counts as fast.
  static let highest = 3.0
  static let segmentSeconds = 4 / lowest

  private var allan: [Int: AllanCell] = [:]
  private var spectra: [PowerSpectrum] = []
  private var highPower = 0.0
  private var allPower = 0.0

  mutating func add(_ scan: HoldScan, interval: Double) {
    let (times, axes) = (scan.copyTimes(), scan.copyAxes())
    for piece in Self.pieces(times) {
      let own = Array(times[piece])
      for axis in axes {
        let values = UniformResampling.values(Array(axis[piece]), at: own, step: interval)
        addAllan(values, interval)
        addSpectrum(values, interval)
      }
    }
  }

  mutating func add(_ other: SpectralSums) {
    for (octave, cell) in other.allan { allan[octave, default: AllanCell()] += cell }
    for spectrum in other.spectra { pool(spectrum) }
    highPower += other.highPower
    allPower += other.allPower
  }

  var jitter: SpectralJitter {
    SpectralJitter(
      allan: allan.sorted { $0.key < $1.key }.map(\.value.point), spectra: spectra,
      highFrequencyRatio: .ratio(highPower, allPower, orElse: .holdTooShort))
  }

  private mutating func addAllan(_ values: [Double], _ interval: Double) {
    for (averaging, variance) in AllanVariance.octaves(of: values) {
      let time = Double(averaging) * interval
      allan[AllanCell.octave(of: time), default: AllanCell()].add(variance, time)
    }
  }

  private mutating func addSpectrum(_ values: [Double], _ interval: Double) {
    // Fewer values do not form a segment, and the length of a segment might not fit in an integer.
    guard interval * Double(values.count) >= Self.segmentSeconds / 2 else { return }
    let length = max(4, Int((Self.segmentSeconds / interval).rounded()))
    guard let spectrum = PowerSpectrum(values, rate: 1 / interval, segmentLength: length) else {
      return
    }
    let weight = Double(spectrum.segmentCount)
    let nyquist = 0.5 / interval
    highPower += weight * spectrum.power(from: Self.highest, to: nyquist)
    allPower += weight * spectrum.power(from: Self.lowest, to: nyquist)
    pool(spectrum)
  }

  private mutating func pool(_ spectrum: PowerSpectrum) {
    if let index = spectra.firstIndex(where: { $0.hasFrequencies(of: spectrum) }) {
      spectra[index] += spectrum
    } else {
      spectra.append(spectrum)
    }
  }

  private static func pieces(_ times: [Double]) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    for index in times.indices.dropFirst()
    where times[index] - times[index - 1] > longestBridge + FrameTiming.slack {
      pieces.append(start..<index)
      start = index
    }
    if start < times.count { pieces.append(start..<times.count) }
    return pieces
  }
}

struct AllanCell: Hashable {
  private var squares = 0.0
  private var count = 0
  private var times = 0.0

  mutating func add(_ variance: AllanVariance, _ time: Double) {
    squares += variance.squares
    count += variance.count
    times += time * Double(variance.count)
  }

  var point: AllanPoint {
    AllanPoint(
      seconds: times / Double(count), deviation: (squares / Double(2 * count)).squareRoot(),
      differences: count)
  }

  static func += (left: inout AllanCell, right: AllanCell) {
    left.squares += right.squares
    left.count += right.count
    left.times += right.times
  }

  /// The factor keeps the frame times of common rates away from the bounds of octaves.
  static func octave(of time: Double) -> Int { Int((time * 1.05).exponent) }
}

/// A movement is a stretch outside holds of at least one second without a missing frame.
struct SmoothnessSums: Hashable {
  static let leastSeconds = 1.0

  private var arcLengths = 0.0
  private var arcs = 0
  private var jerks = 0.0
  private var jerkCount = 0

  mutating func add(_ scan: HoldScan, interval: Double) {
    guard scan.runs.count == 1 else { return }
    let times = scan.copyTimes()
    guard let first = times.first, let last = times.last, last - first >= Self.leastSeconds else {
      return
    }
    let axes = scan.copyAxes().map { UniformResampling.values($0, at: times, step: interval) }
    guard let count = axes.first?.count, count > 2 else { return }
    let speed = (1..<count).map { index in
      let square = axes.reduce(0.0) { sum, values in
        let step = values[index] - values[index - 1]
        return sum + step * step
      }
      return square.squareRoot() / interval
    }
    if let arc = MovementSmoothness.spectralArcLength(speed: speed, rate: 1 / interval) {
      arcLengths += arc
      arcs += 1
    }
    if let jerk = MovementSmoothness.logDimensionlessJerk(speed: speed, rate: 1 / interval) {
      jerks += jerk
      jerkCount += 1
    }
  }

  mutating func add(_ other: SmoothnessSums) {
    arcLengths += other.arcLengths
    arcs += other.arcs
    jerks += other.jerks
    jerkCount += other.jerkCount
  }

  var spectralArcLength: MetricValue { .ratio(arcLengths, Double(arcs), orElse: .noMovement) }

  var logDimensionlessJerk: MetricValue { .ratio(jerks, Double(jerkCount), orElse: .noMovement) }
}
