import PlankDetection
import PoseModel
import TestSupport
import Testing

enum Replay {
  static func batch(
    _ recording: Recording, _ definition: DetectorDefinition, _ parameters: ParameterValues? = nil,
    startsMid: Bool = false
  ) throws -> DetectionColumns {
    let detector = try BatchDetector(definition, parameters: parameters)
    return detector.detect(
      detector.measure(recording), times: recording.times, startsMid: startsMid)
  }

  static func stream(
    _ recording: Recording, _ definition: DetectorDefinition, _ parameters: ParameterValues? = nil,
    startsMid: Bool = false
  ) throws -> [DetectorAnswer] {
    var detector = try PlankDetector(
      definition, parameters: parameters, startsMid: startsMid)
    return try recording.poseFrames.map { try detector.update($0) }
  }

  static func measure(
    _ recording: Recording, _ reading: AxisReading = .gravity
  ) -> MeasurementColumns {
    MeasurementColumns(recording, .all, reading: reading)
  }
}

enum Sessions {
  /// Every posture, both faults, lost poses and lost joints, with a little noise.
  static func full(
    stature: Double = 1.75, rate: Double = 15, deviation: Double = 0.002, seed: UInt64 = 1
  ) -> ScriptedSession {
    ScriptedSession(
      ScriptedBody(stature: Meters(stature)), rate: Hertz(rate),
      dropouts: [
        ScriptedDropout(from: 2.2, to: 2.5), ScriptedDropout(from: 6, to: 7.2),
        ScriptedDropout(from: 8.5, to: 8.9, of: [.leftWrist]),
        ScriptedDropout(from: 14.3, to: 15.1, of: [.root, .rightAnkle]),
      ],
      jitter: ScriptedJitter(seed: seed, deviation: Meters(deviation)),
      phases: [
        ScriptedPhase(.standing, seconds: 1),
        ScriptedPhase(.high, seconds: 2),
        ScriptedPhase(.forearm, seconds: 2),
        ScriptedPhase(.forearm, seconds: 1.2, hipCentimeters: -8),
        ScriptedPhase(
          .sideLeft, seconds: 1.2, entry: ScriptedTransition(Seconds(0.8), .linear)),
        // Not from side to side at once: on straight ways the hips would meet in the middle.
        ScriptedPhase(.high, seconds: 0.8),
        ScriptedPhase(.sideRight, seconds: 1.2),
        ScriptedPhase(.sideRight, seconds: 1, hipCentimeters: -9),
        ScriptedPhase(.reverse, seconds: 1.4, hipCentimeters: 8),
        ScriptedPhase(.allFours, seconds: 1, entry: ScriptedTransition(Seconds(0))),
      ])
  }
}

enum Strategies {
  /// A step of every causal filter with its defaults, and of every window in seconds.
  static func steps(on target: SmoothingTarget) throws -> [SmoothingStep] {
    try SmoothingKind.allCases.flatMap { kind in
      var steps = [try SmoothingStep(kind, on: target)]
      if kind.alternatives.contains(.windowSeconds) {
        steps.append(try SmoothingStep(kind, [.windowSeconds: 0.3], on: target))
      }
      return steps
    }
  }

  static func smoothing(_ random: inout SplitMix64) throws -> SmoothingStrategy {
    var chain: [SmoothingStep] = []
    for target in SmoothingTarget.allCases where random.chance(0.7) {
      chain.append(random.pick(try steps(on: target)))
      if random.chance(0.3) { chain.append(random.pick(try steps(on: target))) }
    }
    return try SmoothingStrategy(chain)
  }

  /// A rule for a stream, with random numbers.
  static func rule(_ random: inout SplitMix64) throws -> StrategySettings<DebounceKind> {
    let kind = random.pick(DebounceKind.allCases)
    var values: [ParameterKey: Double] = [:]
    for parameter in kind.parameters where kind != .vote {
      values[parameter.key] =
        parameter.isInteger
        ? Double(random.integer(1...8)) : random.pick([0, 0.1, 0.25, 0.5])
    }
    if kind == .vote {
      let ballots = random.integer(1...9)
      values = [
        .ballots: Double(ballots), .votes: Double(random.integer(ballots / 2 + 1...ballots)),
      ]
    }
    return try StrategySettings(kind, values)
  }

