internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import Tuning

/// What a command found: one value, from which text, Markdown, HTML and all other formats follow.
///
/// A result contains no text; its documents use only what the value holds, so a saved result gives
/// the same documents as a new one.
protocol CommandResult: Codable, Hashable, Sendable {
  static var command: String { get }
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  static var schemaVersion: Int { get }

  func document(_ origin: ResultOrigin) -> Document

  func page(_ origin: ResultOrigin) -> ResultPage

  func check(_ path: [any CodingKey]) throws
}

extension CommandResult {
  func check(_ path: [any CodingKey]) throws {}
}

struct ResultOrigin: Hashable, Sendable {
  var program = "planklab " + PlankLab.version
  var command: String
  var data = DataFacts.nothing
  /// The settings that decide the result, by name; never anything that differs between equal runs.
  var provenance: [String: String]

  enum DataFacts: Hashable, Sendable {
    case nothing
    case named(String, split: String?)
    case hashed(DatasetIdentity)
  }

  var dataset: DatasetIdentity? { if case .hashed(let identity) = data { identity } else { nil } }

  var datasetName: String {
    switch data {
    case .nothing: ""
    case .named(let name, _): name
    case .hashed(let identity): identity.name
    }
  }

  var split: String? {
    switch data {
    case .nothing: nil
    case .named(_, let split): split
    case .hashed(let identity): identity.split
    }
  }

  var provenanceLines: [StyledText] {
    let settings = provenance.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return (["program: \(program)", "command: \(command)"] + settings).map { StyledText($0, .dim) }
  }
}

struct ResultEnvelope<Result: CommandResult>: Hashable, Sendable {
  var origin: ResultOrigin
  var result: Result

  init(_ origin: ResultOrigin, _ result: Result) {
    self.origin = origin
    self.result = result
  }

  init(_ result: Result, on dataset: DatasetIdentity?, provenance: [String: String?]) {
    self.init(
      ResultOrigin(
        command: Result.command, data: dataset.map { .hashed($0) } ?? .nothing,
        provenance: provenance.compactMapValues(\.self)), result)
  }

  var document: Document { result.document(origin) }

  var page: ResultPage { result.page(origin) }

  var json: String { JSONText.of(self) }
}

extension ResultEnvelope: Codable {
  private enum CodingKeys: String, CodingKey {
    case schemaVersion = "schema_version"
    case program, command, dataset, provenance, result
  }

  /// - Throws: `DecodingError`, or `FieldError` for members that do not go together.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _ = try container.decode(Int.self, forKey: .schemaVersion)
    origin = ResultOrigin(
      program: try container.decode(String.self, forKey: .program),
      command: try container.decode(String.self, forKey: .command),
      data: try container.decodeIfPresent(DatasetIdentity.self, forKey: .dataset)
        .map { .hashed($0) } ?? .nothing,
      provenance: try container.decode([String: String].self, forKey: .provenance))
    result = try container.decode(Result.self, forKey: .result)
    try result.check(decoder.codingPath + [CodingKeys.result])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Result.schemaVersion, forKey: .schemaVersion)
    try container.encode(origin.program, forKey: .program)
    try container.encode(origin.command, forKey: .command)
    try container.encodeIfPresent(origin.dataset, forKey: .dataset)
    try container.encode(origin.provenance, forKey: .provenance)
    try container.encode(result, forKey: .result)
  }
}

extension DatasetIdentity {
  var facts: [StyledText] {
    let split = split.map { ", split \($0)" } ?? ""
    return [
      "dataset: \(name)\(split)", "dataset hash: \(hash)", "poses hash: \(posesHash)",
      "labels hash: \(labelsHash)", "manifest hash: \(manifestHash)",
    ].map { StyledText($0, .dim) }
  }
}

struct SavedResult: Sendable {
  let name: String
  let page: ResultPage

  init(name: String, _ page: ResultPage) {
    self.name = name
    self.page = page
  }

  static let kinds: [any CommandResult.Type] = [
    EvaluationReport.self, ComparisonReport.self, GateReport.self, TuningResult.self,
    SweepSummary.self, SmootherComparison.self, SessionReplay.self, SuggestionReport.self,
  ]

  /// - Throws: `noInput` for a missing file, `badData` for anything but a result of this version.
  init(path: String) throws { try self.init(InputText.read(path), path: path) }

  /// - Throws: `badData`, and `FieldError` with the line of a mistake.
  init(_ text: String, path: String) throws {
    let document = try JSONDocument(text, file: path)
    let header = try document.decode(Header.self)
    guard let kind = Self.kinds.first(where: { $0.command == header.command }) else {
      throw WorkflowFailure(.badData, "\(path): \(header.problem)")
    }
    guard header.version == kind.schemaVersion else {
      throw WorkflowFailure(
        .badData,
        "\(path): has version \(header.version ?? 1) of this format, and this planklab reads version "
          + "\(kind.schemaVersion); run `planklab \(kind.command)` again")
    }
    let file = URL(filePath: path).lastPathComponent
    name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    page = try Self.page(of: kind, document)
  }

  private static func page<Result: CommandResult>(
    of kind: Result.Type, _ document: JSONDocument
  ) throws -> ResultPage {
    try document.decode(ResultEnvelope<Result>.self).page
  }

  private struct Header: Decodable {
    let command: String?
    let format: String?
    let version: Int?

    private enum CodingKeys: String, CodingKey {
      case command, format
      case version = "schema_version"
    }

    var problem: String {
      guard let command else {
        return version == nil || format != nil
          ? "is not a result of planklab; write one with `planklab evaluate --output result.json`"
          : "was written by an older planklab; run its command again"
      }
      let known = SavedResult.kinds.map { $0.command }.joined(separator: ", ")
      return
        "is a result of `\(command.prefix(40))`, which has no page; these commands have one: \(known)"
    }
  }
}
