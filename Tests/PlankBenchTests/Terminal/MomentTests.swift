import Testing

@testable import PlankBench

/// Moments on the command line.
@Suite("Moments")
struct MomentTests {
  @Test(
    "Seconds, minutes and hours are understood",
    arguments: [
      ("6.73", 6.73), ("80", 80), ("-2", -2), ("1e-3", 0.001), ("1:20", 80), ("0:03.50", 3.5),
      ("90:00", 5400), ("1:02:03.5", 3723.5), ("0:00:00", 0),
    ])
  func understood(text: String, seconds: Double) {
    #expect(Moment(text)?.seconds == seconds)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", ":", "1:", ":20", "1:75", "1:60", "1:60:00", "1:2:3:4", "-1:20", "1:-20", "1.5:20", "nan",
      "inf", "0x1p3", "1e999", "1:20 s", "٣", "99999999999999999999:00",
    ])
  func refused(text: String) { #expect(Moment(text) == nil) }

  @Test("A printed moment is read back", arguments: [0, 2.9, 80, 3723.5, -0.25])
  func roundTrip(seconds: Double) throws {
    let moment = try #require(Moment(NumberText.shortest(seconds)))
    #expect(Moment(moment.description) == moment)
  }
}
