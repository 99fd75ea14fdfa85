/// A fact that the rules of a detector need, and that recordings do not give in any frame.
///
/// A frame without it is undetermined for the whole list of rules, so such a recording says nothing
/// about them.
package struct UnmetNeed: Codable, Hashable, Sendable {
  /// What is missing.
  package enum Fact: String, Codable, CaseIterable, Hashable, Sendable {
    /// Every pose.
    case pose
    /// The height of the body.
    case bodyHeight = "body_height_m"
    /// A joint.
    case joint
  }

  /// What is missing.
  package let fact: Fact
  /// The joint's name, if a joint is missing.
  package let joint: String?
  /// How many rules need it, of both streams.
  package let rules: Int
  /// How many recordings lack it.
  package var recordings: Int

  private enum CodingKeys: String, CodingKey {
    case fact, joint, rules, recordings
  }

  /// Describes a missing fact.
  package init(_ fact: Fact, joint: String? = nil, rules: Int, recordings: Int) {
    self.fact = fact
    self.joint = joint
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
