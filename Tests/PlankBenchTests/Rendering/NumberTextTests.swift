import Testing

@testable import PlankBench

/// Numbers as people read them.
@Suite("Number text")
struct NumberTextTests {
  @Test(
    "A number has exactly the decimals asked for",
    arguments: [
      (0.0, 3, "0.000"), (-0.0004, 3, "0.000"), (1.0005, 3, "1.001"), (-2.5, 0, "-3"),
      (123.456, 1, "123.5"), (0.05, 2, "0.05"),
    ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(NumberText.fixed(value, decimals) == text)
  }

  @Test("What is not a number says so")
  func notFinite() {
    #expect(NumberText.fixed(.nan, 2) == "n/a")
    #expect(NumberText.fixed(-.infinity, 2) == "-inf")
  }

  @Test(
    "Counts have groups of three digits",
    arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func counts(value: Int, text: String) { #expect(NumberText.count(value) == text) }
}
