import Foundation
import Testing

/// The contents of a baseline must follow from its answers and the dataset.
@Suite("Edited baselines")
struct EditedBaselineTests {
  /// A change of a baseline's text, and the expected message.
  struct Edit: CustomTestStringConvertible, Sendable {
    let name: String
    let from: String
    let to: String
    let words: String
    var testDescription: String { name }
  }

  private static let edits = [
    Edit(
      name: "subjects", from: "\"subjects\": 6,", to: "\"subjects\": 7,",
      words: "about 7 subjects, but its answers are from 6"),
    Edit(name: "hash", from: "\"hash\": \"", to: "\"hash\": \"0", words: "a different hash"),
    Edit(
      name: "a renamed sequence", from: "\"p2\"", to: "\"q2\"",
      words: "no answers for the sequence p2"),
    Edit(
      name: "a sequence twice", from: "\"sequences\": [\n",
      to:
        "\"sequences\": [\n    {\"form\":\"aligned*80\",\"name\":\"p1\",\"plank\":\"none*80\"},\n",
      words: "names a sequence twice"),
    Edit(
      name: "a sequence more", from: "\"sequences\": [\n",
      to:
        "\"sequences\": [\n    {\"form\":\"aligned*80\",\"name\":\"p9\",\"plank\":\"none*80\"},\n",
      words: "answers for p9, which its dataset does not have"),
  ]

  @Test("A baseline that was edited is not comparable, and says where", arguments: edits)
  func edited(edit: Edit) throws {
    let gated = try GateWorkspace()
    try gated.gate("  - {metric: plank.accuracy, at_least: 0.1}\n")
    try gated.answers("answers", late: [3, 4, 2, 5, 3, 4])
    let update = try gated.update()
    try #require(update.status == 0, "\(update.errors)")
    let text = try String(
      contentsOfFile: gated.workspace.path("baseline.json"), encoding: .utf8)
    let changed = text.replacing(edit.from, with: edit.to, maxReplacements: 1)
    try #require(changed != text, "\(text.prefix(1500))")
    try gated.workspace.write(changed, to: "baseline.json")
    let run = try gated.run()
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    let said = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(said.contains(edit.words), "\(run.output)")
  }
}
