package import PoseModel

extension SequenceOutcome {
  /// How long answers of a class took to follow the truth, and to let it go, under any rule.
  ///
  /// - Complexity: O(frames).
  package func latencies(
    _ stream: AnswerStream, of code: UInt8, rule: LatencyRule = .standard
  ) -> (detections: [Latency], releases: [Latency]) {
    var result: (detections: [Latency], releases: [Latency]) = ([], [])
    for span in ScoredStream(self, stream).spans {
      let scan = LatencyScan(rule: rule, span: span.reduced { $0 == code }, times: times)
      result.detections += scan.detections
      result.releases += scan.releases
    }
    return result
  }
}
