package import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

package struct SuggestionScreen {
  private let report: SuggestionReport

  package init(_ report: SuggestionReport) { self.report = report }

  package var document: Document {
    var document = Document()
    for found in report.streams {
      document.paragraph(headline(found), found.made > 0 ? .good : .strong)
      if found.made > 1 {
        for (index, edit) in found.suggested.enumerated() {
          document.paragraph("\(index + 1). \(EditText(edit).summary).", .strong)
          document.list(found.facts(edit))
        }
        if let refused = found.refused { document.paragraph(found.refusal(refused)) }
      } else {
        document.list((found.suggested.first ?? found.refused).map(found.facts) ?? [])
      }
      document.list(found.remaining.map { StyledText(found.sentence($0), .dim) })
    }
    for stream in report.unsearched {
      document.paragraph(
        "\(stream.stream.title) rules: not searched; \(stream.sentence).", .dim)
    }
    document.code(commands)
    return document
  }

  func headline(_ found: SuggestionResult) -> String {
    let name = "\(found.stream.title) rules: "
    guard let advice = found.advice, let first = found.edits.first else {
      return name + "Keep `\(report.detector)`: no single change improves it."
    }
    let what =
      switch found.made {
      case 0: "best found: \(EditText(first).summary)."
      case 1: EditText(first).summary + "."
      default: "Make \(found.made) changes."
      }
    return name + what + " " + advice.sentence
  }

  var commands: [String] {
    guard report.made > 0, let commands = report.commands else { return [] }
    return (["planklab"] + commands.again + ["--patch", report.patch]).lines
      + (["planklab", "evaluate"] + commands.data
      + ["--detector", report.patch, "--html", "suggested.html"]).lines
  }
}

extension SuggestionReport.Unsearched {
  package var sentence: String {
    switch reason {
    case .unlabeled: "no \(stream.rawValue) frame is scored; label the recordings first"
    case .oneClass: "only one class of \(stream.rawValue) is labeled; label the others"
    case .tooManyRules:
      "there are more than \(SuggestionSettings.mostRules) \(stream.rawValue) rules once every `or` is "
        + "expanded; shorten the list"
    }
  }
}

extension SuggestionResult {
  fileprivate func refusal(_ edit: SuggestedEdit) -> String {
    "Not advised as a further change: \(EditText(edit).summary). "
      + (edit.advice.map { "All together: \($0.sentence)" } ?? "")
  }

  func facts(_ edit: SuggestedEdit) -> [StyledText] {
    let ranges = EditText(edit).ranges
    return lost(edit) + elsewhere(edit) + [StyledText(fixed(edit))]
      + (ranges.isEmpty ? [] : [StyledText(ranges)]) + agreement(edit)
      + edit.alternatives.map { StyledText(alternative($0, edit), .dim) }
  }

  func sentence(_ error: RemainingError) -> String {
    let most = error.people > 1 && error.share >= 0.5 ? ", mostly for `\(error.person)`" : ""
    let part =
      error.undecided > 0.995
      ? "throughout"
      : "for \(NumberText.wholePercent(error.undecided)) of that time"
    let missing =
      error.undecided >= 0.5
      ? "; a joint is missing \(part), so no rule helps" : ""
    return "\(made > 0 ? "Still wrong" : "Wrong now"): `\(error.truth)` answered as "
      + "`\(error.prediction)` costs \(NumberText.fixed(error.cost, 3)) of the score, for \(error.people) of "
      + "\(NumberText.people(people, named: named))\(most)\(missing)."
  }

  private func agreement(_ edit: SuggestedEdit) -> [StyledText] {
    guard folds > 0 else { return [] }
    return [
      StyledText(
        "\(edit.sameChoices) of \(folds) searches, each without some \(named ? "people" : "recordings"), "
          + "found this change, perhaps with other limits.", .dim
      )
    ]
  }

  private func alternative(_ other: AlternativeEdit, _ edit: SuggestedEdit) -> String {
    "An alternative, not judged: \(EditText(other, insteadOf: edit).summary). Frame-by-frame "
      + "scores: alternative \(NumberText.fixed(other.seen.after, 3)), change above "
      + "\(NumberText.fixed(edit.seen.after, 3))."
  }

  private func lost(_ edit: SuggestedEdit) -> [StyledText] {
    guard !edit.lost.isEmpty else { return [] }
    let texts = edit.lost.prefix(3).map { loss in
      let place = loss.source.isEmpty ? "" : " in \(loss.source)"
      return "`\(loss.label)`\(place) from \(NumberText.fixed(loss.before, 3)) to "
        + NumberText.fixed(loss.after, 3)
    }
    let more = edit.lost.count > 3 ? " and \(edit.lost.count - 3) more" : ""
    return [
      StyledText(
        "Recall falls for \(texts.joined(separator: ", for "))\(more).", .warning)
    ]
  }

  private func fixed(_ edit: SuggestedEdit) -> String {
    let changes = edit.fixed.map { "`\($0.truth)` answered as `\($0.before)`" }
    return "Fewer errors: \(WordText.list(changes)); \(edit.who(isFirst: edit == edits.first))."
  }

