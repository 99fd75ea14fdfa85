internal import Evaluation
internal import PoseDatasets
internal import Reporting

/// Prints the identity of a dataset.
package enum HashDataset {
  /// Runs the command.
  package static func run(
    _ dataset: String, format: OutputFormat, usesColor: Bool
  ) throws(WorkflowFailure) -> Outcome {
    let reader = try DatasetAccess.open(dataset)
    let identity = try DatasetAccess.failing { () throws(DatasetError) in
      try DatasetIdentities.identity(of: reader, split: nil)
    }
    let parts = [
      ("hash", identity.hash), ("poses", identity.posesHash), ("labels", identity.labelsHash),
      ("manifest", identity.manifestHash),
    ]
    let members =
      parts.map { ($0, JSONValue.string($1)) } + [
        ("name", .string(identity.name)), ("schema_version", .integer(1)),
      ]
    var table = Table([.words("part"), .words("sha-256")])
    for (name, hash) in parts { table.row([StyledText(name, .strong), StyledText(hash)]) }
    var document = Document()
    document.table(table)
    return Outcome(
      format, usesColor: usesColor, json: .object(Dictionary(uniqueKeysWithValues: members)),
      document: document)
  }
}
