import PlankDetection
import PoseModel
import TestSupport

@testable import Tuning

/// Simulated people who change between three postures, with a detector that is right for them.
struct RestlessPeople {
  /// The measurements that the people have; the last one tells nothing.
  static let measurements: [Measurement] = [.verticalRatio, .elbowAngle, .kneeAngle]

  let sequences: [MeasuredSequence]

  /// Makes people.
  ///
  /// - Parameters:
  ///   - errors: the share of the stretches whose label is drawn at random.
  ///   - kneeling: the people who kneel in every stretch of `none`, upright or not.
  init(_ count: Int, seed: Int, errors: Double = 0, kneeling: Range<Int> = 0..<0) throws {
    var random = SplitMix64(spread: seed + 1)
    var sequences: [MeasuredSequence] = []
    for person in 0..<count {
      sequences.append(
        try Self.sequence(
          person, errors: errors, isKneeling: kneeling.contains(person), &random))
    }
    self.sequences = sequences
  }

  /// The detector: what stands is no plank, and straight arms are a high one.
  static func detector(_ changes: [String] = []) throws -> DetectorDefinition {
    let detector = try DetectorDefinition(
      name: "simple", summary: "", axes: .gravity,
      plank: DecisionList(
        .plank,
        [
          Rule(.plank(.none), when: [Predicate(.verticalRatio, .greaterOrEqual, .horizontalRatio)]),
          Rule(.plank(.high), when: [Predicate(.elbowAngle, .greater, .elbowSplit)]),
          Rule(.plank(.forearm)),
        ]), form: DecisionList(.form, [Rule(.form(.aligned))]))
    var values = detector.defaults
    for change in changes { try values.set(change) }
    return try detector.withDefaults(values)
  }

  private static func sequence(
    _ person: Int, errors: Double, isKneeling: Bool, _ random: inout SplitMix64
  ) throws -> MeasuredSequence {
    let classes: [PlankClass] = [.none, .forearm, .high]
    var columns = measurements.map { _ in [Float]() }
    var segments: [LabeledSegment] = []
    let (lean, bend) = (random.uniform(-0.05, 0.05), random.uniform(-8, 8))
    for stretch in 0..<24 {
      let shown = classes[stretch % 3]
      let label = random.chance(errors) ? random.pick(classes) : shown
      let kneels = isKneeling && shown == .none
      for _ in 0..<20 {
        let noise = random.uniform(-0.08, 0.08)
        columns[0].append(Float((shown == .none && !kneels ? 0.85 : 0.25) + lean + noise))
        columns[1].append(Float((shown == .high ? 168 : 95) + bend + random.uniform(-10, 10)))
        columns[2].append(Float((kneels ? 90 : 165) + random.uniform(-12, 12)))
      }
      segments.append(
        LabeledSegment(
          start: Seconds(Double(stretch) * 2), end: Seconds(Double(stretch + 1) * 2), plank: label))
    }
    let times = columns[0].indices.map { Double($0) / 10 }
    return MeasuredSequence(
      name: "q\(person)", subject: "p\(person)", source: person % 2 == 0 ? "even" : "odd",
      times: times, truth: try LabelTrack(segments).truth(at: times), startsMid: false,
      frameWeight: Seconds(0.1),
      columns: MeasurementColumns(
        frameCount: times.count,
        columns: Dictionary(uniqueKeysWithValues: zip(measurements, columns))))
  }
}
