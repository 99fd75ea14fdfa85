internal import Evaluation
internal import PoseModel
internal import Statistics
internal import Tuning

extension SteadyContest {
  var sentence: String {
    let (smoother, rule) = (Self.quoted(smoothing.choice), Self.quoted(debounce.choice))
    switch advice {
    case .debounce:
      return "Debounce rather than smooth: with \(rule), wrong changes of the "
        + "\(place(.debouncedMinusSmoothed, .better)) are rarer than with the best smoother, \(smoother)."
    case .smooth:
      return "Smooth rather than debounce: with \(smoother), wrong changes of the "
        + "\(place(.debouncedMinusSmoothed, .worse)) are rarer than with the best debounce rule, \(rule)."
    case .either:
      return "Debounce with \(rule), or smooth with \(smoother): \(both) These people cannot tell "
        + "which does more."
    case .debounceAlone:
      return "Debounce with \(rule): it makes wrong changes of the "
        + "\(place(.debouncing, .better)) rarer. No smoother is "
        + "shown to do so\(limit)."
    case .smoothAlone:
      return "Smooth with \(smoother): it makes wrong changes of the "
        + "\(place(.smoothing, .better)) rarer. No debounce "
        + "rule is shown to do so\(limit)."
    case .combine:
      return "Smooth and debounce, with \(Self.quoted(combined.choice)): wrong changes of the "
        + "\(place(contrast, .better)) are rarer than with \(single)."
    case .combineAlone:
      return "Smooth and debounce, with \(Self.quoted(combined.choice)): both together make wrong "
        + "changes of the \(place(.combining, .better)) rarer. Neither alone is shown to do so\(limit)."
    case .mixed:
      return
        "Decide by stream: the best smoother, \(smoother), and the best debounce rule, \(rule), "
        + "do not help plank and form alike."
    case .keep:
      return
        "Keep the answers as they are: no smoother, no debounce rule and no pair of them is shown to "
        + "make wrong changes of the answer rarer\(limit)."
    case .tooFewPeople:
      return "Too few people to tell whether to smooth or to debounce: the recordings name no "
        + "second person to try a choice on."
    }
  }

  private func place(_ contrast: Contrast, _ verdict: ComparisonVerdict) -> String {
    let primary = rows.filter(\.isPrimary)
    let found = primary.filter { $0[contrast].verdict == verdict }
    guard found.count == 1, primary.count > 1 else { return "answer" }
    return "\(found[0].key.stream.rawValue) answer"
  }

  private var both: String {
    let (smoothed, debounced) = (
      place(.smoothing, .better), place(.debouncing, .better)
    )
    return smoothed == debounced
      ? "both make wrong changes of the \(smoothed) rarer."
      : "wrong changes of the \(debounced) get rarer by the rule, those of the \(smoothed) by the "
        + "smoother."
  }

  private var single: String {
    contrast == .combinedMinusSmoothed
      ? "the best smoother alone, \(Self.quoted(smoothing.choice))"
      : "the best debounce rule alone, \(Self.quoted(debounce.choice))"
  }

  private var limit: String {
    rows.contains { $0.key.metric == .detectionLatencyMedian && $0.plain.value.number != nil }
      ? " within \(NumberText.shortest(rule.allowedDelay.value)) s of added latency" : ""
  }

  var streamSentences: [String] {
    AnswerStream.allCases.compactMap { stream in
      guard let wrong = row(Self.primary, stream), let value = wrong[contrast].value else {
        return nil
      }
      let change = Self.text(value, wrong[contrast].interval, 1)
      let judged = judgment(wrong[contrast])
      return "\(stream.rawValue), \(contrast.name): \(change) wrong changes/min, "
        + "\(judged)\(latencyText(stream))."
    }
  }

  private func judgment(_ difference: Difference) -> String {
    let words = contrast.words(difference.verdict)
    guard [.cannotTell, .undefined].contains(difference.verdict), let value = difference.value,
      difference.interval.reason == .noVariation
    else { return words }
    return value == 0
      ? "the same for every person"
      : "alike for all \(people) people, \(words)"
  }

  private func latencyText(_ stream: AnswerStream) -> String {
    guard let late = row(.detectionLatencyMedian, stream)?[contrast], let value = late.value
    else { return "" }
    return "; \(Self.text(value, late.interval, 2)) s of median latency"
  }

