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
    page.append(.init("What decides", id: "decides", body: judged))
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
      page.append(
        .init("Side by side", id: "pairs", body: HTML(markup: folds.map(\.text).joined())))
      page.append(.init("Frame by frame", id: "seconds", body: bench ?? .empty))
    }
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: line).html))
    return page
  }

  private var line: String? {
    report.commands.map { commands in
      (["planklab"] + commands.again).map(ShellWord.quoted).joined(separator: " ")
    }
  }

  private var verdict: HTML {
    let advice = ComparisonAdvice(report: report)
    let state = ComparisonState(report)
    let lines = verdictLines + ComparisonCautions(report).sentences
    var lead = Document()
    lead.list(lines)
    return VerdictPanel(
      state: state.state, word: state.word, headline: HTML.prose(advice.sentence),
      lead: HTML(markup: HTMLRenderer().body(lead)), command: next, facts: facts,
      changes: report.pairs.count == 1 ? changes(report.pairs[0]) : []
    ).html
  }

  private var next: [String] {
    guard ComparisonCautions(report).obstacle == nil, report.pairs.count == 1,
      let commands = report.commands
    else { return [] }
    let pair = report.pairs[0]
    switch report.choice(pair) {
    case .cannotTell where report.margin == nil:
      return [
        (["planklab"] + commands.again + ["--margin", "0.05"]).map(ShellWord.quoted)
          .joined(separator: " ")
      ]
    case .takeWithCare, .trade, .keep:
      let fallen = (pair.recordings ?? []).filter { recording in
        pair.judged.contains { metric, _ in
          metric.key.stream == recording.stream && (metric.gain ?? 0) < 0
        }
      }
      guard let worst = fallen.max(by: { $0.lostSeconds < $1.lostSeconds }),
        let moment = worst.longestLost, let explain = commands.explain[pair.name]
      else { return [] }
      return explain.lines(sequence: worst.name, time: moment.middle)
    default: return []
    }
  }

  private var facts: [String] {
    let people = report.pairs.first?.judged.map(\.metric.subjects.count).max() ?? 0
    let seconds = AnswerStream.allCases.compactMap { stream -> String? in
      guard let score = report.sides.first?.streams[stream], score.hasTruth else { return nil }
      let total = score.scored?.value ?? score.seconds.total
      return "\(NumberText.grouped(total, 1)) s of \(stream.rawValue) scored"
    }
    return [
      "\(report.reference) → " + report.pairs.map(\.name).joined(separator: ", "),
      NumberText.count(people, "person", plural: "people") + (people > 1 ? ", paired" : ""),
    ] + seconds + ["95 %, \(NumberText.count(report.tests, "test")) together"]
  }
}

extension ComparisonPage {
  private var verdictLines: [StyledText] {
    report.pairs.flatMap { pair in
      pair.judged.map { metric, claim in
        let words = ComparisonWords(report, pair, metric, claim)
        let loss = (metric.difference ?? 0) < 0 ? growth(pair, metric.key.stream) : nil
        return StyledText(
          "\(words.place): \(words.sentence)" + (loss.map { " Most of it: \($0)." } ?? ""),
          claim.verdict.tone)
      }
    }
  }

  private func growth(_ pair: ComparisonReport.Pair, _ stream: AnswerStream) -> String? {
    guard let first = report.sides.first, let other = report.sides.first(named: pair.name)
    else { return nil }
    return other.streams[stream].growth(since: first.streams[stream])
  }

  private func changes(_ pair: ComparisonReport.Pair) -> [ChangeNumber] {
    pair.judged.prefix(3).map { metric, claim in
      let words = ComparisonWords(report, pair, metric, claim)
      return ChangeNumber(
        title: "\(metric.key)", before: metric.before.number, after: metric.after.number,
        beforeText: metric.before.text(), afterText: metric.after.text(),
        range: range(metric), verdict: words.verdict, tone: words.tone,
        note: "\(words.difference); \(words.counts)")
    }
  }

