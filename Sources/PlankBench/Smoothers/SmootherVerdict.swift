internal import Evaluation
internal import PoseModel
internal import Statistics
internal import Tuning

extension SteadyContest {
  var sentence: String {
    let best = self[leading]?.choice
    let what = "\(leading.imperative) \(Self.quoted(best))"
    guard recommended == nil else { return what + "." }
    return "Keep the answers as they are: no smoother, no debounce rule and no pair of them makes "
      + "wrong changes rarer\(limit)."
      + (best == nil ? "" : " Best found: \(what.lowercasedFirst).")
  }

  private var limit: String {
    let isLate = rows.contains {
      $0.key.metric == .detectionLatencyMedian && $0.plain.value.number != nil
    }
    return " at \(NumberText.shortest(100 * rule.allowedLoss)) point of balanced accuracy"
      + (isLate ? " and \(NumberText.shortest(rule.allowedDelay.value)) s of latency" : "")
  }

  var streamSentences: [String] {
    guard let side = self[leading] else { return [] }
    return AnswerStream.allCases.flatMap { stream in
      [
        side.wrongChangesAdvice[stream].map {
          "\(stream.title), wrong changes: \($0.sentence)"
        }, side.advice[stream].map { "\(stream.title), balanced accuracy: \($0.sentence)" },
      ].compactMap(\.self)
    }
  }

  func judgment(of row: Row) -> String {
    guard row.isPrimary, let advice = self[leading]?.wrongChangesAdvice[row.key.stream] else {
      return ""
    }
    return "\(leading.name): \(advice.sentence)"
  }

  /// The options of `evaluate` that answer as the leading side does.
  var options: [String] {
    guard let choice = self[leading]?.choice else { return [] }
    let strategy = choice.strategy
    let words =
      switch leading {
      case .plain: [String]()
      case .smoothed: ["--smoothing", strategy]
      case .debounced: ["--debounce", strategy]
      case .combined: strategy.split(separator: " ").map(String.init)
      }
    return words + choice.settings.flatMap { ["--set", $0] }
  }

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
    guard let candidate else { return "nothing" }
    return candidate.strategy.count <= longestName ? "`\(candidate.strategy)`" : candidate.name
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

  fileprivate var imperative: String {
    switch self {
    case .plain: "Keep"
    case .smoothed: "Smooth with"
    case .debounced: "Debounce with"
    case .combined: "Smooth and debounce with"
    }
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
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

  /// What evaluates the leading side in full; nil without a choice.
  var evaluation: [String]? {
    guard let commands, let contest, !contest.options.isEmpty else { return nil }
    var data = commands.data
    for setting in contest[contest.leading]?.choice?.settings ?? [] {
      let key = setting.prefix { $0 != "=" } + "="
      guard let own = data.firstIndex(where: { $0.hasPrefix(key) }), own > 0 else { continue }
      data.removeSubrange(own - 1...own)
    }
    return ["planklab", "evaluate"] + data + contest.options
  }

  func withRaw(_ points: [SmootherPoint]) -> [SmootherPoint] {
    guard let raw, !points.contains(raw) else { return points }
    return [raw] + points
  }

  private var raw: SmootherPoint? { points.first { $0.family == .raw } }

  var trade: String? {
    guard let point = bestTrade, let place = point.place else { return nil }
    let removed = NumberText.fixed(100 * (1 - place.jitter), 0)
    return "Best trade (1 s of lag counts as \(NumberText.shortest(lagCost)) x the raw jitter): "
      + "`\(point.name)` removes \(removed) % of the jitter, "
      + "\(NumberText.fixed(1000 * place.lag, 0)) ms late."
  }
}
