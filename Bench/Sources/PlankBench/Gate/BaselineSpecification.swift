internal import Evaluation
internal import PoseDatasets
internal import PoseModel
internal import Statistics

/// Reads a baseline's file, JSON as `planklab baseline update` writes it.
enum BaselineSpecification {
  /// The word that identifies such files.
  static let format = "planklab-baseline"
  /// The version that is written and read.
  static let schemaVersion = 1

  /// Reads a baseline.
  ///
  /// - Throws: `YAMLError` with file, line and remedy for every mistake.
  static func parse(_ text: String, file: String) throws(YAMLError) -> Baseline {
    let map = try YAMLDocument(text: text, file: file).root.map()
    _ = try map.required("format").choice([(word: format, value: ())])
    let version = try map.required("schema_version")
    guard try version.integer() == schemaVersion else {
      throw version.error(
        allowed: "\(schemaVersion)", remedy: "write the baseline again with `baseline update`")
    }
    var facts: [String: String] = [:]
    for entry in try map.required("facts").map().entries {
      facts[entry.key] = try entry.value.string()
    }
    var metrics: [Baseline.Line] = []
    for node in try map.required("metrics").list() { metrics.append(try line(node.map())) }
    var sequences: [Baseline.Sequence] = []
    for node in try map.required("sequences").list() {
      sequences.append(try sequence(node.map()))
    }
    return Baseline(
      reason: try map.required("reason").string(), facts: facts,
      dataset: try dataset(map.required("dataset").map()),
      subjects: try map.required("subjects").integer(),
      frameCostRatio: try map.optional("frame_cost_ratio")?.double(), metrics: metrics,
      sequences: sequences)
  }

  private static func dataset(_ map: YAMLMap) throws(YAMLError) -> Evaluation.DatasetIdentity {
    DatasetIdentity(
      name: try map.required("name").string(), hash: try map.required("hash").string(),
      posesHash: try map.required("poses_hash").string(),
      labelsHash: try map.required("labels_hash").string(),
      manifestHash: try map.required("manifest_hash").string(),
      split: try map.optional("split")?.string())
  }

  private static func line(_ map: YAMLMap) throws(YAMLError) -> Baseline.Line {
    let name = try map.required("metric")
    let text = try name.string()
    guard let key = try? MetricKey(text) else {
      throw name.error(
        allowed: "a metric of this planklab", remedy: "write the baseline again")
    }
    var interval: Interval?
    if let found = try map.optional("interval")?.map() {
      let lower = try found.required("lower").double()
      let upper = try found.required("upper").double()
      guard lower <= upper else {
        throw found.node.error(allowed: "ends in order", remedy: "write the baseline again")
      }
      interval = Interval(
        method: try found.required("method").choice(
          Interval.Method.allCases.map { (word: $0.rawValue, value: $0) }),
        level: try found.required("level").double(), lower: lower, upper: upper,
        clusters: try found.required("subjects").integer())
    }
    return Baseline.Line(key: key, value: try map.optional("value")?.double(), interval: interval)
  }

  private static func sequence(_ map: YAMLMap) throws(YAMLError) -> Baseline.Sequence {
    Baseline.Sequence(
      name: try map.required("name").string(),
      plank: AnswerRuns(text: try map.required("plank").string()),
      form: AnswerRuns(text: try map.required("form").string()))
  }
}
