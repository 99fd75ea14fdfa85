package import Evaluation
internal import Statistics

/// What to do with a stream's starting values: the answer of tuning.
///
/// A change is recommended where the starting values break a constraint that the values found
/// keep, or where the whole procedure gains on held-out data beyond chance: the estimate exceeds the
/// goal's tolerance, its 95 % interval excludes zero, and its probability, multiplied by the number
/// of goals tuned together (Bonferroni), is at most 0.05. Otherwise, the starting values stay. They
/// also stay if the gain needs another detector, smoothing or shared parameter, with which the other
/// stream loses more than its tolerance.
package struct TuningDecision: Codable, Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
    case keep
    case change
    case tooFewPeople = "too_few_people"
  }

  package enum Reason: String, CaseIterable, Codable, Hashable, Sendable {
    case gain
    case constraint
    case same
    case noGain = "no_gain"
    case infeasible
    case notValidated = "not_validated"
    case undefinedStart = "undefined_start"
    case noInterval = "no_interval"
    case costsOther = "costs_other"
  }

  package struct OtherStream: Codable, Hashable, Sendable {
    package let metric: MetricKey
    package let start: Double
    /// Its value with what this stream found, the other stream's own values tuned to it.
    package let changed: Double
  }

  package struct Broken: Codable, Hashable, Sendable {
    package let bound: MetricConstraint?
    package let value: Double?
    package let relation: String?
  }

  package private(set) var verdict: Verdict
  package private(set) var reason: Reason
  package let broken: Broken?
  /// The two-sided probability of a change as far from zero if there were none, corrected for the
  /// goals tuned together; nil if it cannot be computed.
  package let probability: Double?
  package let goals: Int
  package private(set) var isTaken: Bool
  package private(set) var other: OtherStream?

  private enum CodingKeys: String, CodingKey {
    case verdict, reason, broken, goals, other
    case probability = "p"
    case isTaken = "taken"
  }

  static let risk = 0.05

  package static func leastAlike(_ goals: Int) -> Int {
    SignFlipTest.fewestClusters(risk: risk / Double(goals))
  }

  package var usesFound: Bool { verdict == .change || isTaken }
}

extension TuningDecision {
  struct Evidence {
    let goal: TuningGoal
    let isFeasible: Bool
    let broken: Broken?
    let isSame: Bool
    let start: Double?
    let subjects: Int
    let heldOut: HeldOutEstimate?
  }

  init(_ evidence: Evidence, goals: Int, takesFound: Bool) {
    precondition(goals > 0, "a decision is about a goal")
    let probability = evidence.heldOut?.changeProbability.map { min(1, Double(goals) * $0) }
    let reason = Self.reason(evidence, probability, goals)
    let verdict: Verdict =
      switch reason {
      case .gain, .constraint: .change
      case .noInterval: .tooFewPeople
      case .same, .noGain, .infeasible, .notValidated, .undefinedStart, .costsOther: .keep
      }
    self.verdict = verdict
    self.reason = reason
    self.probability = probability
    self.goals = goals
    broken = evidence.broken
    isTaken = takesFound && verdict != .change && !evidence.isSame
  }

  func knowing(_ other: OtherStream, loses: Bool, takesFound: Bool) -> TuningDecision {
    var decision = self
    decision.other = other
    if loses, reason == .gain {
      decision.verdict = .keep
      decision.reason = .costsOther
      decision.isTaken = takesFound
    }
    return decision
  }

  private static func reason(
    _ evidence: Evidence, _ probability: Double?, _ goals: Int
  ) -> Reason {
    if !evidence.isFeasible { return .infeasible }
    if evidence.broken != nil { return .constraint }
    if evidence.isSame { return .same }
    guard evidence.start != nil else { return .undefinedStart }
    guard let heldOut = evidence.heldOut else {
      return evidence.subjects < 2 ? .noInterval : .notValidated
    }
    guard let probability, let change = heldOut.change.map(evidence.goal.gain) else {
      return .noInterval
    }
    guard let interval = heldOut.changeInterval else {
      // All people are alike: without any change, or with a change that swaps of signs can judge.
      if change <= evidence.goal.tolerance { return .noGain }
      return probability <= risk ? .gain : .noInterval
    }
    let isAboveZero =
      evidence.goal.objective.metric.higherIsBetter ? interval.lower > 0 : interval.upper < 0
    return isAboveZero && change > evidence.goal.tolerance && probability <= risk
      ? .gain : .noGain
  }
}
