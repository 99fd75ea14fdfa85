public import PoseModel

/// The measurements of a recording: one column of `Float` per measurement.
///
/// If a frame has no value, the column has NaN: one kind for missing, another for inapplicable, as
/// in `MeasuredValue.stored`. Columns do not depend on parameters, so they are computed once for
/// any number of parameter sets.
public struct MeasurementColumns: Sendable {
  /// The measurements, one per column.
  public let measurements: MeasurementSet
  /// How many frames the recording has.
  public private(set) var frameCount: Int
  private var columns: [[Float]]

  /// Measures every frame of a recording without smoothing.
  ///
  /// - Complexity: O(frames), 4 bytes per frame and measurement.
  public init(_ recording: Recording, _ measurements: MeasurementSet, reading: AxisReading) {
    var run = MeasurementRun(recording, measurements, reading: reading, smoothing: .none)
    run.advance(to: recording.frameCount, recording)
    self = run.columns
  }

  /// Creates columns in which every value is missing until `measure` fills them.
  public init(measurements: MeasurementSet, frameCount: Int) {
    self.measurements = measurements
    self.frameCount = frameCount
    columns = measurements.members.map { _ in Array(repeating: .nan, count: frameCount) }
  }

  /// `values` has `frameCount` numbers per measurement (`MeasuredValue.stored`), one measurement
  /// after another.
  package init(of measurements: MeasurementSet, values: [Float], frameCount: Int) {
    precondition(
      values.count == measurements.members.count * frameCount, "a column has one number per frame")
    self.measurements = measurements
    self.frameCount = frameCount
    columns = measurements.members.indices.map {
      Array(values[$0 * frameCount..<($0 + 1) * frameCount])
    }
  }

  package init(frameCount: Int, columns given: [Measurement: [Float]]) {
    precondition(
      given.values.allSatisfy { $0.count == frameCount }, "a column has one number per frame")
    measurements = MeasurementSet(given.keys)
    self.frameCount = frameCount
    columns = measurements.members.map { given[$0] ?? [] }
  }

  package mutating func append(_ other: MeasurementColumns) {
    precondition(other.measurements == measurements, "columns of the same measurements")
    for column in columns.indices { columns[column] += other.columns[column] }
    frameCount += other.frameCount
  }

  package func adding(_ other: MeasurementColumns) -> MeasurementColumns {
    precondition(other.frameCount == frameCount, "a column has one number per frame")
    var all = MeasurementColumns(
      measurements: measurements.union(other.measurements), frameCount: 0)
    all.frameCount = frameCount
    all.columns = all.measurements.members.map { measurements.contains($0) ? self[$0] : other[$0] }
    return all
  }

  /// The column of a measurement; empty if it was not measured.
  public subscript(measurement: Measurement) -> [Float] {
    measurements.index(of: measurement).map { columns[$0] } ?? []
  }

  /// One frame's value; nil if there is none or the measurement has no column.
  public func value(of measurement: Measurement, at frame: Int) -> Float? {
    measured(measurement, at: frame).number
  }

  /// One frame's value, or why it has none; missing if the measurement has no column.
  public func measured(_ measurement: Measurement, at frame: Int) -> MeasuredValue {
    measurements.index(of: measurement).map { MeasuredValue(stored: columns[$0][frame]) }
      ?? .missing
  }

  /// Measures some frames of a recording without smoothing; windows of expressions look back only
  /// as far as the first of these frames.
  public mutating func measure(_ recording: Recording, _ frames: Range<Int>, reading: AxisReading) {
    var measurer = FrameMeasurer(measurements, reading: reading, smoothing: .none)
    measure(recording, frames, &measurer)
  }

