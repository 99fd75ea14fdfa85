package import Evaluation
package import PoseModel

package struct PersonalAnswers: Sendable {
  let pools: PerStream<SubjectPools>
  /// In the order of the sequences, which all candidates share.
  let recordings: PerStream<[AnsweredRecording]>
  private let draws: PerStream<MetricDraws>

  package init(_ sequences: [SequenceScores], people: [String?]) {
    pools = PerStream { SubjectPools(sequences, $0, subjects: people) }
    draws = pools.map { MetricDraws([$0], ChoiceRule.keys($0.stream)) }
    recordings = PerStream { stream in sequences.map { AnsweredRecording($0, stream) } }
  }

  fileprivate func numbers(_ people: [Int]) -> PerStream<ChoiceNumbers> {
    draws.map { ChoiceNumbers($0.numbers(of: people)) }
  }
}

/// What advice depends on in the answers to one recording.
struct AnsweredRecording: Sendable {
  let frames: RightFrames
  let wrongChanges: Double
  let minutes: Double

  init(_ scores: SequenceScores, _ stream: AnswerStream) {
    frames = RightFrames(scores, stream)
    wrongChanges = Double(scores[stream].stability.falseTransitions)
    minutes = scores[stream].stability.evaluatedSeconds / 60
  }
}

extension PairedCounts {
  /// The wrong changes of every person, and the minutes that are scored.
  init(wrongChanges before: [AnsweredRecording], _ after: [AnsweredRecording]) {
    self.init(
      summing: zip(before, after).map { old, new in
        Recording(
          name: old.frames.name, subject: old.frames.subject,
          counts: Unit(
            source: old.frames.source, amount: old.minutes, before: old.wrongChanges,
            after: new.wrongChanges))
      })
  }
}

/// How the best of several candidates is chosen: the fewest wrong changes of the answer, both
/// streams together, among candidates that are not too late and do not lose too much.
package struct ChoiceRule: Hashable, Sendable, Codable {
  /// How much later than the answers as they are the median latency of either stream may be.
  package let allowedDelay: Seconds
  /// How much balanced accuracy either stream may lose, 0 to 1.
  package let allowedLoss: Double
  /// How much hit rate either stream may lose, 0 to 1.
  package let allowedMisses: Double

  private enum CodingKeys: String, CodingKey {
    case allowedDelay = "allowed_delay_s"
    case allowedLoss = "allowed_loss"
    case allowedMisses = "allowed_misses"
  }

  package init(allowedDelay: Seconds, allowedLoss: Double = 0.01, allowedMisses: Double = 0.05) {
    self.allowedDelay = allowedDelay
    self.allowedLoss = allowedLoss
    self.allowedMisses = allowedMisses
  }

  package static let usual = ChoiceRule(allowedDelay: Seconds(0.2))
  static let rounding = 1e-9

  fileprivate static func keys(_ stream: AnswerStream) -> [MetricKey] {
    [
      Metric.falseTransitionsPerMinute, .detectionLatencyMedian, .hitRate, .balancedAccuracy,
    ].map { MetricKey($0, in: stream) }
  }

  /// The position of a candidate; nil for the answers as they are, which compete too.
  ///
  /// Ties go to the smaller median latencies, then to the earlier one. `people` are the positions
  /// of those whose answers count.
  func choose(_ candidates: [PersonalAnswers], plain: PersonalAnswers, _ people: [Int]) -> Int? {
    let own = plain.numbers(people)
    var best = (cost: own.wrongChanges, latency: own.latency, candidate: Int?.none)
    for (index, candidate) in candidates.enumerated() {
      let numbers = candidate.numbers(people)
      let isAllowed = AnswerStream.allCases.allSatisfy { numbers[$0].isWithin(self, of: own[$0]) }
      guard isAllowed else { continue }
      let (cost, latency) = (numbers.wrongChanges, numbers.latency)
      let isBetter =
        cost < best.cost - Self.rounding
        || cost <= best.cost + Self.rounding && latency < best.latency - Self.rounding
      if isBetter { best = (cost, latency, index) }
    }
    return best.candidate
  }
}

private struct ChoiceNumbers {
  let wrongChanges: Double?
  let latency: Double?
  let hitRate: Double?
  let accuracy: Double?

  init(_ numbers: [Double?]) {
    precondition(numbers.count == 4, "the numbers are those of ChoiceRule.keys")
    wrongChanges = numbers[0]
    latency = numbers[1]
    hitRate = numbers[2]
    accuracy = numbers[3]
  }

  /// What is undefined in the answers as they are limits nothing.
  func isWithin(_ rule: ChoiceRule, of plain: ChoiceNumbers) -> Bool {
    func holds(_ before: Double?, _ after: Double?, loss: Double) -> Bool {
      guard let before else { return true }
      return after.map { before - $0 <= loss + ChoiceRule.rounding } ?? false
    }
    return rule.isInTime(latency, before: plain.latency, hitRate: plain.hitRate)
      && holds(plain.hitRate, hitRate, loss: rule.allowedMisses)
      && holds(plain.accuracy, accuracy, loss: rule.allowedLoss)
  }
}

extension ChoiceRule {
  /// Whether a median latency is at most as much longer as allowed.
  ///
  /// Where less than half of what begins is found as it is, the median is the length of what is
  /// missed, and limits nothing.
  func isInTime(_ latency: Double?, before: Double?, hitRate: Double?) -> Bool {
    guard let before, hitRate ?? 1 >= 0.5 else { return true }
    return latency.map { $0 - before <= allowedDelay.value + Self.rounding } ?? false
  }
}

extension PerStream<ChoiceNumbers> {
  fileprivate var wrongChanges: Double { all.compactMap(\.wrongChanges).reduce(0, +) }
  fileprivate var latency: Double { all.compactMap(\.latency).reduce(0, +) }
}
