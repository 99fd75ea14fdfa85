package import PoseModel
internal import Statistics

/// How still measurements and joints are on held segments: noise and sway, without movement.
///
/// A held segment is a run of consecutive scored frames of one plank class other than none and
/// one form truth; what is measured outside holds stands apart. Add one sequence after the other;
/// positions need not be kept. Memory: at most 176 KiB an axis of a signal and kind of stretch,
/// so 24 MiB for 13 measurements and 17 joints, however many frames there are; small datasets
/// take 4 bytes a frame and axis.
package struct JitterStatistics: Hashable, Sendable {
  private var holds = JitterTable()
  private var movements = JitterTable()
  private var boneTable = BoneTable()

  /// Nothing measured.
  package init() {}

  /// Measures the held segments of a sequence.
  ///
  /// - Precondition: every series has one value a time.
  /// - Complexity: O(frames) a signal; with spectra O(frames log frames).
  package init(
    times: [Double], truth: FrameTruth, measurements: [MeasurementSeries],
    joints: JointSeries? = nil, detail: JitterDetail = .steps
  ) {
    add(times: times, truth: truth, measurements: measurements, joints: joints, detail: detail)
  }

  /// Adds the held segments of a sequence.
  ///
  /// - Precondition: every series has one value a time; all sequences have one detail.
  /// - Complexity: O(frames) a signal; with spectra O(frames log frames).
  package mutating func add(
    times: [Double], truth: FrameTruth, measurements: [MeasurementSeries],
    joints: JointSeries? = nil, detail: JitterDetail = .steps
  ) {
    let held = HoldSegments.find(in: truth)
    let others = MovementSegments.find(in: truth)
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    let clock = JitterTable.Clock(
      times: times, interval: Description.median(intervals) ?? 1.0 / 30)
    for series in measurements {
      precondition(series.values.count == times.count, "a measurement has one value a frame")
      let signal = JitterSignal(kind: .measurement, name: series.name, unit: series.unit)
      let values = StridedSeries(
        values: series.values, offset: 0, stride: 1, dimension: 1, period: signal.period)
      holds.add(signal, values, held, clock, detail)
      movements.add(signal, values, others, clock, detail)
    }
    guard let joints else { return }
    precondition(
      joints.positions.count == times.count * joints.layout.stride,
      "a frame has every joint's numbers")
    for joint in joints.layout.joints {
      guard let values = joints.series(joint) else { continue }
      let signal = JitterSignal(kind: .joint, name: joint.name, unit: joints.unit)
      holds.add(signal, values, held, clock, detail)
      movements.add(signal, values, others, clock, detail)
    }
    boneTable.add(joints, held)
  }

  /// Adds what was measured of other sequences.
  ///
  /// Signals stand in the order in which they first came.
  package static func += (left: inout JitterStatistics, right: JitterStatistics) {
    left.holds += right.holds
    left.movements += right.movements
    left.boneTable += right.boneTable
  }

  /// The jitter of every signal on holds: measurements, then joints in the order of `Joint`, each
  /// unit of a name on its own.
  package var rows: [JitterRow] { holds.rows }

  /// The same outside holds, where the truth is none: movement and rest, not noise alone.
  package var movementRows: [JitterRow] { movements.rows }

  /// How much the length of every bone varies on holds; empty without joints.
  package var bones: [BoneVariation] { boneTable.rows }
}
