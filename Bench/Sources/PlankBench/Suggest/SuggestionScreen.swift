internal import ParameterTuning
internal import PoseModel

/// What `suggest` prints unless asked for more: what to do, why to believe it, and what speaks
/// against it.
struct SuggestionScreen {
  private let result: SuggestionResult

  init(_ result: SuggestionResult) { self.result = result }

  /// The screen.
  var document: Document {
    var document = Document()
    for edit in result.suggested {
      document.paragraph(StyledText(EditText(edit).summary + ".", .good))
      document.list(Self.facts(edit, result))
    }
    if let last = result.refused {
      document.paragraph(StyledText(refusal(last), result.suggested.isEmpty ? .strong : .plain))
    } else if result.edits.isEmpty {
      document.paragraph(
        StyledText("Keep `\(result.detector)`: no single change makes it better.", .strong))
    }
    document.list(remaining)
    return document
  }

  /// Why the last edit is not suggested.
  private func refusal(_ edit: SuggestedEdit) -> String {
    let tried = "The best found: \(EditText(edit).summary). \(EditText(edit).evidence)"
    let start =
      result.suggested.isEmpty ? "Keep `\(result.detector)`: " : "Make no further change: "
    switch edit.verdict {
    case .tooFewPeople:
      return "Record more people: \(NumberText.people(result.people)) cannot tell whether a change "
        + "holds; \(SuggestionResult.enoughPeople) can. " + tried
    case .onePerson: return start + "the best change was seen in one person only. " + tried
    case .unconfirmed, .sure, .suggested:
      let power =
        result.people < SuggestionResult.enoughPeople
        ? " With \(NumberText.people(result.people)) even a real fault is often missed; record "
          + "\(SuggestionResult.enoughPeople)." : ""
      return start + "no change holds on people left out.\(power) " + tried
    }
  }

  /// The errors that are left, as a list.
  private var remaining: [StyledText] {
    result.remaining.map { error in
      let most =
        error.people > 1 && error.share >= 0.5
        ? "; most of it is `\(error.person)`" : ""
      let undecided =
        error.undecided >= 0.5
        ? "; in \(NumberText.wholePercent(error.undecided)) of it a joint is missing, which no rule "
          + "can mend" : ""
      return StyledText(
        "Remains: `\(error.truth)` answered `\(error.answer)` costs "
          + "\(NumberText.fixed(100 * error.cost, 1)) points, in "
          + "\(error.people) of \(NumberText.people(result.people))\(most)\(undecided).",
        .dim)
    }
  }

  /// What speaks for and against an edit; a class that loses comes first.
  static func facts(_ edit: SuggestedEdit, _ result: SuggestionResult) -> [StyledText] {
    let text = EditText(edit)
    let sure =
      switch edit.verdict {
      case .sure: "Sure"
      case .suggested: "Likely"
      case .unconfirmed, .tooFewPeople, .onePerson: "Not suggested"
      }
    var facts = lost(edit)
    facts.append(StyledText("\(sure): \(text.evidence)"))
    if !text.ranges.isEmpty { facts.append(StyledText(text.ranges)) }
    facts.append(StyledText(mended(edit)))
    facts += elsewhere(edit)
    let gain = edit.debounced.gain
    facts.append(
      StyledText(
        "With smoothing and debounce: \(NumberText.fixed(edit.debounced.before, 3)) -> "
          + "\(NumberText.fixed(edit.debounced.after, 3)).", gain < 0 ? .warning : .plain))
    facts.append(
      StyledText(
        "The same change, but for its limits, was chosen in \(edit.sameChoices) of "
          + "\(result.folds) searches without a group of people.", .dim))
    return facts
  }

  private static func lost(_ edit: SuggestedEdit) -> [StyledText] {
    guard !edit.lost.isEmpty else { return [] }
    let texts = edit.lost.prefix(3).map { loss in
      let place = loss.source.isEmpty ? "" : " in \(loss.source)"
      return "`\(loss.label)`\(place) \(NumberText.fixed(loss.before, 3)) -> "
        + NumberText.fixed(loss.after, 3)
    }
    let more = edit.lost.count > 3 ? " and \(edit.lost.count - 3) more" : ""
    return [
      StyledText("Costs recall: \(texts.joined(separator: ", "))\(more).", .warning)
    ]
  }

  private static func mended(_ edit: SuggestedEdit) -> String {
    let changes = edit.mended.map { "`\($0.truth)` taken for `\($0.before)`" }
    let better = edit.people.reduce(0) { $0 + $1.better }
    let worse = edit.people.reduce(0) { $0 + $1.worse }
    let count = edit.people.reduce(0) { $0 + $1.count }
    return "Fixes \(WordText.list(changes)): better for \(better) of \(NumberText.people(count)), "
      + "worse for \(worse)."
  }

  /// What the same search would lose in a source that it does not see.
  private static func elsewhere(_ edit: SuggestedEdit) -> [StyledText] {
    let losses = edit.withoutSource.filter { $0.change <= -0.01 }.sorted { $0.change < $1.change }
    guard !losses.isEmpty else { return [] }
    let texts = losses.prefix(3).map {
      "\(NumberText.fixed(-100 * $0.change, 0)) points in `\($0.source)`"
    }
    return [
      StyledText(
        "Not decided by your data: without seeing it, the same search would lose "
          + texts.joined(separator: ", ") + ".", .warning)
    ]
  }
}

extension SuggestionResult: CommandResult {
  static let command = "suggest"
  static let schemaVersion = 1

  /// The screen, and the evidence by source.
  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading("Changes of `\(detector)` for \(origin.datasetName)", level: 1)
    document.append(SuggestionScreen(self).document)
    for (index, edit) in edits.enumerated() {
      document.heading(EditText(edit).summary)
      if index >= made { document.list(SuggestionScreen.facts(edit, self)) }
      document.table(Self.table(edit))
    }
    document.list(origin.provenanceLines)
    return document
  }

  func page(_ origin: ResultOrigin) -> ResultPage {
    ResultPage(document(origin), origin, state: made > 0 ? (.good, "A change holds") : (.unsure, "Keep it"))
  }

  private static func table(_ edit: SuggestedEdit) -> Table {
    var table = Table([
      .words("source"), .number("people"), .number("better"), .number("worse"),
      .number("unseen, points"),
    ])
    for source in edit.people {
      let change = edit.withoutSource.first { $0.source == source.source }?.change
      table.row([
        StyledText(source.source.isEmpty ? "all" : source.source),
        StyledText(NumberText.count(source.count)), StyledText(NumberText.count(source.better)),
        StyledText(NumberText.count(source.worse)),
        StyledText(change.map { NumberText.fixed(100 * $0, 1) } ?? "-"),
      ])
    }
    return table
  }
}
