import ArgumentParser
import Foundation
import PlankDetection
import TestSupport
import Testing
import Tuning

@testable import PlankBench

/// The printed table, the page, the file of thresholds and every export agree on what is taken.
@Suite("What is taken")
struct TakenValuesTests {
  /// Starts far from the best `horizontal_ratio`; `side_rise` is good.
  private static let limits = [
    "--axis", "horizontal_ratio=0.3:0.7:0.02", "--axis", "side_rise=2cm:40cm:2cm",
    "--axis", "sag=1cm:9cm:0.5cm", "--axis", "pike=1cm:9cm:0.5cm", "--set", "elbow_split=140deg",
    "--set", "plank_frames=1", "--set", "form_frames=1",
  ]

  @Test(
    "Kept values are kept in every format",
    arguments: [
      limits, limits + ["--take", "plank", "--take", "form"], [],
      ["--take", "plank", "--take", "form"], ["--set", "sag=4cm"],
    ])
  func agree(options: [String]) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("t.json").path
    let words = [Repository.file("experiments/first-steps").path] + options
    let markdown = try await Tune.parse(
      words + ["--format", "markdown", "--thresholds", file]
    ).outcome().text
    let table = Self.table(markdown)
    let taken = try ThresholdsFile.read(file).parameters.entries
    #expect(table.count == taken.count && taken.count > 10)
    for (definition, value) in taken {
      let row = try #require(table[definition.key.rawValue])
      #expect(row.use == NumberText.short(value))
      #expect((row.word == "change") == (row.start != row.use))
    }
    try expectExports(of: file, taken.map { ($0.definition.key.rawValue, $0.value) })
    let json = try await Tune.parse(words + ["--format", "json"]).outcome().text
    try expectPage(json, table)
  }

  @Test("A value that nobody gains by is kept where others change")
  func mixed() async throws {
    let words = [Repository.file("experiments/first-steps").path] + Self.limits
    let outcome = try await Tune.parse(words + ["--format", "markdown"]).outcome()
    let table = Self.table(outcome.text)
    #expect(table["horizontal_ratio"]?.word == "change")
    #expect(table["side_rise"]?.word == "keep")
  }

  private typealias Row = (start: String, use: String, word: String)

  /// The printed table of the whole detector, by parameter.
  private static func table(_ markdown: String) -> [String: Row] {
    let part = markdown.components(separatedBy: "## The whole detector").last ?? ""
    var rows: [String: Row] = [:]
    for line in part.split(separator: "\n") where line.hasPrefix("|") {
      let cells = line.split(separator: "|").map {
        $0.replacing("\\", with: "").replacing("*", with: "")
          .trimmingCharacters(in: .whitespaces)
      }
      guard cells.count >= 5, Double(cells[2]) != nil else { continue }
      rows[cells[0]] = (start: cells[1], use: cells[2], word: cells[4])
    }
    return rows
  }

  private func expectExports(of file: String, _ taken: [(String, Double)]) throws {
    func export(_ format: String) throws -> String {
      try Export.parse([file, "--format", format]).outcome().text
    }
    let (swift, plist) = (try export("swift"), try export("plist"))
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(export("json").utf8)) as? [String: Any])
    let numbers = try #require(json["parameters"] as? [String: Double])
    #expect(numbers == Dictionary(uniqueKeysWithValues: taken))
    for (key, value) in taken {
      let text = NumberText.shortest(value)
      let constant =
        swift.components(separatedBy: "/// \(key) in ").last?
        .split(separator: "\n").dropFirst().first ?? ""
      #expect(constant.hasSuffix(" = \(text)"), "\(key)")
      #expect(
        plist.contains("<key>\(key)</key>\n    <real>\(text)</real>")
          || plist.contains("<key>\(key)</key>\n    <integer>\(text)</integer>"), "\(key)")
    }
  }

  /// Expects the page's list and its numbers to copy to be those of the table.
  private func expectPage(_ json: String, _ table: [String: Row]) throws {
    let envelope = try JSONDocument(json, file: "result.json")
      .decode(ResultEnvelope<TuningResult>.self)
    let html = envelope.page.html.text
    for setting in envelope.result.settings {
      let row = try #require(table[setting.name])
      #expect(setting.value == row.use && setting.start == row.start)
      #expect(
        html.contains(
          "<li class=\"\(setting.isChanged ? "changed" : "kept")\"><code>\(setting.name)</code>"))
      #expect(html.contains("<span class=\"word\">use </span>\(setting.text)</span>"))
    }
    for fact in envelope.result.parameters {
      #expect(
        html.contains("&quot;\(fact.key.rawValue)&quot;: \(NumberText.shortest(fact.value))"),
        "\(fact.key.rawValue)")
    }
  }
}
