package import PoseModel
internal import Statistics

/// The jitter of measurements, joints and bones in holds and movements, summed over sequences.
///
/// A hold is a run of consecutive scored frames with one plank class other than `none` and one true
/// form. The statistics take about 240 KiB per axis of a signal and kind of stretch.
package struct JitterStatistics: Hashable, Sendable {
  private var holds = JitterTable()
  private var movements = JitterTable()
  private var boneTable = BoneTable()

  package init() {}

  package init(
    times: [Double], truth: FrameTruth, measurements: [MeasurementSeries],
    joints: JointSeries? = nil, detail: JitterDetail = .steps, settling: Seconds = Seconds(0)
  ) {
    add(
      times: times, truth: truth, measurements: measurements, joints: joints, detail: detail,
      settling: settling)
  }

  /// Adds one sequence; all sequences must have the same detail.
  ///
  /// A smoother carries the movement before a hold into the hold. Pass `HoldSegments.settling` for
  /// smoothed signals and for the raw signals with which they are compared.
  package mutating func add(
    times: [Double], truth: FrameTruth, measurements: [MeasurementSeries],
    joints: JointSeries? = nil, detail: JitterDetail = .steps, settling: Seconds = Seconds(0)
  ) {
    guard detail != .none else { return }
    let held = HoldSegments.find(in: truth, times: times, after: settling)
    let others = detail.isOnHoldsAlone ? [] : MovementSegments.find(in: truth)
    let clock = JitterTable.Clock(times, detail)
    var scan = HoldScan()
    for series in measurements {
      precondition(series.values.count == times.count, "a measurement has one value per frame")
      let signal = JitterSignal(kind: .measurement, name: series.name, unit: series.unit)
      let values = StridedSeries(
        values: series.values, offset: 0, stride: 1, dimension: 1, period: signal.period)
      holds.add(signal, values, held, clock, detail, &scan)
      movements.add(signal, values, others, clock, detail, &scan)
    }
    guard let joints else { return }
    precondition(
      joints.positions.count == times.count * joints.layout.stride,
      "a frame has every joint's numbers")
    for joint in joints.layout.joints {
      guard let values = joints.series(joint) else { continue }
      let signal = JitterSignal(kind: .joint, name: joint.name, unit: joints.unit)
      holds.add(signal, values, held, clock, detail, &scan)
      movements.add(signal, values, others, clock, detail, &scan)
    }
    if detail != .stepsOnHolds { boneTable.add(joints, held) }
  }

  package static func += (left: inout JitterStatistics, right: JitterStatistics) {
    left.holds += right.holds
    left.movements += right.movements
    left.boneTable += right.boneTable
  }

  package var rows: [JitterRow] { holds.rows }

  package var movementRows: [JitterRow] { movements.rows }

  package var bones: [BoneVariation] { boneTable.rows }

  package var summary: JitterSummary { JitterSummary(self) }
}

package struct JitterSummary: Codable, Hashable, Sendable {
  package let rows: [JitterRow]
  package let movementRows: [JitterRow]
  package let bones: [BoneVariation]

  private enum CodingKeys: String, CodingKey {
    case rows = "on_holds"
    case movementRows = "outside_holds"
    case bones
  }

  init(_ statistics: JitterStatistics) {
    func plain(_ row: JitterRow) -> JitterRow {
      var row = row
      row.spectral?.spectra = []
      return row
    }
    rows = statistics.rows.map(plain)
    movementRows = statistics.movementRows.filter { $0.frames > 0 }.map(plain)
    bones = statistics.bones
  }
}

package enum JitterDetail: Hashable, Sendable {
  case none
  case stepsOnHolds
  case steps
  case spectraOnHolds
  /// Includes spectra outside holds; takes about ten times as long as `steps`.
  case spectra

  var isOnHoldsAlone: Bool { self == .stepsOnHolds || self == .spectraOnHolds }

  var hasSpectra: Bool { self == .spectraOnHolds || self == .spectra }
}

struct JitterTable: Hashable, Sendable {
  private var signals: [JitterSignal] = []
  private var sums: [SignalJitter] = []

