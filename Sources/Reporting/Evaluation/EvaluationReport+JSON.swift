package import Evaluation
internal import PoseModel

extension EvaluationReport {
  /// The version of the JSON face; a changed meaning or a removed key raises it.
  package static let schemaVersion = 1

  /// The whole report as JSON: the face that every other one could be made from.
  package var json: JSONValue {
    .object([
      "schema_version": .integer(Self.schemaVersion),
      "dataset": dataset.json,
      "detector": detector.json,
      "plank": plank.json,
      "form": form.json,
      "stability": .object([
        "plank": plank.view.stability.json, "form": form.view.stability.json,
      ]),
      "temporal": temporalJSON,
      "sequences": .array(sequences.map(\.json)),
      "jitter": jitter.json,
      "timing": timing?.json ?? .null,
      "device_comparison": deviceComparison?.json ?? .null,
      "annotator_agreement": annotatorAgreement?.json ?? .null,
      "metric_definitions": Self.metricDefinitions,
      "notes": .array(notes.map(JSONValue.string)),
      "provenance": .object(
        Dictionary(provenance.map { ($0.key, .string($0.value)) }) { _, last in last }),
    ])
  }

  /// Events, latencies and the timer; every class and rule where that was asked for.
  private var temporalJSON: JSONValue {
    func part(_ report: StreamReport) -> JSONValue {
      var members = report.view.temporal.json
      if isVerbose {
        members["details"] = report.view.temporal.details
        members["dwells"] = report.view.stability.dwellJSON(report.labels)
      }
      return .object(members)
    }
    return .object([
      "plank": part(plank), "form": part(form),
      "session": .object(plank.view.temporal.sessionJSON),
    ])
  }

  /// Unit and direction of every metric, by its full name.
  private static var metricDefinitions: JSONValue {
    var members: [String: JSONValue] = [:]
    for metric in Metric.allCases {
      members[metric.rawValue] = .object([
        "unit": .string(metric.unit), "higher_is_better": .bool(metric.higherIsBetter),
        "per_class": .bool(metric.isPerClass),
      ])
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
      "sequences": .integer(sequenceCount), "subjects": .integer(subjects.count),
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
      return .object(members)
    }
    return .object([
      "name": .string(name), "subject": .optional(subject), "frames": .integer(frames),
      "missing_frames": .integer(missingFrames), "frame_weight_s": .number(frameWeight.value),
      "plank": stream(plank), "form": stream(form),
    ])
  }
}
