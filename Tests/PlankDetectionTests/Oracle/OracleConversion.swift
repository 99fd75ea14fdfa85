import PlankDetection
import PoseModel
import TestSupport
import Testing

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
