package import PoseModel

/// A posture that a scripted body can take.
package enum ScriptedPosture: String, CaseIterable, Hashable, Sendable {
  /// Upright with hanging arms.
  case standing
  /// On hands and knees, toes tucked: not a plank, but the published rules take it for one.
  case allFours
  /// Prone on the forearms.
  case forearm
  /// Prone on straight vertical arms.
  case high
  /// On the right elbow, the left shoulder up.
  case sideLeft
  /// On the left elbow, the right shoulder up.
  case sideRight
  /// Supine on straight arms that point 20 degrees toward the feet.
  ///
  /// With hands right under the shoulders the published rules see a high plank.
  case reverse

  /// The label that a person would give the posture.
  package var truth: PlankClass {
    switch self {
    case .standing, .allFours: .none
    case .forearm: .forearm
    case .high: .high
    case .sideLeft: .sideLeft
    case .sideRight: .sideRight
    case .reverse: .reverse
    }
  }

  /// The postures that are planks.
  package static let planks: [ScriptedPosture] = allCases.filter { $0.truth != PlankClass.none }
}
