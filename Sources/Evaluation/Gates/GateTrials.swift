internal import PoseModel
internal import Statistics

/// Changes of a detector, invented on real answers, to see what a gate makes of them.
///
/// Every trial changes the answers of each person by a normal amount around minus the planted loss:
/// a loss by more wrong frames of the candidate, a gain by as many of the baseline. Without a
/// planted loss, neither side is better in expectation, whatever the answers; so whatever the gate
/// then calls regressed is a false alarm. Limits are left out: they compare a number with a number.
package struct GateTrials: Sendable {
  /// The rules that compare, in order.
  package let rules: [GateRule]
  /// How many people have scored frames in the streams of the rules.
  package let people: Int
  /// By how much a change differs between people: the standard deviation of the share of the
  /// scored time, 0...1.
  package let spread: Double

  private let outcomes: [SequenceOutcome]
  private let scores: [SequenceScores]
  private let streams: [AnswerStream]
  private let others: PerStream<[UInt8]>
  private let resamples: Int
  private let seed: UInt64

  /// Prepares trials of a gate's rules on the answers to sequences.
  package init(
    _ outcomes: [SequenceOutcome], rules: [GateRule], spread: Double, resamples: Int, seed: UInt64
  ) {
    let rules = rules.compactMap(\.comparison).filter { $0.judged != nil }
    self.rules = rules
    self.spread = spread
    self.outcomes = outcomes
    self.resamples = resamples
    self.seed = seed
    scores = outcomes.map { SequenceScores($0, detail: .report) }
    streams = AnswerStream.allCases.filter { stream in
      rules.contains { $0.judged?.stream == stream }
    }
    others = PerStream { PlantedLoss.others(outcomes, $0) }
    people = streams.map { [scores] in SubjectPools(scores, $0).subjects.count }.max() ?? 0
  }

  /// What the gate says of the same answers twice.
  package func same() -> [GateFinding] {
    judged(candidate: scores, baseline: scores)
  }

  /// What the gate says of one trial.
  ///
  /// - Parameters:
  ///   - loss: the planted loss, a share of the scored time.
  ///   - number: tells trials apart; the same number gives the same trial.
  package func findings(loss: Double, number: Int) -> [GateFinding] {
    let random = RandomStream(seed: seed, purpose: "gate_trial.\(loss).\(number)")
    var effects: [String?: Double] = [:]
    for subject in Set(outcomes.map(\.subject)).sorted(by: { ($0 ?? "") < ($1 ?? "") }) {
      effects[subject] = random.gaussian(mean: -loss, standardDeviation: spread)
    }
    var (candidate, baseline) = (scores, scores)
    for (index, outcome) in outcomes.enumerated() {
      let effect = effects[outcome.subject] ?? 0
      let planted = planted(outcome, share: min(1, abs(effect)), random)
      if effect < 0 { candidate[index] = planted } else { baseline[index] = planted }
    }
    return judged(candidate: candidate, baseline: baseline)
  }

  private func planted(
    _ outcome: SequenceOutcome, share: Double, _ random: RandomStream
  ) -> SequenceScores {
    SequenceScores(
      streams.reduce(outcome) { outcome, stream in
        PlantedLoss.planted(
          in: outcome, stream, share: share, others: others[stream], random: random)
      }, detail: .report)
  }

  private func judged(
    candidate: [SequenceScores], baseline: [SequenceScores]
  ) -> [GateFinding] {
    var judge = GateJudge(
      candidate: GateSide(sequences: candidate), baseline: GateSide(sequences: baseline))
    judge.resamples = resamples
    judge.seed = seed
    return judge.findings(rules)
  }
}
