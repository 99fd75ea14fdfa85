internal import Evaluation
internal import PoseModel

struct GatePage {
  let report: GateReport
  let origin: ResultOrigin
  var hasViewer = false

  private var diagnosis: GateDiagnosis { report.diagnosis ?? GateDiagnosis() }

  var page: ResultPage {
    var page = ResultPage(title: report.result.name, command: origin.command, line: line)
    page.append(.init(body: verdict))
    page.append(.init("Next", id: "next", body: next))
    page.append(.init("Moment", id: "moment", body: moment))
    page.append(.init("Rules", id: "rules", body: rules))
    page.append(.init("What changed", id: "changed", body: hasViewer ? bench : changed))
    page.append(.init("People", id: "people", body: people))
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: line).html))
    return page
  }

  private var line: String? { command() }

  private func command(_ options: [[String]] = []) -> String? {
    guard !report.arguments.isEmpty else { return nil }
    func key(_ option: [String]) -> String {
      option[0] == "--set" ? String(option[1].prefix { $0 != "=" }) : option[0]
    }
    let replaced = Set(options.map(key))
    var words: [String] = []
    var index = 0
    let own = report.arguments
    while index < own.count {
      let isOption = own[index].hasPrefix("--") && index + 1 < own.count
      if isOption, replaced.contains(key([own[index], own[index + 1]])) {
        index += 2
      } else {
        words += own[index..<index + (isOption ? 2 : 1)]
        index += isOption ? 2 : 1
      }
    }
    return ShellWord.planklab(words + options.flatMap(\.self))
  }

  private var verdict: HTML {
    let sentence: HTML =
      diagnosis.sentence.map { "<p><strong>\(prose: $0)</strong></p>\n" } ?? .empty
    let lines =
      report.result.obstacles + report.judgements.map(\.text)
      + [report.failedBefore, better].compactMap(\.self) + [report.verdictLine]
    let rest: [HTML] = lines.map { "<p>\(prose: $0)</p>\n" }
    return VerdictPanel(
      verdict: report.judgement, headline: HTML.prose(report.answer),
      lead: "\(sentence)\(rest)", facts: facts, numbers: numbers
    ).html
  }

  private var facts: [String] {
    let people = report.people.count
    return [
      report.subject(origin), people > 1 ? "\(people) people" : people == 1 ? "1 person" : "",
    ].filter { !$0.isEmpty }
  }

  private var better: String? {
    let found = report.result.findings.filter { finding in
      finding.difference.map { finding.rule.higherIsBetter ? $0 > 5e-5 : $0 < -5e-5 } ?? false
    }
    let shown = found.prefix(3).map {
      "\($0.name) \(GateDiagnosis.number($0.baseline)) -> \(GateDiagnosis.number($0.value))"
    }
    let all = shown + [shrunk].compactMap(\.self)
    return all.isEmpty ? nil : "Better: " + all.joined(separator: ", ") + "."
  }

  private var shrunk: String? {
    guard let (before, now) = report.bothSides else { return nil }
    var least = (seconds: -ChangeMatrix.least, text: "")
    for stream in AnswerStream.allCases {
      let (old, new) = (before.streams[stream].seconds, now.streams[stream].seconds)
      guard old.labels == new.labels else { continue }
      for (truth, answer) in new.wrongCells {
        let change = new[truth, answer] - old[truth, answer]
        guard change < least.seconds else { continue }
        let (won, right, wrong) = (
          NumberText.fixed(-change, 1), new.labels[truth], new.labels[answer]
        )
        least = (change, "\(won) s less of `\(right)` answered as `\(wrong)`")
      }
    }
    return least.text.isEmpty ? nil : least.text
  }

  private var ordered: [GateFinding] {
    let findings = report.result.findings
    return findings.filter(\.stops) + findings.filter(\.warns)
      + findings.filter { !$0.stops && !$0.warns }
  }

  private var numbers: [ScoreNumber] {
    ordered.filter { $0.value != nil }.prefix(3).map { finding in
      let value = finding.value ?? 0
      let isShare = finding.unit == "-"
      let index = report.result.findings.firstIndex(of: finding)
      let reached = diagnosis.remedy?.rules.first { $0.index == index }?.value
      let limits = [finding.baseline, finding.rule.atMost, finding.rule.atLeast, reached, value]
        .compactMap(\.self)
      let low = min(0, limits.min() ?? 0)
      let high = isShare ? max(1, limits.max() ?? 1) : max(1.2 * (limits.max() ?? 1), low + 1)
      let before = finding.baseline.map { "baseline \(GateDiagnosis.number($0))" }
      let interval = finding.interval.map { "difference \($0.text(3))" }
      return ScoreNumber(
        title: finding.name, value: value, text: GateDiagnosis.number(value),
        unit: isShare ? "" : finding.unit == "1/min" ? "/min" : finding.unit, interval: nil,
        range: low...high, note: [before, interval].compactMap(\.self).joined(separator: "; "),
        reached: reached, reachedText: reached.map { GateDiagnosis.number($0) + " put back" } ?? "")
    }
  }

  private var next: HTML {
    guard report.diagnosis != nil else { return .empty }
    let remedy = diagnosis.remedy
    let trials =
      [remedy].compactMap(\.self)
      + (diagnosis.alone + diagnosis.severals).filter { $0 != remedy && !$0.fixed.isEmpty }
    let actions = trials.map { trial in
      let found = trial.changes.compactMap(diagnosis.change)
      let options = found.map(\.options)
      let effects = (trial.fixed + trial.broken + trial.unfixed).map(\.text)
      return ActionList.Action(
        title: "Put " + diagnosis.targets(trial),
        text: trial.holds && !trial.fixed.isEmpty
          ? "Every rule holds: \(effects.joined(separator: ", "))."
          : effects.joined(separator: ", ") + ".",
        command: options.contains(where: \.isEmpty) ? nil : command(options),
        isBest: trial == remedy)
    }
    let lines = actions.isEmpty ? diagnosis.lines : diagnosis.remarks
    let notes: [HTML] = lines.map { "<li>\(prose: $0)</li>\n" }
    guard !(actions.isEmpty && lines.isEmpty) else { return .empty }
    return ActionList(
      note: diagnosis.alone.isEmpty
        ? ""
        : "Each change since the baseline was undone in turn, and the result was judged by the same rules.",
      actions: actions, remarks: notes.isEmpty ? .empty : "<ul>\n\(notes)</ul>\n"
    ).html
  }

  private var moment: HTML {
    guard let moment = diagnosis.moment, let cell = diagnosis.cell else { return .empty }
    func spans(_ all: [BrokenMoment.Span]) -> [ClassSpan] {
      all.compactMap { span in
        span.label.map {
          ClassSpan(label: $0, range: span.start.value..<max(span.start.value, span.end.value))
        }
      }
    }
    let from = moment.start.value - moment.origin.value
    let ribbons = AnswerRibbons(
      seconds: moment.length.value,
      ribbons: [
        .init(name: "truth", spans: spans(moment.truth)),
        .init(name: "baseline", spans: spans(moment.before)),
        .init(name: "candidate", spans: spans(moment.after)),
      ], marked: from..<from + max(moment.duration.value, 1e-9))
    let person: HTML = moment.subject.map { "<span class=\"dim\">\($0)</span>" } ?? .empty
    let pose: HTML =
      diagnosis.pose.map {
        "<figure class=\"shot\">\($0.svg(title: "The body at \(NumberText.fixed($0.time.value, 2)) s"))"
          + "<figcaption>at \(NumberText.fixed($0.time.value, 2)) s</figcaption></figure>"
      } ?? "<p class=\"dim\">No pose found.</p>"
    let command: HTML = diagnosis.explain.isEmpty ? .empty : CopyLine(lines: diagnosis.explain).html
    let show = MomentLink(sequence: moment.sequence, time: moment.start, stream: cell.stream).html
    return """
      <section class="panel"><h2>The moment that went wrong</h2>
      <p class="note">The longest stretch of the error that grew most is underlined.</p>
      <div class="moment">\(pose)<div><p><b>\(moment.sequence)</b> \(person) \
      \(ClassChip.pair(cell.truth, cell.answer)) for \(NumberText.fixed(moment.duration.value, 2)) s, \
      from \(NumberText.fixed(moment.start.value, 2)) s</p>
      \(ribbons.html)<p class="actions">\(show)</p>\(command)</div></div></section>

      """
  }

  private var rules: HTML {
    let all = ordered.map { finding in
      RuleList.Rule(
        verdict: Verdict(finding.state, finding.verdictText), name: finding.name,
        numbers: finding.baseline == nil
          ? NumberText.fixed(finding.value, 4)
          : "\(NumberText.fixed(finding.baseline, 4)) → \(NumberText.fixed(finding.value, 4))",
        difference: finding.interval.map { "difference \($0.text(4))" } ?? "",
        why: [finding.reason, finding.doubt] + finding.strayText + report.effects(on: finding)
          + (finding.worse.isEmpty ? [] : ["worse: \(finding.people)"]))
    }
    guard !all.isEmpty else { return .empty }
    let list = report.changes.map { "<li>\(prose: $0)</li>\n" as HTML }
    let changes: HTML =
      list.isEmpty
      ? .empty : "<h3>Changed since the baseline</h3>\n\(list.list("ul", open: 6, "change"))"
    return """
      <section class="panel"><h2>Rules</h2>
      \(RuleList(rules: all).html)\(changes)</section>

      """
  }

  private var changed: HTML {
    guard let (before, now) = report.bothSides else { return .empty }
    let parts = AnswerStream.allCases.map { stream -> HTML in
      let (old, new) = (before.streams[stream].seconds, now.streams[stream].seconds)
      guard new.total > 0 else { return .empty }
      return ChangeMatrix(
        title: stream.rawValue, before: old, after: new, change: now.streams[stream].change
      )?.html ?? .empty
    }.filter { !$0.isEmpty }.map { "<div>\($0)</div>\n" as HTML }
    guard !parts.isEmpty else { return .empty }
    return """
      <section class="panel"><h2>What changed</h2>
      <p class="note">Seconds won and lost since the baseline; rows are labels, columns are \
      answers. Green is better, red is worse.</p>
      <div class="bench">\(parts)</div></section>

      """
  }

  private var bench: HTML {
    let (own, other) = (GateReport.candidateSide, GateReport.baselineSide)
    let isCompared = report.sides.contains { $0.name == other }
    return Workbench(
      title: isCompared ? "What changed" : "Where it is wrong",
      note: isCompared
        ? "Seconds of the candidate minus those of the baseline; rows are labels, columns are "
          + "answers. The viewer shows both." : "",
      hasViewer: true, matrices: report.sides.matrices(of: own, minus: other),
      stretches: "<p class=\"note\">The viewer needs JavaScript.</p>\n"
    ).html
  }

  private var people: HTML {
    let panels: [HTML] = AnswerStream.allCases.map { stream in
      let people = report.people.compactMap { $0.change(stream) }
        .sorted { ($0.gain ?? 0) < ($1.gain ?? 0) }
      return Dumbbells(
        title: stream.title, metric: "\(MetricKey(.accuracy, in: stream))", reference: "baseline",
        candidate: "now", range: 0...1, people: people
      ).html
    }.filter { !$0.isEmpty }
    return panels.isEmpty ? .empty : "<div class=\"pair\">\n\(panels)</div>\n"
  }

  private var folds: HTML {
    var folds: HTML = Fold.document(
      "Everything", "as in the pull request comment", report.document(origin))
    folds += Fold.document("Matrices and classes", "of both sides", report.sides.document)
    return folds
  }
}

extension GateReport {
  fileprivate var judgement: Verdict {
    let isRestless = looksFirst || result.findings.contains { $0.isBroken || $0.warns }
    let state: VerdictPanel.State =
      switch status {
      case .success: isRestless ? .warning : .good
      case .gateFailed: .bad
      default: .unsure
      }
    return Verdict(state, WordText.capitalized(verdict))
  }

  fileprivate var bothSides: (before: ScoredSide, now: ScoredSide)? {
    guard let before = sides.first(named: Self.baselineSide),
      let now = sides.first(named: Self.candidateSide)
    else { return nil }
    return (before, now)
  }
}

extension GateFinding {
  fileprivate var state: VerdictPanel.State {
    stops ? .bad : isBroken ? .warning : warns ? .unsure : .good
  }
}

extension PersonChange {
  fileprivate func change(_ stream: AnswerStream) -> Dumbbells.Person? {
    guard let old = before[stream].number, let new = after[stream].number else { return nil }
    return Dumbbells.Person(
      name: subject ?? "unknown", before: old, after: new,
      text: "\(NumberText.wholePercent(old)) → \(NumberText.wholePercent(new))", gain: new - old,
      isChanged: (new - old).magnitude >= 0.0005)
  }
}
