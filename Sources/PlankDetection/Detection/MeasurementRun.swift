public import PoseModel

/// A recording that is measured in steps, frame after frame, with its smoothing.
///
/// The streaming detector's smoothed measurements are the same to the bit.
public struct MeasurementRun: Sendable {
  private let measurer: FrameMeasurer
  private var joints: JointSmoother
  private var measurements: MeasurementSmoother
  private var next = 0

  /// The measurements so far; frames not reached yet are undefined.
  public private(set) var columns: MeasurementColumns

  /// Starts at the first frame of a recording with a detector's measurements and smoothing.
  public init(
    _ detector: BatchDetector, _ recording: Recording, also extra: MeasurementSet = []
  ) {
    self.init(
      recording, detector.measurements.union(extra), reading: detector.definition.axes,
      smoothing: detector.smoothing)
  }

  /// Starts at the first frame of a recording.
  public init(
    _ recording: Recording, _ measurements: MeasurementSet, reading: AxisReading,
    smoothing: SmoothingStrategy
  ) {
    measurer = FrameMeasurer(measurements: measurements.members, reading: reading)
    joints = JointSmoother(smoothing)
    self.measurements = MeasurementSmoother(smoothing, measurements.members)
    columns = MeasurementColumns(
      measurements: measurements, frameCount: recording.frameCount)
  }

  /// Measures the frames up to, not including, `end`, of the recording that the run started with.
  public mutating func advance(to end: Int, _ recording: Recording) {
    guard next < end else { return }
    columns.measure(recording, next..<end, measurer, &joints, &measurements)
    next = end
  }
}
