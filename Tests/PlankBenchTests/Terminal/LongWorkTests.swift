import ArgumentParser
import Foundation
import Platform
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Long work") struct LongWorkTests {
  /// Work with known steps, of which some reports were taken.
  private static func progress(
    _ steps: [WorkProgress.Step], _ reports: [(done: Int, total: Int, what: String, at: Double)]
  ) -> (status: WorkStatus?, estimates: [String]) {
    var progress = WorkProgress(steps)
    var status: WorkStatus?
    var estimates: [String] = []
    for report in reports {
      let update = progress.take(report.done, of: report.total, report.what, at: report.at)
      status = update.status
      estimates += [update.estimate].compactMap(\.self)
    }
    return (status, estimates)
  }

  @Test(
    "The time left is what the rest takes at the speed since the step began",
    arguments: [
      (done: 25, at: 7.0, left: Double?.some(6)), (done: 75, at: 7, left: 2.0 / 3),
      (done: 2, at: 5.5, left: nil), (done: 0, at: 9, left: nil),
    ])
  func timeLeft(done: Int, at time: Double, left: Double?) {
    let found = Self.progress([], [(0, 100, "cells", 5), (done, 100, "cells", time)])
    #expect(found.status?.secondsLeft == left)
    #expect(found.estimates.isEmpty)
  }

  @Test("Pieces that were done before a step began say nothing about its speed")
  func resumed() {
    let found = Self.progress([], [(900, 1000, "cells", 0), (950, 1000, "cells", 4)])
    #expect(found.status?.secondsLeft == 4)
  }

  @Test("A step of more than ten seconds is announced once, after a second")
  func announced() {
    let steps: [WorkProgress.Step] = ["files", "sequences", "resamples"]
    let reports = [
      (0, 5, "files", 0.0), (5, 5, "files", 3), (0, 10_000, "sequences", 3),
      (100, 10_000, "sequences", 3.9), (200, 10_000, "sequences", 4.0),
      (400, 10_000, "sequences", 5.0),
    ]
    let found = Self.progress(steps, reports)
    #expect(
      found.estimates == ["estimate: about 50 s for 10,000 sequences, step 2 of 3"])
    let line = found.status?.line(width: 200)
    #expect(line?.hasSuffix("] 400/10,000 sequences, 48 s left in step 2 of 3") == true)
    #expect(Self.progress([], reports).estimates == ["estimate: about 50 s for 10,000 sequences"])
  }

  @Test("Work of less than ten seconds is not announced")
  func short() {
    let found = Self.progress(
      ["sequences"], [(0, 100, "sequences", 0), (12, 100, "sequences", 1.1)])
    #expect(found.estimates.isEmpty)
  }

  @Test("Where the shares of the steps are known, the time left is that of all of them")
  func whole() {
    let steps: [WorkProgress.Step] = [
      "files", .init("smoothers", share: 100), .init("stress", share: 50),
      .init("angles", share: 10),
    ]
    let first = Self.progress(steps, [(0, 10, "smoothers", 0), (4, 10, "smoothers", 8)])
    #expect(first.estimates == ["estimate: about 32 s for 10 smoothers and the steps after them"])
    #expect(first.status?.line(width: 200).hasSuffix(" smoothers, 24 s left, step 2 of 4") == true)
    // The second of them turns out to be faster than its share says: all so far took 22 s.
    let last = Self.progress(
      steps,
      [
        (0, 10, "smoothers", 0), (4, 10, "smoothers", 8), (10, 10, "smoothers", 20),
        (0, 5, "stress", 20), (2, 5, "stress", 22),
      ])
    #expect(last.status?.secondsLeft == 3.0 + 220.0 / 120)
    #expect(last.estimates == first.estimates, "it is announced once")
  }

  @Test("Reports of other threads that come late change nothing")
  func late() {
    let found = Self.progress(
      [], [(0, 4, "cells", 0), (4, 4, "cells", 2), (3, 4, "cells", 2.1)])
    #expect(found.status == nil)
    let again = Self.progress([], [(4, 4, "cells", 2), (0, 4, "cells", 3)])
    #expect(again.status?.done == 0, "the same pieces can be done a second time")
  }

  @Test(
    "The bar is shorter than the terminal is wide, and its text is cut last",
    arguments: [10, 30, 60, 80, 300])
  func width(width: Int) {
    let status = WorkStatus(
      done: 123_456, total: 1_000_000, what: "sequences of the baseline", step: 3, steps: 4,
      secondsLeft: 5_000, isWhole: false)
    let line = status.line(width: width)
    #expect(line.count < width)
    let text = "123,456/1,000,000 sequences of the baseline, 83 min left in step 3 of 4"
    #expect(line.hasSuffix(text) == (width > text.count))
    #expect(line.contains("[###...") == (width == 300))
  }

  @Test(
    "Times are rounded to what an estimate can tell",
    arguments: [
      (0, "1 s"), (0.2, "1 s"), (34.2, "35 s"),
      (99, "99 s"), (99.5, "2 min"), (100, "2 min"), (170, "3 min"),
      (5_900, "98 min"), (6_000, "1.7 h"), (35_000, "9.7 h"), (36_000, "10 h"),
      (170_000, "47 h"), (172_800, "2 days"), (8_640_000, "100 days"),
    ])
  func times(seconds: Double, text: String) { #expect(TimeText.about(seconds) == text) }
}

@Suite("Interruptions") struct InterruptionTests {
  private static let words = ["/usr/bin/planklab", "evaluate", "my data", "--html", "a.html"]

