package import PoseModel

/// How a body moves from one posture to the next: every joint on its straight way.
package struct ScriptedTransition: Hashable, Sendable {
  /// How far along its way a joint is after a share of the time.
  package enum Course: String, CaseIterable, Hashable, Sendable {
    /// At constant speed.
    case linear
    /// s = 10 u^3 - 15 u^4 + 6 u^5 (Flash and Hogan 1985): at rest at both ends.
    case minimumJerk

    /// The share of the way after the share `u` of the time, both 0...1.
    package func progress(_ u: Double) -> Double {
      switch self {
      case .linear: u
      case .minimumJerk: u * u * u * (10 + u * (6 * u - 15))
      }
    }
  }

  /// How long it takes; 0 is a jump.
  package var duration: Seconds
  /// How the speed changes on the way.
  package var course: Course

  /// Makes a transition.
  package init(_ duration: Seconds, _ course: Course = .minimumJerk) {
    self.duration = duration
    self.course = course
  }
}
