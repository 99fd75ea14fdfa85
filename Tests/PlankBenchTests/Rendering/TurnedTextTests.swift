import Testing

@testable import PlankBench

@Suite("Text that turns the text around it")
struct TurnedTextTests {
  @Test("A page writes out what turns the direction of text")
  func directions() {
    let name = "right\u{202E}left\u{2066}to\u{2069}\u{200F}"
    let shown: HTML = "<b>\(name)</b>"
    #expect(shown.text == "<b>right\\u{202E}left\\u{2066}to\\u{2069}\\u{200F}</b>")
  }
}
