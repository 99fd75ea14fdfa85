import Testing

@testable import PlankBench

@Suite("Long work")
struct LongWorkTests {
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

  @Test("Every long step is announced where only its own time is known")
  func everyStep() {
    let found = Self.progress(
      ["files", "sequences", "cells"],
      [
        (0, 100, "sequences", 0), (5, 100, "sequences", 1), (100, 100, "sequences", 20),
        (0, 100, "cells", 20), (5, 100, "cells", 21),
      ])
    #expect(
      found.estimates == [
        "estimate: about 20 s for 100 sequences, step 2 of 3",
        "estimate: about 20 s for 100 cells, step 3 of 3",
      ])
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

  @Test("A full bar has a mark for each thirtieth", arguments: [(0, 0), (1, 10), (2, 20), (3, 30)])
  func bar(done: Int, marks: Int) {
    let line = WorkStatus(done: done, total: 3, what: "cells").line(width: 80)
    #expect(line.count { $0 == "#" } == marks && line.count { $0 == "." } == 30 - marks)
    #expect(line.hasSuffix("] \(done)/3 cells"))
  }

  @Test(
    "Times are rounded to what an estimate can tell",
    arguments: [
      (0, "1 s"), (0.2, "1 s"), (34.2, "35 s"),
      (99, "99 s"), (99.5, "2 min"), (100, "2 min"), (170, "3 min"),
      (5_900, "98 min"), (6_000, "1.7 h"), (35_000, "9.7 h"), (36_000, "10 h"),
      (170_000, "47 h"), (172_800, "2 days"), (8_640_000, "100 days"),
    ])
  func times(seconds: Double, text: String) {
    #expect(TimeText.about(seconds) == text)
  }
}
