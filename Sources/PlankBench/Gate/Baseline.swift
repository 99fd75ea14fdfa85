internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Statistics

/// The reference for a candidate: answers, and the numbers that follow from them.
///
/// Its file is JSON as `planklab baseline update` writes it, with one metric or sequence per line.
struct Baseline: Hashable, Sendable {
  /// One number of a baseline.
  struct Line: Hashable, Sendable {
    /// The metric.
    var key: MetricKey
    /// The number; nil if it is undefined.
    var value: Double?
    /// Its wider interval; nil if there is none.
    var interval: Interval?
  }

  /// The answers of one sequence.
  struct Sequence: Hashable, Sendable {
    /// The sequence's name.
    var name: String
    /// The plank answers.
    var plank: AnswerRuns
    /// The form answers.
    var form: AnswerRuns
  }

  /// Where a baseline comes from.
  struct Origin: Hashable, Sendable, Codable {
    /// When it was written, in ISO 8601.
    var date: String
    /// The program that wrote it.
    var program: String
    /// The commit of the working tree; nil without one.
    var commit: String?
    /// Whether files differed from that commit; nil without one.
    var isDirty: Bool?

    private enum CodingKeys: String, CodingKey {
      case date, program, commit
      case isDirty = "dirty"
    }
  }

  /// Why it was written.
  var reason: String
  /// Where it comes from.
  var origin: Origin
  /// The detector with its parameters and strategies; nil for answers that were read from a folder.
  var thresholds: Thresholds?
  /// The dataset.
  var dataset: DatasetIdentity
  /// How many subjects have scored frames.
  var subjects: Int
  /// The median cost per frame over that of the calibration loop.
  var frameCostRatio: Double?
  /// The numbers, in the order of the catalogue.
  var metrics: [Line]
  /// The answers, in the order of the dataset.
  var sequences: [Sequence]

  /// The detector's name, or that the answers were read from a folder.
  var detectorName: String { thresholds?.definition.name ?? Self.predictionsName }

  /// The word used in place of a detector's name if answers were read from a folder.
  static let predictionsName = "predictions"

  /// Why a candidate on a dataset cannot be compared; empty if it can be.
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
  /// The word that identifies such files.
  static let format = "planklab-baseline"
  /// The version that is written and read.
  static let schemaVersion = 2

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case format
    case schemaVersion = "schema_version"
    case reason, origin, thresholds, dataset, subjects
    case frameCostRatio = "frame_cost_ratio"
    case metrics, sequences
  }

  /// Reads a file's text.
  ///
  /// - Parameter file: its name in errors.
  /// - Throws: `FieldError` with file, line and remedy for every mistake.
  static func parse(_ text: String, file: String) throws -> Baseline {
    let document = try JSONDocument(text, file: file)
    let baseline = try document.decode(Baseline.self)
    try document.rejectUnknownKeys(known: CodingKeys.allCases.map(\.rawValue))
    return baseline
  }

  /// The file's text.
  var text: String { JSONText.of(self, .rows) }

  /// Reads a baseline.
  ///
  /// - Throws: `DecodingError`, or `FieldError` without a file, which `JSONDocument` adds.
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

  /// Writes the baseline.
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
