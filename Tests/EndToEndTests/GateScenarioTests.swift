import Foundation
import TestSupport
import Testing

@Suite("Gate scenarios")
struct GateScenarioTests {
  private static let margin = "  - {metric: plank.accuracy, margin: 0.05}\n"

  /// A workspace whose baseline is the usual answers.
  private func gated(_ rules: String = margin) throws -> GateWorkspace {
    try GateWorkspace(rules: rules).updated()
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

  @Test("A real regression fails, with people, sequences and moments")
  func regression() throws {
    let gated = try gated()
    try gated.answers("worse", late: [23, 25, 20, 27, 22, 26])
    let screen = try gated.run("worse")
    expect(screen, "regressed", 2)
    let lines = screen.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 37 && lines.allSatisfy { $0.count <= 80 }, "\(screen.output)")
    #expect(lines[0].hasPrefix("Do not merge: plank.accuracy is worse by "), "\(lines[0])")
    #expect(screen.output.contains("high -> none"), "\(screen.output)")
    let run = try gated.run("worse", "--verbose")
    expect(run, "regressed", 2)
    for words in ["person4", "worst sequences", "worst moments", "high -> none"] {
      #expect(run.output.contains(words), "\(words)")
    }
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
    #expect(run.words.contains("labels have changed") && !run.words.contains("poses differ"))
  }

  @Test("Changed poses are told from changed labels")
  func changedPoses() throws {
    let gated = try gated()
    try gated.workspace.replace(
      "\"body_height_m\":1.62", with: "\"body_height_m\":1.63", in: "data/p1.poses.jsonl")
    let run = try gated.run()
    expect(run, "not comparable", 3)
    #expect(run.words.contains("poses differ") && !run.words.contains("labels have changed"))
  }

  @Test("A baseline is not written from a dirty tree unless told")
  func dirtyTree() throws {
    let gated = try GateWorkspace(rules: Self.margin)
    try gated.workspace.shell(
      "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first"
    ).expect(0)
    try gated.update().expect(65, errors: "--allow-dirty", "answers/p1.csv, ", " more; ")
    try Program.run(
      "baseline", "update", gated.workspace.path("gate.yaml"), "--reason", "a test",
      "--allow-dirty"
    ).expect(0)
    let kept = try Program.run("baseline", "show", gated.workspace.path("baseline.json"))
    #expect(kept.output.contains("tree: dirty"))
  }

  @Test("An undefined metric is never a pass")
  func undefinedMetric() throws {
    let gated = try gated("  - {metric: \"plank.recall[sideLeft]\", at_least: 0.5}\n")
    expect(try gated.run(), "not comparable", 3)
  }

  @Test("NaN is refused, in rules and in baselines", arguments: [".nan", "nan"])
  func notANumber(word: String) throws {
    let gated = try gated()
    try gated.workspace.replace(
      "\"frame_cost_ratio\": null", with: "\"frame_cost_ratio\": \(word)", in: "baseline.json")
    try gated.run().expect(65)
    try gated.gate("  - {metric: plank.accuracy, at_least: \(word)}\n")
    try gated.run().expect(65, errors: "gate.yaml:6")
  }

  @Test("An empty dataset is never a pass")
  func emptyDataset() throws {
    let gated = try gated()
    try gated.workspace.write("name: gated\nsequences: []\n", to: "data/dataset.yaml")
    try gated.run().expect(65, errors: "dataset.yaml:2")
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
    try gated.answers("empty", late: GateWorkspace.usual, as: "")
    for person in 1...6 {
      try gated.workspace.replace(",none,", with: ",,", in: "empty/p\(person).csv")
    }
    let run = try gated.run("empty")
    expect(run, "not comparable", 3)
    #expect(run.output.contains("no evidence"))
  }

