public import PoseModel

/// The measurements of a recording: one column of `Float` a measurement.
///
/// Where a frame has no value the column has NaN: one for what is missing, another for what is
/// inapplicable, as `MeasuredValue` stores them.
/// Columns do not depend on parameters, so they are computed once for any number of them.
public struct MeasurementColumns: Sendable {
  /// What the columns hold.
  public let measurements: MeasurementSet
  /// How many frames the recording has.
  public let frameCount: Int
  /// The columns by raw value; empty for what was not measured.
  private var columns: [[Float]]

  /// Measures a recording.
  ///
  /// - Complexity: O(frames), 4 bytes a frame and measurement.
  public init(_ recording: Recording, _ measurements: MeasurementSet, reading: AxisReading) {
    self.init(measurements: measurements, frameCount: recording.frameCount)
    measure(recording, 0..<frameCount, reading: reading)
  }

  /// Makes columns in which everything is missing until `measure` fills them.
  public init(measurements: MeasurementSet, frameCount: Int) {
    self.measurements = measurements
    self.frameCount = frameCount
    columns = Measurement.allCases.map {
      measurements.contains($0) ? Array(repeating: .nan, count: frameCount) : []
    }
  }

  /// Takes columns that were computed elsewhere, such as smoothed or invented ones.
  ///
  /// - Precondition: every column has `frameCount` numbers, stored as `MeasuredValue` says.
  package init(frameCount: Int, columns given: [Measurement: [Float]]) {
    precondition(
      given.values.allSatisfy { $0.count == frameCount }, "a column has one number a frame")
    measurements = MeasurementSet(given.keys)
    self.frameCount = frameCount
    columns = Measurement.allCases.map { given[$0] ?? [] }
  }

  /// The column of a measurement; empty where it was not measured.
  public subscript(measurement: Measurement) -> [Float] { columns[Int(measurement.rawValue)] }

  /// One frame's value, or nil where it has none or was not measured.
  public func value(of measurement: Measurement, at frame: Int) -> Float? {
    measured(measurement, at: frame).number
  }

  /// One frame's value or why it has none; missing where it was not measured.
  public func measured(_ measurement: Measurement, at frame: Int) -> MeasuredValue {
    let column = columns[Int(measurement.rawValue)]
    return column.isEmpty ? .missing : MeasuredValue(stored: column[frame])
  }

  /// Measures some frames of a recording of `frameCount` frames, without smoothing.
  public mutating func measure(
    _ recording: Recording, _ frames: Range<Int>, reading: AxisReading
  ) {
    var joints = JointSmoother(.none)
    var smoother = MeasurementSmoother(.none, [])
    let measurer = FrameMeasurer(measurements: measurements.members, reading: reading)
    measure(recording, frames, measurer, &joints, &smoother)
  }

  /// Measures some frames of a recording; smoothers remember the frames before.
  mutating func measure(
    _ recording: Recording, _ frames: Range<Int>, _ measurer: FrameMeasurer,
    _ joints: inout JointSmoother, _ smoother: inout MeasurementSmoother
  ) {
    guard recording.layout.dimension == 3 else { return }
    Self.withPositions(recording) { positions, offsets, values in
      let axesReader = AxesReader(recording.header)
      for frame in frames {
        guard let axes = axesReader.axes(at: frame, of: recording) else { continue }
        let reader = JointReader(
          positions: positions + frame * recording.layout.stride, offsets: offsets,
          rotation: axes.rotation)
        measurer.measure(
          reader, axes: axes, bodyHeight: recording.bodyHeight(at: frame)?.value,
          at: recording.times[frame], &joints, &smoother, into: values)
        store(values, measurer.measurements, at: frame)
      }
    }
  }

