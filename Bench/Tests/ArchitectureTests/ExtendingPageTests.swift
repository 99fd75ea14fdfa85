import Foundation
import Testing

/// The page on how to extend the project refers only to what exists.
@Suite("The page on extending")
struct ExtendingPageTests {
  private static let page = (try? Sources.text("docs/extending.md")) ?? ""

  /// The paths on the page.
  static let paths: [String] = page.matches(of: /`((?:Bench|Sources|docs|scripts)\/[^`]*)`/)
    .map { String($0.1) }

  /// The names that the page says to follow, each with its file.
  static let models: [(name: String, file: String)] = page.matches(
    of: /Follow `(\w+)` in `([^`]*)`/
  )
  .map { (String($0.1), String($0.2)) }

  @Test("Each section has a model to follow and shows a whole change")
  func isComplete() {
    let sections = Self.page.matches(of: /\n##\s/).count
    #expect(sections > 0)
    #expect(Self.models.count == sections && Set(Self.patches).count == sections)
  }

  @Test("Every path on the page exists", arguments: paths)
  func pathExists(path: String) {
    let place = Sources.root.appendingPathComponent(path).path
    #expect(FileManager.default.fileExists(atPath: place), "\(path)")
  }

  @Test("What the page tells to follow stands in the file that it names", arguments: models)
  func modelExists(name: String, file: String) throws {
    #expect(try Sources.text(file).contains(name), "\(file) has no \(name)")
  }

  /// The whole changes that the page shows, as paths from the root.
  static let patches: [String] = page.matches(of: /\]\((extending\/\w+\.patch)\)/)
    .map { "docs/\($0.1)" }

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

  @Test("Adding a metric touches one file of Sources")
  func metricTouchesOneFile() throws {
    let files = try Sources.text("docs/extending/metric.patch").matches(of: /\n\+\+\+ b\/(\S+)/)
      .map { String($0.1) }
    #expect(files.filter { $0.hasPrefix("Bench/Sources/") || $0.hasPrefix("Sources/") }.count == 1)
    #expect(files.count > 1)
  }
}
