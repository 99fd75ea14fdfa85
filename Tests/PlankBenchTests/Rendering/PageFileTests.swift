import Foundation
import TestSupport
import Testing

@testable import PlankBench

@Suite("Files that are built in")
struct PageFileTests {
  @Test("Every file of a page's or a script's folder is built in as it is")
  func builtIn() throws {
    let bench = Repository.file("Sources/PlankBench")
    var count = 0
    let commands = try FileManager.default.contentsOfDirectory(atPath: bench.path)
    for path in commands.flatMap({ ["\($0)/Page", "\($0)/Script"] }) {
      let folder = bench.appendingPathComponent(path)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where !name.hasPrefix(".") {
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        #expect(PageFile.bytes(name) == Array(bytes), "\(path)/\(name)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  @Test("No script or style ends the element that it is in", arguments: ["js", "css"])
  func endsNoElement(kind: String) throws {
    let bench = Repository.file("Sources/PlankBench")
    var count = 0
    for command in try FileManager.default.contentsOfDirectory(atPath: bench.path) {
      let folder = bench.appendingPathComponent("\(command)/Page")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where name.hasSuffix(".\(kind)") {
        let text = PageFile.text(name).lowercased()
        for end in ["</script", "<script", "</style", "<!--"] {
          #expect(!text.contains(end), "\(name) has \(end)")
        }
        count += 1
      }
    }
    #expect(count > 4)
  }
}