  /// Measures a whole recording from joints that were smoothed elsewhere.
  ///
  /// - Parameter joints: three numbers a joint of `Joint.allCases` and frame, in the axes of
  ///   evaluation, NaN where missing.
  package mutating func measure(
    _ recording: Recording, smoothedJoints joints: [Double], reading: AxisReading
  ) {
    let stride = JointLayout.full.stride
    precondition(joints.count == recording.frameCount * stride, "three numbers a joint and frame")
    let measurer = FrameMeasurer(measurements: measurements.members, reading: reading)
    let axesReader = AxesReader(recording.header)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Measurement.count) { scratch in
      joints.withUnsafeBufferPointer { joints in
        guard let values = scratch.baseAddress, let start = joints.baseAddress else { return }
        for frame in 0..<recording.frameCount {
          guard let axes = axesReader.axes(at: frame, of: recording) else { continue }
          measurer.measure(
            JointReader(smoothed: start + frame * stride), axes: axes,
            bodyHeight: recording.bodyHeight(at: frame)?.value, into: values)
          store(values, measurer.measurements, at: frame)
        }
      }
    }
  }

  private static func withPositions(
    _ recording: Recording,
    _ body: (UnsafePointer<Float>, UnsafePointer<Int>, UnsafeMutablePointer<Float>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Measurement.count) { scratch in
      recording.positions.withUnsafeBufferPointer { positions in
        recording.layout.offsets.withUnsafeBufferPointer { offsets in
          guard let values = scratch.baseAddress, let positions = positions.baseAddress,
            let offsets = offsets.baseAddress
          else { return }
          body(positions, offsets, values)
        }
      }
    }
  }

  mutating func store(
    _ values: UnsafePointer<Float>, _ measurements: [Measurement], at frame: Int
  ) {
    for measurement in measurements {
      let index = Int(measurement.rawValue)
      columns[index][frame] = values[index]
    }
  }
}

extension MeasurementColumns {
  /// Applies a strategy's steps on measurements to columns that were measured before.
  ///
  /// A detector that smooths while it measures gives the same numbers to the bit.
  package func smoothed(by strategy: SmoothingStrategy, times: [Double]) -> MeasurementColumns {
    precondition(times.count == frameCount, "one time a frame")
    var smoother = MeasurementSmoother(strategy, measurements.members)
    guard !smoother.isEmpty else { return self }
    var result = mapped { _, column in column }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Measurement.count) { values in
      values.initialize(repeating: .nan)
      guard let base = values.baseAddress else { return }
      for frame in 0..<frameCount {
        for measurement in measurements.members {
          base[Int(measurement.rawValue)] = self[measurement][frame]
        }
        smoother.smooth(base, at: times[frame])
        result.store(base, measurements.members, at: frame)
      }
    }
    return result
  }

  /// Columns of the same measurements with other numbers, one a frame.
  ///
  /// What has no value keeps none, for the reason that it had before.
  package func mapped(_ transform: (Measurement, [Float]) -> [Float]) -> MeasurementColumns {
    let columns = measurements.members.map { measurement in
      let column = self[measurement]
      let numbers = zip(column, transform(measurement, column)).map { $0.isNaN ? $0 : $1 }
      return (measurement, numbers)
    }
    return MeasurementColumns(
      frameCount: frameCount, columns: Dictionary(uniqueKeysWithValues: columns))
  }
}

extension Measurement {
  /// A column without jumps of a turn, for filters that need the whole of it; NaN where missing.
  package func unwrapped(_ column: [Double], times: [Double]) -> [Double] {
    guard fullTurn != nil else { return column }
    var unwrapper = AngleUnwrapper()
    return zip(column, times).map { $0.isNaN ? .nan : unwrapper.unwrap($0, at: $1) }
  }

  /// A number of an unwrapped column as the measurement is defined.
  package func wrapped(_ value: Double) -> Double {
    guard let fullTurn, value.isFinite else { return value }
    return AngleUnwrapper.wrap(value, to: fullTurn)
  }
}

/// A recording that is measured in steps, frame after frame, with its smoothing.
///
/// The streaming detector's smoothed measurements are the same to the bit.
public struct MeasurementRun: Sendable {
  private let measurer: FrameMeasurer
  private var joints: JointSmoother
  private var measurements: MeasurementSmoother
  private var next = 0

  /// The measurements so far; in frames not reached yet, all is missing.
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
