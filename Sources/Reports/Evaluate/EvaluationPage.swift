internal import Evaluation
internal import PoseModel
internal import Statistics

extension EvaluationReport {
  func page(_ origin: ResultOrigin) -> ResultPage { page(origin, EvaluationPictures()) }

  /// Leaves out timings, so that equal answers give equal pages.
  package func page(_ origin: ResultOrigin, _ pictures: EvaluationPictures) -> ResultPage {
    EvaluationPage(report: self, origin: origin, pictures: pictures).page
  }
}

package struct EvaluationPictures {
  package var ribbons: [RecordingRibbons] = []
  package var bodies: [Int: PoseSketch] = [:]
  package var hasViewer = false

  package init() {}
}

private struct EvaluationPage {
  let report: EvaluationReport
  let origin: ResultOrigin
  let pictures: EvaluationPictures

  var page: ResultPage {
    var page = ResultPage(title: report.heading(origin), command: origin.command, line: line)
    page.append(.init(body: verdict))
    page.append(
      .init(report.isUnlabeled ? "Moments" : "Where it is wrong", id: "wrong", body: wrong))
    page.append(.init("What next", id: "next", body: fixes))
    page.append(.init("People", id: "people", body: people))
    page.append(.init("By activity", id: "activities", body: activities))
    page.append(.init("Why", id: "why", body: evidence))
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: line).html))
    return page
  }

  private var line: String? {
    let data = report.data(origin)
    let options = report.explain?.options ?? []
    return data.isEmpty ? nil : ShellWord.planklab(["evaluate"] + data + options.flatMap(\.self))
  }

  private var verdict: HTML {
    let answer = EvaluationVerdict(report: report, origin: origin)
    return VerdictPanel(
      verdict: Verdict(report), headline: HTML.prose(answer.headline),
      lead: answer.more.isEmpty ? .empty : "<p class=\"dim\">\(prose: answer.more)</p>",
      command: answer.commands, facts: answer.facts.prefix(1).map(\.text), numbers: numbers
    ).html
  }

  private var numbers: [ScoreNumber] {
    let shares = report.judgedStreams.map { part in
      number(
        part, .accuracy, "\(part.stream.title) right", unit: "%", scale: 100, decimals: 0, 0...100)
    }
    let flickers = report.scoredStreams.first.map { part in
      number(
        part, .flickersPerMinute, "\(part.stream.title) flickers", unit: "per minute", scale: 1,
        decimals: 1, 0...10)
    }
    let falsePlanks =
      report.plank.isUndecided
      ? nil
      : number(
        report.plank, .falsePlankShare, "False planks", unit: "% of none", scale: 100, decimals: 1,
        0...100)
    return (shares + [falsePlanks, flickers ?? nil]).compactMap(\.self)
  }

  private func number(
    _ part: StreamReport, _ metric: Metric, _ title: String, unit: String, scale: Double,
    decimals: Int, _ range: ClosedRange<Double>
  ) -> ScoreNumber? {
    guard let value = part.view[metric].number.map({ scale * $0 }) else { return nil }
    let interval = part.uncertainty?.intervals[MetricKey(metric, in: part.stream)]?.wider.interval
      .map { scale * $0.lower...scale * $0.upper }
    let ends = interval.map {
      [$0.lowerBound, $0.upperBound].map { NumberText.fixed($0, decimals) }
    }
    let top = max(range.upperBound, value, interval?.upperBound ?? 0)
    return ScoreNumber(
      title: title, value: value,
      text: metric == .accuracy
        ? NumberText.wholePercent(value / scale).replacing(" %", with: "")
        : NumberText.fixed(value, decimals), unit: unit, interval: interval,
      range: range.lowerBound...top,
      note: ends.map { "\($0[0]) to \($0[1])\(unit == "%" ? " %" : "")" } ?? noInterval)
  }

  private var noInterval: String {
    report.dataset.subjects.count < 2 ? "too few people for an interval" : "no interval"
  }

  private var fixes: HTML {
    guard let next = report.next else { return .empty }
    let reasons: [HTML] = next.reasons.map { "<p>\(prose: $0)</p>\n" }
    let cards = FixCards(next: next, pictures: pictures.bodies)
    let together: HTML =
      next.together.map { all in
        """
        <p class="note">All fixes together: \(all.shares). \
        \(CopyButton(lines: all.command.lines, title: "Copy command").html)</p>

        """
      } ?? .empty
    if next.fixes.isEmpty, next.rules?.made ?? 0 == 0 {
      return reasons.isEmpty ? .empty : "<section class=\"panel\">\(reasons)</section>\n"
    }
    return cards.html + together + cards.rules
  }

  private var people: HTML {
    let judged = report.judgedStreams
    guard let first = judged.first else { return .empty }
    return PeopleStrip(
      streams: judged.map(\.stream.rawValue), everyone: judged.map { $0.view[.accuracy].number },
      people: first.people.map { slice in
        .init(
          name: slice.value ?? "unknown", seconds: slice.view.confusionSeconds.total,
          shares: judged.map { part in
            part.people.first { $0.value == slice.value }?.view[.accuracy].number
          })
      }
    ).html
  }

  private var activities: HTML {
    report.activities == nil
      ? .empty : "<section class=\"panel\">\(report.byActivity.html)</section>\n"
  }

  private var evidence: HTML {
    let fixes = report.next?.fixes ?? []
    let lead = fixes.firstIndex { $0 == report.next?.lead } ?? 0
    let panels: [HTML] = fixes.enumerated().map { place, fix in
      let evidence = ThresholdEvidence(fix: fix)
      return place == lead ? evidence.html : evidence.folded
    }
    guard !panels.isEmpty else { return .empty }
    return panels[lead]
      + HTML(markup: panels.enumerated().filter { $0.offset != lead }.map(\.element.text).joined())
  }

  private var wrong: HTML {
    let panels: [HTML] = [report.plank, report.form].map { "<div>\($0.matrixPanel)</div>\n" }
    let ribbons: [HTML] = pictures.ribbons.map { "<div>\($0.html)</div>\n" }
    return Workbench(
      title: report.isUnlabeled ? "Where the answer changes most" : "Where it is wrong",
      hasCells: !report.isUnlabeled, hasViewer: pictures.hasViewer,
      matrices: report.isUnlabeled ? [] : panels,
      stretches: moments, below: "<div class=\"bench\">\n\(ribbons)</div>\n"
    ).html
  }

  private var moments: HTML {
    let items: [HTML] = report.namedMoments.map { moment in
      let lines = report.explain?.lines(sequence: moment.sequence, time: moment.time) ?? []
      let command: HTML = lines.isEmpty ? .empty : CopyLine(lines: lines).html
      return """
        <li><span><b>\(moment.sequence)</b> \(prose: moment.what)</span>\
        <span class="n">at \(NumberText.fixed(moment.time.value, 2)) s</span>\(command)</li>

        """
    }
    if !items.isEmpty {
      return """
        <h3>\(report.isUnlabeled ? "Most changes" : "The worst moments")</h3>
        <ol class="moments">
        \(items)</ol>
        """
    }
    return report.isUnlabeled
      ? "<p>The answer never changes twice within 2 s.</p>\n"
      : report.judgedStreams.isEmpty
        ? "<p>No scored frame was decided, so no stretch is listed.</p>\n"
        : "<p class=\"good\">✓ The answer is right in every scored frame.</p>\n"
  }

  private var folds: HTML {
    var classes = Document()
    for part in report.scoredStreams {
      classes.heading(part.stream.rawValue, level: 3)
      classes.table(part.classTable)
      classes.paragraph(part.noEvidenceSentence, .warning)
    }
    var folds = Fold.document("Classes", "precision, recall and F1, by time", classes)
    for (title, note, sections) in Self.parts {
      var document = Document()
      if sections.contains(.metrics) {
        document.list(EvaluationVerdict(report: report, origin: origin).sentences)
      }
      for section in sections { append(section, to: &document) }
      folds += Fold.document(title, note, document)
    }
    return "<div class=\"folds\">\n\(folds)</div>\n"
  }

  private func append(_ section: ReportSection, to document: inout Document) {
    switch section {
    case .metrics:
      document.append(report.plank.metrics(hasMethods: true))
      document.append(report.form.metrics(hasMethods: true))
    case .detector:
      report.append(section, origin, to: &document)
      for part in [report.plank, report.form] {
        let list = report.detector.rules[part.stream]
        guard !list.isEmpty else { continue }
        document.heading("Rules for \(part.stream.rawValue)", level: 3)
        document.list(list.map { StyledText($0) })
      }
    default: report.append(section, origin, to: &document)
    }
  }

  private static let parts: [(String, String, [ReportSection])] = [
    (
      "All numbers", "with intervals, as in the JSON: metrics, events over time, jitter",
      [.metrics, .stability, .temporal, .jitter]
    ),
    ("By tag", "also by source, person and recording", [.sources, .slices]),
    (
      "Detector", "parameters, rules, calibration, other detectors, the device",
      [.detector, .calibration, .device]
    ),
    ("Labels and notes", "agreement of annotators, and notes", [.agreement, .notes]),
  ]
}