  func judgment(of row: Row) -> String {
    row.isPrimary ? "\(contrast.name): \(judgment(row[contrast]))" : ""
  }

  private var contrast: Contrast {
    switch advice {
    case .debounce, .smooth, .either, .mixed, .tooFewPeople: .debouncedMinusSmoothed
    case .debounceAlone: .debouncing
    case .smoothAlone: .smoothing
    case .combine:
      wrongChanges(.smoothed) < wrongChanges(.debounced)
        ? .combinedMinusSmoothed : .combinedMinusDebounced
    case .combineAlone: .combining
    case .keep: fewest.contrast
    }
  }

  private var fewest: (side: Answers, contrast: Contrast) {
    let sides: [(side: Answers, contrast: Contrast)] = [
      (.debounced, .debouncing), (.smoothed, .smoothing), (.combined, .combining),
    ]
    return sides.dropFirst().reduce(sides[0]) { best, next in
      wrongChanges(next.side) < wrongChanges(best.side) ? next : best
    }
  }

  var leading: Answers { advice.taken.first ?? fewest.side }

  var method: String {
    let candidates =
      "Smoothers without look-ahead: \(smoothing.sizes). Debounce rules: \(debounce.sizes). "
      + "Both together: \(combined.sizes)."
    guard isHeldOut else {
      return "In sample: the best of many looks better on the data that it was chosen on than on "
        + "new data. \(candidates)"
    }
    return "Held out: \(people) people in \(rounds) rounds, each scored with the choice of "
      + "the others; 95 % intervals. \(candidates)"
  }

  /// A number with its interval: `14.4 (9.1 to 19.8)`.
  static func text(_ number: Double, _ interval: IntervalValue, _ decimals: Int) -> String {
    let value = NumberText.fixed(number, decimals)
    guard let ends = interval.interval else { return value }
    return "\(value) (\(NumberText.fixed(ends.lower, decimals)) to "
      + "\(NumberText.fixed(ends.upper, decimals)))"
  }

  private static let longestName = 64

  private static func quoted(_ candidate: Candidate?) -> String {
    guard let candidate else { return "none" }
    return candidate.strategy.count <= longestName
      ? "`\(candidate.strategy)`"
      : candidate.name + " (--verbose has it in full)"
  }
}

extension SteadyContest.Answers {
  var name: String {
    switch self {
    case .plain: "as it is"
    case .smoothed: "smoothed"
    case .debounced: "debounced"
    case .combined: "both"
    }
  }

  fileprivate var gerund: String {
    switch self {
    case .plain: "no change"
    case .smoothed: "smoothing"
    case .debounced: "debouncing"
    case .combined: "doing both"
    }
  }
}

extension SteadyContest.Contrast {
  var name: String { "\(sides.judged.name) minus \(sides.other.name)" }

  fileprivate func words(_ verdict: ComparisonVerdict) -> String {
    switch verdict {
    case .cannotTell, .undefined: "cannot tell"
    case .same: "no difference"
    case .better: "\(sides.judged.gerund) is better"
    case .worse: sides.other == .plain ? "it is worse" : "\(sides.other.gerund) is better"
    }
  }
}

extension SteadyContest.Side {
  fileprivate var sizes: String {
    let sizes = families.map(\.candidates)
    let count = NumberText.count(families.count, "family", plural: "families")
    let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
    return "\(count) of \(least == most ? "\(most)" : "\(least) to \(most)")"
  }
}

extension SmootherComparison {
  var verdict: [StyledText] {
    let answers = contest.map { contest in
      [StyledText(contest.sentence, .strong)] + contest.streamSentences.map { StyledText($0) }
    }
    return (answers ?? []) + [trade].compactMap(\.self).map { StyledText($0) }
  }

  func withRaw(_ points: [SmootherPoint]) -> [SmootherPoint] {
    guard let raw, !points.contains(raw) else { return points }
    return [raw] + points
  }

  private var raw: SmootherPoint? { points.first { $0.family == .raw } }

  var trade: String? {
    guard let point = recommended, let place = point.place else { return nil }
    let removed = NumberText.fixed(100 * (1 - place.jitter), 0)
    return "Best trade (1 s of lag counts as \(NumberText.shortest(lagCost)) x the raw jitter): "
      + "`\(point.name)` removes \(removed) % of the jitter, "
      + "\(NumberText.fixed(1000 * place.lag, 0)) ms late."
  }
}
