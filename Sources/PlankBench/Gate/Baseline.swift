internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Statistics
internal import Tuning

struct Baseline: Hashable, Sendable {
  struct Line: Hashable, Sendable {
    var key: MetricKey
    var value: Double?
    var interval: Interval?
  }

  struct Sequence: Hashable, Sendable, Codable {
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
  var frameCostRatio: Double?
  var metrics: [Line]
  var sequences: [Sequence]

  var detectorName: String { thresholds?.definition.name ?? Self.predictionsName }

  /// By the names of sequences.
  var answers: [String: Sequence] {
    Dictionary(sequences.map { ($0.name, $0) }) { first, _ in first }
  }

  static let predictionsName = "predictions"

  /// The name may differ, because a dataset without a name is named after its folder.
  func obstacles(to other: DatasetIdentity) -> [String] {
    var obstacles: [String] = []
    if other.posesHash != dataset.posesHash {
      obstacles.append("the poses differ from the baseline's because recordings were changed")
    }
    if other.labelsHash != dataset.labelsHash {
      obstacles.append("the labels have changed since the baseline was written")
    }
    if other.manifestHash != dataset.manifestHash, obstacles.isEmpty {
      obstacles.append("the manifest differs from the baseline's")
    }
    if other.split != dataset.split { obstacles.append("a different split was evaluated") }
    if obstacles.isEmpty, other.hash != dataset.hash {
      obstacles.append(
        "the baseline's dataset has the same files but a different hash: the baseline was edited; "
          + "write it again with `baseline update`")
    }
    return obstacles
  }

  func changes(to now: Thresholds?) -> [String] {
    guard let now, let before = thresholds else {
      return (now == nil) == (thresholds == nil)
        ? [] : ["detector \(detectorName) -> \(now?.definition.name ?? Self.predictionsName)"]
    }
    return before.changes(to: now)
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
      remedy: "write the baseline again with `planklab baseline update --reason TEXT`")
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
        remedy: "write the baseline again with `planklab baseline update --reason TEXT`")
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

extension AnswerRuns: Codable {
  package init(from decoder: any Decoder) throws { self.init(text: try String(from: decoder)) }

  package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

enum BaselineAccess {
  static func read(_ path: String) throws -> Baseline {
    let text = try InputText.read(path)
    return try Baseline.parse(text, file: path)
  }

  struct Scored: Sendable {
    var side: GateSide
    var lost: [LostMoment]
  }

  typealias Comparison = (scored: Scored?, obstacles: [String])

  static func compared(
    _ baseline: Baseline, at path: String, with candidate: GateCandidate, known: [String] = [],
    progress: @escaping ProgressReport
  ) async -> Comparison {
    let obstacles = known + baseline.obstacles(to: candidate.dataset)
    guard obstacles.isEmpty else { return (nil, obstacles.map { "\(path): \($0)" }) }
    let (scored, obstacle) = await scored(baseline, against: candidate, progress: progress)
    guard let scored else { return (nil, [obstacle].compactMap(\.self)) }
    return (scored, inconsistencies(baseline, scored.side))
  }

  private static func scored(
    _ baseline: Baseline, against candidate: GateCandidate, progress: @escaping ProgressReport
  ) async -> (scored: Scored?, obstacle: String?) {
    let kept = baseline.answers
    let found =
      await ConcurrentMap.run(
        candidate.runs, of: "sequences of the baseline", progress: progress
      ) { run in
        let after = run.outcome
        guard let before = kept[after.name]?.outcome(of: after) else { return nil }
        return (
          scores: SequenceScores(before, detail: .report),
          lost: LostMoment.all(from: before, to: after)
        )
      } as [(scores: SequenceScores, lost: [LostMoment])?]
    let scored = found.compactMap(\.self)
    if let first = found.firstIndex(where: { $0 == nil }) {
      let name = candidate.runs[first].outcome.name
      return (scored: nil, obstacle: obstacle(name, isKept: kept[name] != nil))
    }
    return (
      scored: Scored(
        side: GateSide(sequences: scored.map(\.scores), frameCostRatio: baseline.frameCostRatio),
        lost: LostMoment.sorted(scored.flatMap(\.lost))), obstacle: nil
    )
  }

  private static func obstacle(_ name: String, isKept: Bool) -> String {
    isKept
      ? "the baseline's answers of \(name) contain unknown classes or a different number of frames; "
        + "write the baseline again with `baseline update`"
      : "the baseline has no answers for the sequence \(name)"
  }

