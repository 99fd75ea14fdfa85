internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reporting

extension MomentExplanation {
  /// The explanation for programs.
  var json: JSONValue {
    var streams: [String: JSONValue] = [:]
    for stream in AnswerStream.allCases {
      streams[stream.rawValue] = .object([
        "truth": .string(truth(stream)), "raw": .optional(rawLabel(stream)),
        "answer": .string(answer(stream)), "rules": .array(traces(stream).map(\.json)),
        "debounce": .string(debounceSentence(stream)),
      ])
    }
    let measurements = Measurement.allCases.map { measurement in
      (
        measurement.name,
        JSONValue.optional(columns.value(of: measurement, at: frame).map(Double.init))
      )
    }
    return .object([
      "schema_version": .integer(1), "sequence": .string(context.sequence.name),
      "frame": .integer(frame), "time_s": .number(time),
      "detector": .string(detector.definition.name),
      "is_missing": .bool(recording.isMissing(at: frame)), "streams": .object(streams),
      "grade": .optional(grade?.rawValue),
      "measurements": .object(Dictionary(uniqueKeysWithValues: measurements)),
    ])
  }
}

extension RuleTrace {
  fileprivate var json: JSONValue {
    .object([
      "label": .string(label), "decides": .bool(decides), "holds": .bool(holds),
      "conditions": .array(
        steps.map { step in
          .object([
            "predicate": .string("\(step.predicate)"),
            "value": .optional(step.value.map(Double.init)),
            "threshold": .number(Double(step.threshold)),
            "margin": .optional(step.margin.map(Double.init)), "holds": .bool(step.holds),
          ])
        }),
    ])
  }
}
