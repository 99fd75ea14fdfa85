internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Statistics

/// The JSON file has one metric or sequence per line.
struct Baseline: Hashable, Sendable {
  struct Line: Hashable, Sendable {
    var key: MetricKey
    var value: Double?
    var interval: Interval?
  }

  struct Sequence: Hashable, Sendable {
    var name: String
    var plank: AnswerRuns
    var form: AnswerRuns
  }

  struct Origin: Hashable, Sendable, Codable {
    var date: String
    var program: String
    var commit: String?
    var isDirty: Bool?

    private enum CodingKeys: String, CodingKey {
      case date, program, commit
      case isDirty = "dirty"
    }
  }

  var reason: String
  var origin: Origin
  var thresholds: Thresholds?
  var dataset: DatasetIdentity
  var subjects: Int
  /// The median cost per frame over that of the calibration loop.
  var frameCostRatio: Double?
  var metrics: [Line]
  var sequences: [Sequence]

  var detectorName: String { thresholds?.definition.name ?? Self.predictionsName }

  static let predictionsName = "predictions"

  /// Empty if they can be compared.
  ///
  /// The name may differ: a dataset without one is called after its folder.
  func obstacles(to other: DatasetIdentity) -> [String] {
    var obstacles: [String] = []
    if other.posesHash != dataset.posesHash {
      obstacles.append("the poses differ from the baseline's: recordings were changed")
    }
    if other.labelsHash != dataset.labelsHash {
      obstacles.append("the labels differ from the baseline's: they were changed")
    }
    if other.manifestHash != dataset.manifestHash, obstacles.isEmpty {
      obstacles.append("the manifest differs from the baseline's")
    }
    if other.split != dataset.split { obstacles.append("a different split was evaluated") }
    if obstacles.isEmpty, other.hash != dataset.hash {
      obstacles.append(
        "the baseline's dataset has the same files but a different hash: it was edited; write "
          + "it again with `baseline update`")
    }
    return obstacles
  }
}

extension Baseline: Codable {
  static let format = "planklab-baseline"
  static let schemaVersion = 2

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case format
    case schemaVersion = "schema_version"
    case reason, origin, thresholds, dataset, subjects
    case frameCostRatio = "frame_cost_ratio"
    case metrics, sequences
  }

  static func parse(_ text: String, file: String) throws -> Baseline {
    let document = try JSONDocument(text, file: file)
    let baseline = try document.decode(Baseline.self)
    try document.rejectUnknownKeys(known: CodingKeys.allCases.map(\.rawValue))
    return baseline
  }

  var text: String { JSONText.of(self, .rows) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.checkFormat(
      (.format, Self.format), (.schemaVersion, Self.schemaVersion),
      remedy: "write the baseline again with `planklab baseline update`")
    self.init(
      reason: try container.decode(String.self, forKey: .reason),
      origin: try container.decode(Origin.self, forKey: .origin),
      thresholds: try container.decodeIfPresent(Thresholds.self, forKey: .thresholds),
      dataset: try container.decode(DatasetIdentity.self, forKey: .dataset),
      subjects: try container.wholeNumber(forKey: .subjects),
      frameCostRatio: try container.decodeIfPresent(Double.self, forKey: .frameCostRatio),
      metrics: try container.decode([Line].self, forKey: .metrics),
      sequences: try container.decode([Sequence].self, forKey: .sequences))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(Self.schemaVersion, forKey: .schemaVersion)
    try container.encode(reason, forKey: .reason)
    try container.encode(origin, forKey: .origin)
    try container.encode(thresholds, forKey: .thresholds)
    try container.encode(dataset, forKey: .dataset)
    try container.encode(subjects, forKey: .subjects)
    try container.encode(OrNull(frameCostRatio), forKey: .frameCostRatio)
    try container.encode(metrics, forKey: .metrics)
    try container.encode(sequences, forKey: .sequences)
  }
}

extension Baseline.Line: Codable {
  private enum CodingKeys: String, CodingKey { case metric, value, interval }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .metric)
    guard let key = try? MetricKey(name) else {
      throw FieldError(
        container.codingPath + [CodingKeys.metric], found: "`\(name)`",
        allowed: "a metric of this planklab",
        remedy: "write the baseline again with `planklab baseline update`")
    }
    self.init(
      key: key, value: try container.decodeIfPresent(Double.self, forKey: .value),
      interval: try container.decodeIfPresent(Interval.self, forKey: .interval))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("\(key)", forKey: .metric)
    try container.encode(OrNull(value), forKey: .value)
    try container.encode(interval.flatMap { $0.width.isFinite ? $0 : nil }, forKey: .interval)
  }
}

extension Baseline.Sequence: Codable {
  private enum CodingKeys: String, CodingKey { case name, plank, form }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      plank: AnswerRuns(text: try container.decode(String.self, forKey: .plank)),
      form: AnswerRuns(text: try container.decode(String.self, forKey: .form)))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(plank.text, forKey: .plank)
    try container.encode(form.text, forKey: .form)
  }
}
