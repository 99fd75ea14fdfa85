internal import Evaluation
internal import PoseModel
internal import Statistics

extension GateReport {
  /// The canonical format: all others could be made from it.
  var json: JSONValue {
    .object([
      "schema_version": .integer(1), "gate": .string(result.name),
      "verdict": .string(result.verdict.rawValue), "exit_code": .integer(exitCode),
      "dataset": dataset.json, "candidate": .string(candidate),
      "baseline": .optional(baseline), "changes": .array(changes.map(JSONValue.string)),
      "obstacles": .array(result.obstacles.map(JSONValue.string)),
      "metrics": .object(
        Dictionary(
          result.findings.filter { $0.rule.slice == .all }.map {
            ($0.rule.key, JSONValue.optional($0.value))
          }
        ) { first, _ in first }),
      "rules": .array(result.findings.map(\.json)),
      "worse_sequences": .array(result.worseSequences.map(\.json)),
      "worse_moments": .array(result.worseMoments.map(\.json)),
    ])
  }
}

extension GateFinding {
  /// The rule and its result.
  fileprivate var json: JSONValue {
    .object([
      "name": .string(rule.name), "metric": .string(rule.key),
      "slice": rule.slice == .all ? .null : .string("\(rule.slice)"),
      "higher_is_better": .bool(rule.higherIsBetter),
      "at_least": .optional(rule.atLeast), "at_most": .optional(rule.atMost),
      "largest_drop": .optional(rule.largestDrop), "margin": .optional(rule.margin),
      "minimum_subjects": .integer(rule.minimumSubjects),
      "severity": .string(rule.severity.rawValue),
      "inconclusive": .string(rule.inconclusive.rawValue),
      "verdict": .string(verdict.rawValue), "over_limit": .bool(isOverLimit), "stops": .bool(stops),
      "warns": .bool(warns),
      "reasons": .array(reasons.map(JSONValue.string)), "value": .optional(value),
      "baseline_value": .optional(baseline), "difference": .optional(difference),
      "interval": interval?.json ?? .null, "interval_remark": .optional(intervalGap?.rawValue),
      "detectable_loss": .optional(detectableLoss),
      "subjects": .integer(subjects), "worse_subjects": .array(worse.map(\.json)),
    ])
  }
}

extension LostMoment {
  /// The stretch that was right and is wrong now.
  fileprivate var json: JSONValue {
    .object([
      "sequence": .string(sequence), "subject": .optional(subject),
      "stream": .string(stream.rawValue), "start_s": .number(start.value),
      "duration_s": .number(duration.value), "truth": .string(truth), "answer": .string(answer),
    ])
  }
}

extension SubjectDifference {
  /// The subject's numbers.
  fileprivate var json: JSONValue {
    var members = JSONValue.members(["before": before, "after": after])
    members["subject"] = .optional(subject)
    members["difference"] = .optional(difference)
    return .object(members)
  }
}

extension SequenceDifference {
  /// The sequence's wrong seconds.
  fileprivate var json: JSONValue {
    .object([
      "sequence": .string(name), "subject": .optional(subject),
      "stream": .string(stream.rawValue), "wrong_before_s": .number(before),
      "wrong_after_s": .number(after), "lost_s": .number(lost),
    ])
  }
}
