internal import Evaluation
package import YAMLDocuments

/// Reads a gate from YAML.
///
/// ```yaml
/// dataset: ../sessions                # paths are seen from this file
/// split: test                         # optional
/// parameters: ../App/thresholds.json  # or detector:, or predictions: a folder of answers
/// baseline: baseline.json
/// rules:
///   - metric: plank.f1_macro
///     at_least: 0.9                   # absolute; at_most for metrics where less is better
///     largest_drop: 0.05              # against the baseline, whatever the uncertainty
///     margin: 0.01                    # against the baseline, given the uncertainty by subject
///     minimum_subjects: 3
///     inconclusive: warn              # or pass, or fail
///   - metric: form.recall[sag]
///     tag: {view: side}               # or subject: NAME
///     at_least: 0.8
///     severity: warning               # reported, does not stop
/// ```
package enum GateSpecification {
  static let keys = [
    "dataset", "split", "detector", "parameters", "set", "predictions", "smoothing", "debounce",
    "baseline", "resamples", "seed", "rules",
  ]

  /// Reads a gate.
  ///
  /// - Throws: `YAMLError` with file, line and remedy for every mistake.
  package static func parse(_ text: String, file: String) throws(YAMLError) -> GateSettings {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    try map.rejectUnknownKeys(known: keys)
    try checkPredictions(map)
    let nodes = try map.required("rules").list()
    guard !nodes.isEmpty else {
      throw try map.required("rules").error(
        allowed: "at least one rule", remedy: "a gate without rules passes nothing; add one")
    }
    var rules: [GateRule] = []
    for node in nodes { rules.append(try GateRuleSpecification.rule(node)) }
    var assignments: [String] = []
    for node in try map.optional("set")?.list() ?? [] { assignments.append(try node.string()) }
    return GateSettings(
      dataset: try map.required("dataset").string(), split: try Self.text(map, "split"),
      detector: try Self.text(map, "detector"), parameters: try Self.text(map, "parameters"),
      assignments: assignments, predictions: try Self.text(map, "predictions"),
      smoothing: try Self.text(map, "smoothing"), debounce: try Self.text(map, "debounce"),
      baseline: try Self.text(map, "baseline"),
      resamples: try map.optional("resamples")?.integer(in: 100...1_000_000)
        ?? StreamUncertainty.resamplesDeciding,
      seed: try map.optional("seed")?.seed() ?? 0, rules: rules,
      places: SettingPlaces(root))
  }

  /// Refuses settings of a detector beside answers that another one gave: they would do nothing.
  private static func checkPredictions(_ map: YAMLMap) throws(YAMLError) {
    guard map.optional("predictions") != nil else { return }
    for key in ["detector", "parameters", "set", "smoothing", "debounce"] {
      guard let node = map.optional(key) else { continue }
      throw node.error(
        allowed: "no `\(key)` beside `predictions`",
        remedy: "answers that are read follow no settings; remove one of the two",
        found: "settings of a detector beside `predictions`")
    }
  }

  private static func text(_ map: YAMLMap, _ key: String) throws(YAMLError) -> String? {
    try map.optional(key)?.string()
  }
}
