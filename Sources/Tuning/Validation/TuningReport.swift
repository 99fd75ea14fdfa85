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

  package var settledSmoothing: SmoothingChoice {
    decision.usesFound ? smoothing : start.smoothing
  }

  /// How much better what was found looks on the subjects on which it was chosen than its
  /// procedure does on held-out data; positive is optimistic, whatever the metric's direction.
  package var optimism: Double? {
    heldOut?.value.map { goal.gain(objective) - goal.gain($0) }
  }
}

package struct TuningOptions: Hashable, Sendable {
  package var validation: ValidationScheme?
  package var resamples: Int
  package var refines: Bool
  package var allowsUngrouped: Bool
  /// The streams whose best values are used even if the advice is to keep the start.
  package var takesFound: Set<AnswerStream> = []
  package var seed: UInt64
  package var jobs: Int
  package var engine: SweepEngine

  package init(
    validation: ValidationScheme? = .automatic, resamples: Int = 100,
    refines: Bool = true, allowsUngrouped: Bool = false, seed: UInt64 = 1, jobs: Int = 1,
    engine: SweepEngine = .automatic
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
