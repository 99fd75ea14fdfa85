import Foundation
import Testing

/// The output and exit code of a gate, scenario by scenario.
@Suite("Gate scenarios")
struct GateScenarioTests {
  private static let margin = "  - {metric: plank.accuracy, margin: 0.05}\n"
  private static let usual = [3, 4, 2, 5, 3, 4]

  /// A workspace whose baseline is the usual answers.
  private func gated(_ rules: String = margin) throws -> GateWorkspace {
    let gated = try GateWorkspace()
    try gated.gate(rules)
    try gated.answers("answers", late: Self.usual)
    let update = try gated.update()
    try #require(update.status == 0, "\(update.errors)")
    return gated
  }

  private func expect(
    _ run: Program.Run, _ verdict: String, _ status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = run.output.split(separator: "\n").filter { $0.contains("verdict: ") }
    #expect(lines.count == 1, "\(run.output)\(run.errors)", sourceLocation: sourceLocation)
    let says = "verdict: \(verdict) (exit code \(status)"
    #expect(
      lines.first?.contains(says) == true, "\(run.output)\(run.errors)",
      sourceLocation: sourceLocation)
    #expect(run.status == status, sourceLocation: sourceLocation)
  }

  @Test("The same answers pass, although nothing varies")
  func same() throws { expect(try gated().run(), "pass", 0) }

  @Test("Noise passes")
  func noise() throws {
    let gated = try gated()
    try gated.answers("noise", late: [4, 3, 3, 4, 3, 5])
    expect(try gated.run("noise"), "pass", 0)
  }

  @Test("A real regression fails, with people, sequences and moments")
  func regression() throws {
    let gated = try gated()
    try gated.answers("worse", late: [23, 25, 20, 27, 22, 26])
    let screen = try gated.run("worse")
    expect(screen, "regressed", 2)
    let lines = screen.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 26 && lines.allSatisfy { $0.count <= 80 }, "\(screen.output)")
    #expect(lines[0].hasPrefix("Do not merge: plank.accuracy is worse by "), "\(lines[0])")
    #expect(screen.output.contains("high -> none"), "\(screen.output)")
    let run = try gated.run("worse", "--verbose")
    expect(run, "regressed", 2)
    for words in ["person4", "worst sequences", "worst moments", "high -> none"] {
      #expect(run.output.contains(words), "\(words)")
    }
  }

  @Test("An improvement passes and is named")
  func improvement() throws {
    let gated = try gated()
    try gated.answers("better", late: [0, 1, 0, 1, 0, 1])
    expect(try gated.run("better"), "improved", 0)
  }

  @Test("A missing baseline is never a pass")
  func missingBaseline() throws {
    let gated = try gated()
    expect(
      try gated.run("answers", "--baseline", gated.workspace.path("none.json")),
      "not comparable", 3)
  }

  @Test("A class that was renamed in the answers is refused")
  func renamedClass() throws {
    let gated = try gated()
    try gated.answers("renamed", late: Self.usual, as: "tall")
    let run = try gated.run("renamed")
    #expect(run.status == 65)
    #expect(run.errors.contains("tall"))
  }

  @Test("Fewer subjects are not comparable")
  func fewerSubjects() throws {
    let gated = try gated()
    try gated.manifest(people: 4)
    expect(try gated.run(), "not comparable", 3)
  }

  @Test("Changed labels are told from changed poses")
  func changedLabels() throws {
    let gated = try gated()
    try gated.label(2, switching: 1.5)
    let run = try gated.run()
    expect(run, "not comparable", 3)
    #expect(run.words.contains("labels differ") && !run.words.contains("poses differ"))
  }

  @Test("Changed poses are told from changed labels")
  func changedPoses() throws {
    let gated = try gated()
    let path = gated.workspace.path("data/p1.poses.jsonl")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try gated.workspace.write(
      text.replacingOccurrences(of: "\"body_height_m\":1.62", with: "\"body_height_m\":1.63"),
      to: "data/p1.poses.jsonl")
    let run = try gated.run()
    expect(run, "not comparable", 3)
    #expect(run.words.contains("poses differ") && !run.words.contains("labels differ"))
  }

  @Test("A baseline is not written from a dirty tree unless told")
  func dirtyTree() throws {
    let gated = try GateWorkspace()
    try gated.gate(Self.margin)
    try gated.answers("answers", late: Self.usual)
    let setup = try Program.shell(
      "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first",
      in: gated.workspace.folder)
    try #require(setup.status == 0, "\(setup.errors)")
    let refused = try gated.update()
    #expect(refused.status == 65 && refused.errors.contains("--allow-dirty"))
    #expect(refused.errors.contains("answers/p1.csv, ") && refused.errors.contains(" more; "))
    let allowed = try Program.run(
      "baseline", "update", gated.workspace.path("gate.yaml"), "--reason", "a test",
      "--allow-dirty")
    #expect(allowed.status == 0, "\(allowed.errors)")
    let kept = try Program.run("baseline", "show", gated.workspace.path("baseline.json"))
    #expect(kept.output.contains("tree: dirty"))
  }

  @Test("A baseline needs a reason")
  func reason() throws {
    let gated = try gated()
    let run = try Program.run(
      "baseline", "update", gated.workspace.path("gate.yaml"), "--reason", " ")
    #expect(run.status == 64)
  }

  @Test("An undefined metric is never a pass")
  func undefinedMetric() throws {
    let gated = try gated("  - {metric: \"plank.recall[sideLeft]\", at_least: 0.5}\n")
    expect(try gated.run(), "not comparable", 3)
  }

  @Test("NaN is refused, in rules and in baselines", arguments: [".nan", "nan"])
  func notANumber(word: String) throws {
    let gated = try gated()
    let path = gated.workspace.path("baseline.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let broken = text.replacingOccurrences(
      of: "\"frame_cost_ratio\": null", with: "\"frame_cost_ratio\": \(word)")
    #expect(broken != text)
    try gated.workspace.write(broken, to: "baseline.json")
    #expect(try gated.run().status == 65)
    try gated.gate("  - {metric: plank.accuracy, at_least: \(word)}\n")
    let run = try gated.run()
    #expect(run.status == 65 && run.errors.contains("gate.yaml:6"), "\(run.errors)")
  }

  @Test("An empty dataset is never a pass")
  func emptyDataset() throws {
    let gated = try gated()
    try gated.workspace.write("name: gated\nsequences: []\n", to: "data/dataset.yaml")
    let run = try gated.run()
    #expect(
      run.status == 65 && run.errors.contains("dataset.yaml:2"), "\(run.output)\(run.errors)")
  }

  @Test("An unknown metric is refused with its line")
  func unknownMetric() throws {
    let gated = try gated()
    try gated.gate("  - {metric: plank.f1_marco, at_least: 0.5}\n")
    let run = try gated.run()
    #expect(run.status == 65 && run.errors.contains("gate.yaml:6"), "\(run.errors)")
    #expect(!run.output.contains("verdict"), "there is no verdict on a gate that cannot be read")
  }

  @Test(
    "What cannot be told passes, warns or stops as the rule says",
    arguments: [("pass", "pass", Int32(0)), ("warn", "pass", 0), ("fail", "inconclusive", 3)])
  func inconclusive(policy: String, verdict: String, status: Int32) throws {
    let gated = try gated("  - {metric: plank.accuracy, margin: 0.01, inconclusive: \(policy)}\n")
    try gated.answers("mixed", late: [20, 0, 15, 1, 0, 9])
    let run = try gated.run("mixed")
    expect(run, verdict, status)
    #expect(run.output.contains("1 warning") == (policy == "warn"))
    // A gate that passes for want of data says so, and which loss would not have passed.
    let isDoubtful = run.output.contains("pass (cannot tell)")
    #expect(isDoubtful == (policy != "fail"), "\(run.output)")
  }

  @Test("Several rules at once: the worst that stops decides, warnings do not")
  func severalRules() throws {
    let gated = try gated(
      "  - {metric: plank.accuracy, margin: 0.05}\n"
        + "  - {metric: plank.accuracy, at_least: 0.99, severity: warning}\n"
        + "  - {metric: \"plank.recall[high]\", tag: {view: side}, at_least: 0.5}\n"
        + "  - {metric: plank.accuracy, subject: person2, largest_drop: 0.1}\n")
    let passed = try gated.run()
    expect(passed, "pass", 0)
    #expect(passed.output.contains("1 warning"))
    try gated.answers("one", late: [3, 24, 2, 5, 3, 4])
    expect(try gated.run("one"), "regressed", 2)
  }

  @Test("Too few subjects for a rule, or a slice of nobody, is never a pass")
  func slices() throws {
    let few = try gated(
      "  - {metric: plank.accuracy, tag: {view: side}, at_least: 0.1, minimum_subjects: 4}\n")
    expect(try few.run(), "not comparable", 3)
    try few.gate("  - {metric: plank.accuracy, subject: nobody, at_least: 0.1}\n")
    expect(try few.run(), "not comparable", 3)
  }

  @Test("A slice without evidence is never a pass")
  func noEvidence() throws {
    let gated = try gated("  - {metric: plank.accuracy, at_least: 0}\n")
    try gated.answers("empty", late: Self.usual, as: "")
    for person in 1...6 {
      let path = gated.workspace.path("empty/p\(person).csv")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try gated.workspace.write(
        text.replacingOccurrences(of: ",none,", with: ",,"), to: "empty/p\(person).csv")
    }
    let run = try gated.run("empty")
    expect(run, "not comparable", 3)
    #expect(run.output.contains("no evidence"))
  }

  @Test("A baseline whose numbers were edited is not comparable")
  func editedBaseline() throws {
    let gated = try gated()
    let path = gated.workspace.path("baseline.json")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.contains("\"plank.accuracy\"")
        ? "    {\"interval\":null,\"metric\":\"plank.accuracy\",\"value\":0.5}," : String($0)
    }
    try gated.workspace.write(lines.joined(separator: "\n"), to: "baseline.json")
    let run = try gated.run()
    expect(run, "not comparable", 3)
    #expect(run.words.contains("does not follow from its answers"))
  }

  @Test("The frame cost is judged as a ratio to a calibration loop of the same process")
  func frameCost() throws {
    let gated = try gated()
    let gate =
      "dataset: data\ndetector: gravity\nrules:\n  - {metric: timing.frame_cost_ratio, at_most: "
    try gated.workspace.write(gate + "1000}\n", to: "cost.yaml")
    expect(try Program.run("gate", gated.workspace.path("cost.yaml")), "pass", 0)
    try gated.workspace.write(gate + "0}\n", to: "cost.yaml")
    expect(try Program.run("gate", gated.workspace.path("cost.yaml")), "over the limit", 2)
  }

  @Test("A bound that does not hold is a limit, and only a loss is a regression")
  func limits() throws {
    let gated = try gated("  - {metric: plank.accuracy, at_least: 0.999}\n")
    expect(try gated.run(), "below the limit", 2)
    try gated.gate(
      "  - {metric: plank.accuracy, at_least: 0.999}\n"
        + "  - {metric: plank.accuracy, largest_drop: 0.05}\n")
    try gated.answers("worse", late: [23, 25, 20, 27, 22, 26])
    expect(try gated.run("worse"), "regressed", 2)
  }

  @Test("What changed of the detector since the baseline is named")
  func changes() throws {
    let workspace = try Workspace()
    let gate = """
      dataset: \(Program.scripted)
      detector: gravity
      baseline: baseline.json
      rules: [{metric: plank.accuracy, largest_drop: 0.99}]

      """
    let path = try workspace.write(gate, to: "gate.yaml")
    let update = try Program.run("baseline", "update", path, "--reason", "first numbers")
    try #require(update.status == 0, "\(update.errors)")
    let same = try Program.run("gate", path)
    #expect(!same.output.contains("changed since"), "\(same.output)")
    try workspace.write(
      gate + "set: [elbow_split=170]\ndebounce: \"dwell:enter=0.3s,exit=0.5s\"\n",
      to: "gate.yaml")
    let run = try Program.run("gate", path)
    #expect(run.output.contains("changed since the baseline:"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("elbow_split 140 deg -> 170 deg"), "\(run.output)")
    #expect(run.output.contains("debounce "), "\(run.output)")
    try workspace.write(gate.replacing("gravity", with: "trunk"), to: "gate.yaml")
    let other = try Program.run("gate", path, "--verbose")
    #expect(other.words.contains("detector gravity -> trunk"), "\(other.output)")
    #expect(other.words.contains("rules: "), "\(other.output)")
  }
}
