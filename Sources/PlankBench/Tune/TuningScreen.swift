internal import Evaluation
internal import PoseModel
internal import Tuning

struct TuningScreen {
  private static let warnings = 6

  let envelope: ResultEnvelope<TuningResult>

  var document: Document {
    TerminalScreen.first(
      fitting: stride(from: Self.warnings, through: 0, by: -1).lazy.map { document(warnings: $0) })
  }

  private func document(warnings: Int) -> Document {
    let result = envelope.result
    var document = Document()
    document.paragraph(StyledText(result.answer, .strong))
    document.list(
      [StyledText(result.facts(envelope.origin), .dim)] + result.decisionSentences)
    document.table(table)
    if let heldOut = result.streams.compactMap(\.validation.heldOut).first {
      document.paragraph(
        StyledText(
          "Held out: what was found without them. Intervals (95 %) are of the mean of new "
            + "\(heldOut.unit.rawValue), not of one of them.", .dim))
    }
    let all = result.noEvidenceNotes + result.streams.flatMap(\.warnings)
    let rest = all.count - min(warnings, all.count)
    document.list(
      all.prefix(warnings).map { StyledText($0, .warning) }
        + (rest > 0 ? [StyledText("and \(rest) more: --verbose", .dim)] : []))
    document.code([next] + suggest(result) + ["# everything: --verbose"])
    return document
  }

  private func suggest(_ result: TuningResult) -> [String] {
    guard !result.streams.contains(where: { $0.decision.verdict == .change })
    else { return [] }
    return ["# is a rule missing? planklab suggest DATASET --parameters FILE.json"]
  }

  private var next: String {
    envelope.result.streams.contains { $0.decision.verdict != .change && !$0.decision.isTaken }
      ? "# write it: --thresholds FILE.json; what was found: --take plank or form"
      : "# write it: --thresholds FILE.json"
  }

  private var table: Table {
    var table = Table([
      .words(""), .number("start"), .number("found"), .number("found, held out"),
      .number("change from start"),
    ])
    for stream in envelope.result.streams {
      let (objective, heldOut) = (stream.objective, stream.validation.heldOut)
      table.row([
        StyledText(stream.stream.rawValue, .strong),
        StyledText(objective.startingPoint.map { NumberText.fixed($0, 3) } ?? "n/a"),
        StyledText(NumberText.fixed(objective.found, 3)),
        StyledText(heldOut?.value.text(within: heldOut?.interval) ?? "-"),
        StyledText(heldOut?.change.text(within: heldOut?.changeInterval) ?? "-"),
      ])
    }
    return table
  }
}
