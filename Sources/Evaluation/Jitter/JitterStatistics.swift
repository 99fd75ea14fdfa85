package import PoseModel
internal import Statistics

/// A hold is a run of consecutive scored frames of one plank class other than none and one true
/// form.
///
/// Memory: about 240 KiB per axis of a signal and kind of stretch.
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

  /// Behind a smoother the movement before a hold goes on for a while: leave out
  /// `HoldSegments.settling` there and in the raw signal that it is compared with; all sequences
  /// have the same detail.
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
  /// About ten times as long as `steps`.
  case spectra

  var isOnHoldsAlone: Bool { self == .stepsOnHolds || self == .spectraOnHolds }

  var hasSpectra: Bool { self == .spectraOnHolds || self == .spectra }
}

struct JitterTable: Hashable, Sendable {
  private var order: [JitterSignal] = []
  private var sums: [JitterSignal: SignalJitter] = [:]

  mutating func add(
    _ signal: JitterSignal, _ series: StridedSeries, _ stretches: [Range<Int>], _ clock: Clock,
    _ detail: JitterDetail, _ scan: inout HoldScan
  ) {
    var sum = SignalJitter(dimension: series.dimension, detail: detail)
    for stretch in stretches { sum.add(stretch, clock, series, &scan) }
    update(signal, startingWith: sum) { $0.add(sum) }
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
    for signal in right.order {
      guard let sum = right.sums[signal] else { continue }
      left.update(signal, startingWith: sum) { $0.add(sum) }
    }
  }

  var rows: [JitterRow] {
    let measurements = order.filter { $0.kind == .measurement }
    let joints = order.filter { $0.kind == .joint }.map { signal in
      (rank: Joint(name: signal.name)?.index ?? Joint.count, signal: signal)
    }
    let sorted = joints.sorted { ($0.rank, $0.signal.unit) < ($1.rank, $1.signal.unit) }
    return (measurements + sorted.map(\.signal)).compactMap { sums[$0]?.row($0) }
  }

  private mutating func update(
    _ signal: JitterSignal, startingWith first: SignalJitter, _ add: (inout SignalJitter) -> Void
  ) {
    guard sums[signal] != nil else {
      order.append(signal)
      sums[signal] = first
      return
    }
    add(&sums[signal, default: first])
  }
}