  @Test("A command that is stopped says what is left and how to run it again")
  func leftovers() {
    let again = "run again: planklab evaluate 'my data' --html a.html"
    #expect(Leftovers().stopMessage(Self.words) == "stopped; nothing was written; " + again)
    #expect(
      Leftovers(written: ["a.json", "b.svg"]).stopMessage(Self.words)
        == "stopped; wrote only a.json, b.svg; " + again)
    #expect(
      Leftovers(isPrinted: true).stopMessage(Self.words)
        == "stopped; the printed result may be incomplete; " + again)
    #expect(
      Leftovers(sentence: "the store is whole", written: ["a"]).stopMessage(Self.words)
        == "stopped; the store is whole")
  }
}

@Suite("Child processes") struct ChildProcessTests {
  private static let shell = "/bin/sh"

  private static func output(_ child: ChildProcess) throws -> String {
    var bytes: [UInt8] = []
    try child.readOutput { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func failing(_ codes: Int32...) -> ChildProcess.Reading {
    var rest = codes[...]
    return { descriptor, buffer in
      guard let code = rest.popFirst() else {
        return read(descriptor, buffer.baseAddress, buffer.count)
      }
      errno = code
      return -1
    }
  }

  @Test("A program's output and its end are read, and arguments stay as they are")
  func output() throws {
    let child = try ChildProcess(
      Self.shell, ["-c", "printf '%s|' \"$@\"; exit 3", "sh", "a b", "$(id)"])
    #expect(try Self.output(child) == "a b|$(id)|")
    #expect(child.wait() == .exit(3))
    let killed = try ChildProcess(Self.shell, ["-c", "kill -TERM $$"], keepsOutput: false)
    #expect(killed.wait() == .signal(SIGTERM))
  }

  @Test("A program that is not there is an error")
  func missing() {
    let error = #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess("/nowhere/program", [])
    }
    #expect(error?.code == ENOENT)
  }

  @Test("Arguments are not cut off where memory is refused")
  func memoryIsRefused() throws {
    let copies = try ChildProcess.copies(of: ["sh", "-c", "exit 3"])
    defer { for copy in copies { free(copy) } }
    #expect(copies.map { $0.map { String(cString: $0) } } == ["sh", "-c", "exit 3", nil])
    var left = 2
    let error = #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess.copies(of: ["sh", "-c", "exit 3"]) { text in
        left -= 1
        return left < 0 ? nil : strdup(text)
      }
    }
    #expect(error?.code == ENOMEM)
  }

  @Test("Reading goes on after an interruption, and its failure is an error, not the end")
  func readingFails() throws {
    let child = try ChildProcess(Self.shell, ["-c", "echo text"])
    var text = ""
    try child.readOutput(Self.failing(EINTR, EINTR)) { text += String(decoding: $0, as: UTF8.self) }
    #expect(text == "text\n")
    #expect(child.wait() == .exit(0))
    let other = try ChildProcess(Self.shell, ["-c", "echo text"])
    let error = #expect(throws: ChildProcess.Failure.self) {
      try other.readOutput(Self.failing(EIO)) { _ in }
    }
    #expect(error?.code == EIO)
    _ = other.wait()
  }

  @Test("A tree of which git's words cannot be read does not pass for a clean one")
  func git() {
    let error = #expect(throws: WorkflowFailure.self) {
      try GitTree.state(around: ".", ignoring: "b.json", reading: Self.failing(EIO))
    }
    #expect(error?.status == .noInput)
    #expect(error?.message.contains("git rev-parse") == true)
    #expect(error?.message.contains("run the command again") == true)
  }
}

@Suite("Opening pages in a browser") struct PageOpenerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A program that writes its arguments to a file, one per line.
  private func browser(ending status: Int = 0) throws -> (program: String, said: String) {
    let (program, said) = (folder.path("browser-\(status)"), folder.path("said"))
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
    let (program, said) = try browser()
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
    let (program, said) = try browser()
    let inCI = PageOpener(environment: ["BROWSER": program, "CI": "true"]).open("/tmp/page.html")
    #expect(inCI == "the page was not opened because the variable CI is set: /tmp/page.html")
    #expect(!FileManager.default.fileExists(atPath: said))
    let missing = PageOpener(environment: ["BROWSER": "/nowhere/browser"]).open("/tmp/page.html")
    #expect(
      missing == "the page was not opened because /nowhere/browser is not installed: /tmp/page.html"
    )
    let failing = try browser(ending: 3).program
    let failed = PageOpener(environment: ["BROWSER": failing]).open("/tmp/page.html")
    #expect(failed == "the page was not opened because \(failing) failed: /tmp/page.html")
  }

  #if !os(macOS)
    @Test("Without a display, the path is told")
    func noDisplay() {
      #expect(
        PageOpener(environment: ["PATH": "/usr/bin"]).open("/tmp/page.html")?
          .hasPrefix("the page was not opened because there is no display") == true)
    }
  #endif

  @Test("--open needs a page")
  func needsPage() {
    #expect(throws: (any Error).self) {
      _ = try PlankLab.parseAsRoot(["compare", "data", "gravity", "article", "--open"])
    }
    #expect(throws: Never.self) {
      _ = try PlankLab.parseAsRoot(["evaluate", "data", "--html", "page.html", "--open"])
      _ = try PlankLab.parseAsRoot(["thresholds", "data", "--open"])
      _ = try PlankLab.parseAsRoot(["label", "data", "--open"])
    }
  }
}
