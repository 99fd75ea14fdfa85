internal import Evaluation
internal import YAMLDocuments

/// Reads one rule of a gate.
enum GateRuleSpecification {
  private static let keys = [
    "name", "metric", "class", "tag", "subject", "direction", "at_least", "at_most",
    "largest_drop", "margin", "minimum_subjects", "severity", "inconclusive",
  ]

  static func rule(_ node: YAMLNode) throws(YAMLError) -> GateRule {
    let map = try node.map()
    try map.rejectUnknownKeys(known: keys)
    let metric = try map.required("metric")
    var rule = GateRule(name: "", subject: try subject(metric, map))
    rule.slice = try slice(map)
    rule.atLeast = try map.optional("at_least")?.double()
    rule.atMost = try map.optional("at_most")?.double()
    rule.largestDrop = try amount(map, "largest_drop")
    rule.margin = try amount(map, "margin")
    if let count = map.optional("minimum_subjects") {
      rule.minimumSubjects = try count.integer(in: 0...1_000_000)
    }
    if let severity = map.optional("severity") {
      rule.severity = try severity.choice(
        GateRule.Severity.allCases.map { (word: $0.rawValue, value: $0) })
    }
    if let policy = map.optional("inconclusive") {
      rule.inconclusive = try policy.choice(
        GateRule.Policy.allCases.map { (word: $0.rawValue, value: $0) })
    }
    try check(rule, map, node)
    let slice = rule.slice.description
    rule.name =
      try map.optional("name")?.string() ?? rule.key + (slice.isEmpty ? "" : " of \(slice)")
    return rule
  }

  private static func subject(
    _ node: YAMLNode, _ map: YAMLMap
  ) throws(YAMLError) -> GateRule.Subject {
    var name = try node.string()
    if let label = try map.optional("class")?.string() { name += "[\(label)]" }
    if name == GateRule.frameCostRatioKey { return .frameCostRatio }
    guard let key = MetricKey(name) else {
      throw node.error(
        allowed: "a metric such as plank.f1_macro, form.recall[sag] or "
          + GateRule.frameCostRatioKey,
        remedy: "docs/metrics.md lists all; a metric of one class names it in brackets",
        found: "`\(name)`")
    }
    return .metric(key)
  }

  private static func slice(_ map: YAMLMap) throws(YAMLError) -> GateSlice {
    let tag = map.optional("tag")
    if let subject = map.optional("subject") {
      guard tag == nil else {
        throw subject.error(allowed: "one of tag and subject", remedy: "leave one out")
      }
      return .subject(try subject.string())
    }
    guard let tag else { return .all }
    let entries = try tag.map().entries
    guard entries.count == 1, let entry = entries.first else {
      throw tag.error(allowed: "one tag", remedy: "write it as {view: side}")
    }
    return .tag(key: entry.key, value: try entry.value.string())
  }

  private static func amount(_ map: YAMLMap, _ key: String) throws(YAMLError) -> Double? {
    guard let node = map.optional(key) else { return nil }
    let value = try node.double()
    guard value >= 0 else {
      throw node.error(allowed: "0 or more", remedy: "write how much worse is let through")
    }
    return value
  }

  /// Refuses rules that demand nothing, or what their number cannot give.
  private static func check(
    _ rule: GateRule, _ map: YAMLMap, _ node: YAMLNode
  ) throws(YAMLError) {
    if let direction = map.optional("direction") {
      let isHigher = try direction.choice([(word: "higher", value: true), ("lower", false)])
      guard isHigher == rule.higherIsBetter else {
        throw direction.error(
          allowed: rule.higherIsBetter ? "higher" : "lower",
          remedy: "the catalogue of metrics says which way \(rule.key) is better")
      }
    }
    guard rule.atLeast != nil || rule.atMost != nil || rule.needsBaseline else {
      throw node.error(
        allowed: "a rule with at_least, at_most, largest_drop or margin",
        remedy: "say what is demanded of \(rule.key)")
    }
    if rule.subject == .frameCostRatio, rule.margin != nil || rule.slice != .all {
      throw node.error(
        allowed: "at_most and largest_drop for \(rule.key)",
        remedy: "a cost has no subjects; leave margin and slice out")
    }
  }
}
