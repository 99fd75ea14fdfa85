internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
internal import Tuning

struct SmootherPage {
  let comparison: SmootherComparison
  let origin: ResultOrigin

  var page: ResultPage {
    var page = ResultPage(title: "Smoothers on \(origin.datasetName)", command: origin.command)
    page.append(.init(body: verdict))
    page.append(.init("All choices", id: "sides", body: sides))
    page.append(.init("Jitter against lag", id: "lag", body: plot))
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: nil).html))
    return page
  }

  private var verdict: HTML {
    let contest = comparison.contest
    var lead = Document()
    lead.list((contest?.streamSentences ?? []).map { StyledText($0) })
    if contest != nil, let trade = comparison.trade { lead.paragraph(trade, .dim) }
    return VerdictPanel(
      verdict: Verdict(
        contest?.recommended == nil ? .unsure : .good,
        contest.map { $0.recommended?.word ?? "Keep as it is" } ?? "No labels to score"),
      headline: HTML.prose(
        contest?.sentence ?? comparison.trade
          ?? "No smoother has both a defined jitter and a defined lag."),
      lead: lead.html, command: (comparison.evaluation ?? []).lines, facts: facts, changes: changes
    ).html
  }

  private var facts: [String] {
    [
      "detector \(comparison.detector)", NumberText.count(comparison.size.sequences, "sequence"),
      NumberText.count(comparison.size.transitions, "true change"),
      "\(comparison.target.rawValue) smoothed",
    ] + (comparison.contest.map { [NumberText.count($0.people, "person", plural: "people")] } ?? [])
  }

  private var changes: [ChangeNumber] {
    guard let contest = comparison.contest else { return [jitter].compactMap(\.self) }
    let side = contest.leading
    return contest.rows.filter(\.isPrimary).compactMap { row in
      guard let advice = contest[side]?.falseTransitionsAdvice[row.key.stream] else { return nil }
      let after = row[side]
      let reach = [row.plain.value.number, after.value.number].compactMap(\.self).max() ?? 1
      let icon = advice.step.takes ? "✓" : advice.step.keeps ? "✕" : "="
      return ChangeNumber(
        title: "\(row.key.stream.rawValue): \(row.key.metric.shortTitle), \(side.name)",
        before: row.plain.value.number, after: after.value.number,
        beforeText: row.plain.value.text(1), afterText: after.value.text(1),
        range: 0...BarScale.roundEnd(reach), verdict: "\(icon) \(advice.strength)",
        tone: advice.step.takes ? .good : .plain, note: "expected: \(advice.expectedText)",
        isKept: contest.recommended == nil)
    }
  }

  private var jitter: ChangeNumber? {
    guard let point = comparison.bestTrade, let place = point.place else { return nil }
    return ChangeNumber(
      title: "jitter of \(point.name)", before: 1, after: place.jitter, beforeText: "100 %",
      afterText: NumberText.fixed(100 * place.jitter, 0) + " %",
      range: 0...max(1, place.jitter), verdict: "= best trade", tone: .plain,
      note: "\(NumberText.fixed(1000 * place.lag, 0)) ms late")
  }

  private static let open: [Metric] = [
    .falseTransitionsPerMinute, .balancedAccuracy, .flickersPerMinute, .detectionLatencyMedian,
  ]

  private var sides: HTML {
    guard let contest = comparison.contest else { return .empty }
    let panels: [HTML] = contest.rows.filter { Self.open.contains($0.key.metric) }.map { row in
      bars(row, contest).html
    }
    let unknown: HTML = contest.unknownLatency.map { "<p class=\"note\">\($0)</p>\n" } ?? .empty
    return """
      <section class="panel"><h2>As it is, smoothed, debounced, both</h2>
      <p class="note">\(contest.method)</p>
      <div class="bench">
      \(panels)</div>\(unknown)</section>

      """
  }

  private func bars(_ row: SteadyContest.Row, _ contest: SteadyContest) -> SideIntervals {
    let decimals = row.key.metric.decimals
    func side(_ name: String, _ number: SteadyContest.Number, _ isChosen: Bool)
      -> SideIntervals.Side
    {
      let value = number.value.number
      return SideIntervals.Side(
        name: name, value: value, interval: number.interval.interval.map { $0.lower...$0.upper },
        text: value.map { SteadyContest.text($0, number.interval, decimals) }
          ?? number.value.reason?.rawValue ?? "n/a", isChosen: isChosen)
    }
    let taken = contest.recommended ?? .plain
    return SideIntervals(
      title: "\(row.key.stream.rawValue): \(row.key.metric.shortTitle)",
      verdict: contest.judgment(of: row),
      sides: SteadyContest.Answers.allCases.map { answers in
        side(answers.name, row[answers], answers == taken)
      })
  }

  private var jitterFigure: SmootherFigure? {
    SmootherFigure.all(comparison, on: origin.datasetName).first?.figure
  }

  private var plot: HTML {
    guard let figure = jitterFigure else { return .empty }
    let plot = LagPlot(figure: figure).html
    guard !plot.isEmpty else { return .empty }
    return """
      <section class="panel"><h2>Jitter against lag</h2>
      \(plot)</section>

      """
  }

  private var folds: HTML {
    let drawn = jitterFigure.map { Document.Block.figure(.smoothers($0)) }
    let rest = comparison.document(origin, isFull: true).blocks.filter { $0 != drawn }
    return Fold.document(
      "Every number", "choices, spread, equal lag and jitter, answers, stress, every smoother",
      Document(rest).afterOpening)
  }
}
