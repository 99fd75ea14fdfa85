internal import Evaluation
internal import PoseModel
internal import Statistics

extension StreamReport {
  /// `isMean` tells whether recall and precision are means over several sources.
  func matrix(hasFrames: Bool, isMean: Bool) -> Document {
    var document = Document()
    document.heading("\(stream.rawValue): seconds, with truth in rows and answers in columns")
    guard view.frameCounts.scored > 0 else {
      document.paragraph(unscoredSentence)
      return document
    }
    document.table(matrixTable(isMean: isMean))
    if hasFrames { document.table(frameTable) }
    document.paragraph(noEvidenceSentence, .warning)
    let wrong = confusions.prefix(3).map(\.text).joined(separator: ", ")
    document.paragraph(wrong.isEmpty ? "" : "Errors: \(wrong).")
    return document
  }

  func metrics(hasMethods: Bool) -> Document {
    var document = Document()
    guard view.frameCounts.scored > 0 else { return document }
    document.heading("\(stream.rawValue): metrics")
    document.table(metricsTable(hasMethods: hasMethods))
    let people =
      self.uncertainty.map {
        " Intervals resample \(NumberText.people($0.subjects))."
      } ?? ""
    document.paragraph(
      "Each frame is weighted by the median frame interval of its recording. The `decided` column "
        + "omits frames that the rules could not decide.\(people)", .dim)
    if let uncertainty = self.uncertainty {
      document.paragraph(uncertainty.gapSentence(headlines), .dim)
      document.paragraph([uncertainty].alikeSentence(headlines), .dim)
    }
    return document
  }

  var smallMatrix: Table {
    let seconds = view.confusionSeconds
    let shown = labels.indices.filter { label in
      labels.indices.contains { seconds[label, $0] > 0 || seconds[$0, label] > 0 }
    }
    var table = Table(
      [.words("\(stream.rawValue), s")] + shown.map { .number(labels[$0]) } + [.number("recall")])
    for row in shown {
      table.row(cells(row, shown) + [StyledText(view[.recall, labels[row]].text())])
    }
    table.row(["precision"] + shown.map { StyledText(view[.precision, labels[$0]].text()) } + [""])
    return table
  }

  private func matrixTable(isMean: Bool) -> Table {
    let of = isMean ? ", mean over sources" : ""
    var table = Table(
      [.words("truth")] + labels.map { .number($0) }
        + [.number("recall\(of)"), .number("precision\(of)"), .number("decided")])
    for (row, label) in labels.enumerated() {
      table.row(
        cells(row, Array(labels.indices)) + [
          StyledText(view[.recall, label].text()), StyledText(view[.precision, label].text()),
          StyledText(view.determinedSeconds.text(label)),
        ])
    }
    return table
  }

  private func cells(_ row: Int, _ columns: [Int]) -> [StyledText] {
    let total = view.confusionSeconds.truthTotal(row)
    return [StyledText(labels[row], .strong)]
      + columns.map { column in
        let seconds = view.confusionSeconds[row, column]
        return cell(seconds, NumberText.fixed(seconds, 1), isRight: row == column, of: total)
      }
  }

  private var frameTable: Table {
    var table = Table([.words("truth, frames")] + labels.map { .number($0) })
    for (row, label) in labels.enumerated() {
      let total = Double(view.confusion.truthTotal(row))
      let cells = labels.indices.map { column in
        let count = view.confusion[row, column]
        return cell(Double(count), NumberText.count(count), isRight: row == column, of: total)
      }
      table.row([StyledText(label, .strong)] + cells)
    }
    return table
  }

  private func cell(_ number: Double, _ text: String, isRight: Bool, of total: Double) -> StyledText
  {
    guard number > 0 else { return StyledText(".", .dim) }
    let right: StyledText.Tone = self.noEvidence.isEmpty ? .good : .warning
    return StyledText(text, isRight ? right : .bad).shaded(number, of: total)
  }

