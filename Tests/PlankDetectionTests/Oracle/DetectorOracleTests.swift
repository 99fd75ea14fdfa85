import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Detector against the oracle") struct DetectorOracleTests {
  /// A random recording that is not in pelvis axes, a random detector, and how it starts.
  private func draw(
    _ seed: UInt64, frames: Int = 100
  ) throws -> (OracleRecording, OracleDetector, startsMid: Bool) {
    var generator = OracleGenerator(seed: seed)
    let isBuiltIn = generator.random.chance(0.3)
    let detector = isBuiltIn ? generator.builtInVariant() : generator.detector()
    let hold = detector.value("hold_seconds")
    while true {
      let text = generator.recordingText(frames: frames, holdSeconds: hold)
      let recording = try OracleRecording(text: text)
      if recording.header.frame != "pelvis" {
        return (recording.withoutLoneForearms, detector, generator.random.chance(0.3))
      }
    }
  }

  @Test(
    "Raw labels and debounced answers are the oracle's, whatever the rules",
    arguments: Draws.seeds(250 as UInt64))
  func answers(seed: UInt64) throws {
    let (oracle, detector, startsMid) = try draw(seed)
    let expected = OracleReplay.run(oracle, detector, startsMid: startsMid)
    let (definition, parameters) = try detector.production()
    let recording = try oracle.production()
    let answers = try Replay.stream(recording, definition, parameters, startsMid: startsMid)
    #expect(answers.map { $0.rawPlank?.name } == expected.map(\.plankRaw))
    #expect(answers.map { $0.rawForm?.name } == expected.map(\.formRaw))
    #expect(answers.map(\.plank.name) == expected.map(\.plank))
    #expect(answers.map(\.form.name) == expected.map(\.form))
    #expect(answers.map { $0.grade?.rawValue } == expected.map(\.grade))
  }

  @Test(
    "Measurements are the oracle's, to the last bit of the Float",
    arguments: Draws.seeds(100 as UInt64))
  func measurements(seed: UInt64) throws {
    let (oracle, _, _) = try draw(seed, frames: 60)
    let recording = try oracle.production()
    for axes in OracleAxes.allCases {
      let reading = try #require(AxisReading(rawValue: axes.rawValue))
      let columns = Replay.measure(recording, reading)
      let expected = oracle.frames.map { OracleMeasurements($0, axes: axes) }
      for measurement in Measurement.builtIn {
        let values = expected.indices.map { columns.value(of: measurement, at: $0) }
        #expect(values == expected.map { $0[measurement.name] }, "\(measurement)")
        #expect(
          expected.indices.map { columns.measured(measurement, at: $0) == .missing }
            == expected.map { $0.missing.contains(measurement.name) }, "\(measurement)")
      }
    }
  }
}

extension OracleDetector {
  /// The production detector with the same rules, and its parameters.
  func production() throws -> (DetectorDefinition, ParameterValues) {
    let axes = try #require(AxisReading(rawValue: axes.rawValue))
    let plankList = try list(.plank, plank)
    let formList = try list(.form, form)
    let definition = try DetectorDefinition(
      name: name, summary: "", axes: axes, plank: plankList, form: formList,
      custom: try customParameters())
    var values = definition.defaults
    for parameter in definition.parameters where parameters[parameter.key.rawValue] != nil {
      try values.set(parameter.key, to: value(parameter.key.rawValue))
    }
    return (definition, values)
  }

  private func list(_ stream: AnswerStream, _ rules: [OracleRule]) throws -> DecisionList {
    try DecisionList(
      stream,
      try rules.map { rule in
        Rule(
          try #require(AnswerLabel(stream, name: rule.label)),
          when: try rule.predicates.map { predicate in
            Predicate(
              try #require(Measurement.builtIn(named: predicate.measurement)),
              try #require(Comparison(rawValue: predicate.operation)),
              ParameterKey(predicate.key), negated: predicate.isNegated)
          })
      })
  }

  /// Definitions of the keys that are not built in, wide enough for every value.
  private func customParameters() throws -> [ParameterDefinition] {
    var definitions: [String: ParameterDefinition] = [:]
    for predicate in (plank + form).flatMap(\.predicates)
    where ParameterCatalogue.definition(of: ParameterKey(predicate.key)) == nil {
      let measurement = try #require(Measurement.builtIn(named: predicate.measurement))
      definitions[predicate.key] = try ParameterDefinition(
        ParameterKey(predicate.key), unit: measurement.unit, default: 0, range: -1000...1000,
        meaning: "drawn at random")
    }
    return definitions.keys.sorted().compactMap { definitions[$0] }
  }
}

extension OracleRecording {
  /// The same recording without elbow and wrist where that side's shoulder is missing.
  ///
  /// The oracle takes "a mean over both arms needs both" for whole arms and calls
  /// forearmVerticality missing without a shoulder; by the contract's formula it needs elbow
  /// and wrist alone, which `MeasuredValueTests` holds. All else is compared as it is.
  var withoutLoneForearms: OracleRecording {
    var result = self
    for index in frames.indices {
      for side in ["left", "right"] where frames[index].joints[side + "Shoulder"] == nil {
        result.frames[index].joints[side + "Elbow"] = nil
        result.frames[index].joints[side + "Wrist"] = nil
      }
    }
    return result
  }

  /// The production recording with the oracle's poses.
  ///
  /// The oracle has unmirrored and turned them already, so this proves nothing about reading.
  /// Only for recordings that are not in pelvis axes: turned positions are not `Float`s.
  func production() throws -> Recording {
    var production = RecordingHeader(
      skeleton: .vision3d, joints: Skeleton.vision3d.joints,
      frame: header.frame == "world" ? .world : .camera)
    production.orientation = header.orientation.flatMap { DeviceOrientation(rawValue: $0) }
    var recording = Recording(header: production)
    for pose in frames {
      let positions = production.joints.flatMap { joint -> [Float] in
        guard let p = pose.joints[joint.name] else { return [.nan, .nan, .nan] }
        return [Float(p.x), Float(p.y), Float(p.z)]
      }
      let up = pose.up.map { Vector3($0.x, $0.y, $0.z) }
      recording.append(
        time: Seconds(pose.time), pose: pose.isMissing ? nil : positions,
        extras: FrameExtras(up: up, bodyHeight: pose.height.map { Meters($0) }))
    }
    return recording
  }
}
