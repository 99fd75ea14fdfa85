/// The sequences that a rule is about.
package enum GateSlice: Hashable, Sendable, CustomStringConvertible {
  /// All of them.
  case all
  /// Those of one person.
  case subject(String)
  /// Those with a tag of the manifest.
  case tag(key: String, value: String)

  /// Whether a sequence belongs to it.
  package func contains(_ sequence: SequenceScores) -> Bool {
    contains(subject: sequence.subject, tags: sequence.tags)
  }

  /// Whether a sequence of such a person and such tags belongs to it.
  func contains(subject: String?, tags: [String: String]) -> Bool {
    switch self {
    case .all: true
    case .subject(let name): subject == name
    case .tag(let key, let value): tags[key] == value
    }
  }

  /// The slice in words; empty for all.
  package var description: String {
    switch self {
    case .all: ""
    case .subject(let name): "subject \(name)"
    case .tag(let key, let value): "\(key) \(value)"
    }
  }
}
