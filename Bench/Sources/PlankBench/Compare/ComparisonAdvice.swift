internal import Evaluation
@_spi(Bench) internal import PoseModel
internal import Statistics

/// What follows from a comparison: its first sentence.
///
/// It is read from the verdicts of the metrics that decide, never from a sentence.
struct ComparisonAdvice {
  private let report: ComparisonReport

  /// Takes a comparison.
  init(_ report: ComparisonReport) { self.report = report }

  /// What a pair of sides advises.
  enum Choice: Hashable, Sendable {
    /// The side is better, and neither worse nor, as far as the data show, fallen anywhere.
    case take
    /// The side is better in one place; in another it fell, and the data cannot tell.
    case takeWithCare
    /// The side is better in one place and worse in another.
    case trade
    /// The side is worse.
    case keep
    /// Nothing differs by more than the margin.
    case either
    /// The data cannot tell.
    case cannotTell
    /// No metric that decides has a number.
    case nothing
  }

  /// What to do, in a sentence or two.
  var sentence: String {
    if let obstacle = ComparisonCautions(report).obstacle { return obstacle }
    return report.pairs.count == 1 ? single(report.pairs[0]) : several
  }

  /// How it is shown.
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
      let fallen = pair.judged.filter { report.isDoubtfulLoss($0.metric, $0.claim) }
        .map {
          "\(report.place($0.metric.key)) (\($0.metric.before.text()) -> \($0.metric.after.text()))"
        }
      return "Do not take \(other) yet: it is better at \(better), but it may be worse at "
        + "\(Self.list(fallen))."
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

  /// In which metrics, if others than usual decide.
  private var inWhat: String {
    report.deciding == MetricKey.deciding
      ? "" : " in " + Self.list(report.deciding.map { "`\($0)`" })
  }

  /// What to do where no metric that decides has a number.
  private func nothing(_ pair: ComparisonReport.Pair) -> String {
    pair.judged.allSatisfy { $0.metric.before.reason == .noScoredFrames }
      ? "Label the recordings first: no metric that decides has a number."
      : "Decide by another metric (--metric): \(Self.list(report.deciding.map { "`\($0)`" })) "
        + "cannot be computed on this data."
  }

  private func undecided(_ pair: ComparisonReport.Pair) -> String {
    let people = pair.judged.map(\.metric.subjects.count).max() ?? 0
    guard people > 1 else {
      return pair.judged.allSatisfy { $0.metric.subjects.allSatisfy { $0.subject == nil } }
        ? "Name the people first (`subject` in dataset.yaml): unnamed recordings count as one "
          + "person, who says nothing about the next."
        : "Record more people: one person says nothing about the next."
    }
    let open = pair.judged.filter { $0.claim.verdict == .cannotTell }
    guard !open.allSatisfy({ $0.metric.difference == nil }) else {
      return "Decide by another metric (--metric): "
        + Self.list(open.map { "`\($0.metric.key)`" }) + " has a number on one side only."
    }
    let way = report.margin == nil ? "; --margin 0.05 says how many" : ""
    return "Keep `\(report.reference)`: \(NumberText.count(people, "person", plural: "people")) "
      + "cannot tell whether `\(pair.name)` is better or worse. Record more\(way)."
  }

  /// Where the data cannot tell although another place is decided.
  private func rest(_ pair: ComparisonReport.Pair) -> String {
    let open = pair.judged.filter {
      $0.claim.verdict == .cannotTell && !report.isWithinMargin($0.metric, $0.claim)
    }.map { report.place($0.metric.key) }
    return open.isEmpty ? "" : " The data cannot tell about \(Self.list(open))."
  }

  private var several: String {
    let first = "`\(report.reference)`"
    func names(_ choice: Choice) -> [String] {
      report.pairs.filter { report.choice($0) == choice }.map { "`\($0.name)`" }
    }
    let (winners, careful) = (names(.take), names(.takeWithCare) + names(.trade))
    if winners.count == 1 { return "Take \(winners[0]): it is better than \(first)." }
    if winners.count > 1 {
      return "Take one of \(Self.list(winners)): each is better than \(first). They were not "
        + "compared with each other."
    }
    if !careful.isEmpty {
      return "Look closer at \(Self.list(careful)): better than \(first) in one place, worse or "
        + "possibly worse in another."
    }
    guard !report.pairs.allSatisfy({ report.choice($0) == .either }) else {
      return "Take any of them: no difference from \(first) was found\(inWhat)."
    }
    return "Keep \(first): none of the \(report.pairs.count) others is shown to be better."
  }

  private func places(
    _ pair: ComparisonReport.Pair, _ condition: (MetricClaim) -> Bool
  ) -> String {
    Self.list(pair.judged.filter { condition($0.claim) }.map { report.place($0.metric.key) })
  }

  /// `a`, `a and b`, `a, b and c`; at most four of them.
  static func list(_ words: [String]) -> String {
    guard words.count <= 4 else {
      return words.prefix(3).joined(separator: ", ") + " and \(words.count - 3) more"
    }
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension ComparisonReport {
  /// The difference up to which shares count as the same unless a margin is given.
  static let nearlyEqual = 0.05

  /// What a pair advises.
  func choice(_ pair: Pair) -> ComparisonAdvice.Choice {
    let known = pair.judged.filter { $0.claim.verdict != .undefined }
    guard !known.isEmpty else { return .nothing }
    let isBetter = known.contains { $0.claim.verdict == .better }
    let isWorse = known.contains { $0.claim.verdict == .worse }
    if isBetter && isWorse { return .trade }
    if isWorse { return .keep }
    if isBetter {
      return known.contains { isDoubtfulLoss($0.metric, $0.claim) } ? .takeWithCare : .take
    }
    let isEither = known.allSatisfy {
      $0.metric.subjects.count > 1 && isWithinMargin($0.metric, $0.claim)
    }
    return isEither ? .either : .cannotTell
  }

  /// Whether the number fell and may be worse by more than the margin, or is there no longer.
  func isDoubtfulLoss(_ metric: MetricComparison, _ claim: MetricClaim) -> Bool {
    if metric.before.number != nil && metric.after.number == nil { return true }
    guard claim.verdict == .cannotTell, let gain = metric.gain, gain < 0 else { return false }
    return !isWithinMargin(metric, claim)
  }

  /// Whether the interval excludes every difference beyond the margin, or the sides are the same.
  func isWithinMargin(_ metric: MetricComparison, _ claim: MetricClaim) -> Bool {
    if claim.verdict == .same { return true }
    guard let bounds = claim.bounds else { return false }
    guard let limit = margin ?? (metric.unit == "-" ? Self.nearlyEqual : nil) else { return false }
    return bounds.within <= limit
  }

  /// What a metric that decides is called: its stream, unless several of the stream decide.
  func place(_ key: MetricKey) -> String {
    let own = deciding.filter { $0.stream == key.stream }
    return own.count == 1 && key.metric.scope == .stream ? key.stream.rawValue : "`\(key)`"
  }
}
