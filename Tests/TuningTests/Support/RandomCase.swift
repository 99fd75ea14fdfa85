import PlankDetection
import PoseModel
import TestSupport

@testable import Tuning

/// A random detector, grid and dataset: the cases that the engines must agree on.
struct RandomCase {
  static let lengths = [1, 2, 3, 5, 8, 17, 33, 63, 64, 65, 66, 100, 128, 129, 130, 193, 194, 200]
  static let measurements: [Measurement] = [.verticalRatio, .wristHipCosine, expression]
  private static let expression: Measurement = {
    do {
      return try Measurement("own", "speed(forearmVerticality, 0.5s) * 1s")
    } catch {
      preconditionFailure("\(error)")
    }
  }()
  static let keys: [ParameterKey] = [.horizontalRatio, .reverseCosine, .trunkForearmVerticality]
  let grid: GridDefinition
  let data: MeasuredData

  init(seed: Int) throws {
    var random = SplitMix64(spread: seed)
    let detector = try DetectorDefinition(
      name: "random", summary: "", axes: .gravity,
      plank: DecisionList(.plank, Self.rules(.plank, &random)),
      form: DecisionList(.form, Self.rules(.form, &random)))
    var base = detector.defaults
    try base.set(.plankFrames, to: Double(random.pick(Self.lengths)))
    try base.set(.formFrames, to: Double(random.pick(Self.lengths)))
    try base.set(.holdSeconds, to: random.pick([0, 0.1, 0.5, 2]))
    let constraints =
      random.chance(0.3)
      ? [AxisConstraint(.horizontalRatio, .less, .reverseCosine, margin: 0.4)] : []
    let size = random.pick([1, 5, 40, 64, 65, 300, 1500, 5000])
    let count = random.integer(1...4)
    data = try MeasuredData(
      variants: [(0..<count).map { Self.sequence("q\($0)", size: size, &random) }])
    var axes = Self.axes(detector, &random)
    if Self.observesNothing(data) { axes.removeAll { $0.values.areQuantiles } }
    grid = try GridDefinition(
      [DetectorVariant(detector, base: base)], axes: axes, constraints: constraints)
  }

  private static func observesNothing(_ data: MeasuredData) -> Bool {
    measurements.contains { measurement in
      !data.sequences.contains { sequence in
        sequence.columns[measurement].contains { $0 > 0 && $0 < 1 }
          && sequence.columns[measurement].contains { $0 < 0 && $0 > -1 }
      }
    }
  }

  private static func rules(_ stream: AnswerStream, _ random: inout SplitMix64) -> [Rule] {
    let labels = ((random.chance(0.3) ? 1 : 0)..<stream.labels.count).compactMap {
      AnswerLabel(stream, code: UInt8($0))
    }
    var rules: [Rule] = []
    for _ in 0..<random.integer(0...7) {
      let predicates = (0..<random.pick([1, 1, 1, 2, 3])).map { _ in
        let index = random.index(below: 3)
        return Predicate(
          measurements[index], random.pick(Comparison.allCases),
          keys[random.chance(0.8) ? index : random.index(below: 3)], negated: random.chance(0.3))
      }
      rules.append(Rule(random.pick(labels), when: predicates))
    }
    return rules + [Rule(random.pick(labels))]
  }

  private static func axes(
    _ detector: DetectorDefinition, _ random: inout SplitMix64
  ) -> [ParameterAxis] {
    var axes: [ParameterAxis] = []
    for key in keys where detector.parameters.contains(where: { $0.key == key }) {
      guard random.chance(0.7) else { continue }
      axes.append(
        random.chance(0.3)
          ? ParameterAxis(key, .quantiles(random.integer(1...5)))
          : ParameterAxis(
            key, .range(from: 0, to: random.uniform(0.3, 1), step: random.pick([0.1, 0.25]))))
    }
    for key in [ParameterKey.plankFrames, .formFrames] where random.chance(0.7) {
      let values = random.shuffled(lengths).prefix(random.integer(1...5)).map(Double.init)
      axes.append(ParameterAxis(key, .list(values)))
    }
    if random.chance(0.3) { axes.append(ParameterAxis(.holdSeconds, .list([0, 0.25, 0.5, 3]))) }
    return random.shuffled(axes)
  }

