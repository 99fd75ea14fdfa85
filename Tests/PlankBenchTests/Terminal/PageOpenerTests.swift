import ArgumentParser
import Foundation
import Testing

@testable import PlankBench

@Suite("Opening pages in a browser")
struct PageOpenerTests {
  /// A folder with a program that writes its arguments to a file, one per line.
  private static func browser(ending status: Int = 0) throws -> (program: String, said: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = folder.appending(path: "browser").path
    let said = folder.appending(path: "said").path
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(said)'\nexit \(status)\n"
    // Another program writes it: a file that is open for writing, if only in what another thread
    // has just forked, cannot be run.
    let writer = try ChildProcess(
      "/bin/sh", ["-c", "printf '%s' \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", script, program],
      keepsOutput: false)
    #expect(writer.wait() == .exit(0))
    return (program, said)
  }

  @Test("The program in BROWSER gets the whole path as its only argument")
  func opens() throws {
    let (program, said) = try Self.browser()
    let page = "/tmp/a page; touch harm $(id) \"'.html"
    #expect(PageOpener(environment: ["BROWSER": program]).open(page) == nil)
    // Nobody waits for a browser; on a busy machine it may begin later.
    for _ in 0..<3000 where (try? Data(contentsOf: URL(filePath: said)))?.isEmpty ?? true {
      usleep(20_000)
    }
    #expect(try String(contentsOfFile: said, encoding: .utf8) == page + "\n")
  }

  @Test("In CI, and without a program, nothing is opened, and the path is told")
  func refuses() throws {
    let (program, said) = try Self.browser()
    let inCI = PageOpener(environment: ["BROWSER": program, "CI": "true"]).open("/tmp/page.html")
    #expect(inCI == "not opened, because CI is set: /tmp/page.html")
    #expect(!FileManager.default.fileExists(atPath: said))
    let missing = PageOpener(environment: ["BROWSER": "/nowhere/browser"]).open("/tmp/page.html")
    #expect(missing == "not opened, because /nowhere/browser is not installed: /tmp/page.html")
    let failing = try Self.browser(ending: 3).program
    let failed = PageOpener(environment: ["BROWSER": failing]).open("/tmp/page.html")
    #expect(failed == "not opened, because \(failing) failed: /tmp/page.html")
  }

  #if !os(macOS)
    @Test("Without a display, the path is told")
    func noDisplay() {
      #expect(
        PageOpener(environment: ["PATH": "/usr/bin"]).open("/tmp/page.html")?
          .hasPrefix("not opened, because there is no display") == true)
    }
  #endif

  @Test("A page of more than 30 MB is called heavy, with a way to a lighter one")
  func weight() {
    #expect(OpenOption.weight(ofBytes: 30_000_000).isEmpty)
    #expect(OpenOption.weight(ofBytes: 35_000_000).first?.contains("35 MB") ?? false)
  }

  @Test("--open needs a page")
  func needsPage() {
    #expect(throws: (any Error).self) {
      _ = try PlankLab.parseAsRoot(["compare", "data", "gravity", "article", "--open"])
    }
    #expect(throws: Never.self) {
      _ = try PlankLab.parseAsRoot(["evaluate", "data", "--html", "page.html", "--open"])
      _ = try PlankLab.parseAsRoot(["studio", "data", "--open"])
      _ = try PlankLab.parseAsRoot(["label", "data", "--open"])
    }
  }
}
