import Foundation
import TestSupport
import Testing

/// The Swift that pages show: every piece is compiled and tested.
@Suite("The Swift on pages")
nonisolated struct PageSnippetTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let shown = [
    "README.md": ["PlankWatcher.swift"],
    "docs/recording.md": [
      "VisionRecorder.swift", "SwiftVisionRecorder.swift", "BufferRotation.swift", "UpVector.swift",
      "VisionDumpLine.swift", "VisionImageLine.swift",
    ],
    "docs/smoothing.md": ["SteadyCoach.swift"],
  ]

  @Test(
    "A page shows exactly the source that is compiled and tested", arguments: shown.keys.sorted())
  func source(page: String) throws {
    let text = try Repository.text(page)
    for name in try #require(Self.shown[page]) {
      let source = try String(
        contentsOf: Self.folder.appendingPathComponent("Snippets/\(name)"), encoding: .utf8)
      #expect(text.contains("```swift\n\(source)```\n"), "\(name) differs from \(page)")
    }
  }

  @Test(
    "Every piece of Swift on a page is one of the tested sources", arguments: shown.keys.sorted())
  func nothingElse(page: String) throws {
    // A dependency of a manifest is no program of its own; scripts/prove-app-package builds one.
    let pieces = try Repository.text(page).components(separatedBy: "```swift\n").dropFirst()
      .filter { !$0.hasPrefix(".package(") }
    #expect(pieces.count == Self.shown[page]?.count)
  }

  @Test("Every tested source is on a page")
  func nothingHidden() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appendingPathComponent("Snippets").path)
    #expect(Set(files.filter { $0.hasSuffix(".swift") }) == Set(Self.shown.values.joined()))
  }
}
