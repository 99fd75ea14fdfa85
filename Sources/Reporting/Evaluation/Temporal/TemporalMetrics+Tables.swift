internal import Evaluation
internal import PoseModel

extension TemporalMetrics {
  /// Event scores under each rule.
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

  /// Latencies of each class; the mean over hits is marked as such.
  var latencyTable: Table {
    var table = Table([
      .words("latency"), .words(""), .number("events"), .number("hit rate"), .number("p50 s"),
      .number("p90 s"), .number("mean of hits only s"), .number("early"),
    ])
    for part in parts {
      for (name, latency) in [("detected", part.detection), ("released", part.release)]
      where latency.changes > 0 {
        table.row([
          StyledText(part.name, .strong), StyledText(name), StyledText("\(latency.changes)"),
          StyledText(latency.hitRate.text()), StyledText(latency.median.text(2)),
          StyledText(latency.ninetieth.text(2)), StyledText(latency.meanOverHits.text(2), .dim),
          StyledText(latency.earlyShare.percentText),
        ])
      }
    }
    return table
  }

  /// The time of each class by what went wrong, as shares.
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

  /// The events of each class by what became of them.
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

  /// How wrong a timer of each class is.
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
  /// F1 at the overlaps and the edit score, in a sentence.
  var sentence: String {
    let values = zip(Self.overlaps, zip(f1(), f1(isOptimal: true))).map { overlap, f1 in
      "\(f1.0.text()) (\(f1.1.text())) at \(Int((100 * overlap).rounded())) %"
    }
    return "Segmental F1 with the first best overlap (optimal matching): "
      + values.joined(separator: ", ") + "; edit score \(editScore.text(1))."
  }
}