  @Test("A baseline whose numbers were edited is not comparable")
  func editedBaseline() throws {
    let gated = try gated()
    let lines = try gated.workspace.text("baseline.json").split(separator: "\n").map {
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
}

@Suite("Gates without an interval")
struct GateCollapseTests {
  private func gated(_ people: Int, _ rule: String = "margin: 0.02") throws -> GateWorkspace {
    try GateWorkspace(
      people: people, rules: "  - {metric: plank.accuracy, \(rule)}\n",
      late: Array(repeating: 0, count: people)
    ).updated()
  }

  @Test("Three people who lose alike are too few to tell; a largest drop finds them")
  func fewAlike() throws {
    let gated = try gated(3)
    try gated.answers("worse", late: [20, 20, 20])
    try gated.run("worse").expect(0, output: "its rules are inconclusive")
    let all = try gated.run("worse", "--verbose")
    #expect(all.output.contains("too few people to tell"), "\(all.output)")
    try gated.gate("  - {metric: plank.accuracy, margin: 0.02, largest_drop: 0.1}\n")
    try gated.run("worse").expect(2)
  }

  @Test("One person is too few for a margin")
  func onePerson() throws {
    let gated = try gated(1)
    try gated.answers("worse", late: [20])
    try gated.run("worse").expect(3, words: "a margin needs 2 or more people")
  }
}

@Suite("Gate without a detector")
struct DefaultDetectorTests {
  private static func workspace() throws -> GateWorkspace {
    let gated = try GateWorkspace()
    let rules = "rules:\n  - {metric: plank.f1_macro, largest_drop: 0.05}\n"
    let head = "dataset: data\nbaseline: baseline.json\n"
    try gated.workspace.write(head + "detector: gravity\n" + rules, to: "named.yaml")
    try gated.workspace.write(head + rules, to: "open.yaml")
    try Program.run(
      "baseline", "update", gated.workspace.path("named.yaml"), "--reason", "old", "--allow-dirty"
    ).expect(0)
    return gated
  }

  @Test("A baseline of the former default is not comparable, and both ways on are named")
  func former() throws {
    let gated = try Self.workspace()
    let run = try Program.run("gate", gated.workspace.path("open.yaml")).expect(3)
    #expect(run.words.contains("the default detector changed from gravity to coach"))
    #expect(run.words.contains("`detector: gravity`") && run.words.contains("`detector: coach`"))
  }
}

@Suite("Edited baselines")
struct EditedBaselineTests {
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
      words: "claims 7 subjects, but its answers are from 6"),
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
    let gated = try GateWorkspace(rules: "  - {metric: plank.accuracy, at_least: 0.1}\n").updated()
    let text = try gated.workspace.text("baseline.json")
    let changed = text.replacing(edit.from, with: edit.to, maxReplacements: 1)
    try #require(changed != text, "\(text.prefix(1500))")
    try gated.workspace.write(changed, to: "baseline.json")
    let run = try gated.run().expect(3)
    let said = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(said.contains(edit.words), "\(run.output)")
  }
}

@Suite("Changes put back by a gate")
struct PutBackTests {
  private func gated() throws -> Workspace {
    let workspace = try Workspace()
    let data = Repository.file("datasets/scripted").path
    try workspace.write(
      "dataset: \(data)\nparameters: thresholds.json\nbaseline: baseline.json\nrules:\n"
        + "  - {metric: plank.f1_macro, largest_drop: 0.02}\n", to: "gate.yaml")
    try workspace.writeThresholds(["elbow_split": 140], to: "thresholds.json")
    try run(workspace, "baseline", "update", "--reason", "test", "--allow-dirty").expect(0)
    return workspace
  }

  private func run(_ workspace: Workspace, _ command: String...) throws -> Program.Run {
    let words = command.prefix(command.first == "baseline" ? 2 : 1)
    return try Program.run(
      Array(words) + [workspace.path("gate.yaml")] + command.dropFirst(words.count))
  }

  private func diagnosis(_ workspace: Workspace) throws -> [String: Any]? {
    try run(workspace, "gate", "--format", "json").result()["diagnosis"] as? [String: Any]
  }

