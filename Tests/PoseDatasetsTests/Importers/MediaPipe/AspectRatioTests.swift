import PoseDatasets
import Testing

@Suite("Aspect ratios")
struct AspectRatioTests {
  @Test(
    "A ratio is read as two numbers or one",
    arguments: [("16:9", 16.0 / 9.0), ("1280x720", 16.0 / 9.0), ("4:3", 4.0 / 3.0), ("0.5", 0.5)])
  func readable(text: String, value: Double) throws {
    #expect(try AspectRatio(text).value == value)
  }

  @Test(
    "Anything else is an error",
    arguments: ["", "16", "wide", "16:", ":9", "16:0", "0:9", "-16:9", "1:2:3", "nan"])
  func unreadable(text: String) {
    #expect(throws: PoseSourceError.self) { try AspectRatio(text) }
  }
}
