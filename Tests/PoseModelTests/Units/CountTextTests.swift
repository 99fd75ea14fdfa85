import PoseModel
import Testing

@Suite("Text of counts")
struct CountTextTests {
  @Test(
    "A comma comes before every three digits",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func groups(count: Int, text: String) { #expect(CountText.of(count) == text) }

  @Test("One is in the singular, everything else in the plural")
  func nouns() {
    #expect(CountText.of(1, "frame") == "1 frame")
    #expect(CountText.of(0, "frame") == "0 frames")
    #expect(CountText.of(2437, "frame") == "2,437 frames")
    #expect(CountText.of(1, "person", plural: "people") == "1 person")
    #expect(CountText.of(2, "person", plural: "people") == "2 people")
  }
}
