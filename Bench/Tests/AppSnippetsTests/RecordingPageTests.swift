import Foundation
import TestSupport
import Testing

@Suite("The page on recording")
struct RecordingPageTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let snippets = [
    "VisionRecorder.swift", "SwiftVisionRecorder.swift", "BufferRotation.swift", "UpVector.swift",
    "VisionDumpLine.swift", "VisionImageLine.swift",
  ]

  @Test("The page shows exactly the source that is compiled and tested", arguments: snippets)
  func source(name: String) throws {
    let file = Self.folder.appendingPathComponent("Snippets/\(name)")
    let source = try String(contentsOf: file, encoding: .utf8)
    #expect(try page().contains("```swift\n\(source)```\n"), "\(name) differs from the page")
  }

  @Test("Every piece of Swift on the page is one of the tested sources")
  func nothingElse() throws {
    let fences = try page().components(separatedBy: "```swift\n").count - 1
    #expect(fences == Self.snippets.count)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appendingPathComponent("Snippets").path)
    #expect(Set(files.filter { $0.hasSuffix(".swift") }) == Set(Self.snippets))
  }

  private func page() throws -> String { try Repository.text("docs/recording.md") }
}
