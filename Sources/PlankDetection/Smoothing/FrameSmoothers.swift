internal import PoseModel

/// The joints of a frame after smoothing: three numbers per joint in the axes of evaluation.
struct JointSmoother: Sendable {
  private var chain: FilterChain
  private var samples: [Double]

  /// Makes a smoother of a strategy's steps on joints.
  init(_ strategy: SmoothingStrategy) {
    let count = strategy.steps(on: .joints).isEmpty ? 0 : JointLayout.full.stride
    chain = FilterChain(strategy.steps(on: .joints), channels: count)
    samples = Array(repeating: .nan, count: count)
  }

  /// Whether joints stay unchanged.
  var isEmpty: Bool { chain.isEmpty }

  /// Smooths a frame's joints and passes on a reader of the result.
  mutating func smooth(
    _ joints: JointReader, at time: Double, _ body: (JointReader) -> Void
  ) {
    samples.withUnsafeMutableBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      for (index, joint) in Joint.allCases.enumerated() {
        let position = joints.recorded(joint)
        samples[3 * index] = position.x
        samples[3 * index + 1] = position.y
        samples[3 * index + 2] = position.z
      }
      chain.update(samples, at: time)
      body(joints.replacing(by: first))
    }
  }

  /// Forgets the past.
  mutating func reset() { chain.reset() }
}

/// Smooths the measurements of a frame, each one independently.
///
/// A sample is the measurement as it would be stored, the nearest `Float`, so that existing columns
/// give the same numbers. Angles that wrap around are unwrapped first: from 179 to -179 degrees is
/// a step of 2.
struct MeasurementSmoother: Sendable {
  private let fullTurns: [ClosedRange<Double>?]
  private var chain: FilterChain
  private var turns: [AngleUnwrapper]

  /// Makes a smoother of a strategy's steps on measurements.
  init(_ strategy: SmoothingStrategy, _ measurements: [Measurement]) {
    fullTurns = measurements.map { $0.turn }
    let isUsed = !strategy.steps(on: .measurements).isEmpty
    chain = FilterChain(
      strategy.steps(on: .measurements), channels: isUsed ? measurements.count : 0)
    turns = Array(repeating: AngleUnwrapper(), count: isUsed ? measurements.count : 0)
  }

  /// Whether measurements stay unchanged.
  var isEmpty: Bool { chain.isEmpty }

  /// Smooths a frame's measurements in place, in the order given to the initializer.
  mutating func smooth(_ values: UnsafeMutablePointer<Float>, at time: Double) {
    for index in fullTurns.indices {
      guard !values[index].isNaN else { continue }
      let sample = Double(values[index])
      guard let turn = fullTurns[index] else {
        values[index] = Float(chain.update(index, sample, at: time))
        continue
      }
      let unwrapped = turns[index].unwrap(sample, at: time)
      let smoothed = chain.update(index, unwrapped, at: time)
      values[index] = Float(AngleUnwrapper.wrap(smoothed, to: turn))
    }
  }

  /// Forgets the past.
  mutating func reset() {
    chain.reset()
    for index in turns.indices { turns[index] = AngleUnwrapper() }
  }
}

/// Makes an angle that wraps around continuous: every sample is within half a turn of the last one.
struct AngleUnwrapper: Sendable {
  private var last = 0.0
  private var lastUnwrapped = 0.0
  private var lastTime = -Double.infinity

  /// The sample plus whole turns, so that it is near the last one; a gap restarts the unwrapping.
  mutating func unwrap(_ degrees: Double, at time: Double) -> Double {
    let isAfterGap =
      !(abs(time - lastTime) <= SmoothingStrategy.largestGap + Debouncer.tolerance)
    let step = degrees - last
    let turned = step - 360 * (step / 360).rounded(.toNearestOrEven)
    lastUnwrapped = isAfterGap ? degrees : lastUnwrapped + turned
    last = degrees
    lastTime = time
    return lastUnwrapped
  }

  /// An angle brought back into a range of one turn; both ends belong to the range.
  static func wrap(_ degrees: Double, to range: ClosedRange<Double>) -> Double {
    if range.contains(degrees) { return degrees }
    let turns = ((degrees - range.lowerBound) / 360).rounded(.down)
    return degrees - 360 * turns
  }
}
