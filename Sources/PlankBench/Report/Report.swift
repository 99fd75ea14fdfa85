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
      One self-contained HTML file that needs no network: first what is wrong, then confusion \
      matrices in frames, seconds and shares, classes, stability, latencies, slices, worst moments \
      and provenance. Several results can be compared, and their matrices subtracted.

      Examples:
        planklab evaluate my-data --format json --output result.json
        planklab report --from result.json --html report.html
        planklab report --from before.json --from after.json --html report.html
      """)

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "A result of `evaluate --format json`; may be repeated.", valueName: "RESULT.json"),
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
    let saved = try results.map { path throws(WorkflowFailure) in try SavedEvaluation(path: path) }
    try ReportPage.write(saved, to: html)
    return Outcome("wrote \(html)\n")
  }
}

/// The result of an evaluation, as saved in JSON.
struct SavedEvaluation: Sendable {
  /// The result's name beside others.
  let name: String
  /// The result.
  let result: JSONValue

  /// Takes a result that was just made.
  init(name: String, _ result: JSONValue) {
    self.name = name
    self.result = result
  }

  /// Reads a saved result.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a file that is not a
  ///   result of `evaluate`, or one of another version.
  init(path: String) throws(WorkflowFailure) {
    let text = try InputText.read(path)
    let value: JSONValue
    do {
      value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    } catch {
      throw WorkflowFailure(
        .badData, "\(path): not JSON (\(error)); write it with `evaluate --format json`")
    }
    guard case .number(let version)? = value["schema_version"],
      AnswerStream.allCases.allSatisfy({ Self.hasMatrices(value[$0.rawValue]) })
    else {
      throw WorkflowFailure(
        .badData, "\(path): not a result of `evaluate`; write one with `evaluate --format json`")
    }
    guard version == Double(EvaluationReport.schemaVersion) else {
      throw WorkflowFailure(
        .badData,
        "\(path): has schema_version \(NumberText.shortest(version)), not "
          + "\(EvaluationReport.schemaVersion); evaluate again with this planklab")
    }
    let file = URL(filePath: path).lastPathComponent
    self.init(name: file.hasSuffix(".json") ? String(file.dropLast(5)) : file, value)
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