  @Test("The change that broke the rule is named, the other is not, and the gate holds without it")
  func named() throws {
    let workspace = try gated()
    try workspace.writeThresholds(
      ["elbow_split": 178, "grade_good": 0.031], to: "thresholds.json")
    let stopped = try run(workspace, "gate").expect(2)
    #expect(
      stopped.output.hasPrefix("Do not merge: put `elbow_split` back to 140 deg"),
      "\(stopped.output)")
    #expect(stopped.words.contains("`elbow_split` 140 -> 178 deg turns "), "\(stopped.output)")
    #expect(stopped.words.contains("putting `grade_good` back fixes no rule"), "\(stopped.output)")
    try run(workspace, "gate", "--set", "elbow_split=140deg").expect(0)
    #expect(try diagnosis(workspace)?["differing_sequences"] as? Int == 0)
  }

  @Test("A gate that passes puts nothing back")
  func passing() throws {
    let workspace = try gated()
    try workspace.writeThresholds(["elbow_split": 140.5], to: "thresholds.json")
    try run(workspace, "gate").expect(0)
    #expect(try diagnosis(workspace) == nil)
  }

  @Test("Smoothing and debounce are put back, too")
  func strategies() throws {
    let workspace = try gated()
    let run = try run(
      workspace, "gate", "--smoothing", "ema:cutoff=0.02Hz", "--debounce", "dwell:enter=9s,exit=9s"
    ).expect(2)
    #expect(run.words.contains("`smoothing`") && run.words.contains("`debounce`"), "\(run.output)")
  }

  @Test("Settings of the command line do not mix with saved answers")
  func answers() throws {
    let workspace = try gated()
    try run(workspace, "gate", "--predictions", "answers", "--set", "sag=3cm").expect(
      64, errors: "saved answers")
  }
}

/// A copy of a small dataset with a gate, for scenarios that change one thing.
struct GateWorkspace {
  /// By how many frames the answers of six people are late.
  static let usual = [3, 4, 2, 5, 3, 4]

  let workspace: Workspace

  /// Makes the dataset; with rules also a gate, and the answers that it judges.
  init(people: Int = 6, rules: String? = nil, late: [Int] = usual) throws {
    workspace = try Workspace()
    for person in 1...6 { try record(person) }
    try manifest(people: people)
    guard let rules else { return }
    try gate(rules)
    try answers("answers", late: late)
  }

  /// Makes the answers the baseline.
  func updated() throws -> GateWorkspace {
    try update().expect(0)
    return self
  }

  /// Writes the recording of one person: the first 80 frames of a committed one.
  private func record(_ person: Int) throws {
    let source = Repository.file("datasets/scripted/s01-floor.poses.jsonl")
    let poses = try String(contentsOf: source, encoding: .utf8)
      .replacingOccurrences(of: "\"subject\":\"s01\"", with: "\"subject\":\"person\(person)\"")
    let lines = poses.split(separator: "\n").prefix(81)
    try workspace.write(lines.joined(separator: "\n") + "\n", to: "data/p\(person).poses.jsonl")
    try label(person)
  }

  func label(_ person: Int, switching: Double = 1, class name: String = "high") throws {
    try workspace.write(
      "start,end,plank,form\n0,\(switching),none,\n\(switching),60,\(name),aligned\n",
      to: "data/p\(person).labels.csv")
  }

  func manifest(people: Int) throws {
    let entries = (1...6).prefix(people).map { person in
      "  - poses: p\(person).poses.jsonl\n    labels: p\(person).labels.csv\n"
        + "    subject: person\(person)\n    tags: {view: \(person < 4 ? "side" : "front")}\n"
    }
    try workspace.write(
      "name: gated\nsequences:\n" + entries.joined(), to: "data/dataset.yaml")
  }

  /// Writes answers: each person is right but for some frames before the change.
  func answers(_ folder: String, late: [Int], as label: String = "high") throws {
    for (index, frames) in late.enumerated() {
      let text = try workspace.text("data/p\(index + 1).poses.jsonl")
      var rows = ["t,plank,form"]
      var held = 0
      for line in text.split(separator: "\n").dropFirst() {
        let time = try Program.object(line)["t"] as? Double ?? 0
        let isHeld = time >= 1
        if isHeld { held += 1 }
        rows.append("\(time),\(isHeld && held > frames ? label : "none"),aligned")
      }
      try workspace.write(
        rows.joined(separator: "\n") + "\n", to: "\(folder)/p\(index + 1).csv")
    }
  }

  func gate(_ rules: String, predictions: String = "answers") throws {
    try workspace.write(
      "dataset: data\npredictions: \(predictions)\nbaseline: baseline.json\nresamples: 1000\n"
        + "rules:\n" + rules, to: "gate.yaml")
  }

  func update(_ folder: String = "answers") throws -> Program.Run {
    try Program.run(
      "baseline", "update", workspace.path("gate.yaml"), "--reason", "a test", "--predictions",
      workspace.path(folder))
  }

  func run(_ folder: String = "answers", _ more: String...) throws -> Program.Run {
    try Program.run(
      ["gate", workspace.path("gate.yaml"), "--predictions", workspace.path(folder)] + more)
  }
}
