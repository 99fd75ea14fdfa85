/// How much the length of a bone varies while a plank is held.
///
/// It catches landmarks that swap, which steps alone do not tell from movement.
package struct BoneVariation: Hashable, Sendable {
  /// The joints at its ends, `parent-child`.
  package let name: String
  /// Frames of holds with both ends.
  package let frames: Int
  /// The mean length in the unit of the joints.
  package let length: MetricValue
  /// The standard deviation about each hold's mean over the mean length.
  package let variation: MetricValue
}
