internal import Evaluation
internal import PoseModel

extension EvaluationReport {
  /// The few temporal metrics that matter: events, latencies, the timer.
  var overTime: Document {
    var document = Document()
    document.heading("Over time")
    var table = Table([
      .words("stream"), .number("true events"), .number("event F1"), .number("hit rate"),
      .number("detected p50 s"), .number("p90 s"), .number("released p50 s"), .words(""),
    ])
    let (planks, forms) = (plank.view.temporal, form.view.temporal)
    table.overTime(plank.stream.rawValue, planks.eventF1, planks.detection, planks.release)
    table.overTime(form.stream.rawValue, forms.eventF1, forms.detection, forms.release)
    let headline = forms.rules.firstIndex(of: .headline)
    for part in forms.classes where part.detection.changes > 0 {
      let f1 = headline.map { part.events[$0].f1 } ?? .undefined(.noEvent)
      table.overTime("  \(part.label ?? "")", f1, part.detection, part.release)
    }
    document.table(table)
    document.paragraph(StyledText(timerSentence))
    return document
  }

  private var timerSentence: String {
    let holds = plank.view.temporal.any.holds
    guard let error = holds.error.number, let longest = holds.longestError.number else { return "" }
    let signed = holds.signedError.number ?? 0
    return "A timer of planks is wrong by \(NumberText.fixed(error, 2)) s a session (on average "
      + "\(NumberText.fixed(abs(signed), 2)) s too \(signed < 0 ? "short" : "long")); the longest "
      + "hold by \(NumberText.fixed(longest, 2)) s. Latencies count misses; events match within "
      + "0.5 s."
  }

  /// Every temporal metric, by stream and class.
  var overTimeInDetail: Document {
    var document = Document()
    for part in [plank, form] where part.view.temporal.detection.changes > 0 {
      document.append(part.overTimeInDetail)
    }
    return document
  }
}

extension Table {
  /// A row of events and latencies; the last cell says why a number is missing.
  fileprivate mutating func overTime(
    _ name: String, _ f1: MetricValue, _ detection: LatencyMetrics, _ release: LatencyMetrics
  ) {
    row([
      StyledText(name, .strong), StyledText("\(detection.changes)"), StyledText(f1.text(), .strong),
      StyledText(detection.hitRate.text()), StyledText(detection.median.text(2)),
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
      ? "no event ends while scored" : "released: too many are never let go"
  }
}

extension StreamReport {
  /// Events by rule, then each class.
  fileprivate var overTimeInDetail: Document {
    var document = Document()
    let temporal = view.temporal
    document.heading("\(stream.rawValue) over time, in detail")
    document.table(temporal.eventTable)
    document.table(temporal.latencyTable)
    document.table(temporal.wardTimeTable)
    document.table(temporal.wardEventTable)
    document.table(temporal.holdTable)
    document.table(view.stability.dwellTable(labels))
    document.paragraph(StyledText(temporal.segments.sentence))
    let stability = view.stability
    document.paragraph(
      StyledText(
        "Changes of the answer over true ones: \(stability.transitionRatio.text(2)). The longest "
          + "time without a change is \(stability.longestStableRun.text(1)) s."))
    return document
  }
}
