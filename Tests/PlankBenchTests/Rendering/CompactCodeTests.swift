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

  @Test(
    "A script loses the spaces and line ends that mean nothing, and nothing else",
    arguments: [
      ("const a = 1;\nlet b = a + 2;", "const a=1;let b=a+2;"),
      ("a = b + +c - -d;", "a=b+ +c- -d;"),
      ("if (x) return / a [/ ] b/.test(y);", "if(x)return/ a [/ ] b/.test(y);"),
      ("const half = (a + b) / 2 / c;", "const half=(a+b)/2/c;"),
      ("f('a , b', \"c = d\", 'it\\' s');", "f('a , b',\"c = d\",'it\\' s');"),
      ("t = `a + ${b + `c ; ${d}`} , e`;", "t=`a + ${b + `c ; ${d}`} , e`;"),
      ("a = b\nc = d", "a=b\nc=d\n"),
      ("f(\n  a,\n  b\n);", "f(a,b\n);"),
      (
        "for (const [k, v] of Object.entries(o)) g(k in v);",
        "for(const[k,v]of Object.entries(o))g(k in v);"
      ),
      ("x ? .5 : y => { return { z } };", "x?.5:y=>{return{z} };"),
    ])
  func script(code: String, compact: String) {
    #expect(CompactCode.script(code) == compact)
  }

  @Test("A page carries the rules of its classes; a rule with brackets or over lines stays")
  func rules() {
    let sheet = """
      .used { top: 0; }
      .unused { top: 0; }
      .unused, .used b { top: 1px; }
      .used .unused { top: 2px; }
      .col-good { top: 3px; }
      .one:not(.unused) { top: 4px; }
      main { top: 5px; }
      .unused {
        top: 6px;
      }

      """
    let page = "<p class=\"used one\">not unused-here</p> x.className = `col-${tone}`;"
    let lines = CompactCode.rules(of: sheet, usedBy: page).split(separator: "\n")
    #expect(
      lines == [
        ".used { top: 0; }", ".unused, .used b { top: 1px; }", ".col-good { top: 3px; }",
        ".one:not(.unused) { top: 4px; }", "main { top: 5px; }", ".unused {", "  top: 6px;", "}",
      ])
  }

  @Test("No file of a page has a comment within code or a text over several lines")
  func files() throws {
    let bench = Repository.file("Sources/PlankBench")
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