  private func range(_ metric: MetricComparison) -> ClosedRange<Double> {
    let numbers =
      ([metric.before, metric.after] + metric.subjects.flatMap { [$0.before, $0.after] })
      .compactMap(\.number).filter(\.isFinite)
    let whole = metric.key.metric.range
    let lower = whole.lowerBound == 0 ? 0 : min(0, numbers.min() ?? 0)
    let upper =
      whole.upperBound.isFinite ? whole.upperBound : BarScale.roundEnd(numbers.max() ?? 1)
    return lower...max(upper, lower)
  }

  private var judged: HTML {
    let rows = report.deciding.flatMap { key in
      report.pairs.compactMap { pair in
        pair.judged.first { $0.metric.key == key }.map { metric, claim in
          row(pair, metric, claim)
        }
      }
    }
    guard !rows.isEmpty else { return .empty }
    let name = report.pairs.count == 1 ? report.pairs[0].name : "other side"
    let forest = Forest(
      reference: report.reference, candidate: name, groups: Self.grouped(rows), isLarge: true)
    return """
      <section class="panel"><h2>What decides</h2>
      <p class="note">\(name) minus \(report.reference); bars are 95 % intervals for all \
      tests together. Point at a row for every digit.</p>
      \(forest.html)</section>

      """
  }

  private typealias UnitRow = (unit: String, row: Forest.Row)

  private func row(
    _ pair: ComparisonReport.Pair, _ metric: MetricComparison, _ claim: MetricClaim
  ) -> UnitRow {
    let words = ComparisonWords(report, pair, metric, claim)
    return row(
      metric, side: report.pairs.count == 1 ? "" : pair.name,
      bounds: claim.bounds.map { ($0.lower, $0.upper) }, words.verdict, words.tone)
  }

  private func row(_ metric: MetricComparison) -> UnitRow {
    row(
      metric, side: "", bounds: metric.intervals.wider.interval.map { ($0.lower, $0.upper) },
      "\(metric.wins) better, \(metric.losses) worse", .plain)
  }

  private func row(
    _ metric: MetricComparison, side: String, bounds: (lower: Double, upper: Double)?,
    _ verdict: String, _ tone: StyledText.Tone
  ) -> UnitRow {
    let sign = metric.higherIsBetter ? 1.0 : -1
    let ends = bounds.map { [sign * $0.lower, sign * $0.upper].sorted() }
    let difference = metric.difference.map { NumberText.signed($0, 3) } ?? "n/a"
    let interval = bounds.map {
      "(\(NumberText.signed($0.lower, 3)) to \(NumberText.signed($0.upper, 3)))"
    }
    let gap = metric.intervals.wider.reason?.rawValue ?? "no interval"
    return (
      metric.unit == "-" ? "" : metric.unit,
      Forest.Row(
        name: "\(metric.key)", side: side, before: metric.before.text(),
        after: metric.after.text(), difference: "\(difference) \(interval ?? "")",
        gain: metric.gain, interval: ends.map { $0[0]...$0[1] }, verdict: verdict, tone: tone,
        details: details(metric, bounds) ?? gap)
    )
  }

  private func details(
    _ metric: MetricComparison, _ bounds: (lower: Double, upper: Double)?
  ) -> String? {
    let ends = bounds.map {
      ", 95 %: \(NumberText.short($0.lower)) to \(NumberText.short($0.upper))"
    }
    return metric.difference.map { difference in
      "\(metric.key) \(metric.before.text(6)) → \(metric.after.text(6)): "
        + "\(NumberText.signed(difference, 6))\(ends ?? ", no interval"); "
        + "\(metric.wins) better, \(metric.ties) same, \(metric.losses) worse"
    }
  }

  private static func grouped(_ rows: [UnitRow]) -> [Forest.Group] {
    var units: [String] = []
    for row in rows where !units.contains(row.unit) { units.append(row.unit) }
    return units.map { unit in
      Forest.Group(unit: unit, rows: rows.filter { $0.unit == unit }.map(\.row))
    }
  }
}

