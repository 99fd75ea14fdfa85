internal import Evaluation
package import ParameterTuning
internal import PoseModel

extension TuningResult {
  /// The result for people: what to use, how far to trust it, what to beware of.
  package var document: Document {
    var document = Document()
    document.heading(question ?? "Tuning on \(data.identity.name)", level: 1)
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
    let split = data.identity.split.map { ", split \($0)" } ?? ""
    return "\(data.identity.name)\(split): \(data.sequences) labeled sequences, "
      + "\(NumberText.count(data.frames)) frames. Engine: \(engine). Validation: \(validation)."
  }

  private var noEvidence: [String] {
    AnswerStream.allCases.compactMap { stream in
      guard let names = data.noEvidence[stream], !names.isEmpty else { return nil }
      let shown = names.prefix(5).joined(separator: ", ")
      let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
      return "NO EVIDENCE for \(stream.rawValue) in \(names.count) sequences, in which under half "
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

extension NumberText {
  /// A number to six significant decimals, without needless zeros.
  static func short(_ value: Double) -> String {
    var text = fixed(value, 6)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
