import Testing

@testable import PoseDatasets

@Suite("Clocks in comments, footers and names") struct UnreadClockTests {
  private func seconds(_ text: String) -> Double? { SwayingLimbs.diagnose(text).seconds }

  private func isClose(_ seconds: Double?, _ expected: Double) -> Bool {
    seconds.map { ($0 - expected).magnitude < 0.01 } ?? false
  }

  @Test(
    "A comment gives the rate",
    arguments: ["# fps: 20", "# Frame rate (Hz) = 20", "#units: m; 20 fps", "# frame_rate: 20 Hz"])
  func comment(line: String) {
    let table = SwayingLimbs.table("frame") { "\($0)" }
    let diagnosis = SwayingLimbs.diagnose("# Logger 1.2\n\(line)\n" + table)
    #expect(!diagnosis.needsRate && isClose(diagnosis.seconds, 39 / 20))
    #expect(diagnosis.conclusions.contains { $0.finding.hasPrefix("line 2 is a comment") })
    #expect(SwayingLimbs.diagnose("# filter: 6 Hz\n" + table).needsRate)
  }

  @Test("Rows of statistics at the end are left out")
  func footer() {
    let table = SwayingLimbs.table("time") { "\(Double($0) / SwayingLimbs.rate)" }
    let zeros = String(repeating: ",0.1", count: SwayingLimbs.header.count)
    let diagnosis = SwayingLimbs.diagnose(table + "mean\(zeros)\nStd\(zeros)\n")
    #expect(diagnosis.frames == 40 && isClose(diagnosis.seconds, 39 / SwayingLimbs.rate))
    #expect(diagnosis.conclusions.contains { $0.finding.hasPrefix("2 rows at the end left out") })
  }

  @Test("Dates are read with dashes, and in names of pictures if they have parts of a second")
  func dates() {
    func digits(_ index: Int) -> String {
      String(1_000_000 + index % 10 * 100_000).dropFirst() + ""
    }
    let dashes = SwayingLimbs.table("time") { "2026-05-01-23-59-5\($0 / 10)-\(digits($0))" }
    #expect(isClose(seconds(dashes), 3.9))
    let names = SwayingLimbs.table("file") {
      "IMG_20260501_23595\($0 / 10)_\(digits($0).prefix(3)).jpg"
    }
    #expect(isClose(seconds(names), 3.9))
    let counted = SwayingLimbs.table("file") { "IMG_20260501_0000\(10 + $0).jpg" }
    #expect(SwayingLimbs.diagnose(counted).needsRate)
  }

  @Test("A countdown is refused, and a clock that cannot be read is named")
  func faults() {
    let countdown = SwayingLimbs.table("time_left") { "\(60 - Double($0) / SwayingLimbs.rate)" }
    #expect(SwayingLimbs.diagnose(countdown).blocked.contains("it counts down, save"))
    let newestFirst = SwayingLimbs.table("timestamp") { "\(60 - Double($0 * $0) / 100)" }
    #expect(
      SwayingLimbs.diagnose(newestFirst).blocked.contains("sort frames by it if it is a clock"))
    let unread = SwayingLimbs.diagnose(SwayingLimbs.table("time") { ["soon", "now"][$0 % 2] })
    #expect(unread.unreadClock?.contains("`time` is named like a time") ?? false)
  }

  @Test("A counter much faster than frames needs its own rate")
  func samples() {
    let diagnosis = SwayingLimbs.diagnose(SwayingLimbs.table("sample") { "\($0 * 2943 + $0 % 2)" })
    let counter = diagnosis.counter
    #expect(counter?.fault(of: nil)?.contains("faster than frames") ?? false)
    #expect(!diagnosis.isImportable && diagnosis.blocked.contains("--rate RATE"))
    #expect(diagnosis.options.isEmpty && diagnosis.problemsBesideRate.isEmpty)
    #expect(counter?.fault(of: 30) != nil && counter?.fault(of: 44_100) == nil)
  }
}
