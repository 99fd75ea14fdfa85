/// A fact that the rules of a detector need, and that recordings do not give in any frame.
///
/// A frame without it is undetermined for the whole list of rules, so such a recording says nothing
/// about them.
package struct UnmetNeed: Codable, Hashable, Sendable {
  /// What is missing.
  package enum Fact: Hashable, Sendable {
    /// Every pose.
    case pose
    /// The height of the body, `body_height_m`.
    case bodyHeight
    /// A joint, by its name.
    case joint(String)
  }

  /// What is missing.
  package let fact: Fact
  /// How many rules need it, of both streams.
  package let rules: Int
  /// How many recordings lack it.
  package var recordings: Int

  private enum CodingKeys: String, CodingKey {
    case fact, joint, rules, recordings
  }

  /// Describes a missing fact.
  package init(_ fact: Fact, rules: Int, recordings: Int) {
    self.fact = fact
    self.rules = rules
    self.recordings = recordings
  }

  /// The needs of several recordings, each once, in the order of their first mention.
  package static func sum(_ parts: [[UnmetNeed]]) -> [UnmetNeed] {
    var found: [UnmetNeed] = []
    for need in parts.joined() {
      if let index = found.firstIndex(where: { $0.fact == need.fact }) {
        found[index].recordings += need.recordings
      } else {
        found.append(need)
      }
    }
    return found
  }
}

extension UnmetNeed {
  private enum Kind: String, Codable {
    case pose
    case bodyHeight = "body_height_m"
    case joint
  }

  /// Reads a need.
  ///
  /// - Throws: `DecodingError` for a fact that is not known and for a joint without a name.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .fact) {
    case .pose: fact = .pose
    case .bodyHeight: fact = .bodyHeight
    case .joint: fact = .joint(try container.decode(String.self, forKey: .joint))
    }
    rules = try container.decode(Int.self, forKey: .rules)
    recordings = try container.decode(Int.self, forKey: .recordings)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch fact {
    case .pose: try container.encode(Kind.pose, forKey: .fact)
    case .bodyHeight: try container.encode(Kind.bodyHeight, forKey: .fact)
    case .joint(let name):
      try container.encode(Kind.joint, forKey: .fact)
      try container.encode(name, forKey: .joint)
    }
    try container.encode(rules, forKey: .rules)
    try container.encode(recordings, forKey: .recordings)
  }
}
