internal import PoseModel

/// The demands of a gate on one number.
package struct GateRule: Hashable, Sendable {
  /// The number.
  package enum Subject: Hashable, Sendable {
    /// A metric of the scores.
    case metric(MetricKey)
    /// The median cost per frame over that of the calibration loop in the same process.
    case frameCostRatio
  }

  /// How a rule counts if the data cannot tell.
  package enum Policy: String, CaseIterable, Hashable, Sendable, Codable {
    /// As passed.
    case pass
    /// As passed, with a warning.
    case warn
    /// As a reason to stop.
    case fail
  }

  /// Whether a broken rule stops.
  package enum Severity: String, CaseIterable, Hashable, Sendable, Codable {
    /// It stops.
    case critical
    /// It is reported only.
    case warning
  }

  /// The rule's name.
  package var name: String
  /// The number.
  package var subject: Subject
  /// The sequences that it covers.
  package var slice: GateSlice = .all
  /// The smallest allowed value.
  package var atLeast: Double?
  /// The largest allowed value.
  package var atMost: Double?
  /// By how much the number may be worse than the baseline's, whatever the uncertainty.
  package var largestDrop: Double?
  /// How much worse than the baseline counts as no worse, given the uncertainty.
  package var margin: Double?
  /// How many subjects there must be.
  package var minimumSubjects = 0
  /// Whether breaking it stops.
  package var severity = Severity.critical
  /// How it counts if the data cannot tell.
  package var inconclusive = Policy.warn

  /// Makes a rule without demands.
  package init(name: String, subject: Subject) {
    self.name = name
    self.subject = subject
  }

  /// The name of the number.
  package var key: String {
    switch subject {
    case .metric(let key): key.description
    case .frameCostRatio: Self.frameCostRatioKey
    }
  }

  /// The metric that is computed; nil for the cost per frame.
  ///
  /// Gates take the macro F1 over the classes with truth, on both sides and for every person: a
  /// class without truth would join or leave the mean with a single frame.
  var judged: MetricKey? {
    guard case .metric(let key) = subject else { return nil }
    return key.metric == .f1Macro ? MetricKey(.f1MacroTruth, in: key.stream) : key
  }

  /// Whether it is a mean over classes from which those without truth are left out.
  var leavesStraysOut: Bool { judged?.metric == .f1MacroTruth }

  /// Only what the rule demands of the difference; nil if it demands nothing of it.
  var comparison: GateRule? {
    guard needsBaseline else { return nil }
    var rule = self
    rule.atLeast = nil
    rule.atMost = nil
    return rule
  }

  /// Whether larger numbers are better.
  package var higherIsBetter: Bool {
    guard case .metric(let key) = subject else { return false }
    return key.metric.higherIsBetter
  }

  /// Whether the rule needs the baseline.
  package var needsBaseline: Bool { largestDrop != nil || margin != nil }

  /// The name of the calibrated cost per frame.
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
    case severity, inconclusive
  }
}

extension GateRule.Subject: Codable {
  /// Reads the name of a metric, or `timing.frame_cost_ratio`.
  ///
  /// - Throws: `DecodingError` for another name.
  package init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    self =
      name == GateRule.frameCostRatioKey
      ? .frameCostRatio : .metric(try MetricKey(from: decoder))
  }

  /// Writes the name.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .metric(let key): try container.encode(key)
    case .frameCostRatio: try container.encode(GateRule.frameCostRatioKey)
    }
  }
}

/// The sequences that a rule covers.
package enum GateSlice: Hashable, Sendable, CustomStringConvertible {
  /// All of them.
  case all
  /// Those of one person.
  case subject(String)
  /// Those with a tag of the manifest.
  case tag(key: String, value: String)
  /// The time in which people do one thing, in all of them.
  case activity(String)

  /// What it covers of some sequences: whole ones, or their time of an activity.
  package func of(_ sequences: [SequenceScores]) -> [SequenceScores] {
    if case .activity(let name) = self { return sequences.compactMap { $0.during(name) } }
    return sequences.filter { contains(subject: $0.subject, tags: $0.tags) }
  }

  /// Whether it covers each frame of a sequence that belongs to it; nil if it covers all.
  func frames(of outcome: SequenceOutcome) -> [Bool]? {
    guard case .activity(let name) = self else { return nil }
    let place = outcome.activities?.names.firstIndex(of: name)
    let activities = outcome.activities?.activities(at: outcome.times) ?? []
    return outcome.times.indices.map { place != nil && activities[$0] == place }
  }

  /// Whether something of a sequence with this person and these tags may belong to it.
  func contains(subject: String?, tags: [String: String]) -> Bool {
    switch self {
    case .all, .activity: true
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
    case .activity(let name): "activity \(name)"
    }
  }
}

extension GateSlice: Codable {
  private enum CodingKeys: String, CodingKey { case subject, tag, value, activity }

  /// Reads `{}` for all sequences, `{"subject": "anna"}`, `{"tag": "view", "value": "side"}`, or
  /// `{"activity": "sitting"}`.
  ///
  /// - Throws: `DecodingError` for anything else.
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

  /// Writes what the sequences share.
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
