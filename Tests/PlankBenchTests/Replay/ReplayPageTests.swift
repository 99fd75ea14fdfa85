import Evaluation
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import Testing

@testable import PlankBench

@Suite("The page of a replayed session")
struct ReplayPageTests {
  private static let hostile = "</b><img src=x onerror=alert(1)>"

  private static func session(_ pauses: String) -> String {
    """
    {"score_by_frames": 78.2, "score_by_time": 77.5, "score_late": 68.6, "active_s": 7.7,
     "longest_stretch_s": 6.3, "graded_s": 7, "stretches": 1, "long_enough": true,
     "end": {"state": "ended", "reason": "finished", "time_s": 18}, "segments": [],
     "pauses": [\(pauses)]}
    """
  }

  private static let pause = """
    {"reason": "bad_form", "cause_start_s": 10.6, "start_s": 11.1, "deadline_s": 21.1,
     "end_s": 18, "resumed": false}
    """

  /// A saved replay of 18 s.
  private static func saved(
    labels: String? = session(pause), answers: String = session(pause), title: String = "walk"
  ) throws -> ResultEnvelope<SessionReplay> {
    let name = String(decoding: try JSONEncoder().encode(title), as: UTF8.self)
    let text = """
      {"schema_version": 2, "program": "planklab", "command": "replay", "provenance": {},
       "result": {"detector": "gravity", "parameters": [], "notes": [],
        "holds": {"labeled": true, "labels": {"total_s": 9.1, "longest_s": 2.5},
         "answers": {"total_s": 10.3, "longest_s": 2.5}},
        "sessions": {\(labels.map { "\"labels\": \($0)," } ?? "")
         "answers": \(answers), "answers_by_grade": \(session(""))},
        "explain": {"places": {\(name): ["data", \(name)]}, "options": []},
        "timeline": {"title": \(name), "subtitle": "detector gravity", "start_s": 0, "end_s": 18,
         "ribbons": [{"name": "session, answers", "spans": [
           {"start_s": 0, "end_s": 11.1, "state": "active"},
           {"start_s": 11.1, "end_s": 18, "state": "paused", "caption": "paused: bad form"}]}]}}}
      """
    return try JSONDecoder().decode(ResultEnvelope<SessionReplay>.self, from: Data(text.utf8))
  }

  @Test("The answer, the numbers and every pause with its cause and times are those of the result")
  func pauses() throws {
    let html = try Self.saved().page.html.text
    #expect(html.contains("<h1>Planks are held for 10.3 s (labels: 9.1 s)."))
    #expect(html.contains("<b>bad form</b> since 10.60 s, paused 11.10 s to 18.00 s"))
    #expect(html.contains("<title>paused: bad form, 11.10 to 18.00 s</title>"))
    #expect(html.contains("x=\"61.67%\" width=\"38.33%\""))
    #expect(html.contains("planklab explain data walk --at 10.6"))
    #expect(html.contains("Pauses as the labels do") && html.contains(">10.3<small>s</small>"))
  }

  @Test("A session that pauses otherwise than its labels, and one without pauses, say so")
  func differs() throws {
    let html = try Self.saved(answers: Self.session("")).page.html.text
    #expect(html.contains("Pauses differ from the labels") && html.contains("No pause."))
  }

  @Test("Without labels nothing is judged")
  func unlabeled() throws {
    let html = try Self.saved(labels: nil).page.html.text
    #expect(!html.contains("class=\"pill\"") && !html.contains("Pauses: labels"))
  }

  @Test("Names that are made to do harm stay texts")
  func hostileNames() throws {
    let html = try Self.saved(title: Self.hostile).page.html.text
    #expect(!html.contains("<img") && html.contains("&lt;img src=x"))
  }
}