  /// `joints` has three numbers per frame and joint of `Joint.allCases`, in the axes of evaluation;
  /// NaN for missing joints.
  package mutating func measure(
    _ recording: Recording, smoothedJoints joints: [Double], reading: AxisReading
  ) {
    let stride = JointLayout.full.stride
    precondition(joints.count == recording.frameCount * stride, "three numbers per joint and frame")
    var measurer = FrameMeasurer(measurements, reading: reading, smoothing: .none)
    joints.withUnsafeBufferPointer { joints in
      guard let start = joints.baseAddress else { return }
      measure(recording, 0..<recording.frameCount, &measurer) { reader, frame in
        reader.replace(by: start + frame * stride)
      }
    }
  }

  fileprivate mutating func measure(
    _ recording: Recording, _ frames: Range<Int>, _ measurer: inout FrameMeasurer,
    _ replace: (inout JointReader, Int) -> Void = { _, _ in }
  ) {
    withRows { columns, rows in
      let (width, count) = (EightFrames.scalarCount, columns.columns.count)
      let axesReader = AxesReader(recording.header)
      FrameGroup<EightFrames>.withGroup { group in
        for first in stride(from: frames.lowerBound, to: frames.upperBound, by: Self.rowCount) {
          let part = first..<min(first + Self.rowCount, frames.upperBound)
          var start = first
          recording.forEachReader(of: part) {
            axesReader.axes(at: $0, of: recording)
          } _: { frame, reader, axes in
            if frame >= start + width {
              measurer.measure(&group, into: rows + (start - first) * count)
              start = frame - (frame - first) % width
            }
            replace(&reader, frame)
            measurer.take(
              reader, axes: axes, bodyHeight: recording.bodyHeight(at: frame)?.value,
              at: recording.times[frame], to: frame - start, of: &group)
          }
          measurer.measure(&group, into: rows + (start - first) * count)
          columns.store(rows, in: part)
        }
      }
    }
  }

  private static var rowCount: Int { 128 }

  private mutating func withRows(
    _ body: (inout MeasurementColumns, UnsafeMutablePointer<Float>) -> Void
  ) {
    let capacity = max(1, columns.count * Self.rowCount)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { scratch in
      scratch.initialize(repeating: .nan)
      if let rows = scratch.baseAddress { body(&self, rows) }
    }
  }

  private mutating func store(_ rows: UnsafeMutablePointer<Float>, in frames: Range<Int>) {
    let count = columns.count
    for index in columns.indices {
      columns[index].withUnsafeMutableBufferPointer { column in
        for frame in frames { column[frame] = rows[(frame - frames.lowerBound) * count + index] }
      }
    }
    rows.update(repeating: .nan, count: count * frames.count)
  }
}

extension Recording {
  fileprivate func forEachReader(
    of frames: Range<Int>, axes: (Int) -> FrameAxes?,
    _ body: (Int, inout JointReader, FrameAxes) -> Void
  ) {
    positions.withUnsafeBufferPointer { positions in
      confidences.withUnsafeBufferPointer { confidences in
        layout.offsets.withUnsafeBufferPointer { offsets in
          guard let positions = positions.baseAddress, let offsets = offsets.baseAddress else {
            return
          }
          let own = confidences.isEmpty ? nil : confidences.baseAddress
          for frame in frames {
            guard let axes = axes(frame) else { continue }
            var reader = JointReader(
              positions: positions + frame * layout.stride, offsets: offsets,
              dimension: layout.dimension,
              confidences: own.map { $0 + frame * layout.joints.count }, axes: axes)
            body(frame, &reader, axes)
          }
        }
      }
    }
  }

  /// Returns three numbers per frame and joint of `Joint.allCases`, in the axes of evaluation; NaN
  /// for missing joints.
  package func smoothedJoints(by strategy: SmoothingStrategy) -> [Double] {
    let stride = JointLayout.full.stride
    var result = [Double](repeating: .nan, count: frameCount * stride)
    var smoother = JointSmoother(strategy)
    forEachReader(of: 0..<frameCount) {
      turn(at: $0)
    } _: { frame, reader, _ in
      smoother.smooth(at: times[frame]) { joints in
        reader.write(to: joints)
      } _: { smoothed in
        for joint in layout.joints {
          let (lanes, start) = (smoothed[joint.index], frame * stride + 3 * joint.index)
          for axis in 0..<3 { result[start + axis] = lanes[axis] }
        }
      }
    }
    return result
  }

