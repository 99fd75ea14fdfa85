internal import Evaluation
internal import PoseDatasets

/// What a command found: one value, from which text, Markdown, HTML and all other formats follow.
///
/// A result contains no text; its documents use only what the value holds, so a saved result gives
/// the same documents as a new one.
protocol CommandResult: Codable, Hashable, Sendable {
  /// The command, as it is typed after `planklab`.
  static var command: String { get }
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  static var schemaVersion: Int { get }

  /// The result for a terminal and for Markdown.
  func document(_ origin: ResultOrigin) -> Document

  /// The result for a page.
  func page(_ origin: ResultOrigin) -> ResultPage

  /// Refuses a result that was read and whose members do not go together.
  ///
  /// - Parameter path: where the result is in its document.
  func check(_ path: [any CodingKey]) throws
}

extension CommandResult {
  /// Nothing: each member is allowed by itself.
  func check(_ path: [any CodingKey]) throws {}
}

/// What a result is about, and how it was made.
struct ResultOrigin: Hashable, Sendable {
  /// The program with its version.
  var program = "planklab " + PlankLab.version
  /// The command, as it is typed after `planklab`.
  var command: String
  /// The data.
  var data = DataFacts.nothing
  /// The settings that decide the result, by name; never anything that differs between equal runs.
  var provenance: [String: String]

  /// What a result says about its data.
  enum DataFacts: Hashable, Sendable {
    /// It is not about any data.
    case nothing
    /// Their name and split, for text, which shows no hash.
    case named(String, split: String?)
    /// Name, split and hashes.
    case hashed(DatasetIdentity)
  }

  /// The data with their hashes; nil if they were not hashed, or if there are none.
  var dataset: DatasetIdentity? {
    if case .hashed(let identity) = data { identity } else { nil }
  }

  /// The name of the data; empty without data.
  var datasetName: String {
    switch data {
    case .nothing: ""
    case .named(let name, _): name
    case .hashed(let identity): identity.name
    }
  }

  /// The split of the data; nil for all of them.
  var split: String? {
    switch data {
    case .nothing: nil
    case .named(_, let split): split
    case .hashed(let identity): identity.split
    }
  }

  /// How the result was made, one line per fact.
  var provenanceLines: [StyledText] {
    let settings = provenance.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return (["program: \(program)", "command: \(command)"] + settings).map { StyledText($0, .dim) }
  }
}

/// A result with its origin: what a JSON file of a result holds.
struct ResultEnvelope<Result: CommandResult>: Hashable, Sendable {
  /// What it is about, and how it was made.
  var origin: ResultOrigin
  /// What was found.
  var result: Result

  /// Takes a result with its origin.
  init(_ origin: ResultOrigin, _ result: Result) {
    self.origin = origin
    self.result = result
  }

  /// Takes a result of this program.
  ///
  /// - Parameter provenance: the settings that decide the result; those without a value are left
  ///   out.
  init(_ result: Result, on dataset: DatasetIdentity?, provenance: [String: String?]) {
    self.init(
      ResultOrigin(
        command: Result.command, data: dataset.map { .hashed($0) } ?? .nothing,
        provenance: provenance.compactMapValues(\.self)), result)
  }

  /// The result for a terminal and for Markdown.
  var document: Document { result.document(origin) }

  /// The result for a page.
  var page: ResultPage { result.page(origin) }

  /// The result as JSON.
  var json: String { JSONText.of(self) }
}

extension ResultEnvelope: Codable {
  private enum CodingKeys: String, CodingKey {
    case schemaVersion = "schema_version"
    case program, command, dataset, provenance, result
  }

  /// Reads a result.
  ///
  /// - Throws: `DecodingError` for anything else, `FieldError` for members that do not go together.
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

  /// Writes the result with its origin.
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
  /// Name and hashes as a page's provenance lists them, a line each.
  var facts: [StyledText] {
    let split = split.map { ", split \($0)" } ?? ""
    return [
      "dataset: \(name)\(split)", "dataset hash: \(hash)", "poses hash: \(posesHash)",
      "labels hash: \(labelsHash)", "manifest hash: \(manifestHash)",
    ].map { StyledText($0, .dim) }
  }
}
