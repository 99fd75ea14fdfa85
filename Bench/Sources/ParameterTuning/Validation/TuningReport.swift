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

  /// The cells that were searched.
  package let grid: StreamGrid
  /// The recommendation from all subjects.
  package let choice: Choice
  /// The recommended detector; its base is the starting point.
  package let detector: DetectorVariant
  /// The recommended smoothing.
  package let smoothing: SmoothingChoice
  /// The recommended parameters; refined if asked for.
  package let parameters: ParameterValues
  /// The objective of the recommended parameters on all subjects.
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
  /// How well the procedure does on unseen data; nil without validation.
  package let heldOut: HeldOutEstimate?
  /// The share of resamples of subjects whose choice is on the recommended plateau; nil if none was
  /// drawn.
  package let samePlateauShare: Double?
  /// The objective along every axis and over the two that matter most.
  package let views: ObjectiveViews
  /// The objective of the recommended detector with the parameters with which the experiment
  /// starts; nil if it is undefined.
  package let startObjective: Double?
  /// The goal.
  package let goal: TuningGoal

  /// How much better the recommendation looks on the subjects on which it was chosen than its
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