  private func turn(at frame: Int) -> FrameAxes? {
    guard !isMissing(at: frame) else { return nil }
    guard layout.dimension == 3 else { return header.imageScale.flatMap { FrameAxes(image: $0) } }
    let rotation = header.frame == .pelvis ? camera(at: frame)?.rotation : nil
    return FrameAxes(up: .unitY, rotation: rotation)
  }
}

extension MeasurementColumns {
  /// Bit-identical to columns that are smoothed while they are measured.
  package func smoothed(by strategy: SmoothingStrategy, times: [Double]) -> MeasurementColumns {
    precondition(times.count == frameCount, "one time per frame")
    var smoother = MeasurementSmoother(strategy, measurements.members)
    guard !smoother.isEmpty else { return self }
    var result = self
    result.withRows { result, rows in
      for first in stride(from: 0, to: frameCount, by: Self.rowCount) {
        let part = first..<min(first + Self.rowCount, frameCount)
        copyRows(of: measurements, part, into: rows)
        for frame in part {
          smoother.smooth(rows + (frame - first) * columns.count, at: times[frame])
        }
        result.store(rows, in: part)
      }
    }
    return result
  }

  package func mapped(_ transform: (Measurement, [Float]) -> [Float]) -> MeasurementColumns {
    let columns = measurements.members.map { measurement in
      let column = self[measurement]
      let numbers = zip(column, transform(measurement, column)).map { $0.isNaN ? $0 : $1 }
      return (measurement, numbers)
    }
    return MeasurementColumns(
      frameCount: frameCount, columns: Dictionary(uniqueKeysWithValues: columns))
  }

  package func selecting(_ frames: [Int]) -> MeasurementColumns {
    var result = self
    result.frameCount = frames.count
    result.columns = columns.map { column in frames.map { column[$0] } }
    return result
  }

  package func compared(
    by stream: AnswerStream, _ calibration: Calibration?
  ) -> MeasurementColumns {
    guard stream == .form, let calibration else { return self }
    return mapped { measurement, column in
      measurement.name == calibration.measurement ? column.map(calibration.corrected) : column
    }
  }
}

extension Measurement {
  package func unwrapped(_ column: [Double], times: [Double]) -> [Double] {
    guard turn != nil else { return column }
    var unwrapper = AngleUnwrapper()
    return zip(column, times).map { $0.isNaN ? .nan : unwrapper.unwrap($0, at: $1) }
  }

  package func wrapped(_ value: Double) -> Double {
    guard let turn, value.isFinite else { return value }
    return AngleUnwrapper.wrap(value, to: turn)
  }
}

/// Measures a recording in steps of several frames, with smoothing.
///
/// The numbers equal the streaming detector's smoothed measurements bit for bit.
public struct MeasurementRun: Sendable {
  private var measurer: FrameMeasurer
  private var next = 0

  /// The measurements so far; all are missing in frames that have not been reached.
  public private(set) var columns: MeasurementColumns

  /// Starts at the first frame of a recording with a detector's measurements and smoothing.
  public init(_ detector: BatchDetector, _ recording: Recording, also extra: MeasurementSet = []) {
    self.init(
      recording, detector.measurements.union(extra), reading: detector.definition.axes,
      smoothing: detector.smoothing)
  }

  /// Starts at the first frame of a recording.
  public init(
    _ recording: Recording, _ measurements: MeasurementSet, reading: AxisReading,
    smoothing: SmoothingStrategy
  ) {
    measurer = FrameMeasurer(measurements, reading: reading, smoothing: smoothing)
    columns = MeasurementColumns(measurements: measurements, frameCount: recording.frameCount)
  }

  /// Measures the frames before `end` that have not been measured yet; `recording` must be the one
  /// with which the run started.
  public mutating func advance(to end: Int, _ recording: Recording) {
    guard next < end else { return }
    columns.measure(recording, next..<end, &measurer)
    next = end
  }
}
