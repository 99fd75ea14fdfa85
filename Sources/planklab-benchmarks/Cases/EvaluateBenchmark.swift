import Evaluation
import PlankDetection
import PoseModel

/// Scoring answers against truth.
struct EvaluateBenchmark {
  /// The outcome to score.
  let outcome: SequenceOutcome

  /// Makes the outcome of a detection against a truth that changes every few seconds.
  init(_ recording: Recording, _ answers: DetectionColumns) throws {
    let planks = PlankClass.allCases
    let segments = stride(from: 0, to: recording.frameCount - 90, by: 90).map { frame in
      LabeledSegment(
        start: Seconds(recording.times[frame]), end: Seconds(recording.times[frame + 90]),
        plank: planks[frame / 90 % planks.count],
        form: planks[frame / 90 % planks.count] == .none ? nil : .aligned)
    }
    outcome = SequenceOutcome(
      name: "benchmark", times: recording.times,
      truth: try LabelTrack(segments).truth(at: recording.times),
      plank: StreamOutcome(answers: answers.plank.answers),
      form: StreamOutcome(answers: answers.form.answers), frameWeight: recording.frameWeight)
  }

  /// Scores; the checksum is over both confusion matrices.
  func score() -> UInt64 {
    let evaluation = SequenceEvaluation(outcome)
    var sum = Checksum()
    for stream in AnswerStream.allCases {
      for cell in evaluation.scores[stream].confusion.cells { sum.add(UInt64(cell)) }
      sum.add(UInt64(evaluation.scores[stream].stability.predictedTransitions))
    }
    return sum.value
  }
}
