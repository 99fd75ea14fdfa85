import PoseModel

@testable import Evaluation

extension SequenceOutcome {
  /// How long answers of a class took to follow the truth, and to release it, under any rule.
  ///
  /// - Complexity: O(frames).
  func latencies(
    _ stream: AnswerStream, of code: UInt8, rule: LatencyRule = .standard
  ) -> (detections: [Latency], releases: [Latency]) {
    let scored = ScoredStream(self, stream)
    return LatencySpans(scored, scored.spans).latencies(rule: rule) { $0 == code }
  }
}
