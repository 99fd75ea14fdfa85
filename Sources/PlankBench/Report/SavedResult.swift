internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import Reports
internal import Tuning

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
