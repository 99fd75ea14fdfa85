package import PoseModel

/// One frame of a scripted session before any camera looks at it.
package struct ScriptedFrame: Hashable, Sendable {
  /// When the frame is taken, in whole microseconds.
  package var time: Seconds
  /// All joints in world axes, the missing ones included.
  package var joints: [Joint: Vector3]
  /// The joints that the detector does not find.
  package var missingJoints: Set<Joint>
  /// Whether the detector finds no pose at all.
  package var isMissing: Bool
}
