import Foundation
import Testing

/// Losses without an interval: none of them passes.
@Suite("Gates without an interval")
struct GateCollapseTests {
  private func gated(_ people: Int, _ rule: String = "margin: 0.02") throws -> GateWorkspace {
    let gated = try GateWorkspace(people: people)
    try gated.gate("  - {metric: plank.accuracy, \(rule)}\n")
    try gated.answers("answers", late: Array(repeating: 0, count: people))
    let update = try gated.update()
    try #require(update.status == 0, "\(update.errors)")
    return gated
  }

  @Test("A detector that fails alike for everybody regresses")
  func alike() throws {
    let gated = try gated(6)
    try gated.answers("worse", late: Array(repeating: 20, count: 6))
    let run = try gated.run("worse")
    #expect(run.status == 2 && run.output.contains("alike in every person"), "\(run.output)")
    let compare = try Program.run(
      "compare", gated.workspace.path("data"), gated.workspace.path("answers"),
      gated.workspace.path("worse"))
    #expect(compare.words.hasPrefix("Plank: Keep yours (proven)"), "\(compare.output)")
  }

  @Test("Three people who lose alike are too few to tell; a largest drop finds them")
  func fewAlike() throws {
    let gated = try gated(3)
    try gated.answers("worse", late: [20, 20, 20])
    let open = try gated.run("worse")
    #expect(open.status == 0 && open.output.contains("its rules cannot tell"), "\(open.output)")
    let all = try gated.run("worse", "--verbose")
    #expect(all.output.contains("too few people to tell"), "\(all.output)")
    try gated.gate("  - {metric: plank.accuracy, margin: 0.02, largest_drop: 0.1}\n")
    #expect(try gated.run("worse").status == 2)
  }

  @Test("A loss within the margin that is alike for everybody passes")
  func withinMargin() throws {
    let gated = try gated(3, "margin: 0.5")
    try gated.answers("worse", late: [1, 1, 1])
    #expect(try gated.run("worse").status == 0)
  }

  @Test("One person is too few for a margin")
  func onePerson() throws {
    let gated = try gated(1)
    try gated.answers("worse", late: [20])
    let run = try gated.run("worse")
    #expect(
      run.status == 3 && run.words.contains("a margin takes 2 or more people"), "\(run.output)")
  }

  @Test("A bound beside a margin does not hide an improvement")
  func improved() throws {
    let gated = try GateWorkspace()
    try gated.gate("  - {metric: plank.accuracy, margin: 0.05, largest_drop: 0.1}\n")
    try gated.answers("answers", late: [23, 25, 20, 27, 22, 26])
    try #require(try gated.update().status == 0)
    try gated.answers("better", late: [3, 4, 2, 5, 3, 4])
    let run = try gated.run("better")
    #expect(run.status == 0 && run.output.contains("verdict: improved"), "\(run.output)")
  }

  @Test(
    "A baseline that was edited is noticed",
    arguments: [
      (from: "\"metrics\": [", to: "\"metrics\": [], \"unused\": ["),
      (from: "\"name\":\"p2\"", to: "\"name\":\"p1\""),
    ])
  func edited(change: (from: String, to: String)) throws {
    let gated = try gated(3)
    let path = gated.workspace.path("baseline.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try #require(text.contains(change.from), "\(text.prefix(600))")
    try text.replacingOccurrences(of: change.from, with: change.to)
      .write(toFile: path, atomically: true, encoding: .utf8)
    let run = try gated.run()
    #expect(run.status == 3 || run.status == 65, "\(run.output)\(run.errors)")
  }
}
