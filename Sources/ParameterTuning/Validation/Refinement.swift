package import PlankDetection

/// The exact best value of each continuous parameter inside a plateau.
///
/// Only observed values change an answer: between two neighboring ones every threshold is the
/// same detector. So the values halfway between are all there is to try; beyond
/// `Refiner.mostValues` they are thinned evenly. A gain that chance or the goal's tolerance explains
/// is reported and not taken, nor is one that holds in a sliver only: the plateau's center is safer.
package struct Refinement: Hashable, Sendable {
  /// Why a better value is not taken.
  package enum Obstacle: Hashable, Sendable {
    /// The gain is no larger than its standard error or the goal's tolerance.
    case chance
    /// The values that gain it are narrower than `Refiner.leastWidth` steps of the axis: a knife
    /// edge, on which the next recording would not stand.
    case knifeEdge
  }

  /// The best value of one parameter.
  package struct Step: Hashable, Sendable {
    /// The parameter.
    package let key: ParameterKey
    /// The value on the grid.
    package let from: Double
    /// The best value: of those tried the one nearest to the middle of the interval.
    package let to: Double
    /// The widest run of the best objective, from the observed value below it to the one above.
    package let interval: ClosedRange<Double>
    /// What it gains on the subjects that it was chosen on, in the objective's unit.
    package let gain: Double
    /// The paired standard error of the gain; nil below two subjects.
    package let standardError: Double?
    /// Why it is not taken; nil where it is.
    package let obstacle: Obstacle?
    /// Whether it is taken.
    package var isTaken: Bool { obstacle == nil }
  }

  /// The refined parameters.
  package let parameters: ParameterValues
  /// The parameters with a better value, taken or not, in the order of the axes.
  package let steps: [Step]
  /// The objective on the subjects that it was chosen on.
  package let objective: Double
}
