internal import Evaluation
internal import PoseModel
internal import Tuning

struct SuggestionScreen {
  private let result: SuggestionResult

  init(_ result: SuggestionResult) { self.result = result }

  var document: Document {
    var document = Document()
    document.paragraph(StyledText(headline, result.made > 0 ? .good : .strong))
    for (index, edit) in result.suggested.enumerated() {
      if result.made > 1 {
        document.paragraph(StyledText("\(index + 1). \(EditText(edit).summary).", .strong))
      }
      document.list(result.made > 1 ? Self.short(edit, result) : Self.facts(edit, result))
    }
    if result.made > 0, let refused = result.refused {
      document.paragraph(StyledText(refusal(refused)))
    }
    document.code(commands)
    document.list(remaining + more)
    return document
  }

  var headline: String {
    guard let first = result.edits.first else {
      return "Keep `\(result.detector)`: no single change makes it better."
    }
    guard result.made > 0 else { return refusal(first) }
    guard result.made > 1 else { return EditText(first).summary + "." }
    return "Make these \(result.made) changes\(whole.map { ": " + $0 } ?? "")."
  }

  private var whole: String? {
    guard let start = result.path.first?.leftOut,
      let last = result.path.first(where: { $0.edits == result.made }), let end = last.leftOut,
      let error = last.standardError
    else { return nil }
    return
      "the balanced accuracy rises from \(NumberText.fixed(start, 3)) to \(NumberText.fixed(end, 3)) on "
      + "held-out people (standard error \(NumberText.fixed(error, 3)))"
  }

  var commands: [String] {
    guard result.made > 0, let commands = result.commands else { return [] }
    return (["planklab"] + commands.again + ["--patch", result.patch]).lines
      + (["planklab", "evaluate"] + commands.data
      + ["--detector", result.patch, "--html", "suggested.html"]).lines
  }

  private func refusal(_ edit: SuggestedEdit) -> String {
    let tried = "Best found, not advised: \(EditText(edit).summary). \(edit.evidence)"
    let start = result.made == 0 ? "Keep `\(result.detector)`: " : "Make no further change: "
    switch edit.verdict {
    case .tooFewPeople:
      let missing = SuggestionResult.enoughPeople - result.people
      return
        "Record \(missing) more people: a change that helps \(NumberText.people(result.people)) "
        + "may help nobody else; with \(SuggestionResult.enoughPeople) the search can tell. "
        + tried
    case .onePerson: return start + "the best change helps only one person. " + tried
    case .unconfirmed, .sure, .suggested:
      let power =
        result.people < SuggestionResult.enoughPeople
        ? " With \(NumberText.people(result.people)) even a real fault is often missed; record "
          + "\(SuggestionResult.enoughPeople)." : ""
      return start
        + "no \(result.made == 0 ? "" : "other ")change is shown to help held-out people.\(power) "
        + tried
    }
  }

  private var more: [StyledText] {
    guard result.made == 0, result.path.count == 2, result.refused?.verdict == .unconfirmed else {
      return []
    }
    return [
      StyledText(
        "Several changes may hold together where one alone does not: --steps 4 judges up to four.",
        .dim)
    ]
  }

  var remaining: [StyledText] {
    result.remaining.map { error in
      let most =
        error.people > 1 && error.share >= 0.5
        ? ", most of it in `\(error.person)`" : ""
      let start = result.made > 0 ? "Still wrong" : "Wrong now"
      return StyledText(
        "\(start): `\(error.truth)` taken for `\(error.answer)`, "
          + "which costs \(NumberText.fixed(error.cost, 3)), in \(error.people) of "
          + "\(NumberText.people(result.people))\(most)\(Self.missing(error)).", .dim)
    }
  }

  private static func missing(_ error: RemainingError) -> String {
    guard error.undecided >= 0.5 else { return "" }
    let part = error.undecided > 0.995 ? "all" : NumberText.wholePercent(error.undecided)
    return "; a joint is missing in \(part) of it, so no rule can mend that"
  }

  private static func short(_ edit: SuggestedEdit, _ result: SuggestionResult) -> [StyledText] {
    lost(edit) + [StyledText("\(edit.verdict.word(of: result)): \(edit.evidence)")]
      + elsewhere(edit) + [StyledText(mended(edit))]
      + (edit.debounced.gain < 0 ? [steady(edit)] : [])
  }

  static func facts(_ edit: SuggestedEdit, _ result: SuggestionResult) -> [StyledText] {
    let ranges = EditText(edit).ranges
    return short(edit, result) + (edit.debounced.gain < 0 ? [] : [steady(edit)])
      + (ranges.isEmpty ? [] : [StyledText(ranges)]) + [StyledText(agreement(edit, result), .dim)]
      + edit.alternatives.map { StyledText(alternative($0, edit), .dim) }
  }

  private static func agreement(_ edit: SuggestedEdit, _ result: SuggestionResult) -> String {
    guard result.folds > 0 else { return "" }
    return
      "\(edit.sameChoices) of \(result.folds) searches, each without some of the people, found "
      + "this change, if with other limits."
  }