extension ComparisonPage {
  private func people(_ pair: ComparisonReport.Pair) -> HTML {
    let panels: [HTML] = pair.judged.map { metric, claim in
      Dumbbells(
        title: ComparisonWords(report, pair, metric, claim).place, metric: "\(metric.key)",
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
        name: person.subject ?? "unknown", before: person.before.number,
        after: person.after.number,
        text: person.difference == nil
          ? reason?.rawValue ?? "not judged"
          : "\(person.before.text()) → \(person.after.text())",
        gain: person.difference.map { sign * $0 },
        isChanged: (person.difference ?? 0).magnitude > SubjectDifference.tie)
    }
    return all.enumerated().sorted {
      ($0.element.gain ?? .infinity, $0.offset) < ($1.element.gain ?? .infinity, $1.offset)
    }.map(\.element)
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
      Classes that are never true and never answered are left out.</p>
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
          "`\(side)` minus `\(report.reference)`; rows are true, columns answered. The viewer shows "
          + "both answers in the recordings that differ most.",
        hasViewer: true, matrices: report.sides.matrices(of: side, minus: report.reference),
        stretches: "<p class=\"note\">The viewer needs a script.</p>\n"
      ).html
    }
  }

  private func recordings(_ pair: ComparisonReport.Pair) -> HTML {
    guard let recordings = pair.recordings else { return .empty }
    guard !recordings.isEmpty else {
      return """
        <section class="panel"><h2>Where they differ</h2>
        <p>In no recording is one side right where the other is wrong.</p></section>

        """
    }
    let ribbons = DifferenceRibbons(
      reference: report.reference, candidate: pair.name,
      recordings: recordings.map { recording($0, pair) })
    return """
      <section class="panel"><h2>Where they differ</h2>
      <p class="note">The recordings that differ most; lost is time in which only \
      \(report.reference) is right, won is time in which only \(pair.name) is.</p>
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
          link: MomentLink(sequence: found.name, time: stretch.start, stream: found.stream),
          commands: [report.reference, pair.name].compactMap { side in
            report.commands?.explain[side]?
              .lines(sequence: found.name, time: stretch.middle)
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
}

extension ComparisonPage {
  private var folds: HTML {
    var words = Document()
    words.append(ComparisonScreen(report).answer)
    var folds = Fold.document("In words", "as the terminal says it", words)
    for pair in report.pairs { folds += shown(pair) }
    var matrices = Document()
    matrices.append(report.sides.document)
    return folds + Fold.document("Every side", "full matrices and classes", matrices)
  }

  private func shown(_ pair: ComparisonReport.Pair) -> HTML {
    let metrics = pair.comparison.metrics.filter {
      $0.claim == nil && !$0.isUnchanged && !$0.isUndefined
    }
    let forest = Forest(
      reference: report.reference, candidate: pair.name,
      groups: Self.grouped(metrics.map { row($0) }))
    var rest = Document()
    rest.table(report.activityTable(pair))
    rest.paragraph(StyledText(report.unchanged(pair.comparison)))
    rest.paragraph(StyledText(report.undefined(pair.comparison), .dim))
    var tests = Document()
    tests.table(report.decisions(pair))
    tests.table(report.table(pair))
    tests.paragraph(StyledText(report.resolution(pair), .dim))
    tests.paragraph(StyledText(report.gaps(pair.comparison), .dim))
    report.append(pair, to: &tests)
    let body: HTML = """
      \(forest.html)\(HTML(markup: HTMLRenderer().body(rest)))\
      <details><summary>Tests: p-values, BCa intervals, worst recordings</summary>
      \(HTML(markup: HTMLRenderer().body(tests)))</details>

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

extension RecordingDifference {
  fileprivate var lostSeconds: Double { lost.value }
}
