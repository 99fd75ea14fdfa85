import Foundation
import Testing

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

  private func headings(of page: URL) throws -> [String] {
    let text = try String(contentsOf: page, encoding: .utf8)
    return text.matches(of: /(?m)^#+ (.+)$/).map { String($0.1) }
  }

  private func anchor(_ heading: String) -> String {
    String(
      heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
        .map { $0 == " " ? "-" : $0 })
  }
}

@Suite("The page on extending")
struct ExtendingPageTests {
  private static let page = (try? Sources.text("docs/extending.md")) ?? ""

  static let paths: [String] = page.matches(of: /`((?:Sources|Tests|docs|scripts)\/[^`]*)`/)
    .map { String($0.1) }

  @Test("Every path on the page exists", arguments: paths)
  func pathExists(path: String) {
    let place = Sources.root.appendingPathComponent(path).path
    #expect(FileManager.default.fileExists(atPath: place), "\(path)")
  }

  static let patches: [String] = {
    let folder = Sources.root.appendingPathComponent("docs/extending").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".patch") }.sorted().map { "docs/extending/\($0)" }
  }()

  private static let git = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(
    "A change that the page shows applies to the files as they are",
    .enabled(if: git != nil, "needs git"), arguments: patches)
  func patchApplies(path: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.git))
    process.arguments = ["apply", "--check", path]
    process.currentDirectoryURL = Sources.root
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(path): write the change anew on the files of today")
  }
}
