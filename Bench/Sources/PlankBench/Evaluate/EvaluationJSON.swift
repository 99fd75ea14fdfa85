internal import Evaluation
@_spi(Bench) internal import PoseModel

extension EvaluationReport {
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  static let schemaVersion = 1

  /// The whole report as JSON: the format from which every other one could be made.
  var json: JSONValue {
    .object([
      "schema_version": .integer(Self.schemaVersion),
      "metrics": metrics.json, "metrics_remarks": metrics.remarks,
      "verdict": EvaluationVerdict(self).json,
      "dataset": dataset.json,
      "detector": detector.json,
      "plank": plank.json,
      "form": form.json,
      "stability": .object([
        "plank": plank.view.stabilityJSON, "form": form.view.stabilityJSON,
      ]),
      "temporal": temporalJSON,
      "sequences": .array(sequences.map(\.json)),
      "jitter": jitter.json(isAnswered: isUnlabeled),
      "timing": timing?.json ?? .null,
      "device_comparison": deviceComparison?.json ?? .null,
      "annotator_agreement": annotatorAgreement?.json ?? .null,
      "metric_definitions": Self.metricDefinitions,
      "flicker": flicker.json,
      "notes": .array((cautions + notes).map(JSONValue.string)),
      "provenance": .object(
        Dictionary(provenance.map { ($0.key, .string($0.value)) }) { _, last in last }),
    ])
  }

  /// Every metric of the catalogue.
  private var metrics: [MetricKey: MetricValue] {
    Dictionary(uniqueKeysWithValues: MetricKey.all.map { ($0, self[$0.stream].view.value($0)) })
  }

  /// Events, latencies and the timer; every class and rule if asked for.
  private var temporalJSON: JSONValue {
    func part(_ report: StreamReport) -> JSONValue {
      var members = report.view.overTimeJSON
      if isVerbose {
        members["details"] = report.view.temporal.details
        members["dwells"] = report.view.pool.dwells.json(report.labels)
      }
      return .object(members)
    }
    return .object([
      "plank": part(plank), "form": part(form),
      "session": .object(plank.view.sessionJSON),
    ])
  }

  /// Unit and direction of every metric, by its full name.
  private static var metricDefinitions: JSONValue {
    var members: [String: JSONValue] = [:]
    for metric in Metric.all {
      var definition: [String: JSONValue] = [
        "unit": .string(metric.unit), "higher_is_better": .bool(metric.higherIsBetter),
        "per_class": .bool(metric.scope == .perClass), "meaning": .string(metric.meaning),
        "least": .number(metric.range.lowerBound), "tunable": .bool(metric.isTunable),
      ]
      if metric.range.upperBound.isFinite {
        definition["greatest"] = .number(metric.range.upperBound)
      }
      members[metric.name] = .object(definition)
    }
    return .object(members)
  }
}

extension DatasetFacts {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(identity.name), "hash": .string(identity.hash),
      "poses_hash": .string(identity.posesHash), "labels_hash": .string(identity.labelsHash),
      "manifest_hash": .string(identity.manifestHash), "split": .optional(identity.split),
      "parts": .array(identity.parts.map(\.json)),
      "sources": .array(sources.map(JSONValue.string)), "sequences": .integer(sequenceCount),
      "subjects": .integer(subjects.count),
      "subject_names": .array(subjects.map(JSONValue.string)),
      "frames": .integer(counts.frames), "scored_frames": .integer(counts.scored),
      "missing_frames": .integer(counts.missing),
      "undetermined_frames": .integer(counts.undetermined),
      "held_frames": .integer(counts.held), "ignored_frames": .integer(counts.ignored),
      "unlabeled_frames": .integer(counts.unlabeled),
    ])
  }
}

extension DetectorFacts {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(name), "description": .string(description),
      "rules": .object(
        Dictionary(
          uniqueKeysWithValues: AnswerStream.allCases.map {
            ($0.rawValue, .array(rules($0).map(JSONValue.string)))
          })),
      "parameters": .object(
        Dictionary(parameters.map { ($0.key, .number($0.value)) }) { _, last in last }),
      "parameter_units": .object(
        Dictionary(parameters.map { ($0.key, .string($0.unit)) }) { _, last in last }),
    ])
  }
}

