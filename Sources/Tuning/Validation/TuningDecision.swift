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
  /// The answer.
  package enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
    /// Use the starting values.
    case keep
    /// Use the values found.
    case change
    /// Nothing can be said; the starting values stay.
    case tooFewPeople = "too_few_people"
  }

  /// Why.
  package enum Reason: String, CaseIterable, Codable, Hashable, Sendable {
    /// The gain on held-out data is beyond chance.
    case gain
    /// The starting values break a constraint; the values found keep all of them.
    case constraint
    /// The search chose the starting values.
    case same
    /// The change on held-out data may be chance, is within the tolerance, or is a loss.
    case noGain = "no_gain"
    /// No combination keeps every constraint.
    case infeasible
    /// The experiment holds nothing out.
    case notValidated = "not_validated"
    /// The objective is undefined for the starting values.
    case undefinedStart = "undefined_start"
    /// The change has no interval, for lack of people who differ.
    case noInterval = "no_interval"
    /// The gain is beyond chance, but the other stream loses by what both share.
    case costsOther = "costs_other"
  }

  /// The other stream's objective, which depends on what both streams share.
  package struct OtherStream: Codable, Hashable, Sendable {
    /// The objective.
    package let metric: MetricKey
    /// Its value with everything that the experiment starts from, on all subjects.
    package let start: Double
    /// Its value with what this stream found, the other stream's own values tuned to it.
    package let changed: Double
  }

  /// A constraint that the starting values break.
  package struct Broken: Codable, Hashable, Sendable {
    /// The bound on a metric; nil if it is a relation between parameters.
    package let bound: MetricConstraint?
    /// The value of the bound's metric; nil if it is undefined.
    package let value: Double?
    /// The relation between parameters, as written in experiments; nil if it is a bound.
    package let relation: String?
  }

  /// The answer.
  package private(set) var verdict: Verdict
  /// Why.
  package private(set) var reason: Reason
  /// The constraint that the starting values break first; nil if they keep all of them.
  package let broken: Broken?
  /// The two-sided probability of a change as far from zero if there were none, corrected for the
  /// goals tuned together; nil if it cannot be computed.
  package let probability: Double?
  /// For how many goals the probability is corrected.
  package let goals: Int
  /// Whether the values found are used although the verdict is not to change: on request.
  package private(set) var isTaken: Bool
  /// What the values found do to the other stream; nil if nothing, or if they are not used.
  package private(set) var other: OtherStream?

  private enum CodingKeys: String, CodingKey {
    case verdict, reason, broken, goals, other
    case probability = "p"
    case isTaken = "taken"
  }

  /// The largest corrected probability of a recommended change.
  static let risk = 0.05

  /// From how many held-out units on a change that is the same in all of them is beyond chance.
  ///
  /// - Parameter goals: how many are tuned together.
  package static func leastAlike(_ goals: Int) -> Int {
    SignFlipTest.fewestClusters(risk: risk / Double(goals))
  }

  /// Whether the values found are to be used.
  package var usesFound: Bool { verdict == .change || isTaken }
}

extension TuningDecision {
  /// What is known when a decision is made.
  struct Evidence {
    /// The goal.
    let goal: TuningGoal
    /// Whether the values found keep every constraint.
    let isFeasible: Bool
    /// The constraint that the starting values break; nil if they keep all of them.
    let broken: Broken?
    /// Whether the values found are the starting values.
    let isSame: Bool
    /// The starting values' objective; nil if it is undefined.
    let start: Double?
    /// How many subjects there are.
    let subjects: Int
    /// The procedure on held-out data; nil if nothing was held out.
    let heldOut: HeldOutEstimate?
  }

  /// Decides.
  ///
  /// - Parameters:
  ///   - goals: how many goals are tuned together, at least one.
  ///   - takesFound: whether the values found are used whatever the evidence says.
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

  /// The decision once it is known what the values found do to the other stream.
  ///
  /// A gain is not recommended at the price of a loss.
  ///
  /// - Parameters:
  ///   - loses: whether the other stream loses more than its tolerance.
  ///   - takesFound: whether the values found are used whatever the evidence says.
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
