internal import Evaluation
internal import ParameterTuning
@_spi(Bench) internal import PoseModel
internal import Statistics

/// What `smoothers compare` prints unless asked for more: what fits on one screen.
extension SmootherComparison {
  /// The screen, 80 columns wide.
  func screen(_ origin: ResultOrigin) -> Document {
    var document = Document()
    let subject = "on \(origin.datasetName), detector `\(detector)`"
    if let contest {
      document.paragraph(StyledText(contest.sentence, .strong))
      document.list(
        [StyledText("Measured \(subject).", .dim)]
          + contest.streamSentences.map { StyledText($0) })
      document.table(contest.table(SteadyContest.shown))
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
  /// What the screen shows: without the balanced accuracy, which only limits the choice.
  static let shown: [Metric] = metrics.filter { $0 != .balancedAccuracy }

  /// The numbers of all sides, one row per metric.
  func table(_ metrics: [Metric]) -> Table {
    var table = Table([
      .words(""), .number("as it is"), .number("smoothed"), .number("debounced"),
    ])
    for row in rows where metrics.contains(row.key.metric) {
      table.row(
        [StyledText("\(row.key.stream.rawValue): \(row.key.metric.shortTitle)")]
          + [row.plain, row.smoothed, row.debounced].enumerated().map { side, number in
            guard let value = number.value.number else { return StyledText("n/a", .dim) }
            let decimals = row.key.metric.decimals
            return side == 0
              ? StyledText(NumberText.fixed(value, decimals))
              : StyledText(Self.text(value, number.interval, decimals))
          })
    }
    return table
  }

  /// Why a latency has no number; nil if all have one.
  var unknownLatency: String? {
    let latencies: [Metric] = [.detectionLatencyMedian, .detectionLatencyNinetieth]
    let values = rows.filter { latencies.contains($0.key.metric) }
      .flatMap { [$0.plain.value, $0.smoothed.value, $0.debounced.value] }
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

  /// The paired differences of all sides, one row per metric.
  var differenceTable: Table {
    var table = Table([
      .words("difference"), .number("smoothed - as it is"), .number("debounced - as it is"),
      .number("debounced - smoothed"), .number("p (Holm)"), .words("verdict"),
    ])
    for row in rows {
      table.row(
        [StyledText("\(row.key.stream.rawValue): \(row.key.metric.shortTitle)")]
          + [row.smoothingChange, row.debounceChange, row.difference].map { difference in
            StyledText(
              difference.value.map {
                Self.text($0, difference.interval, row.key.metric.decimals)
              } ?? "n/a")
          } + [
            StyledText(
              row.difference.adjustedProbability.map { NumberText.fixed($0, 3) } ?? ""),
            StyledText(row.isPrimary ? row.difference.verdict.rawValue : "", .strong),
          ])
    }
    return table
  }

  /// How many candidates every family has.
  var familyTable: Table {
    var table = Table([.words("side"), .words("family"), .number("candidates")])
    for (name, side) in [("smoothing", smoothing), ("debounce", debounce)] {
      for family in side.families {
        table.row([
          StyledText(name), StyledText(family.name, .strong),
          StyledText(NumberText.count(family.candidates)),
        ])
      }
    }
    return table
  }

  /// What everybody together chose, in full.
  var choiceSentences: [String] {
    [("smoother", smoothing), ("debounce rule", debounce)].map { name, side in
      let rounds =
        isHeldOut ? "; \(side.sameChoices) of \(rounds) rounds chose the same" : ""
      return "The \(name) that all choose together: `\(side.choice?.strategy ?? "none")`\(rounds)."
    }
  }

  /// The rule of the choice in words.
  var ruleSentence: String {
    "A choice is the candidate with the fewest wrong changes per minute, plank and form together, "
      + "among those whose median latency is at most "
      + "\(NumberText.shortest(rule.allowedDelay.value)) s above that of the answers as they are, "
      + "and whose hit rate and balanced accuracy are at most "
      + "\(NumberText.shortest(rule.allowedLoss)) below, in each stream. Wrong changes decide; all "
      + "other numbers are shown, not judged."
  }
}

extension Metric {
  /// The name on a narrow screen.
  var shortTitle: String {
    switch self {
    case .falseTransitionsPerMinute: "wrong changes/min"
    case .flickersPerMinute: "flickers/min"
    case .hitRate: "hit rate"
    case .detectionLatencyMedian: "latency, median s"
    case .detectionLatencyNinetieth: "latency, 90 % s"
    case .balancedAccuracy: "balanced accuracy"
    default: name
    }
  }

  /// How many decimals it is shown with.
  var decimals: Int { unit == "1/min" ? 1 : 2 }
}
