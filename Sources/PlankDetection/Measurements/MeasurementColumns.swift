public import PoseModel

/// The measurements of a recording: one column of `Float` a measurement, NaN where undefined.
///
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

  /// Makes columns that are undefined everywhere until `measure` fills them.
  public init(measurements: MeasurementSet, frameCount: Int) {
    self.measurements = measurements
    self.frameCount = frameCount
    columns = Measurement.allCases.map {
      measurements.contains($0) ? Array(repeating: .nan, count: frameCount) : []
    }
  }

  /// Takes columns that were computed elsewhere, such as smoothed or invented ones.
  ///
  /// - Precondition: every column has `frameCount` numbers, NaN where undefined.
  package init(frameCount: Int, columns given: [Measurement: [Float]]) {
    precondition(
      given.values.allSatisfy { $0.count == frameCount }, "a column has one number a frame")
    measurements = MeasurementSet(given.keys)
    self.frameCount = frameCount
    columns = Measurement.allCases.map { given[$0] ?? [] }
  }

  /// The column of a measurement; empty where it was not measured.
  public subscript(measurement: Measurement) -> [Float] { columns[Int(measurement.rawValue)] }

  /// One frame's value, or nil where it is undefined or was not measured.
  public func value(of measurement: Measurement, at frame: Int) -> Float? {
    let column = columns[Int(measurement.rawValue)]
    guard !column.isEmpty, !column[frame].isNaN else { return nil }
    return column[frame]
  }

  /// Measures some frames of a recording of `frameCount` frames.
  public mutating func measure(
    _ recording: Recording, _ frames: Range<Int>, reading: AxisReading
  ) {
    guard recording.layout.dimension == 3 else { return }
    let measurer = FrameMeasurer(measurements: measurements.members, reading: reading)
    let axesReader = AxesReader(recording.header)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Measurement.count) { scratch in
      guard let values = scratch.baseAddress else { return }
      recording.positions.withUnsafeBufferPointer { positions in
        recording.layout.offsets.withUnsafeBufferPointer { offsets in
          guard let positions = positions.baseAddress, let offsets = offsets.baseAddress else {
            return
          }
          for frame in frames {
            guard let axes = axesReader.axes(at: frame, of: recording) else { continue }
            let joints = JointReader(
              positions: positions + frame * recording.layout.stride, offsets: offsets,
              rotation: axes.rotation)
            measurer.measure(
              joints, axes: axes, bodyHeight: recording.bodyHeight(at: frame)?.value, into: values)
            store(values, measurer.measurements, at: frame)
          }
        }
      }
    }
  }

  private mutating func store(
    _ values: UnsafePointer<Float>, _ measurements: [Measurement], at frame: Int
  ) {
    for measurement in measurements {
      let index = Int(measurement.rawValue)
      columns[index][frame] = values[index]
    }
  }
}