  private func elsewhere(_ edit: SuggestedEdit) -> [StyledText] {
    let losses = edit.withoutSource.filter { $0.change <= -0.01 }.sorted { $0.change < $1.change }
    guard !losses.isEmpty else { return [] }
    let texts = losses.prefix(3).map {
      "without `\($0.source)`, the same search finds a change that lowers the score there by "
        + "\(NumberText.fixed(-$0.change, 2))"
    }
    return [
      StyledText(
        "Expect less on new kinds of recordings: \(texts.joined(separator: "; ")).", .warning)
    ]
  }

  var scores: Table {
    func text(_ score: Double?) -> String { score.map { NumberText.fixed($0, 3) } ?? "-" }
    return Table(path) { row, score in
      row.number("changes", "\(score.edits)", score.edits == made ? .strong : .plain)
      row.number("all people", text(score.seen))
      row.number("held-out people", text(score.leftOut))
      row.number("standard error", score.edits == 0 ? "-" : text(score.standardError))
      row.number("held-out sources", text(score.sourceLeftOut))
    }
  }
}

extension SuggestionReport: CommandResult {
  package static let command = "suggest"
  package static let schemaVersion = 2

  package func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading("Changes to `\(detector)` for \(origin.datasetName)", level: 1)
    document.append(SuggestionScreen(self).document)
    for found in streams where found.path.count > 1 {
      document.heading("\(found.stream.title): frame-by-frame score by number of changes")
      document.table(found.scores)
      for edit in found.edits where !found.sources.isEmpty {
        document.heading("\(found.stream.title): \(EditText(edit).summary)")
        document.table(edit.table)
      }
    }
    document.list(origin.provenanceLines)
    return document
  }

  package func page(_ origin: ResultOrigin) -> ResultPage {
    SuggestionPage(report: self, origin: origin).page
  }

  var patch: String { "\(detector)-suggested.yaml" }
}

extension SuggestedEdit {
  func who(isFirst: Bool) -> String {
    func text(_ count: (PeopleChange) -> Int) -> String {
      let all = people.filter { count($0) > 0 }.sorted { count($0) > count($1) }
      let parts = all.prefix(3).map { part in
        "\(count(part)) of \(NumberText.people(part.count, named: advice?.named ?? true))"
          + (part.source.isEmpty ? "" : " in \(part.source)")
      }
      let more = all.count > parts.count ? ["some in other sources"] : []
      return parts.isEmpty ? "nobody" : WordText.list(parts + more)
    }
    if isFirst, let advice, people.count < 2 {
      return "better for \(advice.helped) of \(advice.crowd); worse for "
        + (advice.hurt == 0 ? "nobody" : "\(advice.hurt)")
    }
    return "better for \(text(\.better)); worse for \(text(\.worse))"
  }

  var table: Table {
    Table(people) { row, source in
      let change = withoutSource.first { $0.source == source.source }?.change
      row.words("source", source.source.isEmpty ? "all" : source.source)
      row.number("people", NumberText.count(source.count))
      row.number("better", NumberText.count(source.better))
      row.number("worse", NumberText.count(source.worse))
      row.number("held out", change.map { NumberText.signed($0, 3) } ?? "-")
    }
  }
}

