internal import PoseModel
internal import Statistics

/// Spectra and Allan variances of one signal, summed over holds and sequences.
///
/// A hold is cut where valid frames are more than 0.25 s apart; each piece is brought to an even
/// grid of the sequence's median interval (`UniformResampling`). Axes add up.
struct SpectralSums: Hashable {
  /// The longest gap, in seconds, that a straight line bridges.
  static let longestBridge = 0.25
  /// Below this frequency in hertz nothing is resolved.
  static let lowest = 0.3
  /// From this frequency in hertz on a movement of a body is fast.
  static let highest = 3.0
  /// What the shortest piece with a spectrum lasts, in seconds: four periods of the lowest.
  static let segmentSeconds = 4 / lowest

  private var allan: [Int: AllanCell] = [:]
  private var spectra: [PowerSpectrum] = []
  private var highPower = 0.0
  private var allPower = 0.0

  /// Adds one hold.
  mutating func add(_ scan: HoldScan, interval: Double) {
    for piece in Self.pieces(scan.times) {
      let times = Array(scan.times[piece])
      for axis in scan.valid {
        let values = UniformResampling.values(Array(axis[piece]), at: times, step: interval)
        addAllan(values, interval)
        addSpectrum(values, interval)
      }
    }
  }

  /// Adds the sums of other holds.
  mutating func add(_ other: SpectralSums) {
    for (octave, cell) in other.allan { allan[octave, default: AllanCell()] += cell }
    for spectrum in other.spectra { pool(spectrum) }
    highPower += other.highPower
    allPower += other.allPower
  }

  /// What the sums give.
  var jitter: SpectralJitter {
    SpectralJitter(
      allan: allan.sorted { $0.key < $1.key }.map(\.value.point), spectra: spectra,
      highFrequencyRatio: .ratio(highPower, allPower, orElse: .holdTooShort))
  }

  private mutating func addAllan(_ values: [Double], _ interval: Double) {
    var m = 1
    while 4 * m <= values.count {
      if let variance = AllanVariance(values, averaging: m) {
        let time = Double(m) * interval
        allan[AllanCell.octave(of: time), default: AllanCell()].add(variance, time)
      }
      m *= 2
    }
  }

  private mutating func addSpectrum(_ values: [Double], _ interval: Double) {
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

  /// Ranges of frames between which no gap is too long.
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
