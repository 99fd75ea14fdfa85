import ParameterTuning
import PlankDetection
import PoseModel

/// Columns of measurements for timing sweeps: holds of 5 to 38 s at 30 Hz with noise, ten people.
struct SweepData {
  /// The measurements of the published plank rules.
  private static let measurements: [Measurement] = [
    .verticalRatio, .shoulderRise, .wristHipCosine, .elbowAngle,
  ]
  private var random: SplitMix64

  /// Starts a stream of numbers.
  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A sequence; its measurements cross the thresholds now and then.
  ///
  /// - Parameters:
  ///   - dropouts: the share of frames without a pose.
  ///   - people: how many people take turns.
  mutating func sequence(
    _ index: Int, frames: Int, dropouts: Double, people: Int = 10
  ) throws -> MeasuredSequence {
    var columns: [Measurement: [Float]] = [:]
    var segments: [LabeledSegment] = []
    var frame = 0
    while frame < frames {
      let length = min(frames - frame, 150 + Int(random.next() % 1000))
      let plank = PlankClass.allCases[Int(random.next() % 6)]
      segments.append(
        LabeledSegment(
          start: Seconds(Double(frame) / 30), end: Seconds(Double(frame + length) / 30),
          plank: plank))
      for _ in 0..<length {
        let isMissing = random.uniform() < dropouts
        for measurement in Self.measurements {
          let (mean, spread) = Self.distribution(of: measurement, plank)
          columns[measurement, default: []]
            .append(isMissing ? .nan : Float(mean + spread * random.normal()))
        }
      }
      frame += length
    }
    let times = (0..<frames).map { Double($0) / 30 }
    return MeasuredSequence(
      name: "s\(index)", subject: "p\(index % people)", times: times,
      truth: try LabelTrack(segments).truth(at: times), startsMid: false,
      frameWeight: Seconds(1.0 / 30),
      columns: MeasurementColumns(frameCount: frames, columns: columns))
  }

  private static func distribution(
    of measurement: Measurement, _ plank: PlankClass
  ) -> (mean: Double, spread: Double) {
    switch measurement {
    case .verticalRatio: (mean: plank == .none ? 0.8 : 0.25, spread: 0.08)
    case .shoulderRise:
      (mean: plank == .sideLeft ? 0.3 : plank == .sideRight ? -0.3 : 0, spread: 0.06)
    case .wristHipCosine: (mean: plank == .reverse ? 0.8 : 0, spread: 0.15)
    default: (mean: plank == .high ? 165 : 95, spread: 15)
    }
  }
}
