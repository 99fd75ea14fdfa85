package import PoseModel

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

  /// Takes the joints of a 3D recording as recorded: pelvis positions are not turned.
  package init(_ recording: Recording) {
    self.init(layout: recording.layout, positions: recording.positions)
  }

  /// Takes three numbers per joint of `Joint.allCases` and frame, NaN if missing, in the axes of
  /// evaluation; rounds them to `Float`.
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
  /// `JitterRow.noise` of a joint alone, in `unit` per axis; nil for a joint that the layout does
  /// not have, or without two valid frames in a row.
  ///
  /// `times` are in seconds.
  package func noise(of joint: Joint, on holds: [Range<Int>], times: [Double]) -> Double? {
    guard let series = series(joint) else { return nil }
    var steps = StepSums()
    for hold in holds {
      // A sum of its own per hold, as in `SignalJitter`, so that the last digit is the same.
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
    precondition(
      start >= 0 && start <= numbers.count - max(1, dimension), "a frame of the series")
    var result = SIMD3(Double(numbers[start]), 0, 0)
    if dimension > 1 { result.y = Double(numbers[start + 1]) }
    if dimension > 2 { result.z = Double(numbers[start + 2]) }
    // A sum of finite numbers in Float's range is finite in Double; any other is not.
    return result.sum().isFinite ? result : nil
  }
}
