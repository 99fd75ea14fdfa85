package import PoseModel

/// A fact that the rules of a detector need, and that recordings do not give in any frame.
///
/// A frame without a joint is undetermined for the whole list of rules, so such a recording says
/// nothing about them. A height that is missing has a stand-in.
package struct UnmetNeed: Codable, Hashable, Sendable {
  /// What is missing.
  package enum Fact: String, Codable, CaseIterable, Hashable, Sendable {
    /// Every pose.
    case pose
    /// The height of the body, in whose place Vision's reference is taken.
    case bodyHeight = "body_height_m"
    /// A joint.
    case joint
  }

  /// What is missing.
  package let fact: Fact
  /// The joint's name, if a joint is missing.
  package let joint: String?
  /// The measurements that need it and that rules mention, in the order of the rules; empty for poses.
  package let measurements: [String]
  /// How many rules need it, of both streams.
  package let rules: Int
  /// How many recordings lack it.
  package var recordings: Int
  /// What is taken in its place; nil if nothing can be.
  package let assumed: Meters?

  private enum CodingKeys: String, CodingKey {
    case fact, joint, measurements, rules, recordings
    case assumed = "assumed_m"
  }

  /// Describes a missing fact.
  ///
  /// - Parameters:
  ///   - joint: the joint's name, if a joint is missing.
  ///   - measurements: the measurements that need it.
  package init(
    _ fact: Fact, joint: String? = nil, of measurements: [String] = [], rules: Int, recordings: Int
  ) {
    self.fact = fact
    self.joint = joint
    self.measurements = measurements
    assumed = fact == .bodyHeight ? HeightEstimation.referenceHeight : nil
    self.rules = rules
    self.recordings = recordings
  }

  /// The needs of several recordings, each once, in the order of their first mention.
  package static func sum(_ parts: [[UnmetNeed]]) -> [UnmetNeed] {
    var found: [UnmetNeed] = []
    for need in parts.joined() {
      if let index = found.firstIndex(where: { $0.fact == need.fact && $0.joint == need.joint }) {
        found[index].recordings += need.recordings
      } else {
        found.append(need)
      }
    }
    return found
  }
}
