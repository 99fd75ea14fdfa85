internal import Evaluation

extension ScoreView {
  /// The view's matrices, shares, metrics and classes.
  var json: [String: JSONValue] {
    [
      "labels": .array(confusion.labels.map(JSONValue.string)),
      "confusion": .array(confusion.rows.map { .array($0.map(JSONValue.integer)) }),
      "confusion_seconds": .array(
        confusionSeconds.rows.map { .array($0.map(JSONValue.number)) }),
      "determined": determinedJSON,
      "metrics": metrics.overall.json,
      "metrics_remarks": metrics.overall.remarks,
      "metrics_determined": metricsDetermined.overall.json,
      "metrics_determined_remarks": metricsDetermined.overall.remarks,
      "per_class": perClass(metrics),
      "per_class_determined": perClass(metricsDetermined),
      "scored_frames": .integer(frameCounts.scored),
    ]
  }

  private var determinedJSON: JSONValue {
    func shares(_ share: DeterminedShare) -> JSONValue {
      let byLabel = Dictionary(uniqueKeysWithValues: zip(confusion.labels, share.perClass))
      let reasons = JSONValue.members(byLabel.merging(["overall": share.overall]) { $1 })
      return .object([
        "overall": share.overall.json, "per_class": .object(byLabel.mapValues(\.json)),
        "remarks": reasons["remarks"] ?? .object([:]),
      ])
    }
    var members = JSONValue.members(["share": determinedFrames.overall])
    members["frames"] = .integer(frameCounts.scoredDetermined)
    members["by_frames"] = shares(determinedFrames)
    members["by_seconds"] = shares(determinedSeconds)
    return .object(members)
  }

  private func perClass(_ metrics: ClassificationMetrics) -> JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: metrics.perClass.map { scores in
          var members = JSONValue.members([
            "precision": scores.precision, "recall": scores.recall, "f1": scores.f1,
          ])
          members["support_seconds"] = .number(scores.support)
          return (scores.label, .object(members))
        }))
  }
}

extension StabilityMetrics {
  /// Rates a minute with the counts behind them.
  var json: JSONValue {
    guard case .object(var members) = results.json else { return .null }
    members["evaluated_seconds"] = .number(counts.evaluatedSeconds)
    members["predicted_transitions"] = .integer(counts.predictedTransitions)
    members["true_transitions"] = .integer(counts.trueTransitions)
    members["false_transitions"] = .integer(counts.falseTransitions)
    members["flickers"] = .integer(counts.flickers)
    members["remarks"] = results.remarks
    return .object(members)
  }
}
