package import Evaluation
package import PlankDetection
package import PoseModel

package struct TuningReport: Sendable {
  package struct Fold: Sendable {
    package let heldOut: [String]
    package let detector: DetectorVariant
    package let smoothing: SmoothingChoice
    package let parameters: ParameterValues
    package let isFeasible: Bool
    package let heldInObjective: Double
    package let heldOutObjective: Double?
  }

  package struct Start: Sendable {
    package let detector: DetectorVariant
    package let smoothing: SmoothingChoice
    package let objective: Double?
  }

  package let grid: StreamGrid
  package let choice: Choice
  package let detector: DetectorVariant
  package let smoothing: SmoothingChoice
  package let parameters: ParameterValues
  package let objective: Double
  package let refinement: Refinement?
  package let subjects: [String]
  package let diagnostics: GridDiagnostics
  package let front: ParetoFront
  package let folds: [Fold]
  package let people: [StreamRecommendation.HeldOutSubject]
  package let heldOut: HeldOutEstimate?
  package let samePlateauShare: Double?
  package let views: ObjectiveViews
  package let start: Start
  package internal(set) var decision: TuningDecision
  package let goal: TuningGoal

  package var settled: DetectorVariant {
    decision.usesFound ? detector.with(parameters) : start.detector
  }

  var settledObjective: Double? { decision.usesFound ? objective : start.objective }

  package var settledSmoothing: SmoothingChoice { decision.usesFound ? smoothing : start.smoothing }

  /// How much better the values found are on the subjects that chose them than on held-out data.
  ///
  /// A positive number is optimistic, whatever the metric's direction.
  package var optimism: Double? { heldOut?.value.map { goal.gain(objective) - goal.gain($0) } }
}

package struct TuningOptions: Hashable, Sendable {
  package var validation: ValidationScheme?
  package var resamples: Int
  package var refines: Bool
  package var allowsUngrouped: Bool
  /// The streams that use the best values found even if the advice is to keep the starting values.
  package var takesFound: Set<AnswerStream> = []
  package var seed: UInt64
  package var jobs: Int
  package var engine: SweepEngine

  package init(
    validation: ValidationScheme? = .automatic, resamples: Int = 100, refines: Bool = true,
    allowsUngrouped: Bool = false, seed: UInt64 = 1, jobs: Int = 1, engine: SweepEngine = .automatic
  ) {
    self.validation = validation
    self.resamples = resamples
    self.refines = refines
    self.allowsUngrouped = allowsUngrouped
    self.seed = seed
    self.jobs = jobs
    self.engine = engine
  }
}

/// Whether to change a stream's starting values, as the result of tuning.
///
/// A change is recommended if the starting values violate a constraint that the values found meet,
/// or if the advice is to take the change. Otherwise, the starting values stay. They also stay if
/// the gain needs another detector, smoothing or shared parameter, with which the other stream
/// loses more than its tolerance.
package struct TuningDecision: Codable, Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
    case keep
    case change
  }

  package enum Reason: String, CaseIterable, Codable, Hashable, Sendable {
    case advice
    case constraint
    case same
    case infeasible
    case nothingCounted = "nothing_counted"
    case costsOther = "costs_other"
  }

  package struct OtherStream: Codable, Hashable, Sendable {
    package let metric: MetricKey
    package let start: Double
    /// The value with the settings found, after the other stream's own parameters were tuned to
    /// them.
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
  package let advice: Advice?
  package let falseTransitions: Advice?
  package private(set) var isTaken: Bool
  package private(set) var other: OtherStream?

  private enum CodingKeys: String, CodingKey {
    case verdict, reason, broken, advice, other
    case falseTransitions = "false_transitions_advice"
    case isTaken = "taken"
  }

  /// The largest chance that any step is called beyond chance although it is not.
  static let risk = 0.05

  package var usesFound: Bool { verdict == .change || isTaken }

  package var mayBeTaken: Bool {
    verdict == .keep && reason != .same && Self.mayTake(advice)
  }
}

extension TuningDecision {
  /// Even with `takesFound`, values with an expected loss are not taken.
  init(
    isFeasible: Bool, broken: Broken?, isSame: Bool, advice: Advice?, falseTransitions: Advice?,
    takesFound: Bool
  ) {
    let reason: Reason =
      if !isFeasible {
        .infeasible
      } else if broken != nil {
        .constraint
      } else if isSame {
        .same
      } else {
        advice == nil ? .nothingCounted : .advice
      }
    let takes = advice?.step.takes ?? false
    let verdict: Verdict = reason == .constraint || (reason == .advice && takes) ? .change : .keep
    self.verdict = verdict
    self.reason = reason
    self.advice = advice
    self.falseTransitions = falseTransitions
    self.broken = broken
    isTaken = takesFound && verdict == .keep && !isSame && Self.mayTake(advice)
  }

  func knowing(_ other: OtherStream, loses: Bool, takesFound: Bool) -> TuningDecision {
    var decision = self
    decision.other = other
    if loses, reason == .advice, verdict == .change {
      decision.verdict = .keep
      decision.reason = .costsOther
      decision.isTaken = takesFound
    }
    return decision
  }

  private static func mayTake(_ advice: Advice?) -> Bool { advice.map { $0.expected > 0 } ?? true }
}
