internal import ArgumentParser
internal import Essentials

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

  func outcome() throws -> Outcome {
    try OutputFile.checkReport(html)
    let saved = try results.map { try SavedResult(path: $0) }
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

  /// Reads a saved result, which carries its `report`.
  ///
  /// - Throws: with the exit code `noInput` for a missing file, `badData` for a file that is not a
  ///   result, or the result of a program that wrote no report yet.
  init(path: String) throws {
    let text = try InputText.read(path)
    let value: JSONValue
    do {
      value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    } catch {
      throw WorkflowFailure(
        .badData, "\(path): not JSON (\(error)); write it with `evaluate --format json`")
    }
    guard value["report"] != nil else {
      throw WorkflowFailure(
        .badData,
        "\(path): not a result that a page can show; write one with `evaluate --format json`, or "
          + "with `--format json` of compare, gate, tune, sweep, smoothers compare or replay, of this "
          + "version of planklab")
    }
    let file = URL(filePath: path).lastPathComponent
    let name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
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
