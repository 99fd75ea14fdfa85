internal import Evaluation
internal import Statistics

struct ComparisonWords {
  private let report: ComparisonReport
  private let pair: ComparisonReport.Pair
  private let metric: MetricComparison
  private let claim: MetricClaim

  init(
    _ report: ComparisonReport, _ pair: ComparisonReport.Pair, _ metric: MetricComparison,
    _ claim: MetricClaim
  ) {
    self.report = report
    self.pair = pair
    self.metric = metric
    self.claim = claim
  }

  var place: String {
    report.title(metric.key)
  }

  private var isDoubtful: Bool { metric.isDoubtfulLoss(margin: report.margin) }
  private var isWithin: Bool { metric.isWithin(margin: report.margin) }

  var verdict: String {
    switch claim.verdict {
    case .better: "✓ better"
    case .worse: "✕ worse"
    case .same: "= the same"
    case .undefined: "– undefined"
    case .cannotTell:
      isWithin ? "= no difference" : isDoubtful ? "? may be worse" : "? cannot tell"
    }
  }

  var tone: StyledText.Tone {
    claim.verdict == .cannotTell && isDoubtful ? .warning : claim.verdict.tone
  }

  var sentence: String {
    let (first, other) = ("`\(report.reference)`", "`\(pair.name)`")
    switch claim.verdict {
    case .better: return "\(other) is better than \(first); \(counts)."
    case .worse: return "\(other) is worse than \(first); \(counts)."
    case .same:
      return metric.subjects.count > 1
        ? "\(other) scores the same as \(first) for every person."
        : "\(other) scores the same as \(first)."
    case .undefined:
      return metric.before.reason == .noScoredFrames
        ? "not labeled." : "no number: \(metric.before.reason?.rawValue ?? "undefined")."
    case .cannotTell:
      if isWithin { return "no difference between \(first) and \(other) found; \(counts)." }
      return isDoubtful
        ? "\(other) may be worse than \(first), the data cannot tell; \(counts)."
        : "the data cannot tell \(other) from \(first); \(counts)."
    }
  }

  var counts: String {
    let people = metric.wins + metric.ties + metric.losses
    guard people > 1 else { return "one person, so there is no interval" }
    return "better for \(metric.wins) of \(people) people, worse for \(metric.losses)"
  }

  /// The difference with its interval, all tests together.
  var difference: String {
    let value = metric.difference.map { NumberText.signed($0, 3) } ?? "n/a"
    guard let bounds = claim.bounds else { return value }
    return "\(value) (\(NumberText.signed(bounds.lower, 3)) to "
      + "\(NumberText.signed(bounds.upper, 3)))"
  }
}

struct ComparisonState {
  let state: VerdictPanel.State
  let word: String

  init(_ report: ComparisonReport) {
    guard ComparisonCautions(report).obstacle == nil else {
      (state, word) = (.bad, "Check the data first")
      return
    }
    let choices = report.pairs.map { report.choice($0) }
    guard choices.count != 1 else {
      (state, word) = Self.single(choices[0])
      return
    }
    if choices.contains(.take) {
      (state, word) = (.good, "One is better")
    } else if choices.contains(where: { [.takeWithCare, .trade].contains($0) }) {
      (state, word) = (.warning, "Mixed")
    } else if choices.allSatisfy({ $0 == .either }) {
      (state, word) = (.unsure, "No difference")
    } else if choices.allSatisfy({ $0 == .keep }) {
      (state, word) = (.bad, "All are worse")
    } else {
      (state, word) = (.unsure, "None is shown to be better")
    }
  }

  private static func single(
    _ choice: ComparisonChoice
  ) -> (VerdictPanel.State, String) {
    switch choice {
    case .take: (.good, "Better")
    case .takeWithCare: (.warning, "Mixed: not yet")
    case .trade: (.warning, "A trade")
    case .keep: (.bad, "Worse")
    case .either: (.unsure, "No difference")
    case .cannotTell: (.unsure, "Cannot tell")
    case .nothing: (.unsure, "Nothing to judge")
    }
  }
}
