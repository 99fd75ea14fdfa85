package import PoseDatasets
internal import PoseModel

package struct DatasetSummary {
  private let path: String
  private let manifest: DatasetManifest
  private let sequences: [SequenceSummary]

  package init(of reader: DatasetReader, _ sequences: [SequenceSummary]) {
    path = reader.manifestPath
    manifest = reader.manifest
    self.sequences = sequences
  }

  package var document: Document {
    var document = Document()
    document.heading(manifest.name ?? path, level: 1)
    let frames = sequences.reduce(0) { $0 + $1.sequence.recording.frameCount }
    let subjects = Set(sequences.compactMap(\.sequence.subject)).count
    let labeled = sequences.count { $0.sequence.labels != nil }
    document.paragraph(
      NumberText.count(sequences.count, "sequence") + " of "
        + (subjects > 0 ? NumberText.count(subjects, "subject") : "unnamed subjects") + ", "
        + NumberText.count(frames, "frame") + "; "
        + (labeled == sequences.count
          ? "all labeled." : "\(labeled) labeled; to label more, use " + "`planklab label`."))
    document.paragraph(manifest.description ?? "")
    var table = Table([
      .words("sequence"), .words("subject"), .number("frames"), .number("seconds"),
      .number("Hz"), .number("missing"), .words("axes"), .words("held"), .words("labels"),
    ])
    for summary in sequences { table.row(summary.row) }
    document.table(table)
    return document
  }
}

extension DatasetSummary: Encodable {
  private enum CodingKeys: CodingKey { case name, sequences }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(manifest.name, forKey: .name)
    try container.encode(sequences, forKey: .sequences)
  }
}
