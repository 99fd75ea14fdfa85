package import PoseModel

/// Independent normal noise of every coordinate of every joint and frame.
///
/// It is drawn in world axes, before any camera looks: all views of a session see the same noise.
package struct ScriptedJitter: Hashable, Sendable {
  /// Where the stream of random numbers starts.
  package var seed: UInt64
  /// The standard deviation of a coordinate.
  package var deviation: Meters

  /// Makes noise.
  package init(seed: UInt64, deviation: Meters) {
    self.seed = seed
    self.deviation = deviation
  }
}
