internal import Evaluation
internal import PoseModel
internal import Statistics

extension EvaluationReport {
  var overTime: Document {
    var document = Document()
    document.heading("Over time")
    var table = Table([
      .words("stream"), .number("true events"), .number("event F1"), .number("hit rate"),
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
    document.paragraph("Latencies count misses; events match within 0.5 s.")
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
      ? "no event ends while scored" : "released: too many are never released"
  }
}

extension StreamReport {
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
    document.paragraph(StyledText(temporal.segments.sentence))
    document.paragraph(
      StyledText(
        "Ratio of answer changes to true changes: \(view.stability.transitionRatio.text(2)). The "
          + "longest time without a change is \(details.longestAnswer.text(1)) s."))
    return document
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
          StyledText(label, .strong), StyledText(name), StyledText("\(summary.runs)"),
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
    var table = Table([
      .words("events within"), .words("ends"), .number("matched"), .number("true"),
      .number("answered"), .number("precision"), .number("recall"), .number("F1"),
      .number("error rate"),
    ])
    for (rule, scores) in zip(rules, events) {
      table.row([
        StyledText(NumberText.shortest(rule.collar.value) + " s"),
        StyledText(rule.countsEnds ? "count" : "free"),
        StyledText("\(scores.counts.matched)"), StyledText("\(scores.counts.truth)"),
        StyledText("\(scores.counts.answers)"), StyledText(scores.precision.text()),
        StyledText(scores.recall.text()), StyledText(scores.f1.text(), .strong),
        StyledText(scores.errorRate.text()),
      ])
    }
    return table
  }

  var latencyTable: Table {
    var table = Table([
      .words("latency"), .words(""), .number("events"), .number("observed"),
      .number("hit rate"), .number("p50 s"), .number("within"), .number("p90 s"),
      .number("within"), .number("mean of hits only s"), .number("early"),
    ])
    for part in parts {
      for (name, latency) in [("detected", part.detection), ("released", part.release)]
      where latency.changes > 0 {
        table.row([
          StyledText(part.name, .strong), StyledText(name), StyledText("\(latency.changes)"),
          StyledText("\(latency.observedChanges)"), StyledText(latency.hitRate.text()),
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
      [.words("share of time")]
        + pieces.map { .number($0.rawValue.replacing("_", with: " ")) })
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
    var table = Table([
      .words("timer of"), .number("true s"), .number("answered s"), .number("error s"),
      .number("signed s"), .number("relative"), .number("longest hold's error s"),
    ])
    for part in parts
    where part.holds.counts.trueSeconds + part.holds.counts.answeredSeconds > 0 {
      table.row([
        StyledText(part.name, .strong),
        StyledText(NumberText.fixed(part.holds.counts.trueSeconds, 1)),
        StyledText(NumberText.fixed(part.holds.counts.answeredSeconds, 1)),
        StyledText(part.holds.error.text(2)), StyledText(part.holds.signedError.text(2)),
        StyledText(part.holds.relativeError.percentText),
        StyledText(part.holds.longestError.text(2)),
      ])
    }
    return table
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
    return "Segmental F1 with the first best overlap (optimal matching): "
      + values.joined(separator: ", ") + "; edit score \(editScore.text(1))."
  }
}

extension LatencyMetrics {
  fileprivate func text(_ bounds: ClosedRange<Double>?) -> String {
    guard hiddenChanges > 0, let bounds else { return "" }
    return
      "\(NumberText.fixed(bounds.lowerBound, 2)) ... \(NumberText.fixed(bounds.upperBound, 2))"
  }
}
