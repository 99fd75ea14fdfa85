internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

extension TuningResult: CommandResult {
  static let command = "tune"
  static let schemaVersion = 4

  func document(_ origin: ResultOrigin) -> Document {
    var document = body(origin)
    document.heading("Provenance")
    document.list(origin.provenanceLines + (origin.dataset?.facts ?? []))
    return document
  }

  func page(_ origin: ResultOrigin) -> ResultPage {
    TuningPage(result: self, origin: origin).page
  }

  func body(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(answer, level: 1)
    if let question { document.paragraph(StyledText(question)) }
    document.paragraph(StyledText(facts(origin)))
    for note in noEvidenceNotes { document.paragraph(StyledText(note, .strong)) }
    for (stream, decision) in zip(streams, decisionSentences) {
      document.append(stream.document(decision))
    }
    document.heading("The whole detector")
    document.table(parameterTable)
    if !notes.isEmpty {
      document.heading("Notes")
      document.list(notes.map { StyledText($0) })
    }
    return document
  }

  func facts(_ origin: ResultOrigin) -> String {
    let split = origin.split.map { ", split \($0)" } ?? ""
    return "\(origin.datasetName)\(split): \(NumberText.count(sequences, "labeled sequence")), "
      + "\(NumberText.count(frames, "frame")). Engine: \(engine). Validation: \(validation)."
  }

  var noEvidenceNotes: [String] {
    AnswerStream.allCases.compactMap { stream in
      let names = noEvidence[stream]
      guard !names.isEmpty else { return nil }
      let shown = names.prefix(5).joined(separator: ", ")
      let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
      return
        "NO EVIDENCE for \(stream.rawValue) in \(NumberText.count(names.count, "sequence")), in which fewer than half "
        + "of the scored frames are determined: \(shown)\(rest)."
    }
  }

  private var parameterTable: Table {
    var table = Table([
      .words("parameter"), .number("start"), .number("use"), .words("unit"), .words(""),
      .words("why"),
    ])
    for setting in settings {
      table.row([
        StyledText(setting.name), StyledText(setting.start, .dim),
        StyledText(setting.value, setting.isChanged ? .strong : .plain),
        StyledText(setting.unit, .dim), StyledText(setting.word),
        StyledText(setting.why, .dim),
      ])
    }
    return table
  }
}