  private func metricsTable(hasMethods: Bool) -> Table {
    var table = Table(
      [.words("metric"), .number("value"), .number("95 %")]
        + (hasMethods ? [.words("by")] : []) + [.number("decided"), .words("")])
    func row(_ key: MetricKey, _ value: MetricValue, decided: String, _ remark: String) {
      let found = self.uncertainty?.intervals[key]
      table.row(
        [
          "\(key)", StyledText(value.text(), .strong),
          StyledText(found?.wider.shortText ?? ""),
        ] + (hasMethods ? [StyledText(found?.methodText ?? "", .dim)] : []) + [
          StyledText(decided), StyledText(remark, .dim),
        ])
    }
    let scopes: [Metric.Scope] = stream == .plank ? [.stream, .session] : [.stream]
    let decided = scopes.flatMap { view.results(.classification, $0, determined: true) }
    let results = scopes.flatMap { view.results(.classification, $0) }
    for (all, decided) in zip(results, decided) {
      row(all.key, all.value, decided: decided.value.text(), remark(all))
    }
    for key in headlines where !results.contains(where: { $0.key == key }) {
      let value = view.value(key)
      row(key, value, decided: "", value.reason?.rawValue ?? "")
    }
    if let endToEnd = self.endToEnd {
      let accuracy = MetricKey(.accuracy, in: .form)
      table.row(
        ["form.accuracy where the plank is right", StyledText(endToEnd[.accuracy].text()), ""]
          + (hasMethods ? [""] : []) + [
            StyledText(endToEnd.value(accuracy, determined: true).text()), "",
          ])
    }
    return table
  }

  private func remark(_ result: MetricResult) -> String {
    if let reason = result.value.reason { return reason.rawValue }
    var remarks: [String] = []
    if !self.noEvidence.isEmpty {
      remarks.append(
        "includes \(NumberText.count(self.noEvidence.count, "sequence")) with NO EVIDENCE")
    }
    if !result.excluded.isEmpty {
      remarks.append("without " + result.excluded.joined(separator: ", "))
    }
    return remarks.joined(separator: "; ")
  }

  var unscoredSentence: StyledText {
    StyledText("No frame carries a \(stream.rawValue) label.", .warning)
  }

  var noEvidenceSentence: String {
    guard !self.noEvidence.isEmpty else { return "" }
    return
      "NO EVIDENCE in \(NumberText.count(self.noEvidence.count, "sequence")): the rules decided "
      + "fewer than half of the scored frames there, so agreement says nothing about the rules: "
      + "\(WordText.first(8, of: self.noEvidence))."
  }

  fileprivate func inDetail(_ details: TemporalDetails) -> Document {
    var document = Document()
    let temporal = details.temporal
    document.heading("\(stream.rawValue) over time, in detail")
    document.table(temporal.eventTable)
    document.table(temporal.latencyTable)
    document.table(temporal.wardTimeTable)
    document.table(temporal.wardEventTable)
    document.table(temporal.holdTable)
    document.table(details.dwellTable(labels))
    document.paragraph(temporal.segments.sentence)
    document.paragraph(
      "Ratio of answer changes to true changes: \(view.stability.transitionRatio.text(2)). The "
        + "longest time without a change of the answer is \(details.longestAnswer.text(1)) s.")
    return document
  }
}

extension DeterminedShare {
  func text(_ label: String) -> String { perClass[label]?.percentText ?? "n/a" }
}

extension StreamUncertainty {
  func gapSentence(_ stream: [MetricKey]) -> String {
    var names: [String: [String]] = [:]
    for key in stream {
      guard let found = intervals[key], let gap = found.wider.reason else { continue }
      names[gap.rawValue, default: []].append("\(key)")
    }
    return names.sorted { $0.key < $1.key }.map { reason, names in
      "No interval for \(names.joined(separator: ", ")): \(reason)."
    }.joined(separator: " ")
  }
}

extension LabelAgreement {
  package func document(isBesideScores: Bool) -> Document {
    var document = Document()
    document.heading("Agreement of two annotators")
    if isBesideScores {
      document.paragraph(
        "Labels contain errors, so no detector can agree with them fully. If two annotators err "
          + "independently and equally often, a perfect detector's kappa with either is about the "
          + "square root of theirs: `perfect_detector_kappa`. If annotators share mistakes, this "
          + "value is too high.")
    }
    let streams = AnswerStream.allCases
    var table = Table([.words("")] + streams.map { .number($0.rawValue) })
    for place in self[.plank].rows.indices {
      let rows = streams.map { self[$0].rows[place] }
      table.row(
        [StyledText(rows[0].name.split(separator: ".annotators_").last.map(String.init) ?? "")]
          + rows.map { row in
            StyledText(
              NumberText.fixed(row.value.number, row.unit == "boundaries" ? 0 : 3), .strong)
          })
    }
    document.table(table)
    document.list(
      streams.compactMap { stream in
        let reasons = self[stream].rows.compactMap(\.value.reason?.rawValue).distinct
        return reasons.isEmpty
          ? nil : StyledText("\(stream.title) n/a: \(reasons.joined(separator: "; ")).", .dim)
      })
    for stream in AnswerStream.allCases where self[stream].commonSeconds.total > 0 {
      document.table(matrix(stream))
    }
    return document
  }

