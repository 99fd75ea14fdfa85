internal import Evaluation
internal import PoseModel

extension StreamAdvice {
  /// Answers that were read from a folder are one setting, whatever gave them.
  init(from baseline: Baseline, _ before: GateSide, to candidate: GateCandidate) {
    self.init(before.sequences, candidate.side.sequences) { stream in
      guard let old = baseline.thresholds, let new = candidate.thresholds else { return 1 }
      return new.differences(from: old, stream)
    }
  }
}

extension GateReport {
  /// A stream that is expected to lose more than half a point on new people.
  struct StreamLoss {
    let stream: AnswerStream
    /// The loss on these people, 0...1.
    let share: Double
    let text: String
    let sentence: String
  }

  /// The largest first, but for those that a rule stops for.
  var losses: [StreamLoss] {
    AnswerStream.allCases.compactMap { stream -> StreamLoss? in
      guard let advice = advice?[stream], advice.step.keeps else { return nil }
      let rules = rules(about: stream)
      guard !rules.contains(where: { $0.stops && $0.lostShare > 0 }) else { return nil }
      let share = max(0, -advice.gain)
      let found = NumberText.fixed(100 * share, share < 0.1 ? 1 : 0)
      return StreamLoss(
        stream: stream, share: share,
        text: "\(stream.rawValue) fell by \(found) points" + reason(rules),
        sentence: advice.sentence)
    }.sorted { $0.share > $1.share }
  }

  /// Whether no rule stops a loss.
  var looksFirst: Bool { status == .success && !losses.isEmpty }

  var judgements: [StyledText] { AnswerStream.allCases.compactMap(judgement) }

  /// The advice on a stream, and whether no rule judges it; nil if there is nothing to say.
  func judgement(_ stream: AnswerStream) -> StyledText? {
    let side = sides.first(named: Self.candidateSide)
    let isUnjudged = side?.streams[stream].hasTruth ?? false && rules(about: stream).isEmpty
    guard isUnjudged || advice?[stream] != nil else { return nil }
    let start = isUnjudged ? "not judged by any rule: \(stream.rawValue)." : "\(stream.title):"
    let words = [start, advice?[stream]?.sentence].compactMap(\.self).joined(separator: " ")
    return StyledText(words, losses.contains { $0.stream == stream } ? .warning : .plain)
  }

  private func rules(about stream: AnswerStream) -> [GateFinding] {
    result.findings.filter { $0.rule.stream == stream }
  }

  private func reason(_ rules: [GateFinding]) -> String {
    let others = rules.filter { !$0.stops }
    if others.isEmpty { return " and no rule judges it" }
    if others.contains(where: \.isDoubtful) { return " and its rules cannot tell" }
    return others.contains(where: \.warns) ? " and its rules only warn" : ", which its rules allow"
  }
}
