package import PlankDetection

/// A recommendation for one stream with its evidence.
package struct TuningReport: Sendable {
  /// One fold of the nested validation.
  package struct Fold: Sendable {
    /// The subjects held out.
    package let heldOut: [String]
    /// The detector that the others chose.
    package let detector: String
    /// The smoothing that the others chose.
    package let smoothing: String
    /// The parameters that the others chose, refined where asked.
    package let parameters: ParameterValues
    /// Whether the others could keep the constraints.
    package let isFeasible: Bool
    /// The objective on the others.
    package let heldInObjective: Double
    /// The objective on the held-out subjects; nil where it is undefined there.
    package let heldOutObjective: Double?
  }

  /// The cells that were searched.
  package let grid: StreamGrid
  /// What is recommended, from all subjects.
  package let choice: Choice
  /// The recommended detector.
  package let detector: String
  /// The recommended smoothing.
  package let smoothing: String
  /// The recommended parameters; refined where asked.
  package let parameters: ParameterValues
  /// What refinement gained in the sample; nil where it was not asked for.
  package let refinement: Refinement?
  /// The subjects, sorted.
  package let subjects: [String]
  /// What to know of the grid.
  package let diagnostics: GridDiagnostics
  /// Accuracy, flicker and latency against each other.
  package let front: ParetoFront
  /// The folds; empty without validation.
  package let folds: [Fold]
  /// The objective of the held-out answers pooled over folds; nil without validation and where it
  /// is undefined.
  package let nestedEstimate: Double?
  /// The share of resamples of subjects whose choice lies on the recommended plateau; nil where
  /// none was drawn.
  package let samePlateauShare: Double?
  /// The objective along every axis and over the two that matter most.
  package let views: ObjectiveViews
  /// The objective of the recommended detector with the parameters that the experiment starts
  /// from; nil where it is undefined.
  package let baseObjective: Double?
  /// The goal.
  package let goal: TuningGoal

  /// How much better the recommendation looks on the subjects that it was chosen on than its
  /// procedure does on new ones; positive is optimistic, whatever the metric's direction.
  package var optimism: Double? {
    nestedEstimate.map {
      goal.gain(refinement?.objective ?? choice.objective) - goal.gain($0)
    }
  }
}
