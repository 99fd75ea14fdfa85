import Testing

@testable import PoseDatasets

@Suite("Times as texts")
struct ClockTextTests {
  @Test(
    "Times since a start are read in their spellings",
    arguments: [
      ("7.367", 7.367), ("7,367", 7.367), (" 7.367 ", 7.367), ("7367 ms", 7.367),
      ("7,367s", 7.367), ("-5 ms", -0.005), ("1m 7.5s", 67.5), ("PT1M7.5S", 67.5),
      ("00:07.367", 7.367),
      ("0:07,367", 7.367), ("00:00:07.367", 7.367), ("00:00:07:367", 7.367), ("1:00:00", 3600),
      ("00:00:07:15", 7.5), ("00:00:07;15", 7.5), ("0 days 00:00:07.5", 7.5),
      ("1 day, 0:00:07.5", 86407.5), ("12:00:01 AM", 1), ("1:00:01 PM", 46801),
    ])
  func elapsed(text: String, seconds: Double) throws {
    let found = try #require(ClockText.seconds(text, rate: 30))
    #expect((found - seconds).magnitude < 1e-9)
  }

  @Test(
    "Dates are read in the spellings of programs",
    arguments: [
      "2026-11-25T10:00:01.125Z", "2026-11-25T10:00:01.125", "2026-11-25 10:00:01.125000",
      "2026-11-25 10:00:01,125", "2026-11-25T11:00:01.125+01:00", "2026-11-25T11:00:01.125+0100",
      "2026-11-25 11:00:01.125+01", "20261125T100001.125Z", "20261125_100001_125",
      "20261125100001125", "2026/11/25 10:00:01.125", "2026-11-25_10-00-01-125",
      "25/11/2026 10:00:01.125", "11/25/2026, 10:00:01.125 AM", "25.11.2026 10:00:01,125",
      "25/Nov/2026:10:00:01.125 +0000", "Nov 25, 2026 10:00:01.125",
      "Wed, 25 Nov 2026 10:00:01.125 GMT", "Wed Nov 25 10:00:01.125 2026",
      "Wed Nov 25 2026 11:00:01.125 GMT+0100 (Central European Standard Time)",
      "2026-11-25 10:00:01.125 +0000", "2026-11-25T10:00:01.125000000Z",
    ])
  func dates(text: String) throws {
    let clock = try #require(ClockText(text, isDate: true))
    #expect(clock.kind == .date)
    let seconds = try #require(clock.seconds())
    #expect((seconds - 1_795_600_801.125).magnitude < 1e-6, "\(seconds)")
  }

  @Test("A date of two readings needs the order")
  func order() {
    let text = "03/04/2026 00:00:00"
    #expect(ClockText.seconds(text) == nil)
    #expect(ClockText.seconds(text, order: .dayFirst) == 1_775_174_400)
    #expect(ClockText.seconds(text, order: .monthFirst) == 1_772_582_400)
    #expect(ClockText.seconds("04/04/2026 00:00:00") == 1_775_260_800)
    #expect(ClockText.seconds("25/11/2026 00:00:00", order: .monthFirst) == nil)
  }

  @Test(
    "What is no time is none",
    arguments: [
      "", " ", ":", "12:", "nan", "frame_12", "5 people", "1.2.3", "192.168.1.10", "1,234,567",
      "1.234,5", "2026-02-30 10:00:00", "2026-11-25", "10:61", "99999999999999999999:10",
    ])
  func none(text: String) { #expect(ClockText(text) == nil) }

  @Test("Frames of a second need a rate above them")
  func timecode() {
    #expect(ClockText.seconds("00:00:07:15") == nil)
    #expect(ClockText.seconds("00:00:07:15", rate: 15) == nil)
    #expect(ClockText.seconds("00:00:07:15", rate: 60) == 7.25)
  }

  @Test(
    "Numbers of a text are counted from its end, without its ending",
    arguments: [
      ("453.jpg", 1, 453.0), ("img-12-000453.png", 1, 453), ("img-12-000453.png", 2, 12),
      ("frame_0453_2d.mp4", 2, 453),
    ])
  func numbers(text: String, fromEnd: Int, number: Double) {
    #expect(NumberedText.number(of: text, fromEnd: fromEnd, withFraction: false) == number)
  }

  @Test("Times without a value lie between their neighbors")
  func filled() {
    #expect([0, .nan, .nan, 3, 4, .nan].filledBetweenNeighbors == [0, 1, 2, 3, 4, 5])
    #expect([.nan, 1, 2].filledBetweenNeighbors == [0, 1, 2])
  }

  @Test("Keys that differ in numbers are in the order of the numbers")
  func keys() {
    #expect(FrameKeys.order(of: ["0", "10", "2"]) == [0, 2, 1])
    #expect(FrameKeys.order(of: ["frame_2", "frame_0", "frame_10"]) == [1, 0, 2])
    #expect(FrameKeys.order(of: (0..<6).map { "00:0\($0).5" }) == Array(0..<6))
    #expect(FrameKeys.order(of: ["0:00:01.5", "0:00:01.25", "0:00:01"]) == [2, 1, 0])
    #expect(FrameKeys.order(of: (0..<6).map { "person_\($0)" }) == nil)
    #expect(FrameKeys.order(of: ["t", "joints"]) == nil && FrameKeys.order(of: []) == nil)
  }
}