  mutating func add(
    _ signal: JitterSignal, _ series: StridedSeries, _ stretches: [Range<Int>], _ clock: Clock,
    _ detail: JitterDetail, _ scan: inout HoldScan
  ) {
    var sum = SignalJitter(dimension: series.dimension, detail: detail)
    for stretch in stretches { sum.add(stretch, clock, series, &scan) }
    add(signal, sum)
  }

  struct Clock {
    let times: [Double]
    let interval: Double?

    init(_ times: [Double], _ detail: JitterDetail) {
      self.times = times
      interval =
        detail.hasSpectra
        ? Description.median(zip(times.dropFirst(), times).map { $0 - $1 }) ?? 1.0 / 30 : nil
    }
  }

  static func += (left: inout JitterTable, right: JitterTable) {
    for (signal, sum) in zip(right.signals, right.sums) { left.add(signal, sum) }
  }

  var rows: [JitterRow] {
    let rows = zip(signals, sums).map { signal, sum in sum.row(signal) }
    let joints = rows.filter { $0.signal.kind == .joint }.map { row in
      (rank: Joint(name: row.signal.name)?.index ?? Joint.count, row: row)
    }
    let sorted = joints.sorted { ($0.rank, $0.row.signal.unit) < ($1.rank, $1.row.signal.unit) }
    return rows.filter { $0.signal.kind == .measurement } + sorted.map(\.row)
  }

  private mutating func add(_ signal: JitterSignal, _ sum: SignalJitter) {
    if let place = signals.firstIndex(of: signal) {
      sums[place].add(sum)
    } else {
      signals.append(signal)
      sums.append(sum)
    }
  }
}

package struct JitterRow: Codable, Hashable, Sendable {
  package let signal: JitterSignal
  /// sqrt(mean |x(i+1) - x(i)|^2) over the pairs, in the signal's unit.
  ///
  /// White noise of standard deviation s per axis in d axes gives s sqrt(2 d).
  package let rmsStep: MetricValue
  /// sqrt(mean |x(i+1) - x(i)|^2 / dt^2) over the pairs, in the signal's unit per s.
  package let rmsSpeed: MetricValue
  /// The standard deviation per axis of white noise with these steps: rmsStep / sqrt(2 d).
  ///
  /// The standard deviation of colored noise is larger; see `lagOneCorrelation`.
  package let noise: MetricValue
  /// The robust standard deviation about each hold's median, pooled over holds, in the signal's
  /// unit.
  ///
  /// It is 1.4826 times the median distance from the median; for joints, the root of the sum of
  /// squares over the axes.
  package let robustSpread: MetricValue
  /// The mean |second difference| over the triples, in the signal's unit per s^2.
  ///
  /// At uneven times, the second difference is 2 ((x3 - x2)/(t3 - t2) - (x2 - x1)/(t2 - t1)) / (t3
  /// - t1); at even times, this equals (x3 - 2 x2 + x1)/h^2.
  package let acceleration: MetricValue
  /// sqrt(mean |third difference|^2), in the signal's unit per s^3, with divided differences times
  /// 6.
  package let jerk: MetricValue
  /// The correlation of consecutive values about each hold's mean.
  ///
  /// It is 0 for white noise, and near 1 for sway and colored noise, against which no causal
  /// smoother helps.
  package let lagOneCorrelation: MetricValue
  package internal(set) var spectral: SpectralJitter?
  /// The mean spectral arc length of movements; nil unless requested; not suitable for gates.
  package let spectralArcLength: MetricValue?
  /// The mean logarithmic dimensionless jerk of movements; nil unless requested; not suitable for
  /// gates.
  package let logDimensionlessJerk: MetricValue?
  package let frames: Int
  /// The number of pairs of consecutive valid frames that are at most 0.5 s apart.
  package let pairs: Int
  package let triples: Int
  package let holds: Int

  private enum CodingKeys: String, SnakeCaseKey {
    case signal, noise, acceleration, jerk, spectral, frames, pairs, triples, holds, rmsStep,
      rmsSpeed, robustSpread, lagOneCorrelation, spectralArcLength, logDimensionlessJerk
  }

  package var accelerationUnit: String { unit(over: "s^2") }

  package func unit(over time: String) -> String {
    (signal.unit == "-" ? "1" : signal.unit) + "/" + time
  }
}

