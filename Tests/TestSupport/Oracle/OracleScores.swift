/// Pooled scores of one stream over several sequences (`docs/metrics.md`, Classification).
package struct OracleScores: Sendable, Equatable {
  /// Classes in the contract's order.
  package let classes: [String]
  /// Frames; rows truth, columns answers.
  package let confusion: [[Int]]
  /// Seconds: each sequence's frames times its median frame interval.
  package let confusionSeconds: [[Double]]
  /// Share of scored frames that were determined, in frames.
  package let determinedShare: Double?
  /// The same by truth class.
  package let determinedShareByClass: [Double?]
  /// The same, weighted by the sequences' median intervals.
  package let determinedShareSeconds: Double?
  /// The same by truth class, weighted by the sequences' median intervals.
  package let determinedShareSecondsByClass: [Double?]
  /// Changes of the answer.
  package let predictedTransitions: Int
  /// Changes of the truth.
  package let trueTransitions: Int
  /// Short excursions of the answer while the truth stays.
  package let flickers: Int
  /// Seconds of scored frames in time mode.
  package let evaluatedSeconds: Double
  /// Frames without truth.
  package let unscoredFrames: Int

  /// Scores sequences that share a stream.
  package init(classes: [String], sequences: [OracleSequence]) {
    self.classes = classes
    let matrices = sequences.map { OracleScores.count($0, classes) { _ in true } }
    let determined = sequences.map { sequence in
      OracleScores.count(sequence, classes) { sequence.isDetermined[$0] }
    }
    let ones = sequences.map { _ in 1.0 }
    let intervals = sequences.map(\.medianInterval)
    let frames = OracleScores.pool(matrices, ones, classes.count)
    let seconds = OracleScores.pool(matrices, intervals, classes.count)
    confusion = frames.map { row in row.map { Int($0) } }
    confusionSeconds = seconds
    let inFrames = OracleScores.shares(OracleScores.pool(determined, ones, classes.count), frames)
    determinedShare = inFrames.overall
    determinedShareByClass = inFrames.byClass
    let inSeconds = OracleScores.shares(
      OracleScores.pool(determined, intervals, classes.count), seconds)
    determinedShareSeconds = inSeconds.overall
    determinedShareSecondsByClass = inSeconds.byClass
    predictedTransitions = sequences.map(\.predictedTransitions).reduce(0, +)
    trueTransitions = sequences.map(\.trueTransitions).reduce(0, +)
    flickers = sequences.map(\.flickers).reduce(0, +)
    evaluatedSeconds = sequences.map(\.evaluatedSeconds).reduce(0, +)
    unscoredFrames = sequences.map { $0.truth.filter { $0 == nil }.count }.reduce(0, +)
  }

  /// Metrics of the pooled seconds: the headline.
  package var metrics: OracleMetrics { OracleMetrics(confusionSeconds) }

  /// Metrics of the frame counts.
  package var frameMetrics: OracleMetrics {
    OracleMetrics(confusion.map { row in row.map { Double($0) } })
  }

  /// Predicted transitions per minute; nil without evaluated time.
  package var transitionsPerMinute: Double? { perMinute(predictedTransitions) }

  /// Predicted transitions above the true number, a minute.
  package var excessTransitionsPerMinute: Double? {
    perMinute(max(0, predictedTransitions - trueTransitions))
  }

  /// Flickers a minute.
  package var flickersPerMinute: Double? { perMinute(flickers) }

  private func perMinute(_ count: Int) -> Double? {
    evaluatedSeconds > 0 ? Double(count) / (evaluatedSeconds / 60) : nil
  }

  private static func count(
    _ sequence: OracleSequence, _ classes: [String], where includes: (Int) -> Bool
  ) -> [[Double]] {
    classes.map { truth in
      classes.map { answer in
        let frames = sequence.times.indices.filter {
          includes($0) && sequence.truth[$0] == truth && sequence.answers[$0] == answer
        }
        return Double(frames.count)
      }
    }
  }

  private static func pool(
    _ matrices: [[[Double]]], _ weights: [Double], _ size: Int
  ) -> [[Double]] {
    (0..<size).map { row in
      (0..<size).map { column in
        zip(matrices, weights).map { $0[row][column] * $1 }.reduce(0, +)
      }
    }
  }

  private static func shares(
    _ part: [[Double]], _ whole: [[Double]]
  ) -> (overall: Double?, byClass: [Double?]) {
    let parts = part.map { $0.reduce(0, +) }
    let wholes = whole.map { $0.reduce(0, +) }
    let total = wholes.reduce(0, +)
    return (
      total > 0 ? parts.reduce(0, +) / total : nil,
      zip(parts, wholes).map { $1 > 0 ? $0 / $1 : nil }
    )
  }
}
