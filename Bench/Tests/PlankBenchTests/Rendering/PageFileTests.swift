import Foundation
import TestSupport
import Testing

@testable import PlankBench

@Suite("Files of pages")
struct PageFileTests {
  @Test("Every file of a page's folder is built in as it is")
  func builtIn() throws {
    let bench = Repository.file("Bench/Sources/PlankBench")
    var count = 0
    for command in try FileManager.default.contentsOfDirectory(atPath: bench.path) {
      let folder = bench.appendingPathComponent("\(command)/Page")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where !name.hasPrefix(".") {
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        #expect(PageFile.bytes(name) == Array(bytes), "\(command)/Page/\(name)")
        count += 1
      }
    }
    #expect(count > 40)
  }
}