  static func lines(
    _ sequences: [SequenceScores], intervals progress: ProgressReport?
  ) -> [Baseline.Line] {
    let plank = ScoreView(PooledCounts(sequences, .plank))
    let form = ScoreView(PooledCounts(sequences, .form))
    var lines = MetricKey.all.map { key in
      Baseline.Line(key: key, value: (key.stream == .plank ? plank : form).value(key).number)
    }
    guard let progress else { return lines }
    for stream in AnswerStream.allCases {
      let keys = MetricKey.all.filter { $0.stream == stream }
      let found = StreamUncertainty(sequences, stream, keys) {
        progress($0, $1, "\(stream.rawValue) resamples")
      }
      for index in lines.indices {
        guard let interval = found.intervals[lines[index].key]?.wider.interval else { continue }
        lines[index].interval = interval
      }
    }
    return lines
  }

  static func inconsistencies(_ baseline: Baseline, _ side: GateSide) -> [String] {
    let remedy = "the baseline was edited; write it again with `baseline update`"
    let names = baseline.sequences.map(\.name)
    guard !baseline.metrics.isEmpty, Set(names).count == names.count else {
      return ["the baseline lacks numbers or names a sequence twice: \(remedy)"]
    }
    let known = Set(side.sequences.map(\.name))
    if let stranger = names.first(where: { !known.contains($0) }) {
      return [
        "the baseline has answers for \(stranger), which its dataset does not have: \(remedy)"
      ]
    }
    let subjects = SubjectPools(side.sequences, .plank).subjects.count
    guard baseline.subjects == subjects else {
      return [
        "the baseline claims \(NumberText.count(baseline.subjects, "subject")), but its answers "
          + "are from \(subjects): \(remedy)"
      ]
    }
    guard let metric = wrongMetric(baseline, side) else { return [] }
    return [
      "the baseline's \(metric) does not follow from its answers: the baseline was edited, or "
        + "this planklab counts differently; write the baseline again with `baseline update`"
    ]
  }

  private static func wrongMetric(_ baseline: Baseline, _ side: GateSide) -> MetricKey? {
    let found = lines(side.sequences, intervals: nil)
    let values = Dictionary(found.map { ($0.key, $0.value) }) { first, _ in first }
    return baseline.metrics.first { line in
      guard let value = values[line.key] else { return true }
      switch (line.value, value) {
      case (nil, nil): return false
      case (let left?, let right?): return abs(left - right) > 1e-6 * max(1, abs(right))
      default: return true
      }
    }?.key
  }
}

extension Thresholds {
  fileprivate func changes(to now: Thresholds) -> [String] {
    let settings = [
      ("detector", definition.name, now.definition.name),
      ("smoothing", smoothing.text, now.smoothing.text),
      ("debounce", debounceText, now.debounceText),
    ]
    return settings.filter { $1 != $2 }.map { "\($0) \($1) -> \($2)" } + parameterChanges(to: now)
      + AnswerStream.allCases.compactMap { ruleChange($0, to: now) }
  }

  private func parameterChanges(to now: Thresholds) -> [String] {
    let (before, after) = (parameterTexts, now.parameterTexts)
    return Set(before.keys).union(after.keys).sorted().compactMap { key in
      switch (before[key], after[key]) {
      case (let old?, let new?): old == new ? nil : "\(key) \(old) -> \(new)"
      case (nil, let new?): "\(key) is new: \(new)"
      default: "\(key) is gone"
      }
    }
  }

  private func ruleChange(_ stream: AnswerStream, to now: Thresholds) -> String? {
    let old = definition.list(stream).sentences
    let new = now.definition.list(stream).sentences
    guard old != new else { return nil }
    let lines =
      old.filter { !new.contains($0) }.map { "- \($0)" }
      + new.filter { !old.contains($0) }.map { "+ \($0)" }
    return "\(stream.rawValue) rules: "
      + (lines.isEmpty ? "a different order" : lines.joined(separator: "; "))
  }

  var parameterTexts: [String: String] {
    let texts = parameters.entries.map { definition, value in
      (definition.key.rawValue, ParameterText.of(value, unit: definition.unit))
    }
    return Dictionary(uniqueKeysWithValues: texts)
  }
}

extension StreamAdvice {
  init(from baseline: Baseline, _ before: GateSide, to candidate: GateCandidate) {
    self.init(before.sequences, candidate.side.sequences) { stream in
      guard let old = baseline.thresholds, let new = candidate.thresholds else { return 1 }
      return new.differences(from: old, stream)
    }
  }
}