  /// One rule per stream, and bands around some thresholds of a detector.
  static func debounce(
    _ definition: DetectorDefinition, _ random: inout SplitMix64
  ) throws -> DebounceStrategy {
    let thresholds = definition.parameters.filter { parameter in
      (definition.plank.parameterKeys + definition.form.parameterKeys).contains(parameter.key)
    }
    let bands = try thresholds.filter { _ in random.chance(0.5) }.map { parameter in
      let width = (parameter.range.upperBound - parameter.range.lowerBound) * 0.1
      return try SchmittBand(parameter.key, halfWidth: random.uniform(0.001...1) * width)
    }
    return try DebounceStrategy(plank: rule(&random), form: rule(&random), bands: bands)
  }
}

/// Random parameters within the catalogue's ranges.
enum RandomParameters {
  /// A value for every parameter of a detector; runs of up to 8 frames, holds of up to 2 s.
  static func make(
    _ definition: DetectorDefinition, _ random: inout SplitMix64
  ) throws -> ParameterValues {
    var values = definition.defaults
    for parameter in definition.parameters where random.chance(0.7) {
      try values.set(parameter.key, to: value(parameter, &random))
    }
    return values
  }

  private static func value(
    _ parameter: ParameterDefinition, _ random: inout SplitMix64
  ) -> Double {
    switch parameter.unit {
    case .frames: Double(random.integer(1...8))
    case .seconds: random.pick([0, 0.1, 0.25, 0.5, 1, 2])
    default: random.uniform(parameter.range)
    }
  }
}

/// How far apart the results for what should be the same body may be.
enum Agreement {
  /// The largest allowed difference: 1e-5 m and its like for ratios, 1e-3 degrees.
  static func tolerance(_ unit: MeasurementUnit) -> Float { unit == .degrees ? 1e-3 : 1e-5 }

  /// Expects two sets of columns to agree within tolerance, undefined values included.
  ///
  /// The roll of a trunk that points straight up has no meaning: its sine and cosine are both
  /// near zero and rounding decides. It is compared only where the body is not upright.
  ///
  /// - Parameter factor: the factor on lengths of the second body.
  static func expect(
    _ first: MeasurementColumns, _ second: MeasurementColumns, factor: Float = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for measurement in Measurement.builtIn {
      let scale = measurement.unit == .meters ? factor : 1
      let apart = (0..<first.frameCount).first { frame in
        if measurement == .trunkRoll, isUpright(first, frame) { return false }
        let left = first.value(of: measurement, at: frame)
        let right = second.value(of: measurement, at: frame).map { $0 / scale }
        return !agree(left, right, tolerance(measurement.unit))
      }
      #expect(apart == nil, "\(measurement) at this frame", sourceLocation: sourceLocation)
    }
  }

  /// Expects raw labels to differ only beside a threshold, and answers nowhere before that.
  static func expectLabels(
    _ definition: DetectorDefinition, _ first: DetectionColumns, _ second: DetectionColumns,
    _ columns: MeasurementColumns, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for stream in AnswerStream.allCases {
      let raw = zip(first[stream].raw, second[stream].raw)
      let moved = raw.enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
      for frame in moved {
        #expect(
          try isBesideThreshold(definition, stream, columns, frame),
          "\(stream) at frame \(frame)", sourceLocation: sourceLocation)
      }
      let same = moved.first ?? first[stream].raw.count
      #expect(
        first[stream].answers.prefix(same) == second[stream].answers.prefix(same),
        sourceLocation: sourceLocation)
    }
  }

  /// Whether two values are both undefined or near each other; angles may wrap around.
  private static func agree(_ left: Float?, _ right: Float?, _ limit: Float) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    let difference = abs(left - right)
    return difference <= limit || abs(difference - 360) <= limit
  }

  private static func isUpright(_ columns: MeasurementColumns, _ frame: Int) -> Bool {
    (columns.value(of: .verticalRatio, at: frame) ?? 0) > 0.9
  }

  private static func isBesideThreshold(
    _ definition: DetectorDefinition, _ stream: AnswerStream, _ columns: MeasurementColumns,
    _ frame: Int
  ) throws -> Bool {
    let traces = try definition.list(stream).trace(
      definition.defaults, columns, at: frame)
    return traces.flatMap(\.steps).contains { step in
      abs(step.margin ?? .infinity) <= tolerance(step.predicate.measurement.unit)
    }
  }
}
