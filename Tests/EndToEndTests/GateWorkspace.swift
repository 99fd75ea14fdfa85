import Foundation

/// A copy of a small dataset with a gate, for scenarios that change one thing.
struct GateWorkspace {
  let workspace: Workspace

  init(people: Int = 6) throws {
    workspace = try Workspace()
    for person in 1...6 { try record(person) }
    try manifest(people: people)
  }

  /// Writes the recording of one person: the first 80 frames of a committed one.
  private func record(_ person: Int) throws {
    let source = Program.root.appendingPathComponent("datasets/scripted/s01-floor.poses.jsonl")
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
      let text = try String(
        contentsOfFile: workspace.path("data/p\(index + 1).poses.jsonl"), encoding: .utf8)
      var rows = ["t,plank,form"]
      var held = 0
      for line in text.split(separator: "\n").dropFirst() {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let time = (value as? [String: Any])?["t"] as? Double ?? 0
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