  private static func alternative(_ other: AlternativeEdit, _ edit: SuggestedEdit) -> String {
    "Instead, not tried on held-out people: \(EditText(other, insteadOf: edit).summary). Score on all "
      + "people \(NumberText.fixed(other.seen.after, 3)), where the change above has "
      + "\(NumberText.fixed(edit.seen.after, 3))."
  }

  private static func steady(_ edit: SuggestedEdit) -> StyledText {
    StyledText(
      "With your smoothing and debounce, on all people: \(edit.debounced.text).",
      edit.debounced.gain < 0 ? .warning : .plain)
  }

  private static func lost(_ edit: SuggestedEdit) -> [StyledText] {
    guard !edit.lost.isEmpty else { return [] }
    let texts = edit.lost.prefix(3).map { loss in
      let place = loss.source.isEmpty ? "" : " in \(loss.source)"
      return "`\(loss.label)`\(place) from \(NumberText.fixed(loss.before, 3)) to "
        + NumberText.fixed(loss.after, 3)
    }
    let more = edit.lost.count > 3 ? " and \(edit.lost.count - 3) more" : ""
    return [
      StyledText("Lowers the recall of \(texts.joined(separator: ", of "))\(more).", .warning)
    ]
  }

  private static func mended(_ edit: SuggestedEdit) -> String {
    let changes = edit.mended.map { "`\($0.truth)` taken for `\($0.before)`" }
    return "Mends \(WordText.list(changes)): \(edit.who)."
  }

  private static func elsewhere(_ edit: SuggestedEdit) -> [StyledText] {
    let losses = edit.withoutSource.filter { $0.change <= -0.01 }.sorted { $0.change < $1.change }
    guard !losses.isEmpty else { return [] }
    let texts = losses.prefix(3).map {
      "without `\($0.source)` the same search finds a change "
        + "that costs \(NumberText.fixed(-$0.change, 2)) there"
    }
    return [
      StyledText(
        "Expect less in new kinds of recordings: \(texts.joined(separator: "; ")).", .warning)
    ]
  }
}

extension SuggestedEdit.Verdict {
  func word(of result: SuggestionResult) -> String {
    switch self {
    case .sure: "Well supported"
    case .suggested: "Weakly supported"
    case .unconfirmed where result.made > 1: "Not supported alone, but the next change builds on it"
    case .unconfirmed, .tooFewPeople, .onePerson: "Not suggested"
    }
  }
}

extension SuggestionResult: CommandResult {
  static let command = "suggest"
  static let schemaVersion = 1

  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading("Changes of `\(detector)` for \(origin.datasetName)", level: 1)
    document.append(SuggestionScreen(self).document)
    if path.count > 1 {
      document.heading("Score by number of changes")
      document.table(scores)
    }
    for (index, edit) in edits.enumerated() {
      document.heading(EditText(edit).summary)
      if index >= made || made > 1 { document.list(SuggestionScreen.facts(edit, self)) }
      if !sources.isEmpty { document.table(edit.table) }
    }
    document.list(origin.provenanceLines)
    return document
  }

  func page(_ origin: ResultOrigin) -> ResultPage {
    SuggestionPage(result: self, origin: origin).page
  }

  var patch: String { "\(detector)-suggested.yaml" }

  var scores: Table {
    var table = Table([
      .number("changes"), .number("all people"), .number("held-out people"),
      .number("standard error"), .number("held-out sources"),
    ])
    func text(_ score: Double?) -> String { score.map { NumberText.fixed($0, 3) } ?? "-" }
    for score in path {
      table.row([
        StyledText("\(score.edits)", score.edits == made ? .strong : .plain),
        StyledText(text(score.seen)), StyledText(text(score.leftOut)),
        StyledText(score.edits == 0 ? "-" : text(score.standardError)),
        StyledText(text(score.sourceLeftOut)),
      ])
    }
    return table
  }
}

extension SuggestedEdit {
  var who: String {
    func text(_ count: (PeopleChange) -> Int) -> String {
      let all = people.filter { count($0) > 0 }.sorted { count($0) > count($1) }
      let parts = all.prefix(3).map { part in
        "\(count(part)) of \(NumberText.people(part.count))"
          + (part.source.isEmpty ? "" : " in \(part.source)")
      }
      let more = all.count > parts.count ? ["some in other sources"] : []
      return parts.isEmpty ? "nobody" : WordText.list(parts + more)
    }
    return "better for \(text(\.better)); worse for \(text(\.worse))"
  }

  var table: Table {
    var table = Table([
      .words("source"), .number("people"), .number("better"), .number("worse"),
      .number("held out"),
    ])
    for source in people {
      let change = withoutSource.first { $0.source == source.source }?.change
      table.row([
        StyledText(source.source.isEmpty ? "all" : source.source),
        StyledText(NumberText.count(source.count)), StyledText(NumberText.count(source.better)),
        StyledText(NumberText.count(source.worse)),
        StyledText(change.map { NumberText.signed($0, 3) } ?? "-"),
      ])
    }
    return table
  }
}
