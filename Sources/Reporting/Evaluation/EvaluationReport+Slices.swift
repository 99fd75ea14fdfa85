internal import Evaluation

extension EvaluationReport {
  /// Scores by subject and by tag, and by sequence where there are few; nothing for one slice.
  var sliceTables: Document {
    var document = Document()
    guard plank.slices.count > 1 || sequences.count > 1 else { return document }
    document.heading("By subject and tag")
    document.table(sliceTable)
    if sequences.count <= Self.sequenceRowLimit {
      document.heading("By sequence")
      document.table(sequenceTable)
    }
    return document
  }

  /// How many sequences are listed one by one.
  private static let sequenceRowLimit = 24

  private var sliceTable: Table {
    var table = Table([
      .words("slice"), .number("sequences"), .number("scored"), .number("plank accuracy"),
      .number("plank macro F1"), .number("form accuracy"), .number("form macro F1"), .words(""),
    ])
    for (plank, form) in zip(plank.slices, form.slices) {
      table.row([
        StyledText(plank.selector.name), StyledText("\(plank.sequenceCount)"),
        StyledText(NumberText.count(plank.view.frameCounts.scored)),
        StyledText(plank.view.metrics.accuracy.text()),
        StyledText(plank.view.metrics.f1Macro.text()),
        StyledText(form.view.metrics.accuracy.text()),
        StyledText(form.view.metrics.f1Macro.text()),
        warning("contains no evidence", !plank.noEvidence.isEmpty, !form.noEvidence.isEmpty),
      ])
    }
    return table
  }

  private var sequenceTable: Table {
    var table = Table([
      .words("sequence"), .words("subject"), .number("frames"), .number("missing"),
      .number("plank accuracy"), .number("plank determined"), .number("form accuracy"),
      .words(""),
    ])
    for row in sequences {
      table.row([
        StyledText(row.name), StyledText(row.subject ?? "-"), StyledText("\(row.frames)"),
        StyledText("\(row.missingFrames)"), StyledText(row.plank.accuracy.text()),
        StyledText(row.plank.determinedShare.percentText), StyledText(row.form.accuracy.text()),
        warning("no evidence", row.plank.isNoEvidence, row.form.isNoEvidence),
      ])
    }
    return table
  }

  /// A warning that names the streams it is about; nothing where it is about none.
  private func warning(_ text: String, _ isPlank: Bool, _ isForm: Bool) -> StyledText {
    let streams = [isPlank ? "plank" : nil, isForm ? "form" : nil].compactMap(\.self)
    return StyledText(
      streams.isEmpty ? "" : "\(text): \(streams.joined(separator: ", "))", .warning)
  }
}

extension ScoreSlice.Selector {
  fileprivate var name: String {
    switch self {
    case .subject(let subject): "subject " + (subject ?? "unknown")
    case .tag(let key, let value): "\(key) = \(value)"
    }
  }
}
