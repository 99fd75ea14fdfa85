import Testing

@testable import Tuning

@Suite("Changes of a run")
struct RunChangeTests {
  @Test("Equal texts are not a change")
  func equal() { #expect(RunChange(.seed, stored: "1", found: "1") == nil) }

  @Test("A change says what it was and what it is")
  func words() {
    let change = RunChange(.program, stored: "planklab 1", found: "planklab 2")
    #expect(change?.description == "the program changed from `planklab 1` to `planklab 2`")
  }

  @Test("Long lines are cut around the first difference and keep their name")
  func cut() throws {
    let values = (0..<400).map { "0.\($0 + 100)" }
    let stored = "axis sag (m): " + values.joined(separator: " ")
    let found = stored.replacing("0.333", with: "0.999")
    let change = try #require(RunChange(.grid, stored: stored, found: found))
    #expect(change.description.contains("axis sag (m)..."))
    #expect(change.description.contains("0.333") && change.description.contains("0.999"))
    #expect(change.description.count < 250)
  }
}
