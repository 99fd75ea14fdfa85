package import Evaluation

/// The result of a command, from which text, Markdown, HTML and all other formats follow.
///
/// Documents use only the result's values, so a saved result gives the same documents as a new one.
package protocol CommandResult: Codable, Hashable, Sendable {
  static var command: String { get }
  /// Increases when a key of the JSON format changes its meaning or is removed.
  static var schemaVersion: Int { get }

  func document(_ origin: ResultOrigin) -> Document

  func page(_ origin: ResultOrigin) -> ResultPage

  var csv: String { get }

  func check(_ path: [any CodingKey]) throws
}

extension CommandResult {
  package var csv: String { "" }

  package func check(_ path: [any CodingKey]) throws {}
}

package enum Program {
  package static let version = "0.1.0"
  package static let name = "planklab " + version
}

package struct ResultOrigin: Hashable, Sendable {
  package var program = Program.name
  var command: String
  var data = DataFacts.nothing
  /// The settings that decide the result, by name, without anything that differs between equal
  /// runs.
  var provenance: [String: String]

  package init(
    program: String = Program.name, command: String, data: DataFacts = .nothing,
    provenance: [String: String]
  ) {
    self.program = program
    self.command = command
    self.data = data
    self.provenance = provenance
  }

  package enum DataFacts: Hashable, Sendable {
    case nothing
    case named(String, split: String?)
    case hashed(DatasetIdentity)
  }

  package var dataset: DatasetIdentity? {
    if case .hashed(let identity) = data { identity } else { nil }
  }

  package var datasetName: String {
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

package struct ResultEnvelope<Result: CommandResult>: Hashable, Sendable {
  package var origin: ResultOrigin
  package var result: Result

  package init(_ origin: ResultOrigin, _ result: Result) {
    self.origin = origin
    self.result = result
  }

  package init(_ result: Result, on dataset: DatasetIdentity?, provenance: [String: String?]) {
    self.init(
      ResultOrigin(
        command: Result.command, data: dataset.map { .hashed($0) } ?? .nothing,
        provenance: provenance.compactMapValues(\.self)), result)
  }

  package var document: Document { result.document(origin) }

  package var page: ResultPage { result.page(origin) }

  package var json: String { JSONText.of(self) }
}

extension ResultEnvelope: Codable {
  private enum CodingKeys: String, SnakeCaseKey {
    case schemaVersion, program, command, dataset, provenance, result
  }

  package init(from decoder: any Decoder) throws {
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

  package func encode(to encoder: any Encoder) throws {
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
  package var hashes: [(part: String, hash: String)] {
    [("hash", hash), ("poses", posesHash), ("labels", labelsHash), ("manifest", manifestHash)]
  }

  package var hashDocument: Document {
    var document = Document()
    document.table(hashes) { row, hash in
      row.words("part", hash.part, .strong)
      row.words("sha-256", hash.hash)
    }
    return document
  }

  var facts: [StyledText] {
    let split = split.map { ", split \($0)" } ?? ""
    return [
      "dataset: \(name)\(split)", "dataset hash: \(hash)", "poses hash: \(posesHash)",
      "labels hash: \(labelsHash)", "manifest hash: \(manifestHash)",
    ].map { StyledText($0, .dim) }
  }
}

package enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  case unexpected = 1
  case gateFailed = 2
  case notComparable = 3
  case usage = 64
  case badData = 65
  case noInput = 66
  case cannotCreate = 73
}
