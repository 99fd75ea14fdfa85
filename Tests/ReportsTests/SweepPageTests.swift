import Foundation
import Testing
import Tuning

@testable import Reports

@Suite("The page of a sweep")
struct SweepPageTests {
  private static let hostile = "</b><img src=x onerror=alert(1)>"

  private static func cell(
    _ id: Int, _ angle: Int, _ accuracy: Double, _ latency: Double, isFeasible: Bool = true
  ) -> String {
    """
    {"configuration": \(id), "detector": "gravity", "smoothing": "none", "feasible": \(isFeasible),
     "parameters": [{"parameter": "elbow_split", "unit": "deg", "value": \(angle),
                     "default": 140}],
     "values": {"plank.balanced_accuracy": \(accuracy),
                "plank.detection_latency_p50_s": \(latency)}}
    """
  }

  /// A saved sweep of the plank stream.
  private static func saved(
    _ cells: [String], question: String = "Which?"
  ) throws -> ResultEnvelope<SweepSummary> {
    let title = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
    let text = """
      {"schema_version": 2, "program": "planklab", "command": "sweep", "provenance": {},
       "result": {"run": "r1", "question": \(title), "frames": 100, "shard": "1/1",
        "configurations": 12, "engine": "scalar", "streams": [{"stream": "plank", "configurations": 12,
         "rejected": 0, "feasible": 12, "tolerance": 0.01,
         "constraints": [{"metric": "plank.hit_rate", "side": ">=", "bound": 0.5}],
         "metrics": ["plank.balanced_accuracy", "plank.detection_latency_p50_s"],
         "best": [\(cells.joined(separator: ","))]}]}}
      """
    return try JSONDecoder().decode(ResultEnvelope<SweepSummary>.self, from: Data(text.utf8))
  }

  @Test("Cells say what they gain and lose against the best, which no listed cell beats")
  func trades() throws {
    let html = try Self.saved([
      Self.cell(0, 100, 0.9, 0.125), Self.cell(5, 105, 0.9, 0.125), Self.cell(9, 140, 0.9, 0),
      Self.cell(7, 150, 0.85, 0),
    ]).page.html.text
    #expect(html.contains("<h1>Best on this data: gravity, elbow_split 140 deg for plank.</h1>"))
    #expect(html.contains("▼ worse: <code>detection_latency_p50_s</code> 0.000 → 0.125 s"))
    #expect(html.contains("▼ worse: <code>balanced_accuracy</code> 0.900 → 0.850"))
    #expect(html.contains("1 more configuration with the same numbers"))
    #expect(html.contains(">0.9000<") && html.contains("✓ the best"))
    #expect(html.contains("plank: no listed configuration beats the defaults."))
  }

  @Test("Without a cell that keeps the constraints, or any cell, the page says so")
  func empty() throws {
    let broken = try Self.saved([Self.cell(0, 100, 0.9, 0.1, isFeasible: false)])
    #expect(
      broken.page.html.text.contains("plank: no configuration meets plank.hit_rate &gt;= 0.5."))
    #expect(broken.page.html.text.contains("✕ constraints broken"))
    let none = try Self.saved([]).page.html.text
    #expect(none.contains("No configuration has a score; label the recordings first."))
  }

  @Test("Names that are made to do harm stay texts")
  func hostileNames() throws {
    let html = try Self.saved([], question: Self.hostile).page.html.text
    #expect(!html.contains("<img") && html.contains("&lt;img src=x"))
  }
}
