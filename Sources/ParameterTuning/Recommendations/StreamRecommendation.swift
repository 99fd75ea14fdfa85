package import PoseModel

/// A tuning report in plain words and numbers, so that its faces need not know detectors.
package struct StreamRecommendation: Hashable, Sendable {
  /// An axis of the plateau.
  package struct Extent: Hashable, Sendable {
    /// The parameter's name.
    package let parameter: String
    /// Its unit.
    package let unit: String
    /// The values on the plateau through its center.
    package let values: ClosedRange<Double>
    /// How many grid values that is.
    package let count: Int
    /// Towards smaller values.
    package let below: Side
    /// Towards larger values.
    package let above: Side
  }

  /// One side of the plateau as seen from its center.
  package struct Side: Hashable, Sendable {
    /// Steps to the first value that is not on the plateau.
    package let steps: Int
    /// That value, or nil where the grid ends first.
    package let cliff: Double?
  }

  /// A parameter with a better value between those of the grid.
  package struct RefinedParameter: Hashable, Sendable {
    /// The parameter's name.
    package let parameter: String
    /// Its unit.
    package let unit: String
    /// From the grid's value.
    package let from: Double
    /// To the middle of the interval.
    package let to: Double
    /// From the observed value below the widest run of best values to the one above.
    package let interval: ClosedRange<Double>
    /// What it gains in the sample, in the objective's unit.
    package let gain: Double
    /// The paired standard error of the gain; nil below two subjects.
    package let standardError: Double?
    /// Why it was not taken; nil where it was.
    package let obstacle: Refinement.Obstacle?
    /// Whether it was taken: the gain is beyond chance and tolerance, and no knife edge.
    package var isTaken: Bool { obstacle == nil }
  }

  /// One fold of the validation.
  package struct Fold: Hashable, Sendable {
    /// Who was held out.
    package let heldOut: [String]
    /// The detector that the others chose.
    package let detector: String
    /// The smoothing that the others chose.
    package let smoothing: String
    /// The parameters that the others chose, among those of the stream.
    package let parameters: [ParameterFact]
    /// Whether the others could keep the constraints.
    package let isFeasible: Bool
    /// The objective on the others.
    package let heldIn: Double
    /// The objective on those held out; nil where it is undefined.
    package let heldOutValue: Double?
  }

  /// A point of the front.
  package struct FrontPoint: Hashable, Sendable {
    /// The cell.
    package let cell: Int
    /// Detector, smoothing and the parameters that axes vary.
    package let detector: String
    /// The smoothing.
    package let smoothing: String
    /// The parameters that axes vary.
    package let parameters: [ParameterFact]
    /// The values of the front's metrics.
    package let values: [Double]
    /// What one unit of the first metric costs in each other one; nil for the first point.
    package let costOfFirst: [Double]?
  }

  /// The recommended parameters on frames that were made worse.
  package struct Stressed: Hashable, Sendable {
    /// What was done to the frames.
    package let condition: String
    /// The objective; nil where it is undefined.
    package let objective: Double?

    /// Makes a row.
    package init(condition: String, objective: Double?) {
      self.condition = condition
      self.objective = objective
    }
  }

  /// The stream.
  package let stream: AnswerStream
  /// The recommended detector.
  package let detector: String
  /// The recommended smoothing.
  package let smoothing: String
  /// The recommended values of the stream's parameters.
  package let parameters: [ParameterFact]
  /// The parameters of the best cell, before plateau and refinement.
  package let bestParameters: [ParameterFact]
  /// The front's metrics, the objective first.
  package let frontMetrics: [String]
  /// The front.
  package let front: [FrontPoint]
  /// The plateau along its axes; empty without one.
  package let extents: [Extent]
  /// What refinement found.
  package let refined: [RefinedParameter]
  /// The folds.
  package let folds: [Fold]
  /// Everything that is plain already.
  package let evidence: Evidence
  /// The objective along the axes.
  package let views: ObjectiveViews
  /// The objective on worse frames; empty where it was not tried.
  package var stress: [Stressed] = []
}
