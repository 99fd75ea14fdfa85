internal import PoseModel

/// In seconds; each frame is as long as its sequence's median interval, as in `confusion_seconds`.
package struct PlankTime: Codable, Hashable, Sendable {
  package let none: Double
  package let falsePlank: Double
  /// `falsePlank` / `none`, 0...1.
  package let falseShare: MetricValue
  package let plank: Double
  package let missed: Double
  package let mistaken: Double

  private enum CodingKeys: String, CodingKey {
    case none = "none_s"
    case falsePlank = "false_plank_s"
    case falseShare = "false_plank_share"
    case plank = "plank_s"
    case missed = "missed_s"
    case mistaken = "mistaken_s"
  }

  package init(_ seconds: ConfusionMatrix<Double>) {
    let planks = seconds.labels.indices.dropFirst()
    let total = seconds.truthTotal(0)
    let wrong = planks.reduce(0) { $0 + seconds[0, $1] }
    none = total
    falsePlank = wrong
    falseShare = .ratio(wrong, total, orElse: .noTruth)
    plank = planks.reduce(0) { $0 + seconds.truthTotal($1) }
    missed = planks.reduce(0) { $0 + seconds[$1, 0] }
    mistaken = planks.reduce(0) { sum, truth in
      sum + planks.reduce(0) { $1 == truth ? $0 : $0 + seconds[truth, $1] }
    }
  }

  package var wrong: Double { falsePlank + missed + mistaken }
}

package struct ActivityScore: Codable, Hashable, Sendable {
  package let activity: String?
  package let sequences: Int
  package let people: Int
  package let seconds: ConfusionMatrix<Double>
  package let time: PlankTime

  private enum CodingKeys: String, CodingKey {
    case activity, sequences, people
    case seconds = "confusion_seconds"
    case time
  }

  private init(_ activity: String?, _ parts: [(SequenceScores, ActivityCounts)]) {
    self.activity = activity
    sequences = parts.count
    people = Set(parts.map(\.0.subject)).count
    var seconds = ConfusionMatrix<Double>(labels: AnswerStream.plank.labels)
    for (scores, counts) in parts {
      seconds += counts.confusion(.plank).weighted(by: scores.frameWeight.value)
    }
    self.seconds = seconds
    time = PlankTime(seconds)
  }

  /// The activity with the most wrong seconds first, ties by name; empty if no sequence has
  /// activities.
  package static func all(_ sequences: [SequenceScores]) -> [ActivityScore] {
    guard sequences.contains(where: { !$0.activities.isEmpty }) else { return [] }
    var parts: [String?: [(SequenceScores, ActivityCounts)]] = [:]
    for scores in sequences {
      let own =
        scores.activities.isEmpty ? [ActivityCounts(whole: scores)] : scores.activities
      for counts in own where counts.confusion(.plank).total > 0 {
        parts[counts.activity, default: []].append((scores, counts))
      }
    }
    return parts.map { ActivityScore($0.key, $0.value) }.sorted {
      ($1.time.wrong, $0.activity ?? "") < ($0.time.wrong, $1.activity ?? "")
    }
  }

  /// The answer that is wrong for longest while the person does this, with the true class and its
  /// seconds; nil if all is right.
  package var worst: (truth: String, answer: String, seconds: Double)? {
    let labels = seconds.labels
    let cells = labels.indices.flatMap { truth in
      labels.indices.filter { $0 != truth }.map { (truth, $0, seconds[truth, $0]) }
    }
    guard let most = cells.max(by: { $0.2 < $1.2 }), most.2 > 0 else { return nil }
    return (labels[most.0], labels[most.1], most.2)
  }
}

package struct ActivityChange: Codable, Hashable, Sendable {
  package let activity: String?
  package let before: PlankTime
  package let after: PlankTime

  package static func all(
    _ before: [SequenceScores], _ after: [SequenceScores]
  ) -> [ActivityChange] {
    let later = Dictionary(
      uniqueKeysWithValues: ActivityScore.all(after).map { ($0.activity, $0.time) })
    let changes = ActivityScore.all(before).compactMap { score in
      later[score.activity].map {
        ActivityChange(activity: score.activity, before: score.time, after: $0)
      }
    }
    return changes.sorted {
      ($1.change.magnitude, $0.activity ?? "") < ($0.change.magnitude, $1.activity ?? "")
    }
  }

  package var change: Double { after.wrong - before.wrong }
}