package struct EditText {
  private let edit: RuleEdit
  private let thresholds: [SuggestedEdit.Threshold]
  private let rules: [String]

  package init(_ edit: SuggestedEdit) {
    (self.edit, thresholds, rules) = (edit.edit, edit.thresholds, edit.rules)
  }

  package init(_ alternative: AlternativeEdit, insteadOf edit: SuggestedEdit) {
    (self.edit, thresholds, rules) = (alternative.edit, alternative.thresholds, edit.rules)
  }

  package var summary: String {
    switch edit {
    case .move(let parameter, let value):
      let threshold = thresholds.first
      let before =
        threshold?.before.map { " from " + number($0, threshold?.unit, decimals: 6) } ?? ""
      return (before.isEmpty ? "Set" : "Change")
        + " `\(parameter)`\(before) to \(number(value, threshold?.unit))"
    case .dropRule(let rule): return "Drop the rule `\(sentence(rule))`"
    case .dropCondition(let rule, let condition):
      return "Change `\(sentence(rule))` to `\(sentence(rule, without: condition))`"
    case .swap(let rule): return "Move `\(sentence(rule + 1))` before `\(sentence(rule))`"
    case .narrow(let rule, _):
      return "Change `\(sentence(rule))` to `\(sentence(rule)) and \(conditions)`"
    case .insert(let position, let label, _):
      return "Insert the rule `\(label) if \(conditions)` before `\(sentence(position))`"
    }
  }

  var ranges: String {
    let texts = thresholds.map { threshold in
      let decimals = NumberText.decimals(bearing: (threshold.upper - threshold.lower) / 4)
      return "`\(threshold.name)` from "
        + "\(number(threshold.lower, threshold.unit, decimals: decimals)) to "
        + number(threshold.upper, threshold.unit, decimals: decimals)
    }
    guard !texts.isEmpty else { return "" }
    return thresholds.contains(where: \.isNarrow)
      ? "Fragile: only values of \(texts.joined(separator: ", and of ")) do nearly as well."
      : "Any value of \(texts.joined(separator: ", and of ")) does nearly as well."
  }

  private var conditions: String {
    zip(edit.newConditions, thresholds).map { condition, threshold in
      "\(condition.measurement) \(condition.isBelow ? "<" : ">") "
        + "\(number(condition.threshold, threshold.unit, inRule: true))"
    }.joined(separator: " and ")
  }

  private func sentence(_ rule: Int) -> String {
    rules.indices.contains(rule) ? rules[rule] : "rule \(rule + 1)"
  }

  private func sentence(_ rule: Int, without condition: Int) -> String {
    let parts = sentence(rule).split(separator: " if ")
    guard parts.count == 2 else { return sentence(rule) }
    let kept = parts[1].split(separator: " and ").enumerated()
      .filter { $0.offset != condition }.map(\.element)
    return "\(parts[0]) if \(kept.joined(separator: " and "))"
  }

  private func number(
    _ value: Double, _ unit: String?, decimals: Int? = nil, inRule: Bool = false
  ) -> String {
    let text =
      decimals.map { NumberText.short(Self.rounded(value, $0)) } ?? NumberText.shortest(value)
    let space = inRule ? "" : " "
    switch unit.flatMap(MeasurementUnit.init(rawValue:)) {
    case .degrees: return text + space + "deg"
    case .meters: return text + space + "m"
    case .seconds: return text + space + "s"
    default: return text
    }
  }

  private static func rounded(_ value: Double, _ decimals: Int) -> Double {
    Double(NumberText.fixed(value, decimals)) ?? value
  }
}

extension SuggestedEdit.Threshold {
  /// Whether noise between sources may exceed the range of values that do nearly as well.
  var isNarrow: Bool {
    let least =
      switch MeasurementUnit(rawValue: unit) {
      case .degrees: 3.0
      case .meters: 0.01
      default: 0.005
      }
    return upper - lower < least
  }
}

struct SuggestionPage {
  let report: SuggestionReport
  let origin: ResultOrigin

  private var screen: SuggestionScreen { SuggestionScreen(report) }

  var page: ResultPage {
    let line = report.commands.map { ShellWord.planklab($0.again) }
    var page = ResultPage(
      title: "Changes to \(report.detector) for \(origin.datasetName)", command: origin.command,
      line: line)
    page.append(.init(body: verdict))
    for found in report.streams {
      for (index, edit) in found.edits.enumerated() {
        page.append(
          .init(
            "\(found.stream.title): \(name(index, found))",
            id: "\(found.stream.rawValue)-\(index + 1)", body: change(index, edit, found)))
      }
      page.append(
        .init(
          "\(found.stream.title): scores", id: "\(found.stream.rawValue)-scores",
          body: scores(found)))
    }
    page.append(.init(body: ProvenancePanel(origin: origin, line: line).html))
    return page
  }

  private var verdict: HTML {
    var lead = Document()
    lead.list(
      report.streams.dropFirst().map { StyledText(screen.headline($0)) }
        + report.unsearched.map {
          StyledText("\($0.stream.title) rules: not searched; \($0.sentence).", .dim)
        })
    return VerdictPanel(
      verdict: Verdict(
        .good, report.made == 0 ? "Keep it" : "Make \(NumberText.count(report.made, "change"))"),
      headline: .prose(report.streams.first.map(screen.headline) ?? ""),
      lead: lead.html, command: screen.commands,
      facts: [origin.datasetName]
        + report.streams.map { found in
          "\(found.stream.rawValue): \(NumberText.people(found.people, named: found.named)), "
            + "\(NumberText.count(found.frames, "frame")), "
            + "\(NumberText.count(found.folds, "group")) held out in turn"
        }
    ).html
  }

  private func name(_ index: Int, _ found: SuggestionResult) -> String {
    index < found.made ? "change \(index + 1)" : "not advised"
  }

  private func change(_ index: Int, _ edit: SuggestedEdit, _ found: SuggestionResult) -> HTML {
    var facts = Document()
    facts.list((edit.advice.map { [StyledText($0.sentence)] } ?? []) + found.facts(edit))
    if !found.sources.isEmpty { facts.table(edit.table) }
    return """
      <section class="panel"><h2>\(found.stream.title): \(name(index, found))</h2>
      <p>\(prose: EditText(edit).summary + ".")</p>
      \(facts.html)</section>

      """
  }

  private func scores(_ found: SuggestionResult) -> HTML {
    var remaining = Document()
    remaining.list(found.remaining.map { StyledText(found.sentence($0), .dim) })
    remaining.table(found.scores)
    return """
      <section class="panel"><h2>\(found.stream.title): remaining errors, and frame-by-frame \
      scores by number of changes</h2>
      \(remaining.html)</section>

      """
  }
}