package struct JitterSignal: Codable, Hashable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    case measurement
    case joint
  }

  package let kind: Kind
  package let name: String
  package let unit: String

  static let degrees = "deg"

  var period: Double? { kind == .measurement && unit == Self.degrees ? 360 : nil }
}

package struct MeasurementSeries: Hashable, Sendable {
  package let name: String
  package let unit: String
  package let values: [Float]

  package init(name: String, unit: String, values: [Float]) {
    self.name = name
    self.unit = unit
    self.values = values
  }
}

package struct JointSeries: Sendable {
  package let layout: JointLayout
  package let positions: [Float]
  package let unit: String

  package init(layout: JointLayout, positions: [Float], unit: String = Meters.symbol) {
    self.layout = layout
    self.positions = positions
    self.unit = unit
  }

  package init(_ recording: Recording) {
    self.init(layout: recording.layout, positions: recording.positions)
  }

  /// Takes three numbers per frame and joint of `Joint.allCases`, in the axes of evaluation, NaN
  /// for missing joints, and rounds them to `Float`.
  package init(_ layout: JointLayout, evaluated joints: [Double]) {
    let stride = JointLayout.full.stride
    let starts = layout.joints.map { 3 * $0.index }
    var positions: [Float] = []
    positions.reserveCapacity(joints.count / stride * layout.stride)
    for frame in Swift.stride(from: 0, to: joints.count, by: stride) {
      for start in starts {
        for axis in 0..<3 { positions.append(Float(joints[frame + start + axis])) }
      }
    }
    self.init(layout: layout, positions: positions)
  }
}

extension JointSeries {
  /// `JitterRow.noise` of one joint, in `unit` per axis; nil if the layout lacks the joint or if no
  /// two valid frames are consecutive.
  ///
  /// `times` are in seconds.
  package func noise(of joint: Joint, on holds: [Range<Int>], times: [Double]) -> Double? {
    guard let series = series(joint) else { return nil }
    var steps = StepSums()
    for hold in holds {
      // Each hold has its own sum, as in `SignalJitter`, so that both give the same last digit.
      var sums = StepSums()
      var previous: (time: Double, value: SIMD3<Double>)?
      for frame in hold {
        let sample = series.sample(frame).map { (time: times[frame], value: $0) }
        if let sample, let previous, FrameTiming.isStep(from: previous.time, to: sample.time) {
          sums.add(step: sample.value - previous.value, interval: sample.time - previous.time)
        }
        previous = sample
      }
      steps += sums
    }
    return steps.noise(dimension: series.dimension).number
  }
}

struct StridedSeries {
  let values: [Float]
  let offset: Int
  let stride: Int
  let dimension: Int
  let period: Double?

  func number(_ frame: Int, of numbers: UnsafeBufferPointer<Float>) -> Double? {
    let place = frame * stride + offset
    precondition(numbers.indices.contains(place), "a frame of the series")
    let number = numbers[place]
    return number.isFinite ? Double(number) : nil
  }

  func sample(_ frame: Int) -> SIMD3<Double>? {
    values.withUnsafeBufferPointer { sample(frame, of: $0) }
  }

  func sample(_ frame: Int, of numbers: UnsafeBufferPointer<Float>) -> SIMD3<Double>? {
    let start = frame * stride + offset
    precondition(start >= 0 && start <= numbers.count - max(1, dimension), "a frame of the series")
    var result = SIMD3(Double(numbers[start]), 0, 0)
    if dimension > 1 { result.y = Double(numbers[start + 1]) }
    if dimension > 2 { result.z = Double(numbers[start + 2]) }
    // Finite numbers in `Float`'s range have a finite sum in `Double`; with any other number, the
    // sum is not finite.
    return result.sum().isFinite ? result : nil
  }
}