extension SequenceRow {
  fileprivate var json: JSONValue {
    func stream(_ row: Stream) -> JSONValue {
      var members = JSONValue.members([
        "determined_share": row.determinedShare, "accuracy": row.accuracy,
      ])
      members["scored_frames"] = .integer(row.scoredFrames)
      members["no_evidence"] = .bool(row.isNoEvidence)
      members["confusion"] = row.confusion.json
      return .object(members)
    }
    return .object([
      "name": .string(name), "subject": .optional(subject), "source": .optional(source),
      "frames": .integer(frames), "missing_frames": .integer(missingFrames),
      "frame_weight_s": .number(frameWeight.value),
      "plank": stream(plank), "form": stream(form),
    ])
  }
}

extension ConfusionMatrix where Count == Int {
  /// The rows as lists of frames.
  fileprivate var json: JSONValue { .array(rows.map { .array($0.map(JSONValue.integer)) }) }
}

extension StreamReport {
  /// The stream's section of the report.
  var json: JSONValue {
    var members = view.json
    members["no_evidence"] = .array(noEvidence.map(JSONValue.string))
    members["worst_moments"] = .array(worstMoments.map(\.json))
    members["slices"] = .array(slices.full.map(\.json))
    members["slices_summarized"] = .array(slices.summaries.map(\.json))
    if let uncertainty { members["intervals"] = uncertainty.json }
    if let endToEnd { members["end_to_end"] = .object(endToEnd.json) }
    return .object(members)
  }
}

extension ScoreSlice {
  /// What the slice's sequences share, and their scores.
  var json: JSONValue {
    var members = view.json
    members["by"] = .string(key.jsonName)
    members["value"] = .optional(value)
    members["sequences"] = .integer(sequenceCount)
    members["no_evidence"] = .array(noEvidence.map(JSONValue.string))
    members["stability"] = view.stabilityJSON
    members["temporal"] = .object(view.overTimeJSON)
    return .object(members)
  }
}

extension SliceSummary {
  /// How many values a key has besides the listed ones, and how accurate they are.
  fileprivate var json: JSONValue {
    .object([
      "by": .string(key.jsonName), "values": .integer(valueCount),
      "sequences": .integer(sequenceCount), "scored_frames": .integer(scoredFrames),
      "least_accuracy": .number(accuracy.lowerBound),
      "median_accuracy": .number(medianAccuracy),
      "greatest_accuracy": .number(accuracy.upperBound),
    ])
  }
}

extension SliceKey {
  fileprivate var jsonName: String {
    switch self {
    case .source: "source"
    case .subject: "subject"
    case .tag(let tag): "tag:" + tag
    }
  }
}

extension WorstMoment {
  /// The moment with the nearest threshold.
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

extension ScoreView {
  /// The view's matrices, shares, metrics and classes.
  var json: [String: JSONValue] {
    [
      "labels": .array(confusion.labels.map(JSONValue.string)),
      "confusion": confusion.json,
      "confusion_seconds": .array(
        confusionSeconds.rows.map { .array($0.map(JSONValue.number)) }),
      "determined": determinedJSON,
      "metrics": .object(results(.classification).json),
      "metrics_remarks": results(.classification).remarks,
      "metrics_determined": .object(results(.classification, determined: true).json),
      "metrics_determined_remarks": results(.classification, determined: true).remarks,
      "per_class": perClass(confusionSeconds),
      "per_class_determined": perClass(pool.determinedSeconds, determined: true),
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

  private func perClass(
    _ matrix: ConfusionMatrix<Double>, determined: Bool = false
  ) -> JSONValue {
    let results = results(.classification, .perClass, determined: determined)
    return .object(
      Dictionary(
        uniqueKeysWithValues: matrix.labels.enumerated().map { code, label in
          let own = results.filter { $0.key.label == label }
          var members = JSONValue.members(
            Dictionary(uniqueKeysWithValues: own.map { ($0.key.metric.name, $0.value) }))
          members["support_seconds"] = .number(matrix.truthTotal(code))
          return (label, .object(members))
        }))
  }
}

extension ScoreView {
  /// Rates per minute with the counts behind them.
  var stabilityJSON: JSONValue {
    var members = results(.stability).json
    members["evaluated_seconds"] = .number(stability.evaluatedSeconds)
    members["predicted_transitions"] = .integer(stability.predictedTransitions)
    members["true_transitions"] = .integer(stability.trueTransitions)
    members["false_transitions"] = .integer(stability.falseTransitions)
    members["flickers"] = .integer(stability.flickers)
    members["remarks"] = results(.stability).remarks
    return .object(members)
  }
}
