package import PoseModel

/// A class that is answered but never true on the data of a rule.
///
/// It has no recall, and its F1 is 0 whatever it lasts: one frame of it would weigh as much in a
/// mean over classes as all frames of a true class. Gates leave it out on both sides.
package struct StrayClass: Hashable, Sendable, Codable {
  package enum Change: String, CaseIterable, Hashable, Sendable, Codable {
    case joined
    case left
    case stayed
  }

  package let label: String
  package let now: Seconds
  package let before: Seconds?

  private enum CodingKeys: String, CodingKey {
    case label = "class"
    case now = "now_s"
    case before = "baseline_s"
  }

  /// How it differs; a class counts as joined without a reference.
  package var change: Change {
    guard now.value > 0 else { return .left }
    return (before?.value ?? 0) > 0 ? .stayed : .joined
  }

  static func all(
    _ own: [SequenceScores], _ other: [SequenceScores]?, _ stream: AnswerStream
  ) -> [StrayClass] {
    let now = PooledCounts(own, stream).seconds
    let before = other.map { PooledCounts($0, stream).seconds }
    return now.labels.indices.filter { now.truthTotal($0) == 0 }.compactMap { code in
      func answered(_ matrix: ConfusionMatrix<Double>) -> Seconds {
        Seconds(matrix.labels.indices.reduce(0) { $0 + matrix[$1, code] })
      }
      let stray = StrayClass(
        label: now.labels[code], now: answered(now), before: before.map(answered))
      return stray.now.value > 0 || (stray.before?.value ?? 0) > 0 ? stray : nil
    }
  }
}
