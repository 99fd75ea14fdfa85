package import PlankDetection

/// The exact best value of each continuous parameter inside a plateau.
///
/// Only observed values change an answer: between two neighboring ones every threshold is the
/// same detector. So the values halfway between are all there is to try. A gain that chance or the
/// goal's tolerance explains is reported and not taken: the plateau's center is safer.
package struct Refinement: Hashable, Sendable {
  /// The best value of one parameter.
  package struct Step: Hashable, Sendable {
    /// The parameter.
    package let key: ParameterKey
    /// The value on the grid.
    package let from: Double
    /// The best value: the middle of the widest run of the best objective.
    package let to: Double
    /// The run: between these observed values every threshold is an equally good detector.
    package let interval: ClosedRange<Double>
    /// What it gains on the subjects that it was chosen on, in the objective's unit.
    package let gain: Double
    /// The paired standard error of the gain; nil below two subjects.
    package let standardError: Double?
    /// Whether the gain is larger than its standard error and the goal's tolerance.
    package let isTaken: Bool
  }

  /// The refined parameters.
  package let parameters: ParameterValues
  /// The parameters with a better value, taken or not, in the order of the axes.
  package let steps: [Step]
  /// The objective on the subjects that it was chosen on.
  package let objective: Double
}
