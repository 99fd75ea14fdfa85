internal import Evaluation
internal import PoseModel
internal import Statistics

struct ComparisonAdvice {
  let report: ComparisonReport

  var sentence: String {
    if let obstacle = ComparisonCautions(report).obstacle { return obstacle }
    return report.pairs.count == 1 ? single(report.pairs[0]) : several
  }

  var tone: StyledText.Tone {
    guard ComparisonCautions(report).obstacle == nil else { return .bad }
    let choices = report.pairs.map { report.choice($0) }
    if choices.contains(.take) { return .good }
    return choices.allSatisfy { $0 == .keep } ? .bad : .strong
  }

  private func single(_ pair: ComparisonReport.Pair) -> String {
    let (first, other) = ("`\(report.reference)`", "`\(pair.name)`")
    let better = places(pair) { $0.verdict == .better }
    let worse = places(pair) { $0.verdict == .worse }
    switch report.choice(pair) {
    case .take: return "Take \(other): it is better than \(first) at \(better)." + rest(pair)
    case .takeWithCare:
      let fallen = pair.judged.filter { $0.metric.isDoubtfulLoss(margin: report.margin) }
        .map {
          "\(report.place($0.metric.key)) (\($0.metric.before.text()) -> \($0.metric.after.text()))"
        }
      return "Do not take \(other) yet: it is better at \(better), but it may be worse at "
        + "\(WordText.list(fallen))."
    case .trade:
      return "Choose by what matters to you: \(other) is better than \(first) at \(better) and "
        + "worse at \(worse)."
    case .keep: return "Keep \(first): \(other) is worse at \(worse)." + rest(pair)
    case .either:
      return "Take either: no difference between \(first) and \(other) was found\(inWhat)."
    case .cannotTell: return undecided(pair)
    case .nothing: return nothing(pair)
    }
  }

  private var inWhat: String {
    report.deciding == MetricKey.deciding
      ? "" : " in " + WordText.list(report.deciding.map { "`\($0)`" })
  }

  private func nothing(_ pair: ComparisonReport.Pair) -> String {
    pair.judged.allSatisfy { $0.metric.before.reason == .noScoredFrames }
      ? "Label the recordings first: no metric that decides has a number."
      : "Decide by another metric (--metric): \(WordText.list(report.deciding.map { "`\($0)`" })) "
        + "cannot be computed on this data."
  }

  private func undecided(_ pair: ComparisonReport.Pair) -> String {
    let people = pair.judged.map(\.metric.subjects.count).max() ?? 0
    guard people > 1 else {
      return pair.judged.contains { $0.metric.isNamed }
        ? "Record more people: one person says nothing about the next."
        : "Name the people first (`subject` in dataset.yaml): without names, all recordings count "
          + "as one person."
    }
    let open = pair.judged.filter { $0.claim.verdict == .cannotTell }
    guard !open.allSatisfy({ $0.metric.difference == nil }) else {
      return "Decide by another metric (--metric): "
        + WordText.list(open.map { "`\($0.metric.key)`" }) + " has a number on one side only."
    }
    let way = report.margin == nil ? "; --margin 0.05 says how many" : ""
    return "Keep `\(report.reference)`: \(NumberText.people(people)) "
      + "cannot tell whether `\(pair.name)` is better or worse. Record more\(way)."
  }

  private func rest(_ pair: ComparisonReport.Pair) -> String {
    let open = pair.judged.filter {
      $0.claim.verdict == .cannotTell && !$0.metric.isWithin(margin: report.margin)
    }.map { report.place($0.metric.key) }
    return open.isEmpty ? "" : " The data cannot tell about \(WordText.list(open))."
  }

  private var several: String {
    let first = "`\(report.reference)`"
    func names(_ choice: ComparisonChoice) -> [String] {
      report.pairs.filter { report.choice($0) == choice }.map { "`\($0.name)`" }
    }
    let (winners, careful) = (names(.take), names(.takeWithCare) + names(.trade))
    if winners.count == 1 { return "Take \(winners[0]): it is better than \(first)." }
    if winners.count > 1 {
      return "Take one of \(WordText.list(winners)): each is better than \(first). They were not "
        + "compared with each other."
    }
    if !careful.isEmpty {
      return
        "Look closer at \(WordText.list(careful)): better than \(first) in one place, worse or "
        + "possibly worse in another."
    }
    guard !report.pairs.allSatisfy({ report.choice($0) == .either }) else {
      return "Take any of them: no difference from \(first) was found\(inWhat)."
    }
    let none = report.pairs.count == 2 ? "neither of the" : "none of the \(report.pairs.count)"
    return "Keep \(first): \(none) others is shown to be better."
  }

  private func places(
    _ pair: ComparisonReport.Pair, _ condition: (MetricClaim) -> Bool
  ) -> String {
    WordText.list(pair.judged.filter { condition($0.claim) }.map { report.place($0.metric.key) })
  }
}

extension ComparisonReport {
  func choice(_ pair: Pair) -> ComparisonChoice { pair.comparison.choice(margin: margin) }

  /// What a metric that decides is called: its stream, unless several of the stream decide.
  func place(_ key: MetricKey) -> String {
    speaksForStream(key) ? key.stream.rawValue : "`\(key)`"
  }

  func title(_ key: MetricKey) -> String {
    speaksForStream(key) ? key.stream.title : "`\(key)`"
  }

  private func speaksForStream(_ key: MetricKey) -> Bool {
    key.metric.scope == .stream && deciding.count { $0.stream == key.stream } == 1
  }
}
