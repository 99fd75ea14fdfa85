package import PoseModel

/// The scored frames of one activity in one sequence, by stream.
///
/// Frames without an activity are counted, too, so that the counts of a sequence add up to those of
/// the whole.
package struct ActivityCounts: Hashable, Sendable {
  /// The activity; nil for frames of none.
  package let activity: String?
  private var streams: PerStream<Counts>

  /// The counts of one stream.
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

  /// Takes all scored frames of a sequence as time without an activity.
  init(whole scores: SequenceScores) {
    self.init(activity: nil)
    for stream in AnswerStream.allCases {
      streams[stream].confusion = scores[stream].confusion
      streams[stream].determined = scores[stream].determined
    }
  }

  /// All scored frames of a stream.
  package func confusion(_ stream: AnswerStream) -> ConfusionMatrix<Int> {
    streams[stream].confusion
  }

  /// The scored frames of a stream that the rules could decide.
  func determined(_ stream: AnswerStream) -> ConfusionMatrix<Int> { streams[stream].determined }

  /// Whether a frame of any stream is scored.
  private var isScored: Bool { AnswerStream.allCases.contains { confusion($0).total > 0 } }

  /// Counts a sequence by activity, in the order in which activities begin, those without last.
  ///
  /// - Returns: only activities with a scored frame; nothing for a sequence without activities.
  /// - Complexity: O(frames + activities).
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
  /// The same sequence with nothing but the confusions of one activity.
  ///
  /// An activity cuts time into pieces, so changes, events and latencies have no meaning in it:
  /// they are empty.
  ///
  /// - Returns: nil if no scored frame has the activity.
  package func during(_ activity: String) -> SequenceScores? {
    guard let counts = activities.first(where: { $0.activity == activity }) else { return nil }
    return SequenceScores(self, counts)
  }
}

extension StreamCounts {
  /// The confusions of one activity.
  init(_ counts: ActivityCounts, _ stream: AnswerStream) {
    self.init(confusion: counts.confusion(stream), determined: counts.determined(stream), stream)
  }
}
