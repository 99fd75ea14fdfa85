package import PoseModel

/// A stretch of time, half-open, in which joints or whole poses were not found.
package struct ScriptedDropout: Hashable, Sendable {
  /// The first instant.
  package var start: Seconds
  /// The first instant after it.
  package var end: Seconds
  /// The missing joints; an empty list means that there is no pose at all.
  package var joints: [Joint]

  /// Makes a dropout of some joints, or of whole poses if no joint is given.
  package init(from start: Double, to end: Double, of joints: [Joint] = []) {
    self.start = Seconds(start)
    self.end = Seconds(end)
    self.joints = joints
  }

  /// Whether the stretch contains an instant.
  func contains(_ time: Double) -> Bool { start.value <= time && time < end.value }
}
