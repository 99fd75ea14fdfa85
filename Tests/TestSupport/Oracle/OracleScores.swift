/// Pooled scores of one stream over several sequences (`docs/metrics.md`, Classification).
package struct OracleScores: Sendable, Equatable {
  package let classes: [String]
  /// Frames; rows truth, columns answers.
  package let confusion: [[Int]]
  /// Seconds: each sequence's frames times its median frame interval.
  package let confusionSeconds: [[Double]]
  /// Share of scored frames that were determined, in frames.
  package let determinedShare: Double?
  /// The same, weighted by the sequences' median intervals.
  package let determinedShareSeconds: Double?
  /// The same by truth class, weighted by the sequences' median intervals.
  package let determinedShareSecondsByClass: [Double?]
  package let predictedTransitions: Int
  package let trueTransitions: Int
  package let flickers: Int
  /// Seconds of scored frames in time mode.
  package let evaluatedSeconds: Double

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
    determinedShare =
      OracleScores.shares(OracleScores.pool(determined, ones, classes.count), frames).overall
    let inSeconds = OracleScores.shares(
      OracleScores.pool(determined, intervals, classes.count), seconds)
    determinedShareSeconds = inSeconds.overall
    determinedShareSecondsByClass = inSeconds.byClass
    predictedTransitions = sequences.map(\.predictedTransitions).reduce(0, +)
    trueTransitions = sequences.map(\.trueTransitions).reduce(0, +)
    flickers = sequences.map(\.flickers).reduce(0, +)
    evaluatedSeconds = sequences.map(\.evaluatedSeconds).reduce(0, +)
  }

  /// Metrics of the pooled seconds: the headline.
  package var metrics: OracleMetrics { OracleMetrics(confusionSeconds) }

  package var excessTransitionsPerMinute: Double? {
    perMinute(max(0, predictedTransitions - trueTransitions))
  }

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
      (0..<size).map { column in zip(matrices, weights).map { $0[row][column] * $1 }.reduce(0, +) }
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

/// The metrics of `docs/metrics.md`, Classification, from one matrix (rows are truth).
///
/// An undefined metric is nil.
package struct OracleMetrics: Sendable, Equatable {
  package let accuracy: Double?
  package let balancedAccuracy: Double?
  /// Mean of the defined F1 scores.
  package let f1Macro: Double?
  /// Mean F1 score of the classes that occur in the truth.
  package let f1MacroTruth: Double?
  /// F1 scores weighted by the truth.
  package let f1Weighted: Double?
  package let cohenKappa: Double?
  package let matthewsCorrelation: Double?
  package let precision: [Double?]
  package let recall: [Double?]
  package let f1: [Double?]

  /// Derives all metrics from a square matrix of counts or seconds.
  package init(_ matrix: [[Double]]) {
    let classes = matrix.indices
    let hits = classes.map { matrix[$0][$0] }
    let rows = classes.map { row in matrix[row].reduce(0, +) }
    let columns = classes.map { column in matrix.map { $0[column] }.reduce(0, +) }
    let total = rows.reduce(0, +)
    let trace = hits.reduce(0, +)
    let agreement = classes.map { rows[$0] * columns[$0] }.reduce(0, +)
    precision = classes.map { columns[$0] > 0 ? hits[$0] / columns[$0] : nil }
    recall = classes.map { rows[$0] > 0 ? hits[$0] / rows[$0] : nil }
    f1 = classes.map { rows[$0] + columns[$0] > 0 ? 2 * hits[$0] / (rows[$0] + columns[$0]) : nil }
    accuracy = total > 0 ? trace / total : nil
    balancedAccuracy = OracleMetrics.mean(recall)
    f1Macro = OracleMetrics.mean(f1)
    f1MacroTruth = OracleMetrics.mean(zip(rows, f1).map { $0 > 0 ? $1 : nil })
    let weighted = zip(rows, f1).map { $0 * ($1 ?? 0) }.reduce(0, +)
    f1Weighted = total > 0 ? weighted / total : nil
    let truths = classes.filter { rows[$0] > 0 }
    let answers = classes.filter { columns[$0] > 0 }
    if total > 0 && !(truths == answers && truths.count == 1) {
      let chance = agreement / (total * total)
      cohenKappa = (trace / total - chance) / (1 - chance)
    } else {
      cohenKappa = nil
    }
    if truths.count > 1 && answers.count > 1 {
      let columnRoot = total * total - columns.map { $0 * $0 }.reduce(0, +)
      let rowRoot = total * total - rows.map { $0 * $0 }.reduce(0, +)
      matthewsCorrelation = (total * trace - agreement) / (columnRoot * rowRoot).squareRoot()
    } else {
      matthewsCorrelation = nil
    }
  }

  /// Values by the names of the metrics without the stream, as `f1[high]`.
  package func named(_ classes: [String]) -> [String: Double?] {
    var values: [String: Double?] = [
      "accuracy": accuracy, "balanced_accuracy": balancedAccuracy, "f1_macro": f1Macro,
      "f1_macro_truth": f1MacroTruth, "f1_weighted": f1Weighted, "cohen_kappa": cohenKappa,
      "matthews_correlation": matthewsCorrelation,
    ]
    for (index, name) in classes.enumerated() {
      values.updateValue(precision[index], forKey: "precision[\(name)]")
      values.updateValue(recall[index], forKey: "recall[\(name)]")
      values.updateValue(f1[index], forKey: "f1[\(name)]")
    }
    return values
  }

  private static func mean(_ values: [Double?]) -> Double? {
    let defined = values.compactMap { $0 }
    return defined.isEmpty ? nil : defined.reduce(0, +) / Double(defined.count)
  }
}

/// Truth and answers of one stream of one recording, frame by frame.
package struct OracleSequence: Sendable, Equatable {
  /// Frame times in seconds, strictly increasing.
  package var times: [Double]
  /// Truth; nil = not scored.
  package var truth: [String?]
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
  package var trueTransitions: Int { scoredPairs.filter { truth[$0] != truth[$0 - 1] }.count }

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
