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
    let title = "\(stream.rawValue), s"
    var table = Table(shown) { row, truth in
      row.words(title, labels[truth], .strong)
      for answer in shown { row.number(labels[answer], secondsCell(truth, answer)) }
      row.number("recall", view[.recall, labels[truth]].text())
    }
    table.row {
      $0.words(title, "precision")
      for answer in shown { $0.number(labels[answer], view[.precision, labels[answer]].text()) }
      $0.number("recall", "")
    }
    return table
  }

  private func matrixTable(isMean: Bool) -> Table {
    let of = isMean ? ", mean over sources" : ""
    return Table(labels.enumerated()) { row, truth in
      let label = truth.element
      row.words("truth", label, .strong)
      for (answer, title) in labels.enumerated() {
        row.number(title, secondsCell(truth.offset, answer))
      }
      row.number("recall\(of)", view[.recall, label].text())
      row.number("precision\(of)", view[.precision, label].text())
      row.number("decided", view.determinedSeconds.text(label))
    }
  }

  private func secondsCell(_ truth: Int, _ answer: Int) -> StyledText {
    let seconds = view.confusionSeconds[truth, answer]
    let total = view.confusionSeconds.truthTotal(truth)
    return cell(seconds, NumberText.fixed(seconds, 1), isRight: truth == answer, of: total)
  }

  private var frameTable: Table {
    Table(labels.indices) { row, truth in
      row.words("truth, frames", labels[truth], .strong)
      let total = Double(view.confusion.truthTotal(truth))
      for answer in labels.indices {
        let count = view.confusion[truth, answer]
        row.number(
          labels[answer],
          cell(Double(count), NumberText.count(count), isRight: truth == answer, of: total))
      }
    }
  }

  private func cell(_ number: Double, _ text: String, isRight: Bool, of total: Double) -> StyledText
  {
    guard number > 0 else { return StyledText(".", .dim) }
    let right: StyledText.Tone = self.noEvidence.isEmpty ? .good : .warning
    return StyledText(text, isRight ? right : .bad).shaded(number, of: total)
  }

  private func metricsTable(hasMethods: Bool) -> Table {
    var table = Table()
    func row(_ key: MetricKey, _ value: MetricValue, decided: String, _ remark: String) {
      let interval = self.uncertainty?.intervals[key]
      table.row {
        $0.words("metric", "\(key)")
        $0.number("value", value.text(), .strong)
        $0.number("95 %", interval?.wider.shortText ?? "")
        if hasMethods { $0.words("by", interval?.methodText ?? "", .dim) }
        $0.number("decided", decided)
        $0.words("", remark, .dim)
      }
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
      table.row {
        $0.words("metric", "form.accuracy where the plank is right")
        $0.number("value", endToEnd[.accuracy].text())
        $0.number("95 %", "")
        if hasMethods { $0.words("by", "") }
        $0.number("decided", endToEnd.value(accuracy, determined: true).text())
        $0.words("", "")
      }
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
    document.table(self[.plank].rows.enumerated()) { row, first in
      row.words("", first.element.name.split(separator: ".annotators_").last.map(String.init) ?? "")
      for stream in streams {
        let own = self[stream].rows[first.offset]
        row.number(stream.rawValue, own.value.number, own.unit == "boundaries" ? 0 : 3, .strong)
      }
    }
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
    return Table(seconds.labels.enumerated()) { row, first in
      row.words("first \\ second, s", first.element, .strong)
      for (second, label) in seconds.labels.enumerated() {
        let value = seconds[first.offset, second]
        if value == 0 {
          row.number(label, ".", .dim)
        } else {
          row.number(label, value, 1, first.offset == second ? .good : .bad)
        }
      }
    }
  }
}

extension EvaluationReport {
  var overTime: Document {
    var document = Document()
    document.heading("Over time")
    var table = Table()
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
    row {
      $0.words("stream", name, .strong)
      $0.number("true events", "\(detection.changes)")
      $0.number("event F1", f1.text(), .strong)
      $0.number("event recall", detection.hitRate.text())
      $0.number("starts observed", "\(detection.observedChanges) of \(detection.changes)")
      $0.number("detected p50 s", detection.median.text(2))
      $0.number("p90 s", detection.ninetieth.text(2))
      $0.number("released p50 s", release.median.text(2))
      $0.words("", Self.remark(detection, release), .dim)
    }
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
    var table = Table()
    for label in labels {
      guard let own = dwells[label] else { continue }
      for (name, summary) in [("true", own.truth), ("answered", own.answers)]
      where summary.runs > 0 {
        table.row {
          $0.words("dwell", label, .strong)
          $0.words("", name)
          $0.number("runs", "\(summary.runs)")
          $0.number("p10 s", summary.tenth.text(2))
          $0.number("p50 s", summary.median.text(2))
          $0.number("p90 s", summary.ninetieth.text(2))
          $0.number("longest s", summary.longest.text(2))
          $0.number("under 0.5 s", summary.shortShare.percentText)
        }
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
    var table = Table()
    for part in parts {
      for (name, latency) in [("detected", part.detection), ("released", part.release)]
      where latency.changes > 0 {
        table.row {
          $0.words("latency", part.name, .strong)
          $0.words("", name)
          $0.number("events", "\(latency.changes)")
          $0.number("observed", "\(latency.observedChanges)")
          $0.number("event recall", latency.hitRate.text())
          $0.number("p50 s", latency.median.text(2))
          $0.number("within", latency.text(latency.medianBounds), .dim)
          $0.number("p90 s", latency.ninetieth.text(2))
          $0.number("within", latency.text(latency.ninetiethBounds), .dim)
          $0.number("mean of hits only s", latency.meanOverHits.text(2), .dim)
          $0.number("early", latency.earlyShare.percentText)
        }
      }
    }
    return table
  }

  var wardTimeTable: Table {
    Table(parts.filter { $0.ward.seconds(isTrue: true) > 0 }) { row, part in
      row.words("share of time", part.name, .strong)
      for piece in WardPiece.allCases where piece != .trueNegative {
        row.number(piece.rawValue.replacing("_", with: " "), part.ward.rate(piece).percentText)
      }
    }
  }

  var wardEventTable: Table {
    Table(parts) { row, part in
      let ward = part.ward
      let counts = [
        ("correct", ward.truth(.correct)), ("deleted", ward.truth(.alone)),
        ("fragmented", ward.truth(.fragmented)), ("merged", ward.truth(.merged)),
        ("both", ward.truth(.fragmentedAndMerged)), ("inserted", ward.answers(.alone)),
        ("fragments", ward.answers(.fragmented)), ("mergers", ward.answers(.merged)),
      ]
      guard counts.contains(where: { $0.1 > 0 }) else { return }
      row.words("events", part.name, .strong)
      for (title, count) in counts { row.number(title, "\(count)") }
      row.number("F1 of 1 s bins", part.binF1.text())
    }
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
