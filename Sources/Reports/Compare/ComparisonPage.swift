internal import Evaluation
internal import PoseModel
internal import Statistics

struct ComparisonPage {
  let report: ComparisonReport
  let origin: ResultOrigin
  var viewed: String?

  var page: ResultPage {
    var page = ResultPage(
      title: "Compared on \(origin.datasetName)", command: origin.command, line: line)
    page.append(.init(body: verdict))
    page.append(.init("Expected on new people", id: "expected", body: expected))
    if report.pairs.count == 1, let pair = report.pairs.first {
      page.append(.init("People", id: "people", body: people(pair)))
      page.append(.init("Won and lost", id: "seconds", body: bench ?? seconds(pair)))
      page.append(.init("Where they differ", id: "where", body: recordings(pair)))
    } else {
      let folds: [HTML] = report.pairs.map { pair in
        Fold(
          title: "\(pair.name) against \(report.reference)",
          note: "people, seconds won and lost, recordings",
          body: people(pair) + seconds(pair) + recordings(pair)
        ).html
      }
      page.append(.init("Side by side", id: "pairs", body: "\(folds)"))
      page.append(.init("Frame by frame", id: "seconds", body: bench ?? .empty))
    }
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: line).html))
    return page
  }

  private var line: String { ShellWord.planklab(report.commands.again) }

  private var verdict: HTML {
    let answer = ComparisonAnswer(report)
    let growths = report.pairs.count == 1 ? growths(report.pairs[0]) : []
    var lead = Document()
    lead.list(answer.rest + growths + ComparisonCautions(report).sentences)
    return VerdictPanel(
      verdict: answer.verdict, headline: headline(answer),
      lead: lead.html, command: next(answer.state), facts: facts,
      changes: report.pairs.count == 1 ? changes(report.pairs[0]) : []
    ).html
  }

  private func headline(_ answer: ComparisonAnswer) -> HTML {
    HTML(markup: answer.headline.map { HTML.prose($0.text).text }.joined(separator: "<br>"))
  }

  private func next(_ state: VerdictPanel.State) -> [String] {
    guard ComparisonCautions(report).obstacle == nil, report.pairs.count == 1 else { return [] }
    guard state != .good else {
      return [ShellWord.planklab(report.commands.again + ["--thresholds", "thresholds.json"])]
    }
    let pair = report.pairs[0]
    let fallen = pair.recordings.filter { pair.advice[$0.stream]?.step.keeps ?? false }
    guard let worst = fallen.max(by: { $0.lost.value < $1.lost.value }),
      let moment = worst.longestLost, let explain = report.commands.explain[pair.name]
    else { return [] }
    return explain.lines(sequence: worst.name, time: moment.middle)
  }

  private var facts: [String] {
    let people = report.pairs.flatMap(\.advice.all).max { $0.people < $1.people }
    let seconds = AnswerStream.allCases.compactMap { stream -> String? in
      guard let score = report.sides.first?.streams[stream], score.hasTruth else { return nil }
      let total = score.scored?.value ?? score.seconds.total
      return "\(NumberText.grouped(total, 1)) s of \(stream.rawValue) scored"
    }
    return [
      "\(report.reference) → " + report.pairs.map(\.name).joined(separator: ", "),
      people?.crowd ?? "nobody",
    ] + seconds
  }

  private func growths(_ pair: ComparisonReport.Pair) -> [StyledText] {
    guard let first = report.sides.first, let other = report.sides.first(named: pair.name)
    else { return [] }
    return AnswerStream.allCases.compactMap { stream in
      guard pair.advice[stream]?.step.keeps ?? false else { return nil }
      return other.streams[stream].growth(since: first.streams[stream]).map {
        StyledText("\(stream.title), largest loss: \($0).", .bad)
      }
    }
  }

  private func changes(_ pair: ComparisonReport.Pair) -> [ChangeNumber] {
    judged(pair).map { _, metric, advice in
      ChangeNumber(
        title: "\(metric.key)", before: metric.before.number, after: metric.after.number,
        beforeText: metric.before.text(), afterText: metric.after.text(),
        range: range(metric), verdict: advice.strength, tone: advice.tone,
        note: "\(advice.expectedText) expected; better for \(advice.helped) of \(advice.crowd), "
          + "worse for \(advice.hurt)")
    }
  }

  private typealias Judged = (stream: AnswerStream, metric: MetricComparison, advice: Advice)

  private func judged(_ pair: ComparisonReport.Pair) -> [Judged] {
    AnswerStream.allCases.compactMap { stream in
      pair.metric(stream).flatMap { metric in pair.advice[stream].map { (stream, metric, $0) } }
    }
  }

  private func range(_ metric: MetricComparison) -> ClosedRange<Double> {
    let numbers =
      ([metric.before, metric.after] + metric.subjects.flatMap { [$0.before, $0.after] })
      .compactMap(\.number).filter(\.isFinite)
    let whole = metric.key.metric.range
    let lower = whole.lowerBound == 0 ? 0 : min(0, numbers.min() ?? 0)
    let upper = whole.upperBound.isFinite ? whole.upperBound : BarScale.roundEnd(numbers.max() ?? 1)
    return lower...max(upper, lower)
  }

  private var expected: HTML {
    let rows = AnswerStream.allCases.flatMap { stream in
      report.pairs.flatMap { pair in
        judged(pair).filter { $0.stream == stream }.map { row(pair, $0) }
      }
    }
    guard !rows.isEmpty else { return .empty }
    let name = report.pairs.count == 1 ? report.pairs[0].name : "another candidate"
    let forest = Forest(
      reference: report.reference, candidate: name, groups: [.init(unit: "points", rows: rows)],
      isLarge: true)
    return """
      <section class="panel"><h2>Expected on new people</h2>
      <p class="note">The gain in balanced accuracy of \(name) over \(report.reference); bars are \
      90 % intervals. Hover over a row for details.</p>
      \(forest.html)</section>

      """
  }

  private func row(_ pair: ComparisonReport.Pair, _ found: Judged) -> Forest.Row {
    let (_, metric, advice) = found
    return Forest.Row(
      name: "\(metric.key)", side: report.pairs.count == 1 ? "" : pair.name,
      before: metric.before.text(), after: metric.after.text(), difference: advice.expectedText,
      gain: 100 * advice.expected, interval: 100 * advice.low...100 * advice.high,
      verdict: advice.strength, tone: advice.tone, details: advice.sentence)
  }

  private typealias UnitRow = (unit: String, row: Forest.Row)

  private func row(_ metric: MetricComparison) -> UnitRow {
    let sign = metric.higherIsBetter ? 1.0 : -1
    let bounds = metric.intervals.wider.interval
    let ends = bounds.map { [sign * $0.lower, sign * $0.upper].sorted() }
    let difference = metric.difference.map { NumberText.signed($0, 3) } ?? "n/a"
    let interval = bounds.map {
      "(\(NumberText.signed($0.lower, 3)) to \(NumberText.signed($0.upper, 3)))"
    }
    let gap = metric.intervals.wider.reason?.rawValue ?? "no interval"
    return (
      metric.unit == "-" ? "" : metric.unit,
      Forest.Row(
        name: "\(metric.key)", before: metric.before.text(), after: metric.after.text(),
        difference: "\(difference) \(interval ?? "")", gain: metric.gain,
        interval: ends.map { $0[0]...$0[1] },
        verdict: "\(metric.wins) better, \(metric.losses) worse", tone: .plain,
        details: details(metric) ?? gap)
    )
  }

  private func details(_ metric: MetricComparison) -> String? {
    let ends = metric.intervals.wider.interval.map {
      ", 95 %: \(NumberText.short($0.lower)) to \(NumberText.short($0.upper))"
    }
    return metric.difference.map { difference in
      "\(metric.key) \(metric.before.text(6)) → \(metric.after.text(6)): "
        + "\(NumberText.signed(difference, 6))\(ends ?? ", no interval"); "
        + "\(metric.wins) better, \(metric.ties) same, \(metric.losses) worse"
    }
  }

  private static func grouped(_ rows: [UnitRow]) -> [Forest.Group] {
    rows.map(\.unit).distinct.map { unit in
      Forest.Group(unit: unit, rows: rows.filter { $0.unit == unit }.map(\.row))
    }
  }

  private func people(_ pair: ComparisonReport.Pair) -> HTML {
    let panels: [HTML] = judged(pair).map { stream, metric, _ in
      Dumbbells(
        title: stream.title, metric: "\(metric.key)",
        reference: report.reference, candidate: pair.name, range: range(metric),
        people: people(metric)
      ).html
    }
    let shown = panels.filter { !$0.isEmpty }
    return shown.isEmpty ? .empty : "<div class=\"pair\">\n\(shown)</div>\n"
  }

  private func people(_ metric: MetricComparison) -> [Dumbbells.Person] {
    let sign = metric.higherIsBetter ? 1.0 : -1
    let all = metric.subjects.map { person in
      let reason = person.before.reason ?? person.after.reason
      return Dumbbells.Person(
        name: person.subject ?? "unknown", before: person.before.number, after: person.after.number,
        text: person.difference == nil
          ? reason?.rawValue ?? "not judged" : "\(person.before.text()) → \(person.after.text())",
        gain: person.difference.map { sign * $0 },
        isChanged: (person.difference ?? 0).magnitude > SubjectDifference.tie)
    }
    return all.sorted { ($0.gain ?? .infinity) < ($1.gain ?? .infinity) }
  }

  private func seconds(_ pair: ComparisonReport.Pair) -> HTML {
    guard let first = report.sides.first, let other = report.sides.first(named: pair.name)
    else { return .empty }
    let tables: [HTML] = AnswerStream.allCases.compactMap { stream in
      guard first.streams[stream].hasTruth else { return nil }
      return ChangeMatrix(
        title: stream.rawValue, before: first.streams[stream].seconds,
        after: other.streams[stream].seconds,
        change: pair.name == report.sides.first?.name ? nil : other.streams[stream].change)?.html
    }
    guard !tables.isEmpty else { return .empty }
    return """
      <section class="panel"><h2>Seconds won and lost</h2>
      <p class="note">\(pair.name) minus \(report.reference); green is better, red is worse. \
      Classes that are neither labeled nor answered are left out.</p>
      <div class="bench">
      \(tables)</div></section>

      """
  }

  private var bench: HTML? {
    viewed.map { side in
      Workbench(
        title: report.pairs.count == 1
          ? "Seconds won and lost" : "Frame by frame: \(side) and \(report.reference)",
        note:
          "`\(side)` minus `\(report.reference)`; rows are labels, columns are answers. The viewer "
          + "shows both answers in the recordings that differ most.",
        hasViewer: true, matrices: report.sides.matrices(of: side, minus: report.reference),
        stretches: "<p class=\"note\">The viewer needs JavaScript.</p>\n"
      ).html
    }
  }

  private func recordings(_ pair: ComparisonReport.Pair) -> HTML {
    guard !pair.recordings.isEmpty else {
      return """
        <section class="panel"><h2>Where they differ</h2>
        <p>The two are right and wrong in the same frames of every recording.</p></section>

        """
    }
    let ribbons = DifferenceRibbons(
      reference: report.reference, candidate: pair.name,
      recordings: pair.recordings.map { recording($0, pair) })
    return """
      <section class="panel"><h2>Where they differ</h2>
      <p class="note">These recordings differ most. During lost time, only \(report.reference) \
      is right; during won time, only \(pair.name) is right.</p>
      \(ribbons.html)</section>

      """
  }

  private func recording(
    _ found: RecordingDifference, _ pair: ComparisonReport.Pair
  ) -> DifferenceRibbons.Recording {
    func moment(
      _ stretch: RecordingDifference.Stretch?, isLost: Bool
    ) -> DifferenceRibbons.Moment? {
      stretch.map { stretch in
        DifferenceRibbons.Moment(
          what: "\(NumberText.fixed(stretch.duration.value, 2)) s \(isLost ? "lost" : "won")",
          isLost: isLost, start: stretch.start, truth: stretch.truth, before: stretch.before,
          after: stretch.after,
          link: pair.name == viewed ?? pair.name
            ? MomentLink(sequence: found.name, time: stretch.start, stream: found.stream) : nil,
          commands: [report.reference, pair.name].compactMap { side in
            report.commands.explain[side]?.lines(sequence: found.name, time: stretch.middle)
          })
      }
    }
    return DifferenceRibbons.Recording(
      name: found.name,
      facts: "\(found.stream.rawValue): \(NumberText.fixed(found.lost.value, 2)) s lost, "
        + "\(NumberText.fixed(found.won.value, 2)) s won",
      seconds: found.duration.value, truth: found.truth.spans, before: found.before.spans,
      after: found.after.spans,
      moments: [moment(found.longestLost, isLost: true), moment(found.longestWon, isLost: false)]
        .compactMap(\.self))
  }

  private var folds: HTML {
    report.pairs.reduce(HTML.empty) { $0 + shown($1) }
      + Fold.document("Every candidate", "full matrices and classes", report.sides.document)
  }

  private func shown(_ pair: ComparisonReport.Pair) -> HTML {
    let metrics = pair.comparison.metrics.filter { !$0.isUnchanged && !$0.isUndefined }
    let forest = Forest(
      reference: report.reference, candidate: pair.name,
      groups: Self.grouped(metrics.map { row($0) }))
    var rest = Document()
    rest.table(report.activityTable(pair))
    rest.paragraph(report.unchanged(pair.comparison))
    rest.paragraph(report.undefined(pair.comparison), .dim)
    var tables = Document()
    tables.table(report.table(pair))
    tables.paragraph(report.gaps(pair.comparison), .dim)
    report.append(pair, to: &tables)
    let body: HTML = """
      \(forest.html)\(rest.html)\
      <details><summary>Table, and the worst recordings</summary>
      \(tables.html)</details>

      """
    let name = report.pairs.count == 1 ? "" : ": \(pair.name)"
    return Fold(
      title: "Every score\(name)", note: "shown, not judged: \(metrics.count) that differ",
      body: body
    ).html
  }
}

extension [ScoredSide] {
  func first(named name: String) -> ScoredSide? { first { $0.name == name } }
}