  private func matrix(_ stream: AnswerStream) -> Table {
    let seconds = self[stream].commonSeconds
    var table = Table(
      [.words("first \\ second, s")] + seconds.labels.map { Table.Column.number($0) })
    for (row, label) in seconds.labels.enumerated() {
      let cells = seconds.labels.indices.map { column -> StyledText in
        let value = seconds[row, column]
        if value == 0 { return StyledText(".", .dim) }
        return StyledText(NumberText.fixed(value, 1), row == column ? .good : .bad)
      }
      table.row([StyledText(label, .strong)] + cells)
    }
    return table
  }
}

extension EvaluationReport {
  var overTime: Document {
    var document = Document()
    document.heading("Over time")
    var table = Table([
      .words("stream"), .number("true events"), .number("event F1"), .number("event recall"),
      .number("starts observed"),
      .number("detected p50 s"), .number("p90 s"), .number("released p50 s"), .words(""),
    ])
    for part in [plank, form] {
      table.overTime(
        part.stream.rawValue, part.view[.eventF1], part.overTime.detection, part.overTime.release)
    }
    for part in form.overTime.classes where part.detection.changes > 0 {
      table.overTime("  \(part.label)", part.eventF1, part.detection, part.release)
    }
    document.table(table)
    document.paragraph("Latencies include missed events; events match within 0.5 s.")
    return document
  }

  var overTimeInDetail: Document {
    var document = Document()
    for part in [plank, form] where part.counts.events.count > 0 {
      if let details = part.details { document.append(part.inDetail(details)) }
    }
    return document
  }
}

extension Table {
  fileprivate mutating func overTime(
    _ name: String, _ f1: MetricValue, _ detection: LatencyMetrics, _ release: LatencyMetrics
  ) {
    row([
      StyledText(name, .strong), StyledText("\(detection.changes)"), StyledText(f1.text(), .strong),
      StyledText(detection.hitRate.text()),
      StyledText("\(detection.observedChanges) of \(detection.changes)"),
      StyledText(detection.median.text(2)),
      StyledText(detection.ninetieth.text(2)), StyledText(release.median.text(2)),
      StyledText(Self.remark(detection, release), .dim),
    ])
  }

  private static func remark(_ detection: LatencyMetrics, _ release: LatencyMetrics) -> String {
    if let reason = [detection.median, detection.ninetieth].compactMap(\.reason).first {
      return "detected: \(reason.rawValue)"
    }
    guard release.median.reason != nil else { return "" }
    return release.changes == 0
      ? "no event ends in scored time" : "released: too many events are never released"
  }
}

extension TemporalDetails {
  fileprivate func dwellTable(_ labels: [String]) -> Table {
    var table = Table([
      .words("dwell"), .words(""), .number("runs"), .number("p10 s"), .number("p50 s"),
      .number("p90 s"), .number("longest s"), .number("under 0.5 s"),
    ])
    for label in labels {
      guard let own = dwells[label] else { continue }
      for (name, summary) in [("true", own.truth), ("answered", own.answers)]
      where summary.runs > 0 {
        table.row([
          StyledText(label, .strong), StyledText(name), "\(summary.runs)",
          StyledText(summary.tenth.text(2)), StyledText(summary.median.text(2)),
          StyledText(summary.ninetieth.text(2)), StyledText(summary.longest.text(2)),
          StyledText(summary.shortShare.percentText),
        ])
      }
    }
    return table
  }
}

