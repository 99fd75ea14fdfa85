internal import ArgumentParser
internal import Evaluation
internal import FoundationEssentials
internal import PoseModel

/// `planklab report`.
struct ReportCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make an HTML page from saved results, without running anything again.",
    discussion: """
      One self-contained HTML file that needs no network: the verdict first, then confusion \
      matrices in frames, seconds and shares, classes, figures and provenance. It takes the JSON \
      results of evaluate, compare, gate, tune, sweep, smoothers compare and replay. Several results \
      get a tab each, and their matrices can be subtracted.

      Examples:
        planklab evaluate my-data --format json --output result.json
        planklab report --from result.json --html report.html
        planklab compare my-data article gravity --format json --output compare.json
        planklab report --from result.json --from compare.json --html both.html
        planklab report --from before.json --from after.json --html report.html
      """)

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "A result in JSON, as `--format json` prints it; may be repeated.",
      valueName: "RESULT.json"),
    completion: .file(extensions: ["json"]))
  var results: [String] = []

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html: String

  func validate() throws {
    if results.isEmpty {
      throw ValidationError("Give a saved result: `--from result.json`.")
    }
  }

  func outcome() throws(WorkflowFailure) -> Outcome {
    try OutputFile.checkReport(html)
    let saved = try results.map { path throws(WorkflowFailure) in try SavedResult(path: path) }
    try ReportPage.write(saved, to: html)
    return Outcome("wrote \(html)\n")
  }
}

/// A result as a page shows it.
struct SavedResult: Sendable {
  /// The result's name beside others.
  let name: String
  /// What the page says.
  let document: Document

  /// Takes a document that was just made.
  init(name: String, _ document: Document) {
    self.name = name
    self.document = document
  }

  /// Takes an evaluation that was just made.
  init(name: String, evaluation: JSONValue) {
    self.init(name: name, SavedEvaluation(result: evaluation).document)
  }

  /// Reads a saved result: of `evaluate`, or of a command whose results carry their `report`.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a file that is not a
  ///   result, or one of another version.
  init(path: String) throws(WorkflowFailure) {
    let text = try InputText.read(path)
    let value: JSONValue
    do {
      value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    } catch {
      throw WorkflowFailure(
        .badData, "\(path): not JSON (\(error)); write it with `evaluate --format json`")
    }
    let file = URL(filePath: path).lastPathComponent
    let name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    guard value["report"] != nil else {
      self.init(name: name, try SavedEvaluation(value, path: path).document)
      return
    }
    do {
      self.init(
        name: name, try JSONDecoder().decode(Carrier.self, from: Data(text.utf8)).report)
    } catch let error as DecodingError {
      throw WorkflowFailure(
        .badData,
        "\(path): \(DocumentError.text(error)); write the result again with this planklab")
    } catch {
      throw WorkflowFailure(.unexpected, "\(path): \(error)")
    }
  }

  /// What of a result a page needs.
  private struct Carrier: Decodable {
    let report: Document
  }
}

extension JSONValue {
  /// A result with the document of its page, from which `report --from` makes the page again.
  func carrying(_ report: Document) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members["report"] = report.json
    return .object(members)
  }
}

/// The result of an evaluation, as saved in JSON.
struct SavedEvaluation: Sendable {
  /// The result.
  let result: JSONValue

  /// Takes a result that was just made.
  init(result: JSONValue) { self.result = result }

  /// Takes a result from a file.
  ///
  /// - Throws: `WorkflowFailure` (`badData`) for a file that is not a result of `evaluate`, or one
  ///   of another version.
  init(_ value: JSONValue, path: String) throws(WorkflowFailure) {
    guard case .number(let version)? = value["schema_version"],
      AnswerStream.allCases.allSatisfy({ Self.hasMatrices(value[$0.rawValue]) })
    else {
      throw WorkflowFailure(
        .badData,
        "\(path): not a result that a page can show; write one with `evaluate --format json`, or "
          + "with `--format json` of compare, gate, tune, sweep, smoothers compare or replay")
    }
    guard version == Double(EvaluationReport.schemaVersion) else {
      throw WorkflowFailure(
        .badData,
        "\(path): has schema_version \(NumberText.shortest(version)), not "
          + "\(EvaluationReport.schemaVersion); evaluate again with this planklab")
    }
    result = value
  }

  /// Whether a stream's matrices have a complete row and column of numbers for every class.
  private static func hasMatrices(_ stream: JSONValue?) -> Bool {
    guard let classes = stream?["labels"]?.items.count, classes > 0 else { return false }
    return ["confusion", "confusion_seconds"].allSatisfy { name in
      let rows = stream?[name]?.items ?? []
      return rows.count == classes
        && rows.allSatisfy { row in
          row.items.count == classes
            && row.items.allSatisfy { cell in
              guard let number = cell.number, number >= 0 else { return false }
              return name == "confusion_seconds" || Int(exactly: number) != nil
            }
        }
    }
  }
}
