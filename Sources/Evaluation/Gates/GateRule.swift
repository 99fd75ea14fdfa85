package import PoseModel

package struct GateRule: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case metric(MetricKey)
    case frameCostRatio
  }

  package enum Policy: String, CaseIterable, Hashable, Sendable, Codable {
    case pass
    case warn
    case fail
  }

  package enum Severity: String, CaseIterable, Hashable, Sendable, Codable {
    case critical
    case warning
  }

  package var name: String
  package var subject: Subject
  package var slice: GateSlice = .all
  package var atLeast: Double?
  package var atMost: Double?
  /// By how much the number may be worse than the baseline's, whatever the uncertainty.
  package var largestDrop: Double?
  /// How much worse than the baseline counts as no worse, given the uncertainty.
  package var margin: Double?
  package var minimumSubjects = 0
  /// Whether a rule about forms holds as long as planks are labeled and no form is.
  package var whenLabeled = false
  package var severity = Severity.critical
  package var inconclusive = Policy.warn

  package init(name: String, subject: Subject) {
    self.name = name
    self.subject = subject
  }

  package var key: String {
    switch subject {
    case .metric(let key): key.description
    case .frameCostRatio: Self.frameCostRatioKey
    }
  }

  /// Nil for a cost.
  package var stream: AnswerStream? {
    guard case .metric(let key) = subject else { return nil }
    return key.stream
  }

  /// Gates take the macro F1 over the classes with truth: a class without truth would join or leave
  /// the mean with a single frame.
  var judged: MetricKey? {
    guard case .metric(let key) = subject else { return nil }
    return key.metric == .f1Macro ? MetricKey(.f1MacroTruth, in: key.stream) : key
  }

  var leavesStraysOut: Bool { judged?.metric == .f1MacroTruth }

  var comparison: GateRule? {
    guard needsBaseline else { return nil }
    var rule = self
    rule.atLeast = nil
    rule.atMost = nil
    return rule
  }

  package var higherIsBetter: Bool {
    guard case .metric(let key) = subject else { return false }
    return key.metric.higherIsBetter
  }

  package var needsBaseline: Bool { largestDrop != nil || margin != nil }

  package static let frameCostRatioKey = "timing.frame_cost_ratio"
}

extension GateRule: Codable {
  private enum CodingKeys: String, CodingKey {
    case name
    case subject = "metric"
    case slice
    case atLeast = "at_least"
    case atMost = "at_most"
    case largestDrop = "largest_drop"
    case margin
    case minimumSubjects = "minimum_subjects"
    case whenLabeled = "when_labeled"
    case severity, inconclusive
  }
}

extension GateRule.Subject: Codable {
  package init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    self =
      name == GateRule.frameCostRatioKey
      ? .frameCostRatio : .metric(try MetricKey(from: decoder))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .metric(let key): try container.encode(key)
    case .frameCostRatio: try container.encode(GateRule.frameCostRatioKey)
    }
  }
}

package enum GateSlice: Hashable, Sendable, CustomStringConvertible {
  case all
  case subject(String)
  case tag(key: String, value: String)
  case activity(String)

  package func of(_ sequences: [SequenceScores]) -> [SequenceScores] {
    if case .activity(let name) = self { return sequences.compactMap { $0.during(name) } }
    return sequences.filter { contains(subject: $0.subject, tags: $0.tags) }
  }

  func frames(of outcome: SequenceOutcome) -> [Bool]? {
    guard case .activity(let name) = self else { return nil }
    let place = outcome.activities?.names.firstIndex(of: name)
    let activities = outcome.activities?.activities(at: outcome.times) ?? []
    return outcome.times.indices.map { place != nil && activities[$0] == place }
  }

  func contains(subject: String?, tags: [String: String]) -> Bool {
    switch self {
    case .all, .activity: true
    case .subject(let name): subject == name
    case .tag(let key, let value): tags[key] == value
    }
  }

  package var description: String {
    switch self {
    case .all: ""
    case .subject(let name): "subject \(name)"
    case .tag(let key, let value): "\(key) \(value)"
    case .activity(let name): "activity \(name)"
    }
  }
}

extension GateSlice: Codable {
  private enum CodingKeys: String, CodingKey { case subject, tag, value, activity }

  /// Reads `{}` for all sequences, `{"subject": "anna"}`, `{"tag": "view", "value": "side"}`, or
  /// `{"activity": "sitting"}`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let subject = try container.decodeIfPresent(String.self, forKey: .subject) {
      self = .subject(subject)
    } else if let tag = try container.decodeIfPresent(String.self, forKey: .tag) {
      self = .tag(key: tag, value: try container.decode(String.self, forKey: .value))
    } else if let activity = try container.decodeIfPresent(String.self, forKey: .activity) {
      self = .activity(activity)
    } else {
      self = .all
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .all: break
    case .subject(let name): try container.encode(name, forKey: .subject)
    case .tag(let key, let value):
      try container.encode(key, forKey: .tag)
      try container.encode(value, forKey: .value)
    case .activity(let name): try container.encode(name, forKey: .activity)
    }
  }
}
