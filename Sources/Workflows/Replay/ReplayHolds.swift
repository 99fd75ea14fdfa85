internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// Hold time and longest hold of one sequence, counted as `evaluate` counts them.
///
/// Over spans of scored frames, any plank as one; gaps of up to 0.5 s do not end the longest hold and
/// count as held. Without labels every frame counts. They are not a session's times, which begin
/// once a plank was held for a while and leave pauses out.
struct ReplayHolds: Hashable, Sendable {
  /// The seconds of one side.
  struct Hold: Hashable, Sendable {
    /// In which a plank was held.
    let total: Double
    /// Of the longest hold, forgiven gaps included.
    let longest: Double
  }

  /// Of the labels; nil without labels and where they leave no frame to score.
  let truth: Hold?
  /// Of the answers; nil where no frame is scored.
  let answers: Hold?

  /// Counts the holds of a sequence and of what was answered.
  init(_ sequence: DatasetSequence, _ detection: DetectionColumns) {
    let recording = sequence.recording
    let outcome = SequenceOutcome(
      name: sequence.name, times: recording.times, truth: Self.truth(of: sequence),
      plank: StreamOutcome(detection.plank), form: StreamOutcome(detection.form),
      frameWeight: recording.frameWeight)
    let counts = SequenceScores(outcome).plank.temporal.any.holds
    let isScored = counts.sequences > 0
    answers =
      isScored ? Hold(total: counts.answeredSeconds, longest: counts.longestAnswered) : nil
    truth =
      isScored && sequence.labels != nil
      ? Hold(total: counts.trueSeconds, longest: counts.longestTrue) : nil
  }

  /// The labels of a sequence; without any, `none` for all of it, so that every frame counts.
  private static func truth(of sequence: DatasetSequence) -> FrameTruth {
    let times = sequence.recording.times
    guard sequence.labels == nil, let first = times.first, let last = times.last,
      let whole = try? LabelTrack([
        LabeledSegment(start: Seconds(first), end: Seconds(last.nextUp), plank: PlankClass.none)
      ])
    else { return sequence.truth() }
    return whole.truth(at: times)
  }
}
