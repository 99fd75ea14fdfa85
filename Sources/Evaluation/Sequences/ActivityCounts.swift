package import PoseModel

/// Frames without an activity are counted too, so that the counts of a sequence add up to the
/// whole.
package struct ActivityCounts: Hashable, Sendable {
  package let activity: String?
  private var streams: PerStream<Counts>

  private struct Counts: Hashable, Sendable {
    var confusion: ConfusionMatrix<Int>
    var determined: ConfusionMatrix<Int>

    init(_ stream: AnswerStream) {
      confusion = ConfusionMatrix(labels: stream.labels)
      determined = confusion
    }
  }

  private init(activity: String?) {
    self.activity = activity
    streams = PerStream { Counts($0) }
  }

  init(whole scores: SequenceScores) {
    self.init(activity: nil)
    for stream in AnswerStream.allCases {
      streams[stream].confusion = scores[stream].confusion
      streams[stream].determined = scores[stream].determined
    }
  }

  package func confusion(_ stream: AnswerStream) -> ConfusionMatrix<Int> {
    streams[stream].confusion
  }

  func determined(_ stream: AnswerStream) -> ConfusionMatrix<Int> { streams[stream].determined }

  private var isScored: Bool { AnswerStream.allCases.contains { confusion($0).total > 0 } }

  static func all(in outcome: SequenceOutcome) -> [ActivityCounts] {
    guard let track = outcome.activities else { return [] }
    let names = track.names
    let places = track.activities(at: outcome.times).map { $0 ?? names.count }
    var counts = names.map { ActivityCounts(activity: $0) } + [ActivityCounts(activity: nil)]
    for stream in AnswerStream.allCases {
      let (truth, answered) = (outcome.truth.codes(stream), outcome[stream])
      for frame in truth.indices where FrameTruth.isScored(truth[frame]) {
        let (row, column) = (Int(truth[frame]), Int(answered.answers[frame]))
        counts[places[frame]].streams[stream].confusion.count(row, column)
        guard answered.isDetermined[frame] else { continue }
        counts[places[frame]].streams[stream].determined.count(row, column)
      }
    }
    return counts.filter(\.isScored)
  }
}

extension SequenceScores {
  /// Only the confusions of one activity; changes, events and latencies have no meaning in pieces
  /// of time and are empty.
  ///
  /// Nil if no scored frame has the activity.
  package func during(_ activity: String) -> SequenceScores? {
    guard let counts = activities.first(where: { $0.activity == activity }) else { return nil }
    return SequenceScores(self, counts)
  }
}

extension StreamCounts {
  init(_ counts: ActivityCounts, _ stream: AnswerStream) {
    self.init(confusion: counts.confusion(stream), determined: counts.determined(stream), stream)
  }
}
