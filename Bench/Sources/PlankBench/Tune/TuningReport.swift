internal import Evaluation
internal import ParameterTuning
internal import PoseModel

extension TuningResult {
  /// The result for people: what to use, how far to trust it, and what to beware of.
  var document: Document {
    var document = Document()
    document.heading(question ?? "Tuning on \(data.name)", level: 1)
    document.paragraph(StyledText(sentence))
    for note in noEvidence { document.paragraph(StyledText(note, .strong)) }
    for stream in streams { document.append(stream.document) }
    document.heading("The whole detector")
    document.table(parameterTable)
    if !notes.isEmpty {
      document.heading("Notes")
      document.list(notes.map { StyledText($0) })
    }
    document.heading("Provenance")
    document.list(provenance.map { StyledText("\($0.key): \($0.value)", .dim) })
    return document
  }

  private var sentence: String {
    let split = data.identities.first?.split.map { ", split \($0)" } ?? ""
    return "\(data.name)\(split): \(NumberText.count(data.sequences, "labeled sequence")), "
      + "\(NumberText.count(data.frames, "frame")). Engine: \(engine). Validation: \(validation)."
  }

  private var noEvidence: [String] {
    AnswerStream.allCases.compactMap { stream in
      guard let names = data.noEvidence[stream], !names.isEmpty else { return nil }
      let shown = names.prefix(5).joined(separator: ", ")
      let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
      return
        "NO EVIDENCE for \(stream.rawValue) in \(NumberText.count(names.count, "sequence")), in which fewer than half "
        + "of the scored frames are determined: \(shown)\(rest)."
    }
  }

  private var parameterTable: Table {
    var table = Table([.words("parameter"), .number("value"), .number("default"), .words("unit")])
    for fact in parameters {
      let isChanged = fact.value != fact.defaultValue
      table.row([
        StyledText(fact.key),
        StyledText(NumberText.short(fact.value), isChanged ? .strong : .plain),
        StyledText(NumberText.short(fact.defaultValue), .dim), StyledText(fact.unit, .dim),
      ])
    }
    return table
  }
}

extension TuningResult {
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  static let schemaVersion = 2

  /// The whole result as JSON.
  var json: JSONValue {
    .object([
      "schema_version": .integer(Self.schemaVersion),
      "question": .optional(question),
      "datasets": .array(data.identities.map(\.tuningJSON)),
      "sequences": .integer(data.sequences), "frames": .integer(data.frames),
      "no_evidence": .object(
        Dictionary(
          uniqueKeysWithValues: data.noEvidence.map { stream, names in
            (stream.rawValue, .array(names.map(JSONValue.string)))
          })),
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

extension DatasetIdentity {
  /// Name, hashes and split.
  fileprivate var tuningJSON: JSONValue {
    .object([
      "name": .string(name), "hash": .string(hash), "poses_hash": .string(posesHash),
      "labels_hash": .string(labelsHash), "manifest_hash": .string(manifestHash),
      "split": .optional(split),
    ])
  }
}

extension [ParameterFact] {
  /// Values by name.
  var json: JSONValue {
    .object(Dictionary(map { ($0.key, .number($0.value)) }) { _, last in last })
  }

  /// Units by name.
  var unitsJSON: JSONValue {
    .object(Dictionary(map { ($0.key, .string($0.unit)) }) { _, last in last })
  }
}