  /// A sequence of calm or jumpy measurements with dropouts and pauses.
  static func sequence(_ name: String, size: Int, _ random: inout SplitMix64) -> MeasuredSequence {
    let frames = size == 1 ? 1 : random.integer(1...size)
    let rate = random.pick([8.0, 15, 30, 60])
    let (pauses, dropouts) = (random.pick([0, 0.01, 0.05]), random.pick([0, 0.02, 0.3, 1]))
    var times: [Double] = []
    var time = random.uniform(0, 3)
    for frame in 0..<frames {
      times.append(time)
      time = random.chance(pauses) ? time + random.uniform(0.1, 4) : time + 1 / rate
      if frame == 0, random.chance(0.1) { time += 5 }
    }
    var columns: [Measurement: [Float]] = [:]
    for measurement in measurements {
      columns[measurement] = column(frames, dropouts: dropouts, &random)
    }
    return MeasuredSequence(
      name: name, subject: random.chance(0.9) ? "s\(random.index(below: 3))" : nil, times: times,
      truth: truth(times, &random), startsMid: random.chance(0.3), frameWeight: Seconds(1 / rate),
      columns: MeasurementColumns(frameCount: frames, columns: columns))
  }

  private static func column(
    _ frames: Int, dropouts: Double, _ random: inout SplitMix64
  ) -> [Float] {
    let calm = random.pick([1.0, 0.1, 0.01])
    var level = random.uniform(-1, 1)
    var gap = 0
    var absence = MeasuredValue.missing
    return (0..<frames).map { _ in
      if random.chance(calm) { level = (random.uniform(-1, 1) * 40).rounded() / 40 }
      if gap == 0, dropouts == 1 || random.chance(dropouts * 0.1) {
        gap = random.integer(1...30)
        absence = random.chance(0.5) ? .missing : .inapplicable
      }
      if gap > 0 {
        gap -= 1
        return absence.stored
      }
      return Float(level)
    }
  }

  private static func truth(_ times: [Double], _ random: inout SplitMix64) -> FrameTruth {
    var segments: [LabeledSegment] = []
    var start = (times.first ?? 0) + random.pick([0, 0.2])
    let end = (times.last ?? 0) + 0.01
    while start < end {
      let length = random.pick([0.05, 0.5, 2, 20]) * random.uniform(0.5, 1.5)
      let plank: PlankClass? = random.chance(0.1) ? nil : random.pick(PlankClass.allCases)
      let hasForm = plank != nil && plank != PlankClass.none && random.chance(0.8)
      let segment = LabeledSegment(
        start: Seconds(start), end: Seconds(start + length), plank: plank,
        form: hasForm ? random.pick(FormClass.allCases) : nil)
      if random.chance(0.9) { segments.append(segment) }
      start += length
    }
    let track = try? LabelTrack(segments).adding(onsets(between: segments, random))
    return track?.truth(at: times) ?? FrameTruth(count: times.count)
  }

  /// Onsets for most changes of the plank, and of the form elsewhere, between labels that do not touch.
  private static func onsets(
    between segments: [LabeledSegment], _ random: SplitMix64
  ) -> [LabelOnset] {
    var random = random
    func found<Class: Equatable>(
      _ class: (LabeledSegment) -> Class?, _ onset: (Seconds, Class) -> LabelOnset
    ) -> [LabelOnset] {
      let named = segments.filter { `class`($0) != nil }
      return zip(named, named.dropFirst()).compactMap { before, after in
        guard let begun = `class`(after), begun != `class`(before), before.end < after.start,
          random.chance(0.7)
        else { return nil }
        let share = random.pick([0, 0.3, 0.8, 1])
        let time = before.end.value + share * (after.start.value - before.end.value)
        return onset(Seconds(min(time, after.start.value)), begun)
      }
    }
    let planks = found(\.plank) { LabelOnset(time: $0, plank: $1) }
    let taken = Set(planks.map(\.time))
    let forms = found(\.form) { LabelOnset(time: $0, form: $1) }
    return (planks + forms.filter { !taken.contains($0.time) }).sorted { $0.time < $1.time }
  }
}

extension AxisValues {
  fileprivate var areQuantiles: Bool { if case .quantiles = self { true } else { false } }
}
