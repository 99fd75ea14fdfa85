internal import PoseDatasets
internal import PoseModel
internal import Reporting

/// Shows what a dataset, or one sequence of it, holds.
package enum ShowDataset {
  /// Runs the command.
  package static func run(
    _ dataset: String, sequence: String?, format: OutputFormat, usesColor: Bool
  ) throws(WorkflowFailure) -> Outcome {
    let reader = try DatasetAccess.open(dataset)
    let entries = try chosen(reader, sequence)
    var summaries: [SequenceSummary] = []
    for entry in entries {
      let loaded = try DatasetAccess.load(entry, from: reader)
      summaries.append(SequenceSummary(loaded))
    }
    return Outcome(
      format, usesColor: usesColor,
      json: .object([
        "schema_version": .integer(1), "name": .optional(reader.manifest.name),
        "sequences": .array(summaries.map(\.json)),
      ]),
      document: sequence == nil
        ? overview(reader, summaries) : summaries.first?.document ?? Document())
  }

  /// The sequences that a name means: all without one; folders before the name may be left out.
  static func chosen(
    _ reader: DatasetReader, _ name: String?
  ) throws(WorkflowFailure) -> [SequenceEntry] {
    guard let name else { return reader.manifest.sequences }
    let entries = reader.manifest.sequences
    let short = entries.filter { $0.name.hasSuffix("/" + name) }
    guard
      let entry = entries.first(where: { $0.name == name }) ?? (short.count == 1 ? short[0] : nil)
    else {
      let names = reader.manifest.sequences.prefix(20).map(\.name).joined(separator: ", ")
      throw WorkflowFailure(
        .usage, "no sequence `\(name)` in \(reader.manifestPath); sequences are \(names)")
    }
    return [entry]
  }

  private static func overview(
    _ reader: DatasetReader, _ summaries: [SequenceSummary]
  ) -> Document {
    var document = Document()
    document.heading(reader.manifest.name ?? reader.manifestPath, level: 1)
    document.paragraph(StyledText(reader.manifest.description ?? ""))
    var table = Table([
      .words("sequence"), .words("subject"), .number("frames"), .number("seconds"),
      .number("Hz"), .number("missing"), .words("axes"), .words("held"), .words("labels"),
    ])
    for summary in summaries { table.row(summary.row) }
    document.table(table)
    let frames = summaries.reduce(0) { $0 + $1.sequence.recording.frameCount }
    let subjects = Set(summaries.compactMap(\.sequence.subject)).count
    document.paragraph(
      StyledText(
        "\(summaries.count) sequences, \(subjects) subjects, \(NumberText.count(frames)) frames."))
    return document
  }
}
