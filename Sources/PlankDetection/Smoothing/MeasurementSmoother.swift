internal import PoseModel

/// Smooths the measurements of a frame, each one by itself.
///
/// A sample is the measurement as it would be stored, the nearest `Float`, so that columns that
/// were measured before give the same numbers. Angles that go around are unwrapped first: from 179
/// to -179 degrees is a step of 2.
struct MeasurementSmoother: Sendable {
  private let measurements: [Measurement]
  private var chain: FilterChain
  private var turns: [AngleUnwrapper]

  /// Makes a smoother of a strategy's steps on measurements.
  init(_ strategy: SmoothingStrategy, _ measurements: [Measurement]) {
    self.measurements = measurements
    let isUsed = !strategy.steps(on: .measurements).isEmpty
    chain = FilterChain(
      strategy.steps(on: .measurements), channels: isUsed ? Measurement.count : 0)
    turns = Array(repeating: AngleUnwrapper(), count: isUsed ? Measurement.count : 0)
  }

  /// Whether measurements stay as they are.
  var isEmpty: Bool { chain.isEmpty }

  /// Smooths a frame's measurements in place, at their raw values.
  mutating func smooth(_ values: UnsafeMutablePointer<Float>, at time: Double) {
    for measurement in measurements {
      let index = Int(measurement.rawValue)
      guard !values[index].isNaN else { continue }
      let sample = Double(values[index])
      guard let turn = measurement.fullTurn else {
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

extension Measurement {
  /// The range of an angle that goes around, its upper end standing for the lower one; nil else.
  var fullTurn: ClosedRange<Double>? {
    switch self {
    case .trunkRoll: -180...180
    case .signedHipAngle: 0...360
    default: nil
    }
  }
}
