import Foundation
import TestSupport
import Testing

@testable import PlankBench

@Suite("Code as a page carries it")
struct CompactCodeTests {
  @Test("Comments, empty lines and indentation go; code stays line by line")
  func compact() {
    let code = """
      // A file.

      /** Adds. */
      function add(a, b) {
        /*
         * Two
         * lines.
         */
        return a + b; // kept: it follows code
      }
      const address = 'file://a';
      """
    #expect(
      CompactCode.text(code) == """
        function add(a, b) {
        return a + b; // kept: it follows code
        }
        const address = 'file://a';

        """)
  }

  @Test("No file of a page has a comment within code or a text over several lines")
  func files() throws {
    let bench = Repository.file("Bench/Sources/PlankBench")
    for command in try FileManager.default.contentsOfDirectory(atPath: bench.path) {
      let folder = bench.appendingPathComponent("\(command)/Page")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where name.hasSuffix(".js") || name.hasSuffix(".css") {
        for line in CompactCode.text(PageFile.text(name)).split(separator: "\n") {
          // `video/*` is a type of files.
          let line = line.replacing("video/*", with: "")
          let isWhole = line.count { $0 == "`" }.isMultiple(of: 2)
          #expect(isWhole && !line.contains("/*") && !line.contains("*/"), "\(name): \(line)")
        }
      }
    }
  }

  @Test("A style sheet loses its spaces, and no text in one does")
  func style() throws {
    #expect(
      CompactCode.style("a,\nb { color: red; margin: 0 1px; }\n.c {\n  top: 0;\n}\n")
        == "a,\nb{color:red;margin:0 1px}\n.c{top:0}\n")
    for name in ["base.css", "pages.css", "tables.css", "viewer.css", "page.css"] {
      let parts = PageFile.text(name).split(separator: "\"", omittingEmptySubsequences: false)
      for text in parts.enumerated().filter({ !$0.offset.isMultiple(of: 2) }).map(\.element) {
        #expect(CompactCode.tight(String(text)) == text, "\(name): \(text)")
      }
    }
  }
}
