/// Truth and answers of one stream of one recording, frame by frame.
package struct OracleSequence: Sendable, Equatable {
  /// Frame times in seconds, strictly increasing.
  package var times: [Double]
  /// Truth; nil = not scored.
  package var truth: [String?]
  /// Steady answers.
  package var answers: [String]
  /// The stream's list was determined in the frame.
  package var isDetermined: [Bool]

  /// Makes a sequence; all arrays have one element per frame.
  package init(times: [Double], truth: [String?], answers: [String], isDetermined: [Bool]) {
    precondition(times.count == truth.count && times.count == answers.count)
    precondition(times.count == isDetermined.count)
    self.times = times
    self.truth = truth
    self.answers = answers
    self.isDetermined = isDetermined
  }

  /// The plank stream of a replay.
  package static func plank(_ frames: [OracleFrame], _ labels: OracleLabels) -> OracleSequence {
    OracleSequence(
      times: frames.map(\.time), truth: frames.map { labels.plank(at: $0.time) },
      answers: frames.map(\.plank), isDetermined: frames.map { $0.plankRaw != nil })
  }

  /// The form stream of a replay; `endToEnd` scores only frames whose plank answer is right.
  package static func form(
    _ frames: [OracleFrame], _ labels: OracleLabels, endToEnd: Bool = false
  ) -> OracleSequence {
    let truth = frames.map { frame in
      let isWrong = labels.plank(at: frame.time) != frame.plank
      return endToEnd && isWrong ? nil : labels.form(at: frame.time)
    }
    return OracleSequence(
      times: frames.map(\.time), truth: truth, answers: frames.map(\.form),
      isDetermined: frames.map { $0.formRaw != nil })
  }

  /// The same answers, scored on determined frames only.
  package var determinedOnly: OracleSequence {
    var result = self
    result.truth = zip(truth, isDetermined).map { $1 ? $0 : nil }
    return result
  }

  /// Median of the intervals of all frames, seconds; 0 for fewer than two frames.
  package var medianInterval: Double {
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    guard !intervals.isEmpty else { return 0 }
    let middle = intervals.count / 2
    return intervals.count % 2 == 1
      ? intervals[middle] : (intervals[middle - 1] + intervals[middle]) / 2
  }

  /// Seconds of scored frames, each lasting to the next frame but at most 0.5 s.
  package var evaluatedSeconds: Double {
    times.indices.filter { truth[$0] != nil }.map { index in
      index + 1 < times.count ? min(times[index + 1] - times[index], 0.5) : medianInterval
    }.reduce(0, +)
  }

  /// Changes of the answer between consecutive frames that are both scored.
  package var predictedTransitions: Int {
    scoredPairs.filter { answers[$0] != answers[$0 - 1] }.count
  }

  /// Changes of the truth between consecutive frames that are both scored.
  package var trueTransitions: Int {
    scoredPairs.filter { truth[$0] != truth[$0 - 1] }.count
  }

  /// Runs A, B, A of answers whose B is shorter than 0.5 s while the truth does not change.
  package var flickers: Int {
    let starts = times.indices.filter { $0 == 0 || answers[$0] != answers[$0 - 1] }
    return zip(starts, starts.dropFirst()).filter { start, next in
      guard start > 0, answers[start - 1] == answers[next] else { return false }
      let stretch = truth[(start - 1)...next]
      guard let first = stretch.first, first != nil else { return false }
      return times[next] - times[start] < 0.5 && stretch.allSatisfy { $0 == first }
    }.count
  }

  /// Indices whose frame and predecessor are both scored.
  private var scoredPairs: [Int] {
    times.indices.dropFirst().filter { truth[$0] != nil && truth[$0 - 1] != nil }
  }
}
