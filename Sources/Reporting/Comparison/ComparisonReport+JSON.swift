internal import Evaluation
internal import PoseModel
internal import Statistics

extension ComparisonReport {
  /// The comparison as JSON.
  package var json: JSONValue {
    .object([
      "schema_version": .integer(1), "dataset": dataset.json, "reference": .string(reference),
      "comparisons": .array(
        pairs.map { pair in
          .object([
            "name": .string(pair.name),
            "metrics": .array(pair.comparison.metrics.map(\.json)),
            "sequences": .array(pair.comparison.sequences.map(\.json)),
          ])
        }),
    ])
  }
}

extension DatasetIdentity {
  /// Name and hashes.
  var json: JSONValue {
    .object([
      "name": .string(name), "hash": .string(hash), "poses_hash": .string(posesHash),
      "labels_hash": .string(labelsHash), "manifest_hash": .string(manifestHash),
      "split": .optional(split),
    ])
  }
}

extension MetricComparison {
  /// The metric with both sides, their difference and what it rests on.
  var json: JSONValue {
    let record = record
    var members = JSONValue.members(["before": before, "after": after])
    members["metric"] = .string("\(key)")
    members["unit"] = .string(key.metric.unit)
    members["higher_is_better"] = .bool(key.metric.higherIsBetter)
    members["difference"] = .optional(difference)
    members["interval"] = intervals.json
    members["p_sign_flip"] = .optional(signFlip?.probability)
    members["p_sign_flip_smallest"] = .optional(signFlip?.smallestProbability)
    members["p_sign_flip_holm"] = .optional(adjustedProbability)
    members["p_cluster_t_holm"] = .optional(adjustedT)
    members["detectable_difference"] = .optional(detectableDifference)
    members["wins"] = .integer(record.wins)
    members["ties"] = .integer(record.ties)
    members["losses"] = .integer(record.losses)
    members["verdict"] = .string(verdict.rawValue)
    members["subjects"] = .array(subjects.map(\.json))
    return .object(members)
  }
}

extension SubjectDifference {
  /// The subject's numbers.
  var json: JSONValue {
    var members = JSONValue.members(["before": before, "after": after])
    members["subject"] = .optional(subject)
    members["difference"] = .optional(difference)
    return .object(members)
  }
}

extension SequenceDifference {
  /// The sequence's wrong seconds.
  var json: JSONValue {
    .object([
      "sequence": .string(name), "subject": .optional(subject),
      "stream": .string(stream.rawValue), "wrong_before_s": .number(before),
      "wrong_after_s": .number(after), "lost_s": .number(lost),
    ])
  }
}
