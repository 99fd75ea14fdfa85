import Testing

@testable import PlankBench

@Suite("Times in options") struct MomentTests {
  @Test(
    "Clock times may be negative, as seconds may",
    arguments: [
      ("-1:20", -80.0), ("-10:00:00", -36_000), ("-0:00:01.5", -1.5), ("1:20", 80), ("-2.5", -2.5),
    ])
  func clockTimes(text: String, seconds: Double) {
    #expect(Moment(text)?.seconds == seconds)
  }

  @Test(
    "Other signs are refused", arguments: ["1:-20", "--1:20", "-1:-20", "1:2-0", "-:20", "-1:60"])
  func refused(text: String) { #expect(Moment(text) == nil) }
}