extension Verdict {
  private static let bad = 0.7
  private static let good = 0.95
  private static let goodForAPerson = 0.9
  private static let leastSeconds = 60.0

  fileprivate init(_ report: EvaluationReport) {
    let judged = report.judgedStreams
    let shares = judged.compactMap { $0.view[.accuracy].number }
    let people = judged.flatMap { $0.people.compactMap { $0.view[.accuracy].number } }
    let seconds = judged.first?.view.confusionSeconds.total ?? 0
    let least = shares.min() ?? 0
    if report.isUnlabeled || judged.isEmpty {
      self.init(.unsure, report.isUnlabeled ? "Not labeled" : "Nothing decided")
    } else if least < Self.bad {
      self.init(.bad, "Often wrong")
    } else if report.dataset.subjects.count < 2 || seconds < Self.leastSeconds {
      self.init(.unsure, "Too little data")
    } else if least < Self.good || (people.min() ?? 1) < Self.goodForAPerson {
      self.init(.warning, "Needs work")
    } else {
      self.init(.good, "Good")
    }
  }
}

extension StreamReport {
  fileprivate var people: [ScoreSlice] { self.slices.full.filter { $0.key == .subject } }

  fileprivate var matrixPanel: HTML {
    guard view.frameCounts.scored > 0,
      let matrix = Document.Matrix(
        title: stream.rawValue, labels: labels, frames: view.confusion.rows,
        seconds: view.confusionSeconds.rows)
    else { return "<p>\(HTML.styled(unscoredSentence))</p>\n" }
    return Document([.matrix(matrix)]).html
  }

  fileprivate var classTable: Table {
    Table(labels.indices) { row, code in
      let label = labels[code]
      row.words("class", label, .strong)
      row.number("true s", view.confusionSeconds.truthTotal(code), 1)
      row.number("precision", view[.precision, label].text())
      row.number("recall", view[.recall, label].text())
      row.number("F1", view[.f1, label].text())
      row.number("decided", view.determinedSeconds.text(label))
    }
  }
}
