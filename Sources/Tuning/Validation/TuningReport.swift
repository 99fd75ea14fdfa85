package import PlankDetection

/// A recommendation for one stream with its evidence.
package struct TuningReport: Sendable {
  /// One fold of the nested validation.
  package struct Fold: Sendable {
    /// The subjects held out.
    package let heldOut: [String]
    /// The detector chosen from the others.
    package let detector: DetectorVariant
    /// The smoothing chosen from the others.
    package let smoothing: SmoothingChoice
    /// The parameters chosen from the others, refined if asked for.
    package let parameters: ParameterValues
    /// Whether all constraints were kept on the others.
    package let isFeasible: Bool
    /// The objective on the others.
    package let heldInObjective: Double
    /// The objective on the held-out subjects; nil if it is undefined there.
    package let heldOutObjective: Double?
  }

  /// What an experiment starts from: the first detector and the first smoothing that it lists, with
  /// the values that it gives.
  package struct Start: Sendable {
    /// The detector; its base holds the values.
    package let detector: DetectorVariant
    /// The smoothing.
    package let smoothing: SmoothingChoice
    /// The objective on all subjects; nil if it is undefined.
    package let objective: Double?
  }

  /// The cells that were searched.
  package let grid: StreamGrid
  /// The choice from all subjects.
  package let choice: Choice
  /// The detector found; its base has the values that it starts from.
  package let detector: DetectorVariant
  /// The smoothing found.
  package let smoothing: SmoothingChoice
  /// The parameters found; refined if asked for.
  package let parameters: ParameterValues
  /// The objective of the parameters found on all subjects.
  package let objective: Double
  /// The gain of refinement in the sample; nil if it was not asked for.
  package let refinement: Refinement?
  /// The subjects, sorted.
  package let subjects: [String]
  /// What to know about the grid.
  package let diagnostics: GridDiagnostics
  /// Accuracy, flicker and latency against each other.
  package let front: ParetoFront
  /// The folds; empty without validation.
  package let folds: [Fold]
  /// Every subject while it was held out; empty without validation.
  package let people: [StreamRecommendation.HeldOutSubject]
  /// How well the procedure does on unseen data; nil without validation.
  package let heldOut: HeldOutEstimate?
  /// The share of resamples of subjects whose choice is on the chosen plateau; nil if none was
  /// drawn.
  package let samePlateauShare: Double?
  /// The objective along every axis and over the two that matter most.
  package let views: ObjectiveViews
  /// What the experiment starts from.
  package let start: Start
  /// Whether to keep that or to change it.
  package internal(set) var decision: TuningDecision
  /// The goal.
  package let goal: TuningGoal

  /// The recommended detector, with the recommended values as its base: what was found, or the
  /// start.
  package var settled: DetectorVariant {
    decision.usesFound ? detector.with(parameters) : start.detector
  }

  /// The objective of the recommended values on all subjects; nil if it is undefined.
  var settledObjective: Double? { decision.usesFound ? objective : start.objective }

  /// The recommended smoothing.
  package var settledSmoothing: SmoothingChoice {
    decision.usesFound ? smoothing : start.smoothing
  }

  /// How much better what was found looks on the subjects on which it was chosen than its
  /// procedure does on held-out data; positive is optimistic, whatever the metric's direction.
  package var optimism: Double? {
    heldOut?.value.map { goal.gain(objective) - goal.gain($0) }
  }
}

/// How a recommendation is made and checked.
package struct TuningOptions: Hashable, Sendable {
  /// What is held out; nil for no validation.
  package var validation: ValidationScheme?
  /// How many resamples of subjects test whether the choice is stable.
  package var resamples: Int
  /// Whether breakpoints inside the plateau are tried.
  package var refines: Bool
  /// Whether each sequence without a subject counts as a subject.
  package var allowsUngrouped: Bool
  /// Whether the values found are used even where the evidence does not support them.
  package var takesFound = false
  /// How many goals are tuned together, for which probabilities are corrected.
  package var goals = 1
  /// The seed of folds and resamples.
  package var seed: UInt64
  /// How many cores work concurrently.
  package var jobs: Int
  /// The engine.
  package var engine: SweepEngine

  /// Makes options.
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
