import Foundation
import Testing

/// Hold time and longest hold have one definition, whichever command says them.
@Suite("Holds of a replay")
struct ReplayHoldTests {
  private func json(_ arguments: [String]) throws -> [String: Any] {
    let run = try Program.run(arguments + ["--format", "json"])
    try #require(run.status == 0, "\(run.errors)")
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require((value as? [String: Any])?["result"] as? [String: Any])
  }

  private func hold(_ replay: [String: Any], _ key: String) throws -> (Double, Double) {
    let holds = try #require(replay["holds"] as? [String: Any])
    func seconds(_ side: String) throws -> Double {
      try #require((holds[side] as? [String: Any])?[key] as? Double)
    }
    return (try seconds("labels"), try seconds("answers"))
  }

  @Test("What replays of all sequences say adds up to what `evaluate` says")
  func sums() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Program.scripted)
      .filter { $0.contains(".poses.jsonl") }
    let replays = try names.map { try json(["replay", Program.scripted + "/" + $0]) }
    let totals = try replays.map { try hold($0, "total_s") }
    let longest = try replays.map { try hold($0, "longest_s") }
    let found = try EvaluationJSON(Program.scripted)
    func total(_ key: String) -> Double? {
      found["streams", "plank", "over_time", "holds", "counts", key] as? Double
    }
    let expected = [
      (total("true_s"), totals.reduce(0) { $0 + $1.0 }),
      (total("answered_s"), totals.reduce(0) { $0 + $1.1 }),
      (
        found.metric("session.hold_error_s"),
        totals.reduce(0) { $0 + abs($1.1 - $1.0) } / Double(names.count)
      ),
      (
        found.metric("session.longest_hold_error_s"),
        longest.reduce(0) { $0 + abs($1.1 - $1.0) } / Double(names.count)
      ),
    ]
    for (said, value) in expected { #expect(abs(try #require(said) - value) < 1e-9) }
    #expect(totals.contains { $0.0 != $0.1 }, "the errors are not all 0")
  }

  /// A copy of a scripted recording with other labels, or none.
  private func replay(labels: String?, in workspace: Workspace) throws -> [String: Any] {
    let source = URL(fileURLWithPath: Program.scripted + "/s01-floor.poses.jsonl")
    let path = try workspace.write(Data(contentsOf: source), to: "a.poses.jsonl")
    if let labels { try workspace.write(labels, to: "a.labels.csv") }
    return try json(["replay", path])
  }

  @Test("Ignored frames do not count, and a gap beyond 0.5 s ends a hold")
  func rules() throws {
    let workspace = try Workspace()
    let rows = "0,2,high,aligned\n2,2.4,none,\n2.4,4,high,aligned\n4,5,none,\n5,6,high,aligned\n"
    let replay = try replay(
      labels: "start,end,plank,form\n" + rows + "6,60,ignore,\n", in: workspace)
    let (total, longest) = (try hold(replay, "total_s").0, try hold(replay, "longest_s").0)
    #expect(abs(total - 4.6) < 0.11, "\(total)")
    #expect(abs(longest - 4) < 0.11, "\(longest)")
  }

  @Test("Without labels every frame counts; without a scored frame none does, with the reason")
  func unlabeled() throws {
    func undefined(_ replay: [String: Any], _ side: String) throws -> String? {
      let holds = try #require(replay["holds"] as? [String: Any])
      let total = try #require((holds[side] as? [String: Any])?["total_s"] as? [String: Any])
      #expect(total["value"] is NSNull)
      return total["reason"] as? String
    }
    let whole = try replay(labels: nil, in: Workspace())
    let answers = (whole["holds"] as? [String: Any])?["answers"] as? [String: Any]
    #expect(try #require(answers?["total_s"] as? Double) > 1)
    #expect(try undefined(whole, "labels") == "there are no labels")
    let ignored = try replay(labels: "start,end,plank,form\n0,60,ignore,\n", in: Workspace())
    #expect(try undefined(ignored, "answers") == "no frame is scored")
  }
}
