internal import Evaluation
package import ParameterTuning
internal import PoseModel

extension TuningResult {
  /// The version of the JSON face; a changed meaning or a removed key raises it.
  package static let schemaVersion = 1

  /// The whole result as JSON.
  package var json: JSONValue {
    .object([
      "schema_version": .integer(Self.schemaVersion),
      "question": .optional(question),
      "dataset": .object([
        "name": .string(data.identity.name), "hash": .string(data.identity.hash),
        "poses_hash": .string(data.identity.posesHash),
        "labels_hash": .string(data.identity.labelsHash),
        "manifest_hash": .string(data.identity.manifestHash),
        "split": .optional(data.identity.split), "sequences": .integer(data.sequences),
        "frames": .integer(data.frames),
        "no_evidence": .object(
          Dictionary(
            uniqueKeysWithValues: data.noEvidence.map { stream, names in
              (stream.rawValue, .array(names.map(JSONValue.string)))
            })),
      ]),
      "parameters": parameters.json,
      "parameter_units": parameters.unitsJSON,
      "streams": .array(streams.map(\.json)),
      "engine": .string(engine),
      "validation": .string(validation),
      "notes": .array(notes.map(JSONValue.string)),
      "provenance": .object(
        Dictionary(provenance.map { ($0.key, .string($0.value)) }) { _, last in last }),
    ])
  }
}

extension [ParameterFact] {
  /// Values by name.
  package var json: JSONValue {
    .object(Dictionary(map { ($0.key, .number($0.value)) }) { _, last in last })
  }

  /// Units by name.
  package var unitsJSON: JSONValue {
    .object(Dictionary(map { ($0.key, .string($0.unit)) }) { _, last in last })
  }
}