extension TemporalMetrics {
  var eventTable: Table {
    Table(zip(rules, events)) { row, element in
      let (rule, scores) = element
      row.words("events within", NumberText.shortest(rule.collar.value) + " s")
      row.words("ends", rule.countsEnds ? "count" : "free")
      row.number("matched", "\(scores.counts.matched)")
      row.number("true", "\(scores.counts.truth)")
      row.number("answered", "\(scores.counts.predicted)")
      row.number("precision", scores.precision.text())
      row.number("recall", scores.recall.text())
      row.number("F1", scores.f1.text(), .strong)
      row.number("error rate", scores.errorRate.text())
    }
  }

  var latencyTable: Table {
    var table = Table([
      .words("latency"), .words(""), .number("events"), .number("observed"),
      .number("event recall"), .number("p50 s"), .number("within"), .number("p90 s"),
      .number("within"), .number("mean of hits only s"), .number("early"),
    ])
    for part in parts {
      for (name, latency) in [("detected", part.detection), ("released", part.release)]
      where latency.changes > 0 {
        table.row([
          StyledText(part.name, .strong), StyledText(name), "\(latency.changes)",
          "\(latency.observedChanges)", StyledText(latency.hitRate.text()),
          StyledText(latency.median.text(2)), StyledText(latency.text(latency.medianBounds), .dim),
          StyledText(latency.ninetieth.text(2)),
          StyledText(latency.text(latency.ninetiethBounds), .dim),
          StyledText(latency.meanOverHits.text(2), .dim),
          StyledText(latency.earlyShare.percentText),
        ])
      }
    }
    return table
  }

  var wardTimeTable: Table {
    let pieces = WardPiece.allCases.filter { $0 != .trueNegative }
    var table = Table(
      [.words("share of time")] + pieces.map { .number($0.rawValue.replacing("_", with: " ")) })
    for part in parts where part.ward.seconds(isTrue: true) > 0 {
      table.row(
        [StyledText(part.name, .strong)]
          + pieces.map { StyledText(part.ward.rate($0).percentText) })
    }
    return table
  }

  var wardEventTable: Table {
    var table = Table([
      .words("events"), .number("correct"), .number("deleted"), .number("fragmented"),
      .number("merged"), .number("both"), .number("inserted"), .number("fragments"),
      .number("mergers"), .number("F1 of 1 s bins"),
    ])
    for part in parts {
      let counts = [
        part.ward.truth(.correct), part.ward.truth(.alone), part.ward.truth(.fragmented),
        part.ward.truth(.merged), part.ward.truth(.fragmentedAndMerged),
        part.ward.answers(.alone), part.ward.answers(.fragmented), part.ward.answers(.merged),
      ]
      guard counts.contains(where: { $0 > 0 }) else { continue }
      table.row(
        [StyledText(part.name, .strong)] + counts.map { StyledText("\($0)") }
          + [StyledText(part.binF1.text())])
    }
    return table
  }

  var holdTable: Table {
    Table(parts) { row, part in
      guard part.holds.counts.trueSeconds + part.holds.counts.answeredSeconds > 0 else { return }
      row.words("timer of", part.name, .strong)
      row.number("true s", part.holds.counts.trueSeconds, 1)
      row.number("answered s", part.holds.counts.answeredSeconds, 1)
      row.number("error s", part.holds.error.text(2))
      row.number("signed s", part.holds.signedError.text(2))
      row.number("relative", part.holds.relativeError.percentText)
      row.number("longest hold's error s", part.holds.longestError.text(2))
    }
  }

  private var parts: [ClassTemporalMetrics] { [any] + classes }
}

extension ClassTemporalMetrics {
  fileprivate var name: String { label ?? "any" }
}

extension SegmentTally {
  var sentence: String {
    let values = zip(Self.overlaps, zip(f1(), f1(isOptimal: true))).map { overlap, f1 in
      "\(f1.0.text()) (\(f1.1.text())) at \(Int((100 * overlap).rounded())) %"
    }
    return "Segmental F1 by the first best overlap (in parentheses, by optimal matching): "
      + values.joined(separator: ", ") + "; edit score \(editScore.text(1))."
  }
}

extension LatencyMetrics {
  fileprivate func text(_ bounds: ClosedRange<Double>?) -> String {
    guard hiddenChanges > 0, let bounds else { return "" }
    return "\(NumberText.fixed(bounds.lowerBound, 2)) to \(NumberText.fixed(bounds.upperBound, 2))"
  }
}
