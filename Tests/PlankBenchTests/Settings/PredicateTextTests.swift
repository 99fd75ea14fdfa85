import PlankDetection
import Testing

@testable import PlankBench

/// Predicates as text.
@Suite("Predicate text")
struct PredicateTextTests {
  @Test(
    "A predicate reads back from its own description",
    arguments: DetectorDefinition.builtIn.flatMap { $0.plank.rules + $0.form.rules }
      .flatMap(\.predicates))
  func roundTrip(predicate: Predicate) throws {
    #expect(try PredicateText.parse("\(predicate)") == predicate)
  }

  @Test(
    "A text that is no predicate is refused",
    arguments: [
      "", "sag", "hipDeviation <", "hipDeviation < sag pike", "hipDeviation == sag",
      "hipdeviation < sag", "hipDeviation < Sag", "hipDeviation < --sag", "hipDeviation < 0.05",
    ])
  func refusal(text: String) {
    #expect(throws: PredicateText.Problem.self) { try PredicateText.parse(text) }
  }
}
