internal import Evaluation
internal import PoseModel
internal import Statistics
internal import Tuning

extension SmootherComparison {
  func screen(_ origin: ResultOrigin) -> Document {
    var document = Document()
    let subject = "on \(origin.datasetName), detector `\(detector)`"
    if let contest {
      document.paragraph(StyledText(contest.sentence, .strong))
      document.list(
        [StyledText("Measured \(subject).", .dim)]
          + contest.streamSentences.map { StyledText($0) })
      document.table(contest.screenTable)
      if let evaluation { document.code(evaluation.lines) }
    } else {
      document.heading("Smoothers \(subject)")
    }
    document.list(
      [contest?.unknownLatency, contest?.method, trade].compactMap(\.self).map { StyledText($0) })
    document.code(["# everything: --verbose; as a page with figures: --html FILE"])
    return document
  }
}

extension SteadyContest {
  static let shown: [Metric] = [
    primary, .balancedAccuracy, .flickersPerMinute, .detectionLatencyMedian,
  ]

  /// The metric that decides with its interval, the others without: 80 columns hold no more.
  var screenTable: Table {
    var table = Table(
      [.words("")] + Self.shown.map { .number($0.shortTitle) })
    for stream in AnswerStream.allCases where row(Self.primary, stream) != nil {
      for side in Answers.allCases {
        let isTaken = side == (recommended ?? .plain)
        table.row(
          [
            StyledText(
              "\(isTaken ? "● " : "")\(stream.rawValue), \(side.name)",
              isTaken ? .good : .plain)
          ]
            + Self.shown.map { metric in
              row(metric, stream).map {
                cell($0, side, withInterval: $0.isPrimary && side != .plain)
              } ?? StyledText("n/a", .dim)
            })
      }
    }
    return table
  }

  var table: Table {
    var table = Table([.words("")] + Answers.allCases.map { .number($0.name) })
    for row in rows {
      table.row(
        [StyledText("\(row.key.stream.rawValue): \(row.key.metric.shortTitle)")]
          + Answers.allCases.map { cell(row, $0, withInterval: $0 != .plain) })
    }
    return table
  }

  private func cell(_ row: Row, _ side: Answers, withInterval: Bool) -> StyledText {
    guard let value = row[side].value.number else { return StyledText("n/a", .dim) }
    let decimals = row.key.metric.decimals
    return StyledText(
      withInterval
        ? Self.text(value, row[side].interval, decimals) : NumberText.fixed(value, decimals))
  }

  var unknownLatency: String? {
    let latencies: [Metric] = [.detectionLatencyMedian, .detectionLatencyNinetieth]
    let values = rows.filter { latencies.contains($0.key.metric) }
      .flatMap { row in Answers.allCases.map { row[$0].value } }
    let reasons = Set(values.compactMap(\.reason))
    guard reasons != [.noObservedStart] || values.contains(where: { $0.number != nil }) else {
      return "Latency is n/a because no start was observed, and limits no choice: label what comes "
        + "before the planks, too."
    }
    let words: [(UndefinedReason, String)] = [
      (.noObservedStart, "no start was observed"),
      (.tooManyMisses, "too many planks or faults were missed"),
    ]
    let known = words.filter { reasons.contains($0.0) }.map(\.1)
    return known.isEmpty ? nil : "Latency is n/a where \(known.joined(separator: ", or where "))."
  }

  var adviceTable: Table {
    var table = Table([.words("instead of as it is"), .words("metric"), .words("advice")])
    for answers in Answers.allCases {
      guard let side = self[answers] else { continue }
      for (metric, advice) in [
        (Self.primary, side.wrongChangesAdvice), (.balancedAccuracy, side.advice),
      ] {
        for stream in AnswerStream.allCases {
          guard let advice = advice[stream] else { continue }
          table.row([
            StyledText(answers.name), StyledText("\(stream.rawValue): \(metric.shortTitle)"),
            StyledText(advice.sentence),
          ])
        }
      }
    }
    return table
  }

  var familyTable: Table {
    var table = Table([.words("side"), .words("family"), .number("candidates")])
    for (name, side) in [
      ("smoothing", smoothing), ("debounce", debounce), ("both", combined),
    ] {
      for family in side.families {
        table.row([
          StyledText(name), StyledText(family.name, .strong),
          StyledText(NumberText.count(family.candidates)),
        ])
      }
    }
    return table
  }

  var choiceSentences: [String] {
    [("smoother", smoothing), ("debounce rule", debounce), ("pair", combined)].map { name, side in
      let rounds =
        isHeldOut ? "; \(side.sameChoices) of \(rounds) rounds chose the same" : ""
      return "The \(name) that all choose together: `\(side.choice?.strategy ?? "none")`\(rounds)."
    }
  }

  var ruleSentence: String {
    "A choice is the candidate with the fewest wrong changes per minute, plank and form together, "
      + "among those whose median latency is at most "
      + "\(NumberText.shortest(rule.allowedDelay.value)) s above that of the answers as they are, "
      + "whose balanced accuracy is at most \(NumberText.shortest(rule.allowedLoss)) and whose hit "
      + "rate is at most \(NumberText.shortest(rule.allowedMisses)) below, in each stream. Where "
      + "less than half is hit as it is, latency limits nothing. Recommended is the choice "
      + "with the largest expected fall of wrong changes that is as good on held-out people."
  }
}

extension Metric {
  var shortTitle: String {
    switch self {
    case .falseTransitionsPerMinute: "wrong changes/min"
    case .flickersPerMinute: "flickers/min"
    case .excessTransitionsPerMinute: "extra changes/min"
    case .hitRate: "hit rate"
    case .detectionLatencyMedian: "latency s"
    case .detectionLatencyNinetieth: "90 % s"
    case .balancedAccuracy: "balanced"
    default: name
    }
  }

  var decimals: Int { unit == "1/min" ? 1 : 2 }
}
