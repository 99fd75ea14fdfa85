import Foundation
import Testing

/// The page on how to add to the project names what is there.
@Suite("The page on extending")
struct ExtendingPageTests {
  private static let page = (try? Sources.text("docs/extending.md")) ?? ""

  /// The paths that the page names.
  static let paths: [String] = page.matches(of: /`((?:Sources|Tests|docs|scripts)\/[^`]*)`/)
    .map { String($0.1) }

  /// The names that the page tells to follow, each with its file.
  static let models: [(name: String, file: String)] = page.matches(
    of: /Follow `(\w+)` in `([^`]*)`/
  )
  .map { (String($0.1), String($0.2)) }

  @Test("The page has a model for each of its five sections")
  func isComplete() {
    #expect(Self.page.matches(of: /\n##\s/).count == 5)
    #expect(Self.models.count == 5)
  }

  @Test("A path that the page names exists", arguments: paths)
  func pathExists(path: String) {
    let place = Sources.root.appendingPathComponent(path).path
    #expect(FileManager.default.fileExists(atPath: place), "\(path)")
  }

  @Test("What the page tells to follow stands in the file that it names", arguments: models)
  func modelExists(name: String, file: String) throws {
    #expect(try Sources.text(file).contains(name), "\(file) has no \(name)")
  }
}
