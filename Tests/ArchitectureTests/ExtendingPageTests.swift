import Foundation
import Testing

/// The page on how to extend the project refers only to what exists, and its changes still apply.
@Suite("The page on extending")
struct ExtendingPageTests {
  private static let page = (try? Sources.text("docs/extending.md")) ?? ""

  /// The paths on the page.
  static let paths: [String] = page.matches(of: /`((?:Sources|Tests|docs|scripts)\/[^`]*)`/)
    .map { String($0.1) }

  @Test("Every path on the page exists", arguments: paths)
  func pathExists(path: String) {
    let place = Sources.root.appendingPathComponent(path).path
    #expect(FileManager.default.fileExists(atPath: place), "\(path)")
  }

  /// The whole changes that the page shows, as paths from the root.
  static let patches: [String] = {
    let folder = Sources.root.appendingPathComponent("docs/extending").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".patch") }.sorted().map { "docs/extending/\($0)" }
  }()

  @Test("There are changes to try")
  func patchesExist() { #expect(!Self.patches.isEmpty) }

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
    #expect(files.filter { $0.hasPrefix("Sources/") }.count == 1)
    #expect(files.count > 1)
  }
}
