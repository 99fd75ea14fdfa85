internal import PoseModel

/// Every joint is a block of its own, so that lanes stay in step.
struct JointSmoother: Sendable {
  private var chain: FilterChain

  init(_ strategy: SmoothingStrategy) {
    chain = FilterChain(strategy.steps(on: .joints), blocks: Joint.count)
  }

  var isEmpty: Bool { chain.isEmpty }

  @inline(__always) mutating func smooth(
    _ joints: JointReader, at time: Double, _ body: (JointReader) -> Void
  ) {
    smooth(at: time) { samples in
      joints.write(to: samples)
    } _: { smoothed in
      body(joints.replacing(by: smoothed))
    }
  }

  @inline(__always) mutating func smooth(
    at time: Double, _ fill: (UnsafeMutablePointer<Lanes>) -> Void,
    _ use: (UnsafePointer<Lanes>) -> Void
  ) {
    chain.update(at: time, fill, use)
  }

  mutating func reset() { chain.reset() }
}

/// Smooths the measurements of a frame, each rounded to `Float` first, as columns store it.
///
/// Angles that wrap around are unwrapped first: from 179 to -179 degrees is a step of 2.
struct MeasurementSmoother: Sendable {
  private let fullTurns: [ClosedRange<Double>?]
  private var chain: FilterChain
  private var turns: [AngleUnwrapper]

  init(_ strategy: SmoothingStrategy, _ measurements: [Measurement]) {
    fullTurns = measurements.map { $0.turn }
    let blocks = (measurements.count + Lanes.scalarCount - 1) / Lanes.scalarCount
    chain = FilterChain(strategy.steps(on: .measurements), blocks: blocks)
    turns = Array(repeating: AngleUnwrapper(), count: chain.isEmpty ? 0 : measurements.count)
  }

  var isEmpty: Bool { chain.isEmpty }

  mutating func smooth(_ values: UnsafeMutablePointer<Float>, at time: Double) {
    let (count, lanes) = (fullTurns.count, Lanes.scalarCount)
    chain.update(at: time) { samples in
      for index in 0..<count {
        let sample = Double(values[index])
        let isTurned = fullTurns[index] != nil && !sample.isNaN
        samples[index / lanes][index % lanes] =
          isTurned ? turns[index].unwrap(sample, at: time) : sample
      }
      for index in count..<(count + lanes - 1) / lanes * lanes {
        samples[index / lanes][index % lanes] = samples[(count - 1) / lanes][(count - 1) % lanes]
      }
    } _: { smoothed in
      for index in 0..<count where !values[index].isNaN {
        let value = smoothed[index / lanes][index % lanes]
        values[index] = Float(fullTurns[index].map { AngleUnwrapper.wrap(value, to: $0) } ?? value)
      }
    }
  }

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
