import Foundation
import Testing

/// What the pages say about files and about one another.
@Suite("The documentation")
struct DocumentationTests {
  /// Every Markdown file that is committed, as a path from the root.
  static let pages: [String] = {
    let folders = ["docs", "experiments", "datasets"].flatMap { folder -> [String] in
      let path = Sources.root.appendingPathComponent(folder).path
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
      return paths.filter { $0.hasSuffix(".md") && !$0.contains("generated/") }
        .map { folder + "/" + $0 }
    }
    return (folders + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]).sorted()
  }()

  @Test("A link to a file or to a heading leads there", arguments: pages)
  func links(page: String) throws {
    let folder = Sources.root.appendingPathComponent(page).deletingLastPathComponent()
    for match in try Sources.text(page).matches(of: /\]\(([^)\s]+)\)/) {
      let parts = match.1.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
      guard !match.1.contains("://"), let path = parts.first else { continue }
      let file =
        path.isEmpty ? Sources.root.appendingPathComponent(page) : folder.appending(path: path)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(match.1)")
      guard parts.count == 2 else { continue }
      let anchors = try headings(of: file).map(anchor)
      #expect(anchors.contains(parts[1]), "\(page): no heading for \(match.1)")
    }
  }

  @Test("A declaration that a page names with its file stands there")
  func declarations() throws {
    var checked = 0
    for page in Self.pages {
      let text = try Sources.text(page)
      let afterFile = text.matches(of: /`(Sources\/[^`]+\.swift)`: `(\w+)`/)
        .map { (file: $0.1, name: $0.2) }
      let beforeFile = text.matches(of: /`(\w+)` in `(Sources\/[^`]+\.swift)`/)
        .map { (file: $0.2, name: $0.1) }
      for (file, name) in afterFile + beforeFile {
        // A case of a formula stands where it is computed.
        let declaration = try Regex(
          "\\b(struct|enum|class|protocol|func|var|let|case) \\.?\(name)\\b"
        ).wordBoundaryKind(.simple)
        let isDeclared = try Sources.text(String(file)).contains(declaration)
        #expect(isDeclared, "\(page): \(file) declares no \(name)")
        checked += 1
      }
    }
    #expect(checked > 0)
  }

  @Test("A file that a page shows is shown as it is")
  func shownFiles() throws {
    var shown = 0
    for page in Self.pages {
      let marked = /<!-- proof: shows (\S+) -->\n```\w*\n([\s\S]*?\n)```/
      for match in try Sources.text(page).matches(of: marked) {
        #expect(try Sources.text(String(match.1)) == match.2, "\(page) differs from \(match.1)")
        shown += 1
      }
    }
    #expect(shown > 0)
  }

  @Test("The gain in an experiment's table is that of its result", arguments: experiments)
  func gains(experiment: String) throws {
    struct Result: Decodable {
      struct Interval: Decodable {
        let lower: Double
        let upper: Double
      }
      struct HeldOut: Decodable {
        let change: Double?
        let changeInterval: Interval?
      }
      struct Validation: Decodable { let heldOut: HeldOut? }
      struct Stream: Decodable { let validation: Validation? }
      struct Tuning: Decodable { let streams: [Stream]? }
      struct Evidence: Decodable { let result: Tuning? }
      let evidence: Evidence?
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let file = try Sources.text("experiments/\(experiment)/result.json")
    let gains = try decoder.decode(Result.self, from: Data(file.utf8)).evidence?.result?.streams?
      .compactMap(\.validation?.heldOut)
      .map { heldOut in
        [heldOut.change, heldOut.changeInterval?.lower, heldOut.changeInterval?.upper].map {
          $0.map { String(format: "%.3f", $0).replacing("-0.000", with: "0.000") } ?? ""
        }
      }
    let page = try Sources.text("experiments/\(experiment)/README.md")
    let row = try #require(page.firstMatch(of: /\| its gain [^|]*\| (\S+) \| (\S+) to (\S+) \|/))
    #expect(
      gains?.contains([row.1, row.2, row.3].map(String.init)) == true, "\(experiment): \(row.0)")
  }

  /// The experiments whose pages have a row on the gain.
  static let experiments = pages.compactMap { page -> String? in
    guard let text = try? Sources.text(page), text.contains("| its gain over "),
      let name = page.firstMatch(of: /^experiments\/([^\/]+)\/README.md$/)
    else { return nil }
    return String(name.1)
  }

  @Test("A heading that code cites is on the page that it names")
  func citedHeadings() throws {
    let folders = ["Sources", "Tests", "scripts"].map {
      Sources.root.appendingPathComponent($0)
    }
    var cited = 0
    for folder in folders {
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where path.hasSuffix(".swift") || path.hasSuffix(".py") {
        let file = folder.appendingPathComponent(path)
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /(docs\/\w+\.md)`?,\s(?:\/\/\/\s)?([A-Z][A-Za-z ]+)/) {
          let page = Sources.root.appendingPathComponent(String(match.1))
          let known = try headings(of: page).contains {
            $0.trimmingPrefix(/\d+\.\s/).hasPrefix(match.2)
          }
          #expect(known, "\(path): \(match.0)")
          cited += 1
        }
      }
    }
    #expect(cited >= 10)
  }

  /// The texts of a page's headings.
  private func headings(of page: URL) throws -> [String] {
    let text = try String(contentsOf: page, encoding: .utf8)
    return text.matches(of: /(?m)^#+ (.+)$/).map { String($0.1) }
  }

  /// GitHub's anchor of a heading.
  private func anchor(_ heading: String) -> String {
    String(
      heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
        .map { $0 == " " ? "-" : $0 })
  }
}
