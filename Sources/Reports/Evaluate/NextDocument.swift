internal import Evaluation
internal import PoseModel

extension NextSteps {
  var lead: Fix? { fixes.first }

  var sentence: StyledText { StyledText(lead == nil ? reasons.joined(separator: " ") : "", .dim) }

  var ruleChanges: [SuggestionResult] {
    (rules?.streams ?? []).filter { found in
      found.made > 0 && !found.suggested.allSatisfy(isAmongFixes)
    }
  }

  private func isAmongFixes(_ edit: SuggestedEdit) -> Bool {
    guard case .move(let parameter, _) = edit.edit else { return false }
    return fixes.contains { $0.parameter == parameter }
  }

  var ruleCommand: [String] {
    guard let rules, let commands = rules.commands else { return [] }
    let patch = rules.made > 0 ? ["--patch", rules.patch] : ["--verbose"]
    return ["planklab"] + commands.again + patch
  }

  var ruleSentence: String {
    guard let rules else {
      return "`planklab suggest` looks for a rule that is missing, wrong or unnecessary."
    }
    guard ruleChanges.isEmpty else {
      return "`planklab suggest` advises a change to the rules. "
        + ruleChanges.map(SuggestionScreen(rules).headline).joined(separator: " ")
    }
    let streams = rules.streams.map(\.stream.rawValue).joined(separator: " and ")
    return "`planklab suggest` advises no change to the \(streams) "
      + "rules\(rules.made > 0 ? " beyond another threshold value" : "")."
  }

  package var reasons: [String] {
    var seen: Set<Finding> = []
    return AnswerStream.allCases.compactMap { stream in
      let finding = findings[stream]
      guard let reason = reason(finding), seen.insert(finding).inserted else { return nil }
      let streams = AnswerStream.allCases.filter { findings[$0] == finding }
      return "Next, \(streams.map(\.rawValue).joined(separator: " and ")): \(reason)"
    }
  }

  private func reason(_ finding: Finding) -> String? {
    switch finding {
    case .helps, .nothingWrong, .unlabeled, .undecided, .tooFewFrames: nil
    case .nothingHelps:
      "no single threshold helps, because none gains half a point.\(pointer)"
    case .notAdvised:
      "no change to a single threshold is advised, because the gains here are not expected to "
        + "carry over to new people.\(pointer)"
    case .oneClass: "there is nothing to try, because only one class is labeled; label the others."
    case .tooManyFrames:
      "more than \(NumberText.count(Self.mostFrames)) frames are not searched; evaluate a split."
    }
  }

  private var causes: [String] {
    let all = AnswerStream.allCases
    return all.map { findings[$0] }.distinct.compactMap { finding in
      let cause: String
      switch finding {
      case .nothingWrong: cause = "nothing needs fixing, because no scored frame is wrong."
      case .unlabeled: cause = "no fix is advised, because no frame is labeled."
      case .undecided: cause = "no fix is advised, because the rules decided no frame."
      case .tooFewFrames: cause = "no fix is advised, because too few frames are scored."
      case .helps, .nothingHelps, .notAdvised, .oneClass, .tooManyFrames: return nil
      }
      let streams = all.filter { findings[$0] == finding }.map(\.rawValue)
      return WordText.capitalized("\(streams.joined(separator: " and ")): \(cause)")
    }
  }

  /// Beside fixes, the sentence stands on its own.
  private var pointer: String { rules == nil && fixes.isEmpty ? " " + ruleSentence : "" }

  var document: Document {
    var document = Document()
    document.heading("What next")
    if fixes.isEmpty {
      for reason in reasons.isEmpty ? causes : reasons { document.paragraph(reason) }
      append(rules: &document)
      return document
    }
    document.table(table)
    document.list(fixes.map { StyledText($0.details) } + reasons.map { StyledText($0, .dim) })
    document.code(fixes.flatMap { $0.command.lines } + (together?.command.lines ?? []))
    if let together { document.paragraph("Time right with all fixes: \(together.shares).") }
    append(rules: &document)
    return document
  }

