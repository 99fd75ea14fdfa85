internal import Evaluation
internal import PoseModel

extension StreamReport {
  /// The stream's part of the report.
  var json: JSONValue {
    var members = view.json
    members["no_evidence"] = .array(noEvidence.map(JSONValue.string))
    members["worst_moments"] = .array(worstMoments.map(\.json))
    members["slices"] = .array(slices.map(\.json))
    if let uncertainty { members["intervals"] = uncertainty.json }
    if let endToEnd { members["end_to_end"] = .object(endToEnd.json) }
    return .object(members)
  }
}

extension ScoreSlice {
  /// What the slice's sequences share, and their scores.
  var json: JSONValue {
    var members = view.json
    switch selector {
    case .subject(let subject):
      members["by"] = .string("subject")
      members["value"] = .optional(subject)
    case .tag(let key, let value):
      members["by"] = .string("tag:" + key)
      members["value"] = .string(value)
    }
    members["sequences"] = .integer(sequenceCount)
    members["no_evidence"] = .array(noEvidence.map(JSONValue.string))
    members["stability"] = view.stability.json
    members["temporal"] = .object(view.temporal.json)
    return .object(members)
  }
}

extension WorstMoment {
  /// The moment with the threshold that was nearest.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "sequence": .string(sequence), "start_s": .number(start.value),
      "duration_s": .number(duration.value), "frames": .integer(frameCount),
      "truth": .string(truth), "answer": .string(answer), "frame": .integer(frame),
      "frame_time_s": .number(frameTime.value), "nearest_threshold": .null,
    ]
    if let nearest = nearestThreshold {
      members["nearest_threshold"] = .object([
        "predicate": .string(nearest.text), "margin": .number(nearest.margin),
        "unit": .string(nearest.unit),
      ])
    }
    return .object(members)
  }
}
