package import PoseModel

/// How still measurements and joints are on held segments: noise and sway, without movement.
///
/// A held segment is a run of consecutive scored frames of one plank class other than none and
/// one form truth. Add one sequence after the other; positions need not be kept. Memory: at most
/// 176 KiB an axis of a signal, so 12 MiB for 13 measurements and 17 joints, however many frames
/// there are; small datasets take 4 bytes a held frame and axis.
package struct JitterStatistics: Hashable, Sendable {
  private var order: [JitterSignal] = []
  private var sums: [JitterSignal: SignalJitter] = [:]

  /// Nothing measured.
  package init() {}

  /// Measures the held segments of a sequence.
  ///
  /// - Precondition: every series has one value a time.
  /// - Complexity: O(held frames) a signal.
  package init(
    times: [Double], truth: FrameTruth, measurements: [MeasurementSeries],
    joints: JointSeries? = nil
  ) {
    add(times: times, truth: truth, measurements: measurements, joints: joints)
  }

  /// Adds the held segments of a sequence.
  ///
  /// - Precondition: every series has one value a time.
  /// - Complexity: O(held frames) a signal.
  package mutating func add(
    times: [Double], truth: FrameTruth, measurements: [MeasurementSeries],
    joints: JointSeries? = nil
  ) {
    let holds = HoldSegments.find(in: truth)
    for series in measurements {
      precondition(series.values.count == times.count, "a measurement has one value a frame")
      let signal = JitterSignal(kind: .measurement, name: series.name, unit: series.unit)
      let values = StridedSeries(
        values: series.values, offset: 0, stride: 1, dimension: 1, period: signal.period)
      add(signal, values, holds, times)
    }
    if let joints { add(joints, holds, times) }
  }

  /// Adds what was measured of other sequences.
  ///
  /// Signals stand in the order in which they first came.
  package static func += (left: inout JitterStatistics, right: JitterStatistics) {
    for signal in right.order {
      guard let sum = right.sums[signal] else { continue }
      left.update(signal, startingWith: sum) { $0.add(sum) }
    }
  }

  /// The jitter of every signal: measurements, then joints in the order of `Joint`, each unit of
  /// a name on its own.
  package var rows: [JitterRow] {
    let measurements = order.filter { $0.kind == .measurement }
    let joints = order.filter { $0.kind == .joint }.map { signal in
      (rank: Joint(name: signal.name)?.index ?? Joint.count, signal: signal)
    }
    let sorted = joints.sorted { ($0.rank, $0.signal.unit) < ($1.rank, $1.signal.unit) }
    return (measurements + sorted.map(\.signal)).compactMap { sums[$0]?.row($0) }
  }

  private mutating func add(_ joints: JointSeries, _ holds: [Range<Int>], _ times: [Double]) {
    let layout = joints.layout
    precondition(
      joints.positions.count == times.count * layout.stride, "a frame has every joint's numbers")
    for (slot, joint) in layout.joints.enumerated() {
      let signal = JitterSignal(kind: .joint, name: joint.name, unit: joints.unit)
      let values = StridedSeries(
        values: joints.positions, offset: slot * layout.dimension, stride: layout.stride,
        dimension: layout.dimension, period: nil)
      add(signal, values, holds, times)
    }
  }

  private mutating func add(
    _ signal: JitterSignal, _ series: StridedSeries, _ holds: [Range<Int>], _ times: [Double]
  ) {
    var sum = SignalJitter(dimension: series.dimension)
    for hold in holds { sum.add(hold, times, series) }
    update(signal, startingWith: sum) { $0.add(sum) }
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