  private func append(rules document: inout Document) {
    guard rules != nil || !fixes.isEmpty else { return }
    document.paragraph(ruleSentence)
    document.code(ruleCommand.lines)
  }

  private var table: Table {
    Table(fixes) { row, fix in
      let right = fix.right[fix.stream]
      row.words("parameter", fix.parameter, .strong)
      row.words("from", ParameterText.of(fix.from, unit: fix.unit))
      row.words("to", ParameterText.of(fix.to, unit: fix.unit), .strong)
      row.words("equally good", ParameterText.range(fix.asGood, unit: fix.unit))
      row.words("stream", fix.stream.rawValue)
      row.number("right before", right.map { NumberText.percent($0.before) } ?? "-")
      row.number("right after", right.map { NumberText.percent($0.after) } ?? "-")
      row.number("expected", fix.advice.expectedText)
      row.words("certainty", fix.advice.strength)
      row.words("helps", "\(fix.advice.helped)")
      row.words("hurts", "\(fix.advice.hurt)", fix.advice.hurt > 0 ? .bad : .plain)
    }
  }
}

extension NextSteps.Together {
  var shares: String {
    AnswerStream.allCases.compactMap { stream in
      right[stream].map { "\(stream.rawValue) \(NumberText.wholePercent($0.after))" }
    }.joined(separator: ", ")
  }
}

extension Fix {
  func proposal(after worst: Confusion) -> String {
    let now = ParameterText.of(from, unit: unit)
    let isOther =
      stream != worst.stream || cell.truth != worst.truth || cell.prediction != worst.answer
    return "Try `\(parameter)` = \(ParameterText.of(to, unit: unit)) (now \(now)) for "
      + (isOther
        ? "another error, `\(cell.truth)` answered as `\(cell.prediction)`" : stream.rawValue)
      + ". \(advice.sentence) The change \(who).\(unrest) Try it, or see why:"
  }

  private var unrest: String {
    let rate = falseTransitionsPerMinute
    guard let before = rate.before.number, let after = rate.after.number,
      after > before + max(0.5, 0.1 * before)
    else { return "" }
    return " False transitions rise from \(NumberText.fixed(before, 1)) to "
      + "\(NumberText.fixed(after, 1)) per minute."
  }

  var summary: String {
    "`\(parameter)` \(ParameterText.of(from, unit: unit)) -> \(ParameterText.of(to, unit: unit)) "
      + "changes the error `\(cell.truth)` -> `\(cell.prediction)` from "
      + "\(NumberText.fixed(cell.seconds.before, 1)) to \(NumberText.fixed(cell.seconds.after, 1)) "
      + "s; it "
      + who
  }

  fileprivate var details: String {
    guard let moment else { return summary + "." }
    let place = "\(moment.sequence) at \(ExplainCommand.text(moment.time)) s"
    guard let comparison = moment.comparison else { return "\(summary). See \(place)." }
    let measured = ParameterText.of((1000 * comparison.measured).rounded() / 1000, unit: unit)
    return "\(summary). See \(place): `\(moment.rule)`, measured \(measured), "
      + "limit \(ParameterText.of(comparison.limit.before, unit: unit))."
  }

  fileprivate var who: String {
    let named = people.filter { $0.right.change > 0 }.compactMap(\.subject)
    let only = advice.helped == 1 && named.count == 1 ? " (\(named[0]))" : ""
    return "helps \(advice.helped) of \(advice.crowd)\(only)"
      + (advice.hurt > 0 ? " and hurts \(advice.hurt)" : "")
  }
}

extension [String] {
  var lines: [String] {
    var groups: [[String]] = []
    for word in self {
      if let last = groups.last, last.count == 1, last[0].hasPrefix("--") {
        groups[groups.count - 1].append(word)
      } else {
        groups.append([word])
      }
    }
    return CommandLines.wrapped(groups)
  }
}
